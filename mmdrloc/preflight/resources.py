"""Whether a training has the batches and the disk space that it needs."""

import shutil
from typing import List

from mmengine.dataset import InfiniteSampler
from mmengine.dist import get_world_size
from mmengine.hooks import CheckpointHook
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch.utils.data import DataLoader

from mmdrloc.checkpoints.saved import checkpoints
from mmdrloc.utils.batch_size import batch_size

# The weights and Adam's two moments of each.
COPIES_OF_WEIGHTS = 3


def check_resources(runner: Runner) -> List[str]:
    """Look for a training that would end without an update or a checkpoint.

    Args:
        runner (Runner): With the loops built that will run.

    Returns:
        List[str]: One sentence for each finding.
    """
    if not isinstance(runner._train_loop, BaseLoop):
        return []
    return no_batches(runner.train_dataloader) + _check_disk(runner)


def no_batches(loader: DataLoader) -> List[str]:
    """Look for a loader that gives nothing.

    MMEngine asserts somewhere, trains on nothing, or evaluates nothing.

    Args:
        loader (DataLoader): Of any phase.
    """
    count, processes = len(loader.dataset), get_world_size()
    kind = type(loader.dataset).__name__
    if count == 0:
        return [
            f'the data set ({kind}) holds no image: look at its paths, its '
            '`indices` and its filter, and at num_batch_per_epoch.'
        ]
    sampler = getattr(loader.batch_sampler, 'sampler', loader.sampler)
    # Those that never end fill every batch.
    if len(loader) > 0 or isinstance(sampler, InfiniteSampler):
        return []
    return [
        f'the data set ({kind}) has {count} images for {processes} '
        f'process(es), less than one batch of {batch_size(loader)} each, and '
        'drop_last leaves incomplete ones out: lower the batch_size of its '
        'dataloader, or set drop_last=False.'
    ]


def _check_disk(runner: Runner) -> List[str]:
    needed = checkpoint_bytes(runner) * kept_checkpoints(runner)
    # A run that goes on, or starts anew, has some of them already.
    needed -= sum(p.stat().st_size for p in checkpoints(runner.work_dir))
    free = shutil.disk_usage(runner.work_dir).free
    if needed <= free:
        return []
    return [
        f'the checkpoints need about {needed / 2**30:.1f} GiB, and '
        f'{runner.work_dir} has {free / 2**30:.1f} GiB left: free some, '
        'choose another --work-dir, or keep fewer with '
        'default_hooks.checkpoint.max_keep_ckpts.'
    ]


def checkpoint_bytes(runner: Runner) -> int:
    """Size of a checkpoint with the state of Adam.

    Args:
        runner (Runner): With its model built.

    Returns:
        int: Bytes, about.
    """
    # Not the state dict, which sharded models make together.
    state = [*runner.model.parameters(), *runner.model.buffers()]
    weights = sum(t.numel() * t.element_size() for t in state)
    return COPIES_OF_WEIGHTS * weights


def kept_checkpoints(runner: Runner) -> int:
    """How many checkpoints lie on the disk at most.

    One more than are kept: the next is written before the oldest goes.

    Args:
        runner (Runner): With its train loop and hooks built.

    Returns:
        int: Number of files.
    """
    count = 0
    for hook in runner.hooks:
        if isinstance(hook, CheckpointHook) and hook.interval > 0:
            loop = runner.train_loop
            length = loop.max_epochs if hook.by_epoch else loop.max_iters
            written = length // hook.interval
            kept = hook.max_keep_ckpts
            count += min(written, kept + 1) if kept > 0 else written
            best = hook.save_best or []
            count += 1 if isinstance(best, str) else len(best)
    return count
