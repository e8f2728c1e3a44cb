"""How much a training run computes: images an update, updates in all."""

import math

from mmengine.runner import IterBasedTrainLoop, Runner
from torch.utils.data import DataLoader


def batch_size(loader: DataLoader) -> int:
    """Images that one process takes from a loader at a time.

    Args:
        loader (DataLoader): With a batch size or a batch sampler.

    Returns:
        int: Number of images.
    """
    if loader.batch_size is not None:
        return loader.batch_size
    return loader.batch_sampler.batch_size


def global_batch(runner: Runner) -> int:
    """Images that enter one update, over all processes.

    Args:
        runner (Runner): With its train loop and optimizer built.

    Returns:
        int: Number of images.
    """
    return (
        batch_size(runner.train_dataloader)
        * runner.world_size
        * accumulative_counts(runner)
    )


def accumulative_counts(runner: Runner) -> int:
    """Iterations whose gradients are summed before one update.

    Args:
        runner (Runner): With its optimizer wrapper built.

    Returns:
        int: 1 without accumulation.
    """
    return runner.optim_wrapper._accumulative_counts


def updates(runner: Runner, iterations: int) -> int:
    """Updates of the weights in a number of iterations.

    Args:
        runner (Runner): With its optimizer wrapper built.
        iterations (int): Batches, each a forward and backward pass.

    Returns:
        int: Number of updates; a last incomplete accumulation counts.
    """
    return math.ceil(iterations / accumulative_counts(runner))


def iterations_per_epoch(runner: Runner) -> int:
    """Iterations in which the training images are seen once.

    Args:
        runner (Runner): With its train loop built.

    Returns:
        int: The length of the loader, or, since iteration-based loops draw
        without end, what the number of images comes to.
    """
    loader = runner.train_dataloader
    if is_iter_based(runner):
        images = batch_size(loader) * runner.world_size
        return math.ceil(len(loader.dataset) / images)
    return len(loader)


def is_iter_based(runner: Runner) -> bool:
    """Whether the training is counted in iterations, not in epochs.

    Args:
        runner (Runner): With its train loop built.

    Returns:
        bool: True for an ``IterBasedTrainLoop``.
    """
    return isinstance(runner.train_loop, IterBasedTrainLoop)
