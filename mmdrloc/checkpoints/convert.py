"""Convert checkpoints between the formats of known origins."""

from pathlib import Path
from typing import Any, Dict, Tuple, Union

from mmengine.config import Config
from torch import Tensor, nn

from mmdrloc.models.building import building_from
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from mmdrloc.version import __version__
from .audit import Audit
from .load import PREFIX, load_part
from .origins import ORIGINS, detect_origin
from .reading import load_checkpoint, weights_of
from .starts import backbone_of

AVERAGES = ('ema_state_dict', 'state_dict_ema', 'model_ema')


def convert_checkpoint(
    path: Union[str, Path],
) -> Tuple[Dict[str, Any], Audit]:
    """Read a checkpoint and convert its names to ours.

    The result holds plain values and the tensors of our classifier.

    Raises:
        UsageError: If the checkpoint cannot be read, is of no known origin,
            or holds tensors that its origin does not know.
    """
    checkpoint = load_checkpoint(path)
    weights = weights_of(checkpoint, path)
    origin = detect_origin(weights)
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
    checkpoint: Dict[str, Any], audit: Audit
) -> Tuple[Dict[str, Any], Audit]:
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
    dropped = Audit(loaded=list(backbone), dropped=others + audit.dropped)
    return dict(checkpoint, state_dict=backbone), dropped


def to_origin(
    weights: Dict[str, Tensor], name: str
) -> Tuple[Dict[str, Tensor], Audit]:
    """Convert the names of our classifier to those of another format.

    Tensors that have no place there are dropped.

    Raises:
        UsageError: If there is no such format, or nothing fits it.
    """
    origin = ORIGINS.get(name)
    if origin is None:
        raise UsageError(
            f'there is no origin {name!r}; known are {", ".join(ORIGINS)}.'
        )
    converted = origin.to_theirs(weights)
    if not origin.recognises(converted.weights):
        raise UsageError(
            f'the checkpoint is not of a {origin.network}: it cannot '
            f'be written as {name}.'
        )
    return converted.weights, Audit(
        loaded=list(converted.weights),
        dropped=converted.derived + converted.unknown,
    )


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
    checkpoint: Dict[str, Any], audit: Audit, cfg: Config
) -> Tuple[Dict[str, Any], Audit]:
    """Fit ``backbone.*`` tensors to the network that shall load them.

    The result has the tensors as the network holds them after loading.

    Raises:
        UsageError: If a tensor is missing, unexpected, or of another shape.
    """
    backbone = build_backbone(cfg)
    fitted = load_part(
        backbone,
        checkpoint['state_dict'],
        checkpoint['meta']['source'],
        f'the backbone of {cfg.filename}',
        PREFIX,
    )
    fitted.dropped += audit.dropped
    own = backbone.state_dict()
    state_dict = {
        f'{PREFIX}{name}': own[name]
        for name in [*fitted.loaded, *fitted.resized]
    }
    return dict(checkpoint, state_dict=state_dict), fitted
