"""Global batch size and number of iterations.

Runners that are asked must have their train loop and optimizer built.
"""

import math
from typing import List

from mmengine.optim import OptimWrapper, OptimWrapperDict
from mmengine.runner import IterBasedTrainLoop, Runner
from torch.utils.data import DataLoader


def batch_size(loader: DataLoader) -> int:
    """Images that one process takes from a loader at a time."""
    return loader.batch_size or loader.batch_sampler.batch_size


def optim_wrappers(runner: Runner) -> List[OptimWrapper]:
    """All wrappers of optimizers; a GAN, for one, has several."""
    wrapper = runner.optim_wrapper
    if isinstance(wrapper, OptimWrapperDict):
        return [*wrapper.values()]
    return [wrapper]


def accumulative_counts(runner: Runner) -> int:
    """Iterations whose gradients are summed before one update."""
    return max(one._accumulative_counts for one in optim_wrappers(runner))


def global_batch(runner: Runner) -> int:
    """Images that enter one update, over all processes."""
    images = batch_size(runner.train_dataloader) * runner.world_size
    return images * accumulative_counts(runner)


def updates(runner: Runner, iterations: int) -> int:
    """Updates in a number of iterations; an incomplete last one counts."""
    return math.ceil(iterations / accumulative_counts(runner))


def iterations_per_epoch(runner: Runner) -> int:
    """Iterations in which each training image is seen once.

    That is the length of the loader; where iteration-based loops draw without
    end, it is computed from the number of images.
    """
    loader = runner.train_dataloader
    if is_iter_based(runner):
        images = batch_size(loader) * runner.world_size
        return math.ceil(len(loader.dataset) / images)
    return len(loader)


def epoch_of(runner: Runner) -> int:
    """Epochs that are complete; iteration-based loops count none."""
    return runner.iter // iterations_per_epoch(runner)


def is_iter_based(runner: Runner) -> bool:
    """Whether the training is counted in iterations, not in epochs."""
    return isinstance(runner.train_loop, IterBasedTrainLoop)
