"""The models of ``configs``, whole or cut down for a test."""

from pathlib import Path

import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope

RECIPES = Path(__file__).parents[1] / 'configs'
CONFIGS = RECIPES / '_base_/models'
HOMES = {
    'swin-tiny': 'scratch_100e/swin-tiny',
    'cvt-13': 'scratch_100e/cvt-13',
    'vit-b16': 'scratch_100e/vit-b16',
    'vit-light': 'mae/vit-light',
}


def build(name, num_classes=1000, **changes):
    """Build a model by the name of its config, or of a recipe.

    Recipes have a folder in their name; of what is no base, that of training
    from scratch is meant. ``changes`` are values by their dotted place in the
    model.
    """
    init_default_scope('mmpretrain')
    path = CONFIGS / f'{name}.py'
    if not path.is_file():
        path = RECIPES / f'{HOMES.get(name, name)}.py'
    model = Config.fromfile(path).model
    changes['head.num_classes'] = num_classes
    for place, value in changes.items():
        *parents, key = place.split('.')
        part = model
        for parent in parents:
            part = part[parent]
        part[key] = value
    return MODELS.build(
        dict(model, data_preprocessor=dict(num_classes=num_classes))
    )


def build_shapes(name):
    """Build a whole model without storage for its numbers."""
    with torch.device('meta'):
        return build(name)


def size(tensors):
    """Count the numbers in tensors."""
    return sum(tensor.numel() for tensor in tensors)
