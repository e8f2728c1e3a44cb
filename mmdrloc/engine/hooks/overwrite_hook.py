"""Start anew where an earlier run lies."""

from mmengine.dist import master_only
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.apis.work_dir import remove_run


class OverwriteHook(Hook):
    """Remove the earlier run from the work folder at the last moment.

    All checks have passed then: a slip in the new command costs nothing. Not
    registered, because a config is no place for it.
    """

    # After all that may still refuse, before what writes (ResultHook).
    priority = 95

    @master_only
    def before_train(self, runner: Runner) -> None:
        """Remove it."""
        remove_run(runner.work_dir)
