"""The Runner that the command lines train and test with."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Dict, Optional, Union

import torch
from mmengine.config import Config
from mmengine.dist import is_main_process
from mmengine.evaluator import Evaluator
from mmengine.hooks import EMAHook
from mmengine.logging import MMLogger
from mmengine.model import BaseTTAModel
from mmengine.optim import OptimWrapper
from mmengine.registry import LOOPS
from mmengine.runner import EpochBasedTrainLoop, IterBasedTrainLoop, Runner
from mmengine.runner.base_loop import BaseLoop
from mmpretrain.utils import get_ori_model
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.checkpoints.load import RESUMED_BY, load
from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.checkpoints.saved import note_checkpoint, remove_interrupted
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.checkpoints.starts import load_starts, take_starts
from mmdrloc.preflight.building import building_explained
from mmdrloc.preflight.data import explain_pipelines
from mmdrloc.preflight.dry_run import loops_of
from mmdrloc.preflight.runner import classes_of, no_batches
from mmdrloc.utils.batch_size import accumulative_counts, batch_size
from mmdrloc.utils.console import quiet
from mmdrloc.utils.errors import UsageError, few, mention, refuse
from mmdrloc.utils.files import atomic_path
from .data_order import resumable
from .length import in_iterations, steps
from .run_folder.resume_hook import share_gradients, share_statistics
from .run_folder.stop import UndisturbedLoader
from .train_loops import ResumableEpochLoop, ResumableIterLoop

# By `by_epoch`, for configs that name no type.
TRAIN_LOOPS = {True: EpochBasedTrainLoop, False: IterBasedTrainLoop}
RESUMABLE = {
    EpochBasedTrainLoop: ResumableEpochLoop,
    IterBasedTrainLoop: ResumableIterLoop,
}
# What to do where classes are in another order than in the training, by scope.
ORDER = {
    'mmdet': (
        "list the file's `categories` in the training's order, whatever ids "
        'they have'
    ),
    'mmseg': (
        'renumber the label maps, or give the data '
        "type='mmdrloc.RenumberedSegDataset' with labels=[...], the "
        "training's number for each value"
    ),
    None: (
        "give class folders the training's names, or, where a file lists the "
        'images, name its classes in metainfo=dict(classes=...)'
    ),
}


class ResumableRunner(Runner):
    """MMEngine's Runner, with exact resume and whole checkpoints.

    A checkpoint gets its name when it is complete and on the disk. Weights
    that fit in part are refused, unless a training begins with them and
    ``partial_weights=True`` is in the config. What cannot be built raises a
    ``UsageError``.
    """

    #: Whether everything is built, as it is when the first hook is called.
    is_built = False

    @classmethod
    def from_cfg(cls, cfg: Config) -> 'ResumableRunner':
        """Build a runner; see the base class."""
        with building_explained(cfg):
            return super().from_cfg(cfg)

    def train(self) -> nn.Module:
        """Train; see the base class."""
        with building_explained(self.cfg, lambda: self.is_built):
            return super().train()

    def test(self) -> Dict[str, float]:
        """Test; see the base class."""
        with building_explained(self.cfg, lambda: self.is_built):
            return super().test()

    def call_hook(self, fn_name: str, **kwargs: Any) -> None:
        """Call all hooks; see the base class."""
        self.is_built = self.is_built or fn_name == 'before_run'
        super().call_hook(fn_name, **kwargs)

    def build_logger(self, *args: Any, **kwargs: Any) -> MMLogger:
        """Build a logger, quiet on the console; see the base class."""
        logger = super().build_logger(*args, **kwargs)
        quiet(logger)
        return logger

    def dump_config(self) -> None:
        """Put it off: the training may still be refused."""

    def _maybe_compile(self, target: str) -> None:
        """Compile the model, but not what prepares batches; see the parent.

        PyTorch's compiler fails in mmpretrain's CutMix.
        """
        preprocessor = get_ori_model(self.model).data_preprocessor
        if self.cfg.get('compile'):
            preprocessor.forward = torch.compiler.disable(preprocessor.forward)
        super()._maybe_compile(target)

    @staticmethod
    def build_dataloader(
        dataloader: Union[DataLoader, dict], *args: Any, **kwargs: Any
    ) -> DataLoader:
        """Build a loader; refuse one without a batch; see the base class."""
        with redirect_stdout(StringIO()):  # pycocotools prints
            loader = Runner.build_dataloader(dataloader, *args, **kwargs)
        refuse(no_batches(loader))
        explain_pipelines(loader.dataset)
        # MMEngine names the class of a loader itself.
        loader.__class__ = UndisturbedLoader
        return loader

    def build_evaluator(self, evaluator: Any) -> Evaluator:
        """Build metrics, which print nothing: they are logged."""
        with redirect_stdout(StringIO()):
            evaluator = super().build_evaluator(evaluator)
        evaluate = evaluator.evaluate

        def evaluate_silently(size: int) -> Dict[str, float]:
            with redirect_stdout(StringIO()):
                return evaluate(size)

        evaluator.evaluate = evaluate_silently
        return evaluator

    @property
    def data_seed(self) -> int:
        """The seed of the data, the same in all processes."""
        differs = (self.cfg.get('randomness') or {}).get('diff_rank_seed')
        return self.seed - self.rank if differs else self.seed

    def build_train_loop(self, loop: Union[BaseLoop, dict]) -> BaseLoop:
        """Build a loop that resumes exactly, in place of MMEngine's."""
        if isinstance(loop, BaseLoop):
            return loop
        kind = loop.get('type', TRAIN_LOOPS.get(loop.get('by_epoch')))
        kind = LOOPS.get(kind) if isinstance(kind, str) else kind
        if kind not in RESUMABLE:
            return super().build_train_loop(loop)
        kind = RESUMABLE[kind]
        no_options = ('type', 'by_epoch', '_scope_')
        options = {k: v for k, v in loop.items() if k not in no_options}
        loader = self._train_dataloader
        if isinstance(loader, dict):
            loader = resumable(loader, kind is ResumableIterLoop)
        loader = self.build_dataloader(loader, self.data_seed)
        # PyTorch has None there beside a batch sampler, and refuses to set
        # it; hooks such as mmpretrain's PreciseBNHook compute with it.
        loader.__dict__['batch_size'] = batch_size(loader)
        return kind(self, loader, **options)

    def build_param_scheduler(self, scheduler: Any) -> Any:
        """Build schedulers, without those of a single step; see the parent.

        In MMEngine a warm-up of one step never leaves its first value, and
        steps at fractions of epochs never come.
        """
        if isinstance(scheduler, dict) and 'type' in scheduler:
            scheduler = [scheduler]
        if isinstance(scheduler, (list, tuple)):
            dicts = [one for one in scheduler if isinstance(one, dict)]
            converts = any(one.get('convert_to_iter_based') for one in dicts)
            length = len(self.train_dataloader) if converts else 1
            short = [one for one in dicts if steps(one, length) < 2]
            scheduler = [
                in_iterations(one, length) if isinstance(one, dict) else one
                for one in scheduler
                if one not in short
            ]
        return super().build_param_scheduler(scheduler)

    def scale_lr(
        self,
        optim_wrapper: OptimWrapper,
        auto_scale_lr: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Scale by images an update; MMEngine counts those an iteration."""
        if auto_scale_lr and auto_scale_lr.get('base_batch_size'):
            base = auto_scale_lr['base_batch_size'] / accumulative_counts(self)
            auto_scale_lr = dict(auto_scale_lr, base_batch_size=base)
        super().scale_lr(optim_wrapper, auto_scale_lr)

    def _init_model_weights(self) -> None:
        """Initialise the model; load the parts that start from files."""
        starts = take_starts(get_ori_model(self.model))
        super()._init_model_weights()
        if self.cfg.get('resume'):
            return
        partial = self.cfg.get('partial_weights', False)
        for what, audit in load_starts(starts, partial).items():
            self.logger.info(f'{what}: {audit}')

    def load_checkpoint(
        self, filename: str, *args: Any, **kwargs: Any
    ) -> Dict[str, Any]:
        """Load or resume a whole model, by way of the CPU; see the base class.

        Raises:
            UsageError: If the file cannot be read, or does not fit.
        """
        checkpoint = load_checkpoint(find_checkpoint(filename))
        if self.cfg.get('resume'):
            _refuse_unresumable(self, checkpoint, filename)
            # Go on with the trained weights, not with their averages.
            trained = dict(state_dict=checkpoint.get('state_dict', {}))
            checkpoint['state_dict'] = weights_of(trained, filename)
            self.call_hook('after_load_checkpoint', checkpoint=checkpoint)
            trained = dict(state_dict=checkpoint['state_dict'])
            audit = load(self.model, filename, 'resume', checkpoint=trained)
        else:
            # A part of the weights may start a training; it is not tested.
            use: Dict[str, Any] = dict(use='test', partial=None)
            if 'train' in loops_of(self):
                partial = self.cfg.get('partial_weights', False)
                use = dict(use='train', partial=partial)
            audit = load(self.model, filename, checkpoint=checkpoint, **use)
            self._tell_hooks(checkpoint)
        if 'test' in loops_of(self):
            self._refuse_other_classes(checkpoint, filename)
        self._has_loaded = True
        self.logger.info(f'{filename}: {audit}')
        return checkpoint

    def _tell_hooks(self, checkpoint: Dict[str, Any]) -> None:
        """Show hooks such as EMAHook the loaded weights, by our names."""
        model = get_ori_model(self.model)
        if isinstance(model, BaseTTAModel):
            # MMEngine sees through it, but not for these.
            model = model.module
            checkpoint.pop('ema_state_dict', None)
        checkpoint['state_dict'] = model.state_dict()
        self.call_hook('after_load_checkpoint', checkpoint=checkpoint)
        model.load_state_dict(checkpoint['state_dict'], strict=False)

    def _refuse_other_classes(
        self, checkpoint: Dict[str, Any], filename: str
    ) -> None:
        known = checkpoint.get('meta', {}).get('dataset_meta') or {}
        then = list(known.get('classes') or ())
        now = list(classes_of(self.test_dataloader.dataset) or ())
        shared = [name for name in now if name in then]
        if any(then.index(name) != now.index(name) for name in shared):
            raise UsageError(
                f'{filename} was trained with other classes, or in another '
                f'order ({few(then)}), than these data have ({few(now)}): '
                f'{ORDER.get(self.cfg.get("default_scope"), ORDER[None])}.'
            )
        if then and then != now and is_main_process():
            mention(
                f'the classes of these data ({few(now)}) are called '
                f'otherwise than those of the training ({few(then)}).'
            )

    def save_checkpoint(
        self, out_dir: str, filename: str, *args: Any, **kwargs: Any
    ) -> None:
        """Write a whole checkpoint to the disk; see the base class."""
        is_whole = kwargs.get('save_optimizer', True)  # not the best weights
        if is_whole and self._train_loop is not None:
            share_gradients(self)
            share_statistics(self)
        if not is_main_process():
            return
        path = Path(out_dir, filename)
        note_checkpoint(self.work_dir, path, is_whole)
        with atomic_path(path) as temporary:
            super().save_checkpoint(out_dir, temporary.name, *args, **kwargs)
        if is_whole:
            remove_interrupted(self.work_dir, but=filename)


def _refuse_unresumable(
    runner: Runner, checkpoint: Dict[str, Any], filename: str
) -> None:
    """Refuse a checkpoint from which MMEngine would go on differently."""
    meta = checkpoint.get('meta') or {}
    states = [checkpoint.get(name) for name in ('optimizer', 'message_hub')]
    counts = [meta.get('epoch'), meta.get('iter')]
    schedulers = checkpoint.get('param_schedulers') or ()
    averages = any(isinstance(hook, EMAHook) for hook in runner.hooks)
    is_state = all(isinstance(state, dict) for state in states)
    if not is_state or not all(isinstance(count, int) for count in counts):
        problem = (
            'it holds no state of a training (weights alone are what '
            '--weights starts from)'
        )
    elif len(schedulers) != len(runner.param_schedulers or ()):
        problem = 'the config has more or fewer parameter schedulers'
    elif averages != ('ema_state_dict' in checkpoint):
        problem = (
            'only one of it and the config has averaged weights (EMAHook)'
        )
    else:
        return
    raise UsageError(f'{filename} cannot be resumed: {problem}. {RESUMED_BY}.')
