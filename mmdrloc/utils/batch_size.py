"""Global batch size and number of iterations.

Runners that are asked must have their train loop and optimizer built.
"""

import math

from mmengine.optim import OptimWrapperDict
from mmengine.runner import IterBasedTrainLoop, Runner
from torch.utils.data import DataLoader

from .errors import UsageError


def batch_size(loader: DataLoader) -> int:
    """Images that one process takes from a loader at a time."""
    return loader.batch_size or loader.batch_sampler.batch_size


def accumulative_counts(runner: Runner) -> int:
    """Iterations whose gradients are summed before one update."""
    if isinstance(runner.optim_wrapper, OptimWrapperDict):
        raise UsageError(
            'several optimizers (OptimWrapperDict) are not supported: give '
            'one optim_wrapper.'
        )
    return runner.optim_wrapper._accumulative_counts


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
