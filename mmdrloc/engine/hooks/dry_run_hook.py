"""What would be found only after an epoch, found before the first update."""

from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.preflight import dry_run
from mmdrloc.registry import HOOKS
from ..sharded import is_sharded


@HOOKS.register_module()
class DryRunHook(Hook):
    """Try a step of training and one of validation.

    Two images of each data set, a copy of the model; nothing of it is left,
    neither in the random states nor in the work directory.
    """

    # After CheckpointHook has found its folder; before ResultHook writes.
    priority = 'VERY_LOW'

    def before_train(self, runner: Runner) -> None:
        """Try them.

        Raises:
            UsageError: With all findings.
        """
        if is_sharded(runner.model):  # of which a copy is no model
            return
        dry_run(runner)
