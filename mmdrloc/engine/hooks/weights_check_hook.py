"""Weights that do not fit are never used in silence."""

import re
from collections import OrderedDict
from typing import Any, Dict, List, Optional, Sequence

from mmengine.hooks import EMAHook, Hook
from mmengine.model import BaseTTAModel, is_model_wrapper
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn

from mmdrloc.checks.findings import shown
from mmdrloc.checks.resuming import (
    OPTIMIZER_TYPE,
    optimizer_types,
    unresumable,
)
from mmdrloc.errors import UsageError
from mmdrloc.models.pretrained import pretrained_entries
from mmdrloc.reading import refuse_bad_tensors, weights_of
from mmdrloc.reading.guard import load_from_mmdrloc
from mmdrloc.registry import HOOKS
from mmdrloc.transfer import Audit, audit_loading, fitting
from .transfer_check_hook import TransferCheckHook

# What the networks of mmdet and mmseg interpolate while they are initialised.
RESIZED = ('relative_position_bias_table', 'pos_embed')


@HOOKS.register_module()
class WeightsCheckHook(Hook):
    """Compare a checkpoint with the model before any of it is used.

    MMEngine loads what fits and mentions the rest in its log; it resumes an
    optimizer whatever it was the optimizer of. This hook sees the checkpoint
    in between. Names, shapes and values of all tensors are looked at, and of
    a training that goes on also its optimizers and schedulers.

    Heads that predictions do not need (DRLoc's, the second one of mmseg) may
    be absent from a model that has none, and from a checkpoint that is
    tested.

    Args:
        expected_missing (Sequence[str]): Beginnings of the names that may
            stay as the model has initialised them, like ``head.`` where a
            classifier is fine-tuned. Defaults to ().
        partial (bool): Whether what fits is enough, whatever it is; what did
            not come is logged. Defaults to False.
    """

    # EMAHook exchanges weights at the same moment.
    priority = 'VERY_HIGH'

    def __init__(
        self, expected_missing: Sequence[str] = (), partial: bool = False
    ) -> None:
        self.expected_missing = tuple(expected_missing)
        self.partial = partial

    def before_run(self, runner: Runner) -> None:
        """Look at what parts of the model are about to start from.

        Args:
            runner (Runner): The runner; nothing is asked of a test.

        Raises:
            UsageError: If nothing of such a file fits, or shapes differ.
        """
        if not isinstance(runner._train_loop, BaseLoop):
            return
        proved = any(isinstance(h, TransferCheckHook) for h in runner.hooks)
        for name, module in _bare(runner.model).named_modules():
            if proved and name == 'backbone':
                continue
            for entry in pretrained_entries(getattr(module, 'init_cfg', None)):
                audit = _audit_start(module, entry)
                place = f'model.{name}'.rstrip('.')
                if audit.mismatched or not audit.loaded:
                    raise UsageError(_misfit(place, entry, audit))
                if audit.missing:
                    runner.logger.warning(
                        f'{place} starts from {entry["checkpoint"]}: '
                        f'{_summary(audit)}'
                    )

    def after_load_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Look at what was read, before it reaches the model.

        Args:
            runner (Runner): With model, and for a training also optimizers,
                built.
            checkpoint (dict): Left without what the model has no place for.

        Raises:
            UsageError: If it does not fit.
        """
        source = runner._load_from or f'the checkpoint in {runner.work_dir}'
        weights = _named_as_loaded(checkpoint, source)
        if runner._resume:
            self._check_resumed(runner, checkpoint, weights, source)
            return
        kept, audit = fitting(
            _bare(runner.model),
            weights,
            source,
            self.expected_missing,
            is_training=isinstance(runner._train_loop, BaseLoop),
            partial=self.partial,
        )
        checkpoint['state_dict'] = kept
        if isinstance(runner._test_loop, BaseLoop):
            _compare_classes(runner, checkpoint, source)
        runner.logger.info(f'{source}: {_summary(audit)}')

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Note the kinds of optimizers, which their states do not tell.

        Args:
            runner (Runner): The runner.
            checkpoint (dict): To be saved.
        """
        checkpoint['meta'][OPTIMIZER_TYPE] = optimizer_types(runner)

    def _check_resumed(
        self,
        runner: Runner,
        checkpoint: Dict[str, Any],
        weights: Dict[str, Any],
        source: str,
    ) -> None:
        problems = unresumable(runner, checkpoint)
        parts = [(_bare(runner.model), weights)]
        averaging = _ema_hook(runner)
        averages = checkpoint.get('ema_state_dict')
        if averaging is not None and averages is not None:
            refuse_bad_tensors(_tensors(averages), source)
            parts.append((averaging.ema_model, averages))
        elif averaging is not averages:  # one of them is None
            having, lacking = 'it', 'the config'
            if averages is None:
                having, lacking = lacking, having
            problems.append(
                f'{having} has averaged weights (EMAHook), {lacking} has none'
            )
        for model, tensors in parts:
            audit = audit_loading(model, tensors)
            # All that it has was in the model when it was saved.
            audit.unexpected += audit.dropped
            if audit.faults:
                problems.append(audit.describe_faults())
        if problems:
            raise UsageError(
                f'{source} cannot be resumed: {"; ".join(problems)}. Give '
                'the config that it was trained with, or start anew from its '
                'weights with --cfg-options load_from=PATH and another '
                '--work-dir.'
            )


