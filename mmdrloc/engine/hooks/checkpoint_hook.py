"""Checkpoints of which at least one is complete at every moment."""

import os
from collections import deque
from typing import Any, Dict, List, Optional, Sequence

from mmengine.dist import is_main_process
from mmengine.hooks import CheckpointHook as MMEngineCheckpointHook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import point_to, remove_interrupted
from mmdrloc.registry import HOOKS

# While one is written, another must be there, even if the disk damages one.
AT_LEAST = 2


@HOOKS.register_module()
class CheckpointHook(MMEngineCheckpointHook):
    """MMEngine's hook in another order: the oldest goes last.

    A checkpoint is written, then ``last_checkpoint`` names it, then the
    oldest or the former best one is removed; MMEngine removes first. At
    least two are kept. The pointer holds a name, and what a checkpoint tells
    of earlier ones is looked for in its own folder, so that a run can be
    moved. Takes the arguments of MMEngine's hook.

    The files are written by :meth:`Runner.save_checkpoint`; that of the
    tools' runner never leaves half of one.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.raised = 0 < self.max_keep_ckpts < AT_LEAST
        if self.raised:
            self.max_keep_ckpts = AT_LEAST
        # Iterations that the last regular checkpoint has seen.
        self.saved_iter: Optional[int] = None

    def before_train(self, runner: Runner) -> None:
        """Find the folder and what an interrupted run left in it."""
        super().before_train(runner)
        self._look_beside(runner)
        self.file_backend = _LaterRemoval(self.file_backend)
        if self.raised:
            runner.logger.info(
                f'{AT_LEAST} checkpoints are kept, not 1: while the next is '
                'written, one has to be there.'
            )

    def after_val_epoch(self, runner: Runner, metrics: Dict[str, Any]) -> None:
        """Save the best, then remove the former best."""
        super().after_val_epoch(runner, metrics)
        if isinstance(self.file_backend, _LaterRemoval):  # in a training
            self.file_backend.remove_now(but=self._best())

    def _save_checkpoint_with_step(
        self, runner: Runner, step: int, meta: Dict[str, Any]
    ) -> None:
        """Save, point, remove; called by all that saves to go on from."""
        name = self.filename_tmpl.format(step)
        self.last_ckpt = self.file_backend.join_path(self.out_dir, name)
        runner.message_hub.update_info('last_ckpt', self.last_ckpt)
        # The one that goes is still among them: a run that is killed before
        # it went removes it when it is resumed.
        kept = self._with(step)
        if kept:
            runner.message_hub.update_info('keep_ckpt_ids', kept)
        runner.save_checkpoint(
            self.out_dir,
            name,
            self.file_client_args,
            save_optimizer=self.save_optimizer,
            save_param_scheduler=self.save_param_scheduler,
            meta=meta,
            by_epoch=self.by_epoch,
            backend_args=self.backend_args,
            **self.args,
        )
        self.saved_iter = meta['iter']
        if is_main_process():
            point_to(runner.work_dir, self.last_ckpt)
            remove_interrupted(self.out_dir)
        while len(kept) > self.max_keep_ckpts > 0:
            self._remove(kept.pop(0))
        if kept:
            self.keep_ckpt_ids = deque(kept, self.max_keep_ckpts)
            runner.message_hub.update_info('keep_ckpt_ids', list(kept))

    def _look_beside(self, runner: Runner) -> None:
        """Take the paths that a resumed checkpoint holds as mere names.

        The folder may have been moved, or copied: what lies elsewhere now is
        not this run's.
        """

        def beside(path: str) -> str:
            name = os.path.basename(path)
            return self.file_backend.join_path(self.out_dir, name)

        for key, path in dict(runner.message_hub.runtime_info).items():
            if path and key.startswith(('best_ckpt', 'last_ckpt')):
                runner.message_hub.update_info(key, beside(path))
        if getattr(self, 'best_ckpt_path', None):
            self.best_ckpt_path = beside(self.best_ckpt_path)
        several = getattr(self, 'best_ckpt_path_dict', {})
        for key, path in several.items():
            several[key] = path and beside(path)

    def _best(self) -> List[Optional[str]]:
        several = getattr(self, 'best_ckpt_path_dict', {})
        return [getattr(self, 'best_ckpt_path', None), *several.values()]

    def _with(self, step: int) -> List[int]:
        if self.max_keep_ckpts <= 0:
            return []
        kept = [other for other in self.keep_ckpt_ids if other != step]
        return [*kept, step]

    def _remove(self, step: int) -> None:
        if is_main_process():
            backend = self.file_backend.now
            path = backend.join_path(
                self.out_dir, self.filename_tmpl.format(step)
            )
            if backend.isfile(path):
                backend.remove(path)
            elif backend.isdir(path):  # a sharded one
                backend.rmtree(path)


class _LaterRemoval:
    """A file backend that removes when it is told to.

    Args:
        backend (BaseStorageBackend): The backend, ``now`` afterwards.
    """

    def __init__(self, backend: Any) -> None:
        self.now = backend
        self._waiting: list = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.now, name)

    def remove(self, path: str) -> None:
        self._waiting.append((self.now.remove, path))

    def rmtree(self, path: str) -> None:
        self._waiting.append((self.now.rmtree, path))

    def remove_now(self, but: Sequence[Optional[str]]) -> None:
        while self._waiting:
            remove, path = self._waiting.pop()
            if path not in but:
                remove(path)
