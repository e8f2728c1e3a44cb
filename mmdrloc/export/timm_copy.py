"""A published classifier as timm's own network."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import timm
import torch
from mmengine.config import Config
from timm.models import save_for_hf
from torch import Tensor, nn

from mmdrloc.checkpoints.origins import ORIGINS
from mmdrloc.utils.errors import UsageError
from .plain import Step, size_of, steps_of

# Of float32 arithmetic in another order.
TOLERANCE = dict(rtol=1e-3, atol=1e-4)


def write_timm(model: nn.Module, cfg: Config, name: str, folder: Path) -> None:
    """Write a classifier so that timm loads it, with its classes.

    Args:
        model (nn.Module): The classifier, in evaluation mode.
        cfg (Config): As it is published.
        name (str): The name that timm has for the network.
        folder (Path): The folder to make, for ``local-dir:`` and the Hub.

    Raises:
        UsageError: If timm has no such network, it has other tensors, or it
            computes something else.
    """
    if not (cfg.model.get('data_preprocessor') or {}).get('to_rgb'):
        raise UsageError(
            "timm's networks see RGB, and this one was trained on BGR "
            '(data_preprocessor.to_rgb): publish it without --timm.'
        )
    size = cfg.model.backbone.get('img_size')
    options = {} if size is None else dict(img_size=size)
    network = _network(name, cfg.model.head.num_classes, options)
    network.load_state_dict(_renamed(model, network, name))
    steps = steps_of(cfg)
    if size is None:  # any will do: what it was tested with, if that is known
        size = size_of(steps) or network.default_cfg['input_size'][1:]
    shape = (3, *((size, size) if isinstance(size, int) else size))
    _compare(model, network.eval(), shape, name)
    data: Dict[str, Any] = dict(input_size=shape, **_cut(steps))
    preprocessor = model.data_preprocessor
    if hasattr(preprocessor, 'mean'):
        for key in ('mean', 'std'):
            values = getattr(preprocessor, key).flatten() / 255
            data[key] = tuple(values.tolist())
    described: Dict[str, Any] = dict(pretrained_cfg=data)
    if 'classes' in cfg.dataset_meta:
        described['label_names'] = list(cfg.dataset_meta['classes'])
    save_for_hf(
        network,
        str(folder),
        model_config=described,
        model_args=options,
        safe_serialization=True,
    )


def _cut(steps: Optional[List[Step]]) -> Dict[str, Any]:
    """How timm says what a test resizes and crops; {} for what it cannot."""
    names = [step[0] for step in steps or ()]
    if names == ['resize']:
        cut = dict(crop_pct=1.0, crop_mode='squash')
    elif names == ['resize', 'crop']:
        short, crop = (step[1] for step in steps)
        cut = dict(crop_pct=crop[0] / short, crop_mode='center')
    else:
        return {}
    return dict(cut, interpolation=steps[0][3])


def _network(name: str, classes: int, options: Dict[str, Any]) -> nn.Module:
    try:
        return timm.create_model(name, num_classes=classes, **options)
    # What timm answers depends on the network.
    except (RuntimeError, TypeError, ValueError, AssertionError) as error:
        raise UsageError(
            f'timm {timm.__version__} builds no {name} '
            f'({type(error).__name__}: {error}): give one of '
            '`timm.list_models()`.'
        ) from error


def _renamed(
    model: nn.Module, network: nn.Module, name: str
) -> Dict[str, Tensor]:
    """The weights by the names of timm's network, of whatever format."""
    wanted = {n: t.shape for n, t in network.state_dict().items()}
    for origin in ORIGINS.values():
        try:
            weights = origin.to_theirs(model.state_dict()).weights
        except UsageError:  # of another network
            continue
        if {n: t.shape for n, t in weights.items()} == wanted:
            return weights
    raise UsageError(
        f"timm's {name} has other tensors than this "
        f'{type(model.backbone).__name__}: give the name of the same network.'
    )


def _compare(
    model: nn.Module, network: nn.Module, shape: Tuple[int, ...], name: str
) -> None:
    images = torch.randn(
        (2, *shape), generator=torch.Generator().manual_seed(0)
    )
    with torch.no_grad():
        ours, theirs = model(images, mode='tensor'), network(images)
    if not torch.allclose(ours, theirs, **TOLERANCE):
        raise UsageError(
            f"timm's {name} computes something else with the same weights, "
            f'by up to {float((ours - theirs).abs().max()):g}: give the name '
            'of the same network.'
        )
