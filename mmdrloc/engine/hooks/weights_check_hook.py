"""Weights that do not fit are never used in silence."""

import re
from collections import OrderedDict
from typing import Any, Dict, List, Optional, Sequence

from mmengine.hooks import EMAHook, Hook
from mmengine.model import BaseTTAModel, is_model_wrapper
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn

from mmdrloc.checks.resuming import (
    OPTIMIZER_TYPE,
    optimizer_types,
    unresumable,
)
from mmdrloc.errors import UsageError
from mmdrloc.reading import refuse_bad_tensors, weights_of
from mmdrloc.registry import HOOKS
from mmdrloc.transfer import Audit, audit_loading, fitting


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


def _named_as_loaded(
    checkpoint: Dict[str, Any], source: str
) -> 'OrderedDict[str, Any]':
    """The tensors under the names that MMEngine will give them."""
    state_dict = checkpoint.get('state_dict', checkpoint)
    weights_of(state_dict, source)
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
