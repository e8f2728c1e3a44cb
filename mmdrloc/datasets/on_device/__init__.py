"""Augmentations of small images, computed on the model's device.

A worker of the loader draws for each image what the ordinary transform would
draw, from the same random numbers (:mod:`mmdrloc.datasets.draw_steps`); the
data preprocessor does it to the whole batch
(:mod:`mmdrloc.models.augmenting_preprocessor`). So a run sees the same images
either way, but for rounding, and is resumed as any other.
"""

from typing import Dict, List, Sequence, Tuple, Type

from mmcv.transforms import RandomFlip as FlipOfMMCV
from mmpretrain.datasets.transforms import auto_augment, processing
from mmpretrain.registry import TRANSFORMS

from mmdrloc.utils.errors import UsageError
from .rand_augment import RandAugment
from .steps import (
    BatchStep,
    RandomCrop,
    RandomErasing,
    RandomFlip,
    RandomResizedCrop,
)

# Names of transforms, what has to bear them, and their twins here.
TWINS: Dict[str, Tuple[type, Type[BatchStep]]] = {
    'RandomCrop': (processing.RandomCrop, RandomCrop),
    'RandomResizedCrop': (processing.RandomResizedCrop, RandomResizedCrop),
    'RandomFlip': (FlipOfMMCV, RandomFlip),
    'RandAugment': (auto_augment.RandAugment, RandAugment),
    'RandomErasing': (processing.RandomErasing, RandomErasing),
}


def build_steps(steps: Sequence[dict]) -> List[BatchStep]:
    """Build the twins of some steps of a pipeline.

    Args:
        steps (Sequence[dict]): Their configs, as in the pipeline.

    Returns:
        list[BatchStep]: One for each.

    Raises:
        UsageError: If one has no twin.
    """
    return [_twin_of(step) for step in steps]


def _twin_of(config: dict) -> BatchStep:
    name = config['type'].rpartition('.')[2]
    parent, twin = TWINS.get(name, ((), None))
    step = TRANSFORMS.build(dict(config)) if twin else None
    if not isinstance(step, parent):
        raise UsageError(
            f'the step {config["type"]} has no twin on the device (there are '
            f'{", ".join(TWINS)}): leave it out of the pipeline, or train '
            'without --augment-on-device'
        )
    return twin(step)


__all__ = ['TWINS', 'BatchStep', 'build_steps']
