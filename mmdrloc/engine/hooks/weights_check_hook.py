"""Weights that do not fit are never used in silence."""

import re
from collections import OrderedDict
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from mmengine.hooks import EMAHook, Hook
from mmengine.model import BaseTTAModel, is_model_wrapper
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn

from mmdrloc.checkpoints.reading import (
    KEPT,
    load_checkpoint_once,
    local_file,
    refuse_bad_tensors,
    weights_of,
)
from mmdrloc.checkpoints.transfer import Audit, audit_loading, fitting
from mmdrloc.checkpoints.transfer.audit import counted
from mmdrloc.checkpoints.transfer.witness import (
    Witness,
    not_arrived,
    replaced_later,
)
from mmdrloc.models.pretrained import pretrained_entries
from mmdrloc.preflight.findings import shown
from mmdrloc.preflight.resuming import (
    OPTIMIZER_TYPE,
    optimizer_types,
    unresumable,
)
from mmdrloc.preflight.weights import no_file
from mmdrloc.registry import HOOKS
from mmdrloc.utils.errors import UsageError


@HOOKS.register_module()
class WeightsCheckHook(Hook):
    """Compare a checkpoint with the model before any of it is used.

    MMEngine loads what fits and mentions the rest in its log; it resumes an
    optimizer whatever it was the optimizer of. The libraries' own loaders do
    not mind loading nothing. This hook sees the checkpoint in between. Names,
    shapes and values of all tensors are looked at, and of a training that
    goes on also its optimizers and schedulers. What starts from a file, the
    model or a part of it with an ``init_cfg``, is compared with it tensor by
    tensor before the first update. What a network adds to the one that was
    trained, like the norms that detectors put on the outputs of a backbone,
    may be missing; see :mod:`mmdrloc.checkpoints.transfer.additions`.

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
        self.witnesses: List[Witness] = []
        self.loaded: Optional[Tuple[str, Dict[str, Any]]] = None

    def before_run(self, runner: Runner) -> None:
        """Watch what parts of the model will be given to start from.

        Nothing is asked of a test.

        Raises:
            UsageError: If a part names no file, or one of another kind.
        """
        if not isinstance(runner._train_loop, BaseLoop):
            return
        for name, module in _bare(runner.model).named_modules():
            for entry in _starting(module):
                place = f'model.{name}'.rstrip('.')
                if not entry.get('checkpoint'):
                    raise UsageError(no_file(place))
                self.witnesses.append(
                    Witness(module, name, entry, self.partial)
                )
                _refuse_named_already(self.witnesses[-1])

    def after_load_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Look at what was read, before it reaches the model.

        The checkpoint is left without what the model has no place for.

        Raises:
            UsageError: If it does not fit.
        """
        self._look_at(runner, checkpoint)

    def before_train(self, runner: Runner) -> None:
        """Compare every tensor with the file that it is from.

        Raises:
            UsageError: If a tensor did not arrive as it should.
        """
        if runner.iter > 0:
            for witness in self.witnesses:
                witness.dismiss()
            if self.witnesses:
                runner.logger.info(
                    'Resumed: the model has been trained since it was '
                    'given its weights, they are not compared.'
                )
        else:
            self._compare_starts(runner)
            self._compare_whole(runner)
        self.witnesses, self.loaded = [], None
        KEPT.clear()

    def before_test(self, runner: Runner) -> None:
        """Let go of what was read."""
        KEPT.clear()

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Note the kinds of optimizers, which their states do not tell."""
        checkpoint['meta'][OPTIMIZER_TYPE] = optimizer_types(runner)

    def _look_at(self, runner: Runner, checkpoint: Dict[str, Any]) -> None:
        source = runner._load_from or f'the checkpoint in {runner.work_dir}'
        weights = _named_as_loaded(checkpoint, source)
        if runner._resume:
            self._check_resumed(runner, checkpoint, weights, source)
            return
        # Before this file replaces them.
        self._compare_starts(runner)
        kept, audit = fitting(
            _bare(runner.model),
            weights,
            source,
            self.expected_missing,
            is_training=isinstance(runner._train_loop, BaseLoop),
            partial=self.partial,
        )
        checkpoint['state_dict'] = kept
        self.loaded = source, dict(kept)
        if isinstance(runner._test_loop, BaseLoop):
            _compare_classes(runner, checkpoint, source)
        runner.logger.info(f'{source}: {_summary(audit)}')

    def _compare_starts(self, runner: Runner) -> None:
        for witness in self.witnesses:
            audit = witness.testify(replaced_later(witness, self.witnesses))
            if not audit.loaded or (audit.faults and not self.partial):
                raise UsageError(witness.misfit(audit))
            runner.logger.info(
                f'{witness.name} starts from {witness.source}: '
                f'{_summary(audit, "of other parts, left out")}'
            )
        self.witnesses = []

    def _compare_whole(self, runner: Runner) -> None:
        if self.loaded is None:
            return
        source, weights = self.loaded
        different = not_arrived(_bare(runner.model), weights)
        if different:
            raise UsageError(
                f'{source} does not arrive in the model: '
                f'{Audit(different=different).describe_faults()}.'
            )

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


def _starting(module: nn.Module) -> Iterator[Dict[str, Any]]:
    """The files that a part of a model starts from."""
    # Some are initialised when they are built.
    if getattr(module, 'is_init', not hasattr(module, 'init_weights')):
        return
    entries = list(pretrained_entries(getattr(module, 'init_cfg', None)))
    file = getattr(module, 'pretrained', None)
    if not entries and isinstance(file, str):
        entries = [dict(checkpoint=file)]
    yield from entries


def _refuse_named_already(witness: Witness) -> None:
    """What converts official names corrupts those that need not."""
    if not getattr(witness.module, 'convert_weights', False):
        return
    file = local_file(witness.source)
    weights = weights_of(load_checkpoint_once(file), file)
    names = {name.removeprefix('backbone.') for name in weights}
    if 2 * len(names.intersection(witness.module.state_dict())) > len(names):
        raise UsageError(
            f'{witness.name} has convert_weights=True, which is for the '
            f"official files, and {witness.source} has mmdet's names: set it "
            'to False.'
        )


def _named_as_loaded(
    checkpoint: Dict[str, Any], source: str
) -> 'OrderedDict[str, Any]':
    """The tensors under the names that MMEngine will give them."""
    state_dict = checkpoint.get('state_dict', checkpoint)
    weights_of(dict(state_dict=state_dict), source)
    named: Any = OrderedDict(
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


def _summary(
    audit: Audit, dropped: str = 'for training only, left out'
) -> str:
    parts: List[str] = [f'{len(audit.loaded)} tensors loaded']
    for what, names in (
        (dropped, audit.dropped),
        ('expected to be missing', audit.expected_missing),
        ('for other classes, not loaded', audit.other_classes),
        ('MISSING', audit.missing),
        ('left out, the model has no such name', audit.unexpected),
        ('left out, of another shape', audit.mismatched),
    ):
        if names:
            parts.append(counted(names, what))
    return '; '.join(parts)
