"""What would come of loading weights into a model, known before it is done."""

import copy
import re
import warnings
from collections import OrderedDict
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import torch
from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError
from .additions import layers_of_classes
from .audit import COMPUTED, Audit

# Heads that training alone has a use for: DRLoc's, and mmseg's second one.
TRAINING_HEADS = ('auxiliary_head', 'drloc_head')


def audit_loading(
    model: nn.Module,
    weights: Mapping[str, Tensor],
    expected_missing: Sequence[str] = (),
    is_training: bool = True,
) -> Audit:
    """Load into a copy without values, and see what happens.

    It is the model's own code that loads: what it renames or resizes on the
    way (position embeddings, tables of older versions) has come.

    Args:
        model (nn.Module): Left as it is.
        weights (Mapping[str, Tensor]): By the model's names.
        expected_missing (Sequence[str]): Beginnings of the names that may
            stay as the model has initialised them. Defaults to ().
        is_training (bool): Whether the heads that predictions do not need
            are needed. Defaults to True.

    Returns:
        Audit: Heads for training that the model does not have are dropped.
    """
    with warnings.catch_warnings():
        # That nothing is copied into tensors without values.
        warnings.simplefilter('ignore', UserWarning)
        try:
            outcome = _try(_without_values(model), weights)
        # Some layers look at values while they load.
        except (NotImplementedError, RuntimeError):
            outcome = _try(copy.deepcopy(model), weights)
    missing, unexpected, mismatched = outcome
    own = model.state_dict()
    mismatched += [
        name
        for name, tensor in weights.items()
        if name in own
        and tensor.is_floating_point() != own[name].is_floating_point()
    ]
    audit = Audit(mismatched=mismatched)
    absent = tuple(
        f'{head}.' for head in TRAINING_HEADS if not hasattr(model, head)
    )
    for name in unexpected:
        is_head = bool(absent) and name.startswith(absent)
        (audit.dropped if is_head else audit.unexpected).append(name)
    announced = tuple(expected_missing)
    if not is_training:
        announced += tuple(f'{head}.' for head in TRAINING_HEADS)
    for name in missing:
        if name.endswith((*COMPUTED, 'num_batches_tracked')):
            audit.computed.append(name)
        elif name.startswith(announced):
            audit.expected_missing.append(name)
        else:
            audit.missing.append(name)
    others = {*missing, *unexpected, *mismatched}
    audit.loaded = [name for name in weights if name not in others]
    return audit


def fitting(
    model: nn.Module,
    weights: Mapping[str, Tensor],
    source: object,
    expected_missing: Sequence[str] = (),
    is_training: bool = True,
    partial: bool = False,
) -> Tuple[Dict[str, Tensor], Audit]:
    """Take what fits a model, and nothing if that is not what should.

    Args:
        model (nn.Module): Left as it is.
        weights (Mapping[str, Tensor]): By the model's names.
        source (object): Where they come from, for the message.
        expected_missing (Sequence[str]): See :func:`audit_loading`.
        is_training (bool): See :func:`audit_loading`.
        partial (bool): Whether a part is enough. Defaults to False.

    Returns:
        tuple[dict[str, Tensor], Audit]: What is to be loaded, and the audit.

    Raises:
        UsageError: If the weights do not fit, or none of them does.
    """
    audit = audit_loading(model, weights, expected_missing, is_training)
    if is_training:
        layers = layers_of_classes(model, weights, audit.mismatched)
        audit.other_classes = layers
        audit.mismatched = [n for n in audit.mismatched if n not in layers]
    if audit.faults and not (partial and audit.loaded):
        raise UsageError(
            f'{source} does not fit the model of the config: '
            f'{audit.describe_faults()}. {_cure(audit, source)}'
        )
    left = {
        *audit.dropped,
        *audit.unexpected,
        *audit.mismatched,
        *audit.other_classes,
    }
    kept: Any = OrderedDict(
        (name, tensor) for name, tensor in weights.items() if name not in left
    )
    # By it modules know of which version their weights are.
    kept._metadata = getattr(weights, '_metadata', OrderedDict())
    return kept, audit


def expected_values(
    model: nn.Module, weights: Mapping[str, Tensor]
) -> Dict[str, Tensor]:
    """What a model holds after it has loaded weights its own way.

    Args:
        model (nn.Module): Left as it is.
        weights (Mapping[str, Tensor]): By the model's names.

    Returns:
        dict[str, Tensor]: All of its tensors.
    """
    loaded = copy.deepcopy(model)
    _try(loaded, weights)
    return loaded.state_dict()


def _cure(audit: Audit, source: object) -> str:
    if not audit.loaded:
        return (
            'Nothing in it fits: take the config that it was trained with, '
            f'or `python tools/transfer.py {source} OUT --with-head` if '
            'another program wrote it.'
        )
    return (
        'Take the config that it was trained with; where only a part is '
        f'wanted, --partial takes the {len(audit.loaded)} tensors that fit.'
    )


def _try(
    skeleton: nn.Module, weights: Mapping[str, Tensor]
) -> Tuple[List[str], List[str], List[str]]:
    """Names that are missing, unexpected and of another shape."""
    state: Any = OrderedDict(weights)
    state._metadata = getattr(weights, '_metadata', OrderedDict())
    mismatched: List[str] = []
    try:
        keys = skeleton.load_state_dict(state, strict=False)
    except RuntimeError as error:
        # torch names them in its text only; without them it goes on.
        mismatched = _mismatched_names(str(error))
        if not mismatched:
            raise
        for name in mismatched:
            state.pop(name, None)
        keys = skeleton.load_state_dict(state, strict=False)
    missing = [k for k in keys.missing_keys if k not in mismatched]
    return missing, list(keys.unexpected_keys), mismatched


def _mismatched_names(text: str) -> List[str]:
    return re.findall(
        r'(?:size mismatch for|parameter named) "?([^\s":,]+)', text
    )


def _without_values(model: nn.Module) -> nn.Module:
    """A copy whose tensors have shapes alone."""
    memo = {}
    for parameter in model.parameters():
        memo[id(parameter)] = nn.Parameter(
            torch.empty_like(parameter, device='meta'),
            requires_grad=parameter.requires_grad,
        )
    for buffer in model.buffers():
        memo[id(buffer)] = torch.empty_like(buffer, device='meta')
    return copy.deepcopy(model, memo)