def _compare_classes(
    runner: Runner, checkpoint: Dict[str, Any], source: str
) -> None:
    """The number of a class means what it meant in the training."""
    then = _classes(checkpoint.get('meta', {}).get('dataset_meta'))
    now = _classes(getattr(runner.test_dataloader.dataset, 'metainfo', None))
    if then != now and sorted(then) == sorted(now):
        raise UsageError(
            f'{source} was trained with the classes of these data in another '
            f'order{shown(then)}: list them so in metainfo=dict(classes=...).'
        )


def _classes(metainfo: Any) -> List[str]:
    classes = metainfo.get('classes') if isinstance(metainfo, dict) else None
    names = classes if isinstance(classes, (list, tuple)) else ()
    return [str(name) for name in names]


def _audit_start(module: nn.Module, entry: Dict[str, Any]) -> Audit:
    """What of a module a file of pretrained weights has."""
    checkpoint = load_from_mmdrloc(entry['checkpoint'])
    state_dict = checkpoint.get('state_dict', checkpoint.get('model', {}))
    weights = weights_of(dict(state_dict=state_dict), entry['checkpoint'])
    prefix = (entry.get('prefix') or '').rstrip('.')
    # Those of mmdet and mmseg take the backbone out of a model unasked.
    if not prefix and not set(weights) & set(module.state_dict()):
        prefix = 'backbone'
    if prefix:
        weights = {
            name[len(prefix) + 1 :]: tensor
            for name, tensor in weights.items()
            if name.startswith(f'{prefix}.')
        }
    audit = audit_loading(module, weights)
    # What else the file has belongs to other parts of a model.
    audit.unexpected.clear()
    audit.mismatched = [
        name for name in audit.mismatched if not name.endswith(RESIZED)
    ]
    return audit


def _misfit(place: str, entry: Dict[str, Any], audit: Audit) -> str:
    if audit.loaded:
        return (
            f'{entry["checkpoint"]} does not fit {place}, which starts from '
            f'it: {audit.describe_faults()}.'
        )
    prefix = entry.get('prefix')
    return (
        f'nothing of {entry["checkpoint"]} fits {place}, which starts from '
        f'it with prefix={prefix!r}: correct the prefix, or carry the file '
        'with tools/transfer.py, which knows the formats of checkpoints.'
    )


def _named_as_loaded(
    checkpoint: Dict[str, Any], source: str
) -> 'OrderedDict[str, Any]':
    """The tensors under the names that MMEngine will give them."""
    state_dict = checkpoint.get('state_dict', checkpoint)
    weights_of(dict(state_dict=state_dict), source)
    named = OrderedDict(
        (re.sub(r'^module\.', '', name), value)
        for name, value in _tensors(state_dict).items()
    )
    named._metadata = getattr(state_dict, '_metadata', OrderedDict())
    return named


def _tensors(state_dict: Dict[str, Any]) -> Dict[str, Any]:
    return {
        name: value
        for name, value in state_dict.items()
        if hasattr(value, 'is_floating_point')
    }


def _bare(model: nn.Module) -> nn.Module:
    """The model inside those that wrap it, as MMEngine's loader goes."""
    while is_model_wrapper(model) or isinstance(model, BaseTTAModel):
        model = model.module
    return model


def _ema_hook(runner: Runner) -> Optional[EMAHook]:
    return next((h for h in runner.hooks if isinstance(h, EMAHook)), None)


def _summary(audit: Audit) -> str:
    parts: List[str] = [f'{len(audit.loaded)} tensors loaded']
    for what, names in (
        ('for training only, left out', audit.dropped),
        ('expected to be missing', audit.expected_missing),
        ('MISSING', audit.missing),
        ('left out, the model has no such name', audit.unexpected),
        ('left out, of another shape', audit.mismatched),
    ):
        if names:
            more = ', ...' if len(names) > 5 else ''
            parts.append(f'{len(names)} {what}: {", ".join(names[:5])}{more}')
    return '; '.join(parts)
