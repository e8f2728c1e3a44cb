"""Weights of a run: read as data, loaded and audited."""

from typing import Any, Dict, List

from mmengine.hooks import EMAHook
from mmengine.model import BaseTTAModel, is_model_wrapper
from mmengine.runner import EpochBasedTrainLoop, Runner
from torch import nn

from mmdrloc.checkpoints.load import load_model
from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.checkpoints.starts import Start, load_starts, take_starts
from mmdrloc.preflight.runner import loops_of
from mmdrloc.utils.errors import UsageError


class AuditedRunner(Runner):
    """A Runner that accounts for every tensor that it loads.

    MMEngine loads what fits and mentions the rest in its log. The config key
    ``partial_weights=True`` has that be enough.
    """

    _starts: List[Start] = []

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
        if 'train' in loops_of(self) and not self._resume:
            for what, audit in load_starts(starts).items():
                self.logger.info(f'{what}: {audit.summary()}')
        super().load_or_resume()
        if self._resume and not self._has_loaded:
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
        if self._resume:
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
            exact=self._resume,
        )
        if 'test' in loops:
            refuse_other_order(self, checkpoint, filename)
        self._has_loaded = True
        self.logger.info(f'{filename}: {audit.summary()}')
        return checkpoint


def refuse_unresumable(
    runner: Runner, checkpoint: Dict[str, Any], filename: str
) -> None:
    """Refuse a checkpoint with which a training cannot go on.

    What does not fit the model or the optimizer is found where it is loaded.

    Args:
        runner (Runner): With optimizers and schedulers built.
        checkpoint (dict): Read, not yet used.
        filename (str): What it was read from.

    Raises:
        UsageError: With all reasons.
    """
    meta = checkpoint.get('meta') or {}
    states = [checkpoint.get(name) for name in ('optimizer', 'message_hub')]
    counts = [meta.get(name) for name in ('epoch', 'iter')]
    is_state = all(isinstance(state, dict) for state in states)
    problems = []
    if not is_state or not all(isinstance(count, int) for count in counts):
        problems.append(
            'it holds no state of a training (weights alone are what '
            '--weights starts from)'
        )
    else:
        # A loop that begins behind its end does nothing, and says nothing.
        is_epochs = isinstance(runner.train_loop, EpochBasedTrainLoop)
        what, count = list(zip(('epoch', 'iteration'), counts))[not is_epochs]
        end = runner.max_epochs if is_epochs else runner.max_iters
        if count > end:
            problems.append(
                f'it has done {what} {count}, the config ends at {end}'
            )
        # MMEngine restores as many as there are, and leaves the others.
        saved = len(checkpoint.get('param_schedulers') or ())
        own = len(runner.param_schedulers or ())
        if saved != own:
            problems.append(
                f'it has {saved} parameter schedulers, the config has {own}'
            )
    averages = any(isinstance(hook, EMAHook) for hook in runner.hooks)
    if averages != ('ema_state_dict' in checkpoint):
        having, lacking = 'it', 'the config'
        if averages:
            having, lacking = lacking, having
        problems.append(
            f'{having} has averaged weights (EMAHook), {lacking} has none'
        )
    if problems:
        raise UsageError(
            f'{filename} cannot be resumed: {"; ".join(problems)}. Give the '
            'config that it was trained with, or begin a new run in another '
            '--work-dir with --cfg-options load_from=PATH.'
        )


def refuse_other_order(
    runner: Runner, checkpoint: Dict[str, Any], filename: str
) -> None:
    """Refuse weights to which the numbers of the classes mean others."""
    then = _classes(checkpoint.get('meta', {}).get('dataset_meta'))
    dataset = runner.test_dataloader.dataset
    now = _classes(getattr(dataset, 'metainfo', None))
    if then != now and sorted(then) == sorted(now):
        raise UsageError(
            f'{filename} was trained with the classes of these data in '
            f'another order ({", ".join(then[:5])}, ...): list them so in '
            'metainfo=dict(classes=...).'
        )


def _classes(metainfo: Any) -> List[str]:
    classes = metainfo.get('classes') if isinstance(metainfo, dict) else None
    names = classes if isinstance(classes, (list, tuple)) else ()
    return [str(name) for name in names]


def _bare(model: nn.Module) -> nn.Module:
    """The model inside those that wrap it."""
    while is_model_wrapper(model) or isinstance(model, BaseTTAModel):
        model = model.module
    return model
