"""Convert checkpoints between the formats of known origins."""

from typing import Any, Dict, Optional, Tuple

from mmengine.config import Config
from mmengine.registry import MODELS

from mmdrloc.models.building import building_from
from mmdrloc.utils.errors import UsageError, few
from mmdrloc.utils.paths import Place
from mmdrloc.version import __version__
from .audit import Audit
from .load import PREFIX, PRETRAINING, behind, load
from .origins import (
    ORIGINS,
    Converted,
    Origin,
    Weights,
    detect_origin,
    recognise,
)
from .reading import AVERAGED, held_under, load_checkpoint, weights_of
from .sources import find_checkpoint
from .starts import backbone_of

# Parts of a classifier; what is missing of them changes what it computes.
PARTS = (PREFIX, 'neck.', 'head.')


def convert(
    path: Place,
    cfg: Optional[Config] = None,
    *,
    with_head: bool = False,
    to: Optional[str] = None,
) -> Tuple[Dict[str, Any], Audit]:
    """Read a checkpoint and convert its names.

    Args:
        path (str | Path): What :func:`find_checkpoint` takes.
        cfg (Config, optional): With the backbone that shall load them: its
            tensors become what it holds afterwards. Defaults to None.
        with_head (bool): Whether to keep the heads. Defaults to False: the
            backbone alone.
        to (str, optional): The origin by whose names a whole classifier is
            written. Defaults to None: by ours.

    Returns:
        tuple[dict, Audit]: A checkpoint of plain values and tensors, and
        what became of each tensor.

    Raises:
        UsageError: If the checkpoint cannot be read, holds no backbone, or
            what does not fit the config or the other format. Without a
            config, if it is of no known origin, or holds tensors that its
            origin does not know.
    """
    target = None if to is None else ORIGINS.get(to)
    if to and target is None:
        raise UsageError(
            f'there is no origin {to!r}; known are {", ".join(ORIGINS)}.'
        )
    checkpoint = load_checkpoint(find_checkpoint(path))
    content = weights_of(checkpoint, path)
    origin, weights = recognise(content, path)
    if origin is ORIGINS['openmmlab']:
        origin, weights = _within(weights) or (origin, weights)
    if origin is None and cfg is None:
        raise UsageError(
            f'{path}: the origin of tensors named {few(list(weights), 3)} is '
            f'not known; known are {", ".join(ORIGINS)}.'
        )
    converted = origin.to_ours(weights) if origin else Converted({}, [], [])
    if converted.unknown and cfg is None:
        raise UsageError(
            f'{path} looks like {origin.title}, and {len(converted.unknown)} '
            f'of its {len(weights)} tensors cannot be converted: '
            f'{few(converted.unknown)}.'
        )
    state = {
        name: tensor
        for name, tensor in converted.weights.items()
        if to or with_head or name.startswith(PREFIX)
    }
    # EMAHook saves the weights before averaging under a key of their own.
    raw = [f'ema_state_dict.{n}' for n in checkpoint.get('ema_state_dict', ())]
    if cfg is None:
        left = [name for name in converted.weights if name not in state]
        audit = Audit(loaded=list(state), dropped=left)
    else:
        heads = {n: t for n, t in state.items() if not n.startswith(PREFIX)}
        state, audit = _fitted(content, heads, cfg, path)
    audit.dropped += [n for n in converted.derived if n not in audit.dropped]
    audit.dropped += raw
    if not state:
        raise UsageError(f'{path} holds no tensor of a backbone.')
    if target:
        state = _renamed(state, audit, target)
    averages = (*AVERAGED, 'ema_state_dict', 'teacher')
    meta = dict(
        source=str(path),
        origin=origin.name if origin else 'that of the config',
        averaged=any(held_under(key, checkpoint) for key in averages),
        mmdrloc_version=__version__,
    )
    return dict(meta=meta, state_dict=state), audit


def _within(weights: Weights) -> Optional[Tuple[Origin, Weights]]:
    """Another library's names behind ``backbone.``, as Lightning has them.

    None if they are ours, as they are where conversion changes no name.
    """
    inside, _ = behind(PREFIX, weights)
    origin = detect_origin(inside)
    same = {f'{PREFIX}{name}' for name in inside}
    if origin is None or {*origin.to_ours(inside).weights} <= same:
        return None
    return origin, inside


def _fitted(
    content: Weights, heads: Weights, cfg: Config, path: Place
) -> Tuple[Weights, Audit]:
    """What a config's backbone holds of them, and the heads that are kept."""
    with building_from(cfg):
        config = dict(backbone_of(cfg), init_cfg=None)
        config.pop('pretrained', None)
        # Types without a scope are those of the config's library.
        config.setdefault('_scope_', cfg.get('default_scope', 'mmengine'))
        backbone = MODELS.build(config)
    place = f'the backbone of {cfg.filename}'
    checkpoint = dict(state_dict=content)
    audit = load(backbone, path, 'train', place=place, checkpoint=checkpoint)
    own = backbone.state_dict()
    loaded = [*audit.loaded, *audit.resized]
    state = {f'{PREFIX}{name}': own[name] for name in loaded}
    audit.loaded += heads
    kept = {id(tensor) for tensor in heads.values()}
    audit.dropped = [
        name
        for name in audit.dropped
        if name not in heads and id(content.get(name)) not in kept
    ]
    return {**state, **heads}, audit


def _renamed(weights: Weights, audit: Audit, origin: Origin) -> Weights:
    """By the names of another format; what only training uses is dropped."""
    converted = origin.to_theirs(weights)
    if not origin.recognises(converted.weights):
        raise UsageError(
            f'the checkpoint is not of a {origin.network}: it cannot be '
            f'written as {origin.name}.'
        )
    # Some formats are of backbones.
    has_head = any(rule.ours.startswith('head.') for rule in origin.rules)
    needed = PARTS if has_head else PARTS[:1]
    lost = [name for name in converted.unknown if name.startswith(needed)]
    if {*lost} - {PREFIX + PRETRAINING}:
        raise UsageError(
            f'{origin.name} has no place for tensors of this network '
            f'({few(lost)}): leave out --to.'
        )
    audit.loaded = list(converted.weights)
    audit.dropped[:0] = converted.derived + converted.unknown
    return converted.weights
