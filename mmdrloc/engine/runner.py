"""The Runner that the command lines train and test with."""

from pathlib import Path
from typing import Any, Dict, Optional, Type, Union

from mmengine.config import Config
from mmengine.dist import is_main_process
from mmengine.fileio import LocalBackend, get_file_backend
from mmengine.logging import MMLogger
from mmengine.optim import OptimWrapper
from mmengine.registry import LOOPS
from mmengine.runner import EpochBasedTrainLoop, IterBasedTrainLoop, Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.preflight import (
    building_explained,
    explain_pipelines,
    no_batches,
)
from mmdrloc.utils.batch_size import accumulative_counts
from mmdrloc.utils.console import quiet
from mmdrloc.utils.errors import UsageError, cannot_write, refuse
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.signals import shield
from .resumable_loader import resumable
from .train_loops import ResumableEpochLoop, ResumableIterLoop
from .weights import AuditedRunner


class ResumableRunner(AuditedRunner):
    """MMEngine's Runner, with exact resume and whole checkpoints.

    A checkpoint has its name once it is complete and on the disk, and
    workers outlast the signals that end a training.
    """

    #: Whether all is built: the first hook has been called.
    is_built = False

    @classmethod
    def from_cfg(cls, cfg: Config) -> 'ResumableRunner':
        """Build a runner; see the base class.

        Raises:
            UsageError: With all that cannot be built.
        """
        with building_explained(cfg):
            return super().from_cfg(cfg)

    def train(self) -> nn.Module:
        """Train; see the base class.

        Raises:
            UsageError: With all that cannot be built, or what else fails.
        """
        with building_explained(self.cfg, lambda: self.is_built):
            return super().train()

    def test(self) -> Dict[str, float]:
        """Test; see :meth:`train`."""
        with building_explained(self.cfg, lambda: self.is_built):
            return super().test()

    def build_logger(self, *args: Any, **kwargs: Any) -> MMLogger:
        """Build one that is quiet on the console; see the base class."""
        logger = super().build_logger(*args, **kwargs)
        quiet(logger)
        return logger

    def dump_config(self) -> None:
        """Write nothing yet: the training may still be refused."""

    def write_config(self) -> None:
        """Write the config into the work_dir; all checks have passed."""
        super().dump_config()

    def call_hook(self, fn_name: str, **kwargs: Any) -> None:
        """Call all hooks; see the base class."""
        if fn_name == 'before_run':
            self.is_built = True
        super().call_hook(fn_name, **kwargs)

    @staticmethod
    def build_dataloader(
        dataloader: Union[DataLoader, dict], *args: Any, **kwargs: Any
    ) -> DataLoader:
        """Build a loader that has a batch at least; see the base class."""
        loader = Runner.build_dataloader(dataloader, *args, **kwargs)
        refuse(no_batches(loader))
        explain_pipelines(loader.dataset)
        loader.worker_init_fn = shield(loader.worker_init_fn)
        return loader

    @property
    def data_seed(self) -> int:
        """The seed that all processes share."""
        randomness = self.cfg.get('randomness') or {}
        differs = randomness.get('diff_rank_seed', False)
        return self.seed - self.rank if differs else self.seed

    def build_train_loop(self, loop: Union[BaseLoop, dict]) -> BaseLoop:
        """Build a loop that can be resumed exactly in place of MMEngine's."""
        kind = _resumable_kind(loop)
        if kind is None:
            return super().build_train_loop(loop)
        how = ('type', 'by_epoch', '_scope_')
        options = {k: v for k, v in loop.items() if k not in how}
        loader = resumable(
            self.build_dataloader(self._train_dataloader, self.data_seed),
            self.data_seed,
            endless=kind is ResumableIterLoop,
        )
        return kind(self, loader, **options)

    def save_checkpoint(
        self,
        out_dir: str,
        filename: str,
        file_client_args: Optional[dict] = None,
        **kwargs: Any,
    ) -> None:
        """Write a checkpoint or none; see the base class.

        Raises:
            UsageError: If the disk is full or closed to writing.
        """
        if not is_main_process():
            return
        save = super().save_checkpoint
        backend_args = kwargs.get('backend_args')
        backend = get_file_backend(str(out_dir), backend_args=backend_args)
        if file_client_args or not isinstance(backend, LocalBackend):
            return save(out_dir, filename, file_client_args, **kwargs)
        path = Path(out_dir, filename)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_path(path) as temporary:
                save(out_dir, temporary.name, **kwargs)
        except OSError as error:
            raise UsageError(
                f'{path} could not be written: {cannot_write(error)} '
                'Then run the same command to resume.'
            ) from error

    def scale_lr(
        self,
        optim_wrapper: OptimWrapper,
        auto_scale_lr: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Count accumulated gradients too; see the base class.

        MMEngine compares the images of one iteration with the reference,
        which with accumulation are a part of an update.
        """
        if auto_scale_lr is not None and auto_scale_lr.get('enable'):
            parts = accumulative_counts(self)
            base = auto_scale_lr['base_batch_size'] / parts
            auto_scale_lr = dict(auto_scale_lr, base_batch_size=base)
        super().scale_lr(optim_wrapper, auto_scale_lr)


def _resumable_kind(loop: Any) -> Optional[Type[BaseLoop]]:
    """Our class in the place of the one that a config asks for, if any."""
    if not isinstance(loop, dict) or ('type' in loop and 'by_epoch' in loop):
        return None
    kind = loop.get('type')
    if isinstance(kind, str):
        kind = LOOPS.get(kind)
    if kind is EpochBasedTrainLoop or loop.get('by_epoch') is True:
        return ResumableEpochLoop
    if kind is IterBasedTrainLoop or loop.get('by_epoch') is False:
        return ResumableIterLoop
    return None
