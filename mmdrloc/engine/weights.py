"""Weights of a run: read as data, loaded and audited."""

from typing import Any, Dict, List

from mmengine.hooks import EMAHook
from mmengine.model import BaseTTAModel, is_model_wrapper
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn

from mmdrloc.checkpoints.load import load_model
from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.checkpoints.starts import Start, load_starts, take_starts
from mmdrloc.preflight.resuming import unresumable
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
        if isinstance(self._train_loop, BaseLoop) and not self._resume:
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
        if self._resume:  # the weights that are trained, not averages
            state_dict = checkpoint.get('state_dict', {})
            weights = weights_of(dict(state_dict=state_dict), filename)
            self._refuse_unresumable(checkpoint, filename)
        else:
            weights = weights_of(checkpoint, filename)
        checkpoint['state_dict'] = weights
        self.call_hook('after_load_checkpoint', checkpoint=checkpoint)
        is_training = isinstance(self._train_loop, BaseLoop)
        audit = load_model(
            _bare(self.model),
            checkpoint['state_dict'],
            filename,
            is_training=is_training,
            partial=self.cfg.get('partial_weights', False),
            exact=self._resume,
        )
        if isinstance(self._test_loop, BaseLoop):
            self._refuse_other_order(checkpoint, filename)
        self._has_loaded = True
        self.logger.info(f'{filename}: {audit.summary()}')
        return checkpoint

    def _refuse_unresumable(
        self, checkpoint: Dict[str, Any], filename: str
    ) -> None:
        problems = unresumable(self, checkpoint)
        averages = any(isinstance(hook, EMAHook) for hook in self.hooks)
        if averages != ('ema_state_dict' in checkpoint):
            having, lacking = 'it', 'the config'
            if averages:
                having, lacking = lacking, having
            problems.append(
                f'{having} has averaged weights (EMAHook), {lacking} has none'
            )
        if problems:
            raise UsageError(
                f'{filename} cannot be resumed: {"; ".join(problems)}. Give '
                'the config that it was trained with, or begin a new run in '
                'another --work-dir with --cfg-options load_from=PATH.'
            )

    def _refuse_other_order(
        self, checkpoint: Dict[str, Any], filename: str
    ) -> None:
        """The number of a class means what it meant in the training."""
        then = _classes(checkpoint.get('meta', {}).get('dataset_meta'))
        dataset = self.test_dataloader.dataset
        now = _classes(getattr(dataset, 'metainfo', None))
        if then != now and sorted(then) == sorted(now):
            raise UsageError(
                f'{filename} was trained with the classes of these data in '
                f'another order ({", ".join(then[:5])}, ...): list them so '
                'in metainfo=dict(classes=...).'
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
