"""Convert checkpoints between the formats of known origins."""

from pathlib import Path
from typing import Any, Dict, Tuple, Union

from mmengine.config import Config
from mmengine.registry import MODELS
from torch import nn

from mmdrloc.models.building import building_from
from mmdrloc.utils.errors import UsageError
from mmdrloc.version import __version__
from .audit import Audit
from .load import PREFIX, PRETRAINING, load
from .names import recognise
from .origins import ORIGINS
from .reading import load_checkpoint, weights_of
from .sources import find_checkpoint
from .starts import backbone_of

Content = Dict[str, Any]
AVERAGES = ('ema_state_dict', 'state_dict_ema', 'model_ema', 'teacher')
# Parts of a classifier; what is missing of them changes what it computes.
PARTS = (PREFIX, 'neck.', 'head.')


def convert_checkpoint(path: Union[str, Path]) -> Tuple[Content, Audit]:
    """Read a checkpoint and convert its names to ours.

    The result holds plain values and the tensors of our classifier.

    Args:
        path (str | Path): What :func:`find_checkpoint` takes.

    Raises:
        UsageError: If the checkpoint cannot be read, is of no known origin,
            or holds tensors that its origin does not know.
    """
    checkpoint = load_checkpoint(find_checkpoint(path))
    origin, weights = recognise(weights_of(checkpoint, path), path)
    if origin is None:
        raise UsageError(
            f'{path}: the origin of tensors named '
            f'{", ".join(list(weights)[:3])}, ... is not known; known are '
            f'{", ".join(ORIGINS)}. To add a format, see docs/checkpoints.md.'
        )
    converted = origin.to_ours(weights)
    if converted.unknown:
        raise UsageError(
            f'{path} looks like {origin.title}, but {len(converted.unknown)} '
            f'of its {len(weights)} tensors do not belong to it: '
            f'{", ".join(converted.unknown[:5])}.'
        )
    # EMAHook saves the weights before averaging under a key of their own.
    raw = [f'ema_state_dict.{n}' for n in checkpoint.get('ema_state_dict', ())]
    audit = Audit(
        loaded=list(converted.weights), dropped=converted.derived + raw
    )
    meta = dict(
        source=str(path),
        origin=origin.name,
        averaged=any(key in checkpoint for key in AVERAGES),
        mmdrloc_version=__version__,
    )
    return dict(meta=meta, state_dict=converted.weights), audit


def extract_backbone(
    checkpoint: Content, audit: Audit
) -> Tuple[Content, Audit]:
    """Keep the ``backbone.*`` tensors of a converted checkpoint.

    Raises:
        UsageError: If there are none.
    """
    weights = checkpoint['state_dict']
    backbone = {n: t for n, t in weights.items() if n.startswith(PREFIX)}
    if not backbone:
        raise UsageError(
            f'{checkpoint["meta"]["source"]} holds no tensor of a backbone: '
            'give the checkpoint of a whole network.'
        )
    others = [name for name in weights if name not in backbone]
    kept = Audit(loaded=list(backbone), dropped=others + audit.dropped)
    return dict(checkpoint, state_dict=backbone), kept


def to_origin(
    checkpoint: Content, audit: Audit, name: str
) -> Tuple[Content, Audit]:
    """Write a converted checkpoint by the names of another format.

    Heads that only training uses stay behind.

    Raises:
        UsageError: If there is no such format, or it has no place for a part
            of the classifier.
    """
    origin = ORIGINS.get(name)
    if origin is None:
        raise UsageError(
            f'there is no origin {name!r}; known are {", ".join(ORIGINS)}.'
        )
    converted = origin.to_theirs(checkpoint['state_dict'])
    if not origin.recognises(converted.weights):
        raise UsageError(
            f'the checkpoint is not of a {origin.network}: it cannot '
            f'be written as {name}.'
        )
    # Some formats are of backbones.
    has_head = any(rule.ours.startswith('head.') for rule in origin.rules)
    needed = PARTS if has_head else PARTS[:1]
    lost = [
        name
        for name in converted.unknown
        if name.startswith(needed) and name != PREFIX + PRETRAINING
    ]
    if lost:
        raise UsageError(
            f'{name} has no place for {len(lost)} tensors of this network '
            f'({", ".join(lost[:5])}), which would compute something else '
            'without them: leave out --to.'
        )
    written = Audit(
        loaded=list(converted.weights),
        dropped=converted.derived + converted.unknown + audit.dropped,
    )
    return dict(checkpoint, state_dict=converted.weights), written


def build_backbone(cfg: Config) -> nn.Module:
    """Build the backbone of a config without loading anything.

    Raises:
        UsageError: If there is none, or it cannot be built.
    """
    with building_from(cfg):
        config = dict(backbone_of(cfg), init_cfg=None)
        config.pop('pretrained', None)
        # Types without a scope are those of the config's library.
        config.setdefault('_scope_', cfg.get('default_scope', 'mmengine'))
        return MODELS.build(config)


def fit_to_config(
    checkpoint: Content, audit: Audit, cfg: Config
) -> Tuple[Content, Audit]:
    """Fit the ``backbone.*`` tensors to the network that shall load them.

    They become what the network holds after loading them; tensors of other
    parts stay as they are.

    Raises:
        UsageError: If a tensor is missing, unexpected, or of another shape.
    """
    backbone = build_backbone(cfg)
    weights = checkpoint['state_dict']
    others = {n: t for n, t in weights.items() if not n.startswith(PREFIX)}
    fitted = load(
        backbone,
        checkpoint['meta']['source'],
        'train',
        place=f'the backbone of {cfg.filename}',
        checkpoint=checkpoint,
    )
    own = backbone.state_dict()
    state_dict = {
        f'{PREFIX}{name}': own[name]
        for name in [*fitted.loaded, *fitted.resized]
    }
    fitted.loaded += others
    fitted.dropped = [n for n in fitted.dropped if n not in others]
    fitted.dropped += audit.dropped
    return dict(checkpoint, state_dict={**state_dict, **others}), fitted
