"""Trainings that go wrong, by their data or their losses.

In a module of its own, because spawned processes import it by name.
"""

import json
from pathlib import Path

import numpy as np
import pytest
import several_processes
from mmcv.transforms import BaseTransform
from mmpretrain.models.losses import CrossEntropyLoss
from tiny_run import build_runner

from mmdrloc.registry import MODELS, TRANSFORMS
from mmdrloc.utils.errors import UsageError

# Of 12 images in the order of the files, four a batch.
IN_ORDER = dict(train_dataloader__sampler__shuffle=False)


@TRANSFORMS.register_module()
class SpoilImage(BaseTransform):
    """Give one image NaN for pixels."""

    def __init__(self, image):
        self.image = image

    def transform(self, results):
        results['img'] = results['img'].astype(np.float32)
        if results['img_path'].endswith(self.image):
            results['img'] *= np.nan
        return results


class SpoiledLoss(CrossEntropyLoss):
    """Goes wrong from the given call on."""

    def __init__(self, first=1):
        super().__init__()
        self.left = first

    def forward(self, scores, *args, **kwargs):
        self.left -= 1
        loss = super().forward(scores, *args, **kwargs)
        return loss + self.added(scores) if self.left <= 0 else loss


@MODELS.register_module()
class RootLoss(SpoiledLoss):
    """Finite, with a gradient of 0/0."""

    def added(self, scores):
        return (0 * scores).sum().sqrt()


@MODELS.register_module()
class InfiniteLoss(SpoiledLoss):
    """Infinite, with a finite gradient."""

    def added(self, scores):
        return float('inf')


def spoiled(image):
    """Options by which one image is NaN."""
    return dict(
        train_dataloader__dataset__pipeline=[
            dict(type='LoadImageFromFile'),
            dict(type='mmdrloc.SpoilImage', image=image),
            dict(type='PackInputs'),
        ],
        **IN_ORDER,
    )


def build(config, skip=0, hooks=(), **options):
    """A training with the hook, logging each second step."""
    options.setdefault('default_hooks__logger__interval', 2)
    return build_runner(
        config,
        custom_hooks=[
            dict(type='mmdrloc.NonFiniteHook', skip=skip),
            dict(type='mmdrloc.ResultHook'),
            *hooks,
        ],
        **options,
    )


def stopped(runner):
    """Train, and return the message and what result.json says of it."""
    with pytest.raises(UsageError) as error:
        runner.train()
    return str(error.value), result_of(runner)


def result_of(runner):
    with open(f'{runner.work_dir}/result.json') as file:
        return json.load(file)


def note_outcome(rank, *arguments):
    """What one of several processes says at its end, in a file."""
    outcome = 'finished'
    try:
        several_processes.one_process(rank, *arguments)
    except UsageError as error:
        outcome = str(error)
    work_dir = arguments[-2]
    Path(work_dir, f'outcome_{rank}.txt').write_text(outcome)
