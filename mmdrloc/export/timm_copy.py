"""Write a classifier as timm's own network."""

import math
from functools import partial
from pathlib import Path
from typing import Any, Dict, List, Tuple

import timm
import torch
from mmengine.config import Config
from timm.models import save_for_hf
from torch import Tensor, nn

from mmdrloc.checkpoints.origins import ORIGINS, Origin, Rule
from mmdrloc.utils.config_walk import kind_of
from mmdrloc.utils.errors import UsageError, mention
from .plain import logit_difference, size_after

# Those that timm has a word for.
INTERPOLATIONS = 'nearest bilinear bicubic lanczos box hamming'.split()


def write_timm(model: nn.Module, cfg: Config, name: str, folder: Path) -> None:
    """Write a classifier as timm loads it by ``local-dir:`` or the Hub.

    Args:
        model (nn.Module): In evaluation mode.
        cfg (Config): As published, with classes and the steps of the test.
        name (str): The name that timm has for the network.
        folder (Path): The folder to make.

    Raises:
        UsageError: If timm has no such network, or it is another one.
    """
    if cfg.get('default_scope', 'mmpretrain') != 'mmpretrain':
        raise UsageError('timm has classifiers alone, and this one is none')
    if not (cfg.model.get('data_preprocessor') or {}).get('to_rgb'):
        raise UsageError(
            "timm's networks see RGB, and this one was trained on BGR "
            '(data_preprocessor.to_rgb)'
        )
    side = cfg.model.backbone.get('img_size')
    options: Dict[str, Any] = {} if side is None else dict(img_size=side)
    create = partial(
        timm.create_model, name, num_classes=cfg.model.head.num_classes
    )
    try:
        try:
            network = create(**options).eval()
        except TypeError:  # some take no size
            options = {}
            network = create().eval()
    # Each network of timm refuses settings in its own way.
    except (RuntimeError, TypeError, ValueError, AssertionError) as error:
        raise UsageError(
            f'timm {timm.__version__} builds no {name} '
            f'({type(error).__name__}: {error}): give one of '
            '`timm.list_models()`'
        ) from error
    network.load_state_dict(_renamed(model, network, name))
    size = side or size_after(cfg.test_pipeline)
    if size is None:  # any will do
        size = network.default_cfg['input_size'][1:]
    shape = (3, *((size, size) if isinstance(size, int) else size))
    divisor = getattr(model.data_preprocessor, 'pad_size_divisor', 1)
    if any(length % divisor for length in shape[1:]):
        raise UsageError(
            f"timm's networks do not pad images to multiples of {divisor} px "
            '(data_preprocessor.pad_size_divisor)'
        )
    generator = torch.Generator().manual_seed(0)
    images = torch.randn((2, *shape), generator=generator)
    classify = partial(model, mode='tensor')
    logit_difference(classify, network, images, f"timm's {name}")
    data: Dict[str, Any] = dict(input_size=shape, test_input_size=shape)
    steps = _steps_of_timm(cfg.test_pipeline, shape)
    data.update(steps, test_crop_pct=steps.get('crop_pct'))
    if not steps:
        mention(
            "timm has no words for the test's steps: prepare images as "
            'test_pipeline in the config of the run does.'
        )
    for key, usual in (('mean', 0.0), ('std', 1.0)):
        values = getattr(model.data_preprocessor, key, torch.full((3,), usual))
        data[key] = tuple((values.flatten() / 255).tolist())
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


def _steps_of_timm(
    steps: List[Dict[str, Any]], shape: Tuple[int, ...]
) -> Dict[str, Any]:
    """Say resizing and cropping in timm's words; {} if it has none."""
    by_name = {kind_of(step): step for step in steps}
    for name in ('LoadImageFromFile', 'PackInputs'):
        by_name.pop(name, None)
    resize = next(iter(by_name.values()), {})
    crop = by_name.get('CenterCrop', {})
    is_square = shape[1] == shape[2]
    if [*by_name] == ['Resize'] and not resize.get('keep_ratio'):
        cut = dict(crop_pct=1.0, crop_mode='squash')
    elif (
        [*by_name] == ['ResizeEdge', 'CenterCrop']
        and is_square
        and resize.get('edge', 'short') == 'short'
        and not crop.get('auto_pad')
    ):
        # timm resizes to floor(size / crop_pct).
        part = shape[1] / resize['scale']
        if math.floor(shape[1] / part) < resize['scale']:
            part = math.nextafter(part, 0)
        cut = dict(crop_pct=part, crop_mode='center')
    else:
        return {}
    how = resize.get('interpolation', 'bilinear')
    return dict(cut, interpolation=how) if how in INTERPOLATIONS else {}


def _renamed(
    model: nn.Module, network: nn.Module, name: str
) -> Dict[str, Tensor]:
    """Rename the weights for timm's network, by any origin that fits."""
    wanted = {n: tuple(t.shape) for n, t in network.state_dict().items()}
    problem = 'is another network'
    # Of TIMMBackbone and a linear head.
    classifier = network.default_cfg['classifier']
    rules = (
        Rule(f'{classifier}.{{t}}', 'head.fc.{t}'),
        # First as `features_only=True` has it.
        Rule('{rest}', 'backbone.timm_model.model.{rest}'),
        Rule('{rest}', 'backbone.timm_model.{rest}'),
    )
    same = Origin('timm', name, 'TIMMBackbone', rules, marks=())
    for origin in (same, *ORIGINS.values()):
        try:
            weights = origin.to_theirs(model.state_dict()).weights
        except UsageError:  # of another network
            continue
        shapes = {n: tuple(tensor.shape) for n, tensor in weights.items()}
        if shapes == wanted:
            return weights
        if shapes.keys() == wanted.keys():
            tensor = next(n for n in wanted if shapes[n] != wanted[n])
            problem = f'has {tensor} of {wanted[tensor]}, not {shapes[tensor]}'
    raise UsageError(f"timm's {name} {problem}")
