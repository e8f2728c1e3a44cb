"""The Runner that the command lines train and test with."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Type, Union

from mmengine.config import Config
from mmengine.dist import is_main_process
from mmengine.fileio import LocalBackend, get_file_backend
from mmengine.logging import MMLogger
from mmengine.model import BaseTTAModel, is_model_wrapper
from mmengine.optim import OptimWrapper
from mmengine.registry import LOOPS
from mmengine.runner import EpochBasedTrainLoop, IterBasedTrainLoop, Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.checkpoints.load import load_model
from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.checkpoints.starts import Start, load_starts, take_starts
from mmdrloc.preflight import (
    building_explained,
    explain_pipelines,
    no_batches,
)
from mmdrloc.preflight.runner import loops_of
from mmdrloc.utils.batch_size import accumulative_counts
from mmdrloc.utils.console import quiet
from mmdrloc.utils.errors import UsageError, cannot_write, refuse
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.signals import shield
from .resumable_loader import resumable
from .train_loops import ResumableEpochLoop, ResumableIterLoop
from .weights import refuse_other_order, refuse_unresumable


class ResumableRunner(Runner):
    """MMEngine's Runner, with exact resume and whole checkpoints.

    A checkpoint has its name once it is complete and on the disk, and
    workers outlast the signals that end a training. Every tensor that is
    loaded is accounted for: MMEngine loads what fits and mentions the rest
    in its log. With the config key ``partial_weights=True`` that is enough.
    """

    #: Whether all is built: the first hook has been called.
    is_built = False
    _starts: List[Start] = []

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

    def build_model(self, model: Any) -> nn.Module:
        """Build a model, and look after what its parts start from."""
        built = super().build_model(model)
        self._starts = take_starts(
            built,
            partial=self.cfg.get('partial_weights', False),
            skipped=bool(self.cfg.get('resume')),
        )
        return built

    def load_or_resume(self) -> None:
        """Load what parts start from, then the whole model.

        Raises:
            UsageError: If something does not fit.
        """
        starts, self._starts = self._starts, []
        resumes = bool(self.cfg.get('resume'))
        if 'train' in loops_of(self) and not resumes:
            for what, audit in load_starts(starts).items():
                self.logger.info(f'{what}: {audit}')
        super().load_or_resume()
        if resumes and not self._has_loaded:
            raise UsageError(f'there is nothing to resume in {self.work_dir}.')

    def load_checkpoint(
        self, filename: str, *args: Any, **kwargs: Any
    ) -> Dict[str, Any]:
        """Load or resume a whole model; see :meth:`Runner.load_checkpoint`.

        Tensors come to the CPU, whatever ``map_location`` says, and from
        there to where the model's own are.

        Raises:
            UsageError: If the file cannot be read, or does not fit.
        """
        checkpoint = load_checkpoint(find_checkpoint(filename))
        source = checkpoint
        resumes = bool(self.cfg.get('resume'))
        if resumes:
            refuse_unresumable(self, checkpoint, filename)
            # The weights that are trained, not their averages.
            source = dict(state_dict=checkpoint.get('state_dict', {}))
        checkpoint['state_dict'] = weights_of(source, filename)
        self.call_hook('after_load_checkpoint', checkpoint=checkpoint)
        loops = loops_of(self)
        audit = load_model(
            _bare(self.model),
            checkpoint['state_dict'],
            filename,
            is_training='train' in loops,
            partial=self.cfg.get('partial_weights', False),
            exact=resumes,
        )
        if 'test' in loops:
            refuse_other_order(self, checkpoint, filename)
        self._has_loaded = True
        self.logger.info(f'{filename}: {audit}')
        return checkpoint

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


def _bare(model: nn.Module) -> nn.Module:
    """The model inside those that wrap it."""
    while is_model_wrapper(model) or isinstance(model, BaseTTAModel):
        model = model.module
    return model
