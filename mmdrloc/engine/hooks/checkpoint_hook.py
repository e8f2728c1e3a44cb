"""Keep at least one complete checkpoint, in a folder that can be moved."""

from pathlib import Path
from typing import Any, Optional

from mmengine.dist import is_main_process
from mmengine.hooks import CheckpointHook as MMEngineCheckpointHook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import point_to, remove_interrupted
from mmdrloc.registry import HOOKS


@HOOKS.register_module()
class CheckpointHook(MMEngineCheckpointHook):
    """MMEngine's hook for runs that may be killed, or moved.

    At least two checkpoints are kept, because MMEngine removes the oldest
    before it writes the next. ``last_checkpoint`` holds a name, not a path,
    and the best checkpoint of a resumed run is looked for in its own folder.
    Takes the arguments of MMEngine's hook.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.max_keep_ckpts == 1:
            self.max_keep_ckpts = 2
        self._pointed: Optional[str] = None

    def before_train(self, runner: Runner) -> None:
        """Find the folder, and there the best checkpoint so far."""
        info = runner.message_hub.runtime_info
        for key in [k for k in info if k.startswith('best_ckpt')]:
            if info[key] and self.out_dir is None:
                name = Path(info[key]).name
                info[key] = str(Path(runner.work_dir, name))
        super().before_train(runner)

    def after_train_iter(self, runner: Runner, *args: Any, **_: Any) -> None:
        """Save where it is time; see MMEngine's hook."""
        super().after_train_iter(runner, *args, **_)
        self._point(runner)

    def after_train_epoch(self, runner: Runner) -> None:
        """Save where it is time; see MMEngine's hook."""
        super().after_train_epoch(runner)
        self._point(runner)

    def after_val_epoch(self, runner: Runner, metrics: dict) -> None:
        """Save the best; see MMEngine's hook."""
        super().after_val_epoch(runner, metrics)
        self._pointed = None  # it may have written the last one again
        self._point(runner)

    def _point(self, runner: Runner) -> None:
        if self.last_ckpt == self._pointed or not is_main_process():
            return
        self._pointed = self.last_ckpt
        if Path(self.last_ckpt).is_file():  # not on a server
            point_to(runner.work_dir, self.last_ckpt)
            remove_interrupted(runner.work_dir)
