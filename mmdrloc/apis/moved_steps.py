"""Augmentations that a config asks the loader for, asked of the device."""

from typing import Any, List, Tuple

import torch
from mmengine.config import Config

from mmdrloc.datasets.on_device import TWINS, build_steps
from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import UsageError

# Steps that stay with the loader: they draw nothing, and most of them give
# all images one size.
LOADING = ('LoadImage', 'LoadImageFromFile', 'ResizeEdge')
SIZING = ('Resize', 'CenterCrop')
# These give all images one size too, where they do not have it.
CROPPING = ('RandomResizedCrop', 'RandomCrop')
# Data sets that come as arrays.
ONE_SIZE = ('CIFAR10', 'CIFAR100', 'SVHN')
PREPROCESSORS = ('ClsDataPreprocessor', 'AugmentingPreprocessor')
WITHOUT = 'train without --augment-on-device'


def set_augment_on_device(cfg: Config) -> None:
    """Have the model's device compute the augmentations of training.

    What gives the images one size stays with the loader; a random crop does
    so of a data set whose images differ.

    Args:
        cfg (Config): Of a classifier or a masked auto-encoder; changed in
            place.

    Raises:
        UsageError: If the training images are not packed into batches of one
            size, if nothing is drawn after that, or what has no twin on the
            device, or if the model has a data preprocessor of its own kind.
    """
    dataset = _dataset_of(cfg)
    *steps, pack = dataset['pipeline']
    if _kind(pack) != 'PackInputs':
        raise UsageError(
            '--augment-on-device is for train pipelines that end with '
            f'PackInputs, not with {_kind(pack)}: {WITHOUT}.'
        )
    here, there = parted(steps, has_one_size=_kind(dataset) in ONE_SIZE)
    if not there:
        raise UsageError(
            'the train pipeline draws nothing once the images have one size, '
            f'so that the device has nothing to do: {WITHOUT}.'
        )
    build_steps(there)
    collate = cfg.train_dataloader.get('collate_fn') or {}
    if _kind(collate) != 'default_collate':
        raise UsageError(
            '--augment-on-device needs '
            "train_dataloader.collate_fn=dict(type='default_collate'): set "
            f'it, or {WITHOUT}.'
        )
    _set_preprocessor(cfg, there)
    # What lies elsewhere has to be copied there before it can cross.
    cfg.train_dataloader.setdefault('pin_memory', torch.cuda.is_available())
    dataset['pipeline'] = [
        *here,
        pack,
        dict(type='mmdrloc.DrawSteps', steps=there),
    ]


def _kind(node: Any) -> str:
    """The class that a dict names, without its scope."""
    kind = node.get('type') if isinstance(node, dict) else None
    return str(kind).rpartition('.')[2]


def _dataset_of(cfg: Config) -> dict:
    """The data set below wrappers, that reads the images of training."""
    found = [
        node
        for _, node in dicts_in(cfg.train_dataloader.dataset)
        if node.get('pipeline')
    ]
    if len(found) != 1:
        raise UsageError(
            '--augment-on-device needs one pipeline in '
            f'train_dataloader.dataset, which has {len(found)}: {WITHOUT}.'
        )
    return found[0]


def parted(
    steps: List[dict], has_one_size: bool
) -> Tuple[List[dict], List[dict]]:
    """Part the steps of a pipeline that come before the image is packed.

    Args:
        steps (list[dict]): Their configs.
        has_one_size (bool): Whether all images of the data set have.

    Returns:
        tuple[list[dict], list[dict]]: Those that stay with the loader, and
        those that go to the device.

    Raises:
        UsageError: If images of several sizes would go there.
    """
    for index, step in enumerate(steps):
        kind = _kind(step)
        if kind in SIZING or (kind in CROPPING and not has_one_size):
            has_one_size = True
        elif kind not in LOADING:
            if kind in TWINS and not has_one_size:
                raise UsageError(
                    f'the images may differ in size when {kind} comes: put a '
                    f'Resize before it, or {WITHOUT}.'
                )
            return steps[:index], steps[index:]
    return steps, []


def _set_preprocessor(cfg: Config, steps: List[dict]) -> None:
    place = cfg.model if cfg.model.get('data_preprocessor') else cfg
    preprocessor = place.setdefault('data_preprocessor', {})
    if preprocessor.get('type') and _kind(preprocessor) not in PREPROCESSORS:
        raise UsageError(
            f'--augment-on-device cannot replace {preprocessor["type"]}, the '
            f"model's data preprocessor: {WITHOUT}."
        )
    preprocessor.update(type='mmdrloc.AugmentingPreprocessor', steps=steps)
