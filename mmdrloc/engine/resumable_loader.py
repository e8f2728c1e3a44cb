"""A data loader that can begin in the midst of an epoch.

What it gives at a place depends on the seed, the epoch and the place alone:
not on the number of workers or processes, on what they have loaded before, or
on where a run was interrupted.
"""

from typing import Any, Iterator, List, Optional, Sized

from mmengine.dist import get_dist_info
from torch.utils.data import DataLoader, IterableDataset, Sampler

from .seeding import seed_sample


class SeededBatch:
    """Indices of a batch; to go over them is to seed what is drawn.

    A loader asks the data set for one index after the other, in a worker or
    in its own process: each finds the random generators in a state of its
    own. So the data set itself needs no wrapper.

    Args:
        indices (list[int]): As a batch sampler gave them.
        seed (int): Of the run.
        turn (int): Number of the pass over the data.
        position (int): Samples that this process took of it before.
    """

    def __init__(
        self, indices: List[int], seed: int, turn: int, position: int
    ) -> None:
        # Samplers deal the data out: to each process every n-th sample.
        rank, world_size = get_dist_info()
        self.indices = indices
        self.places = [
            (seed, turn, (position + count) * world_size + rank)
            for count in range(len(indices))
        ]

    def __iter__(self) -> Iterator[int]:
        for index, place in zip(self.indices, self.places):
            seed_sample(*place)
            yield index

    def __len__(self) -> int:
        return len(self.indices)


class ResumableBatchSampler(Sampler):
    """A batch sampler that begins where it is told to.

    Args:
        batch_sampler (Iterable): What draws the batches of this process.
        seed (int): Of the run, the same in all processes.
        endless (bool): Whether one pass follows the other without end, as
            training counted in iterations needs it.
    """

    def __init__(self, batch_sampler: Any, seed: int, endless: bool) -> None:
        self.batch_sampler = batch_sampler
        self.seed = seed
        self.endless = endless
        self._start = (0, 0)

    @property
    def sampler(self) -> Sized:
        """The sampler inside, to which MMEngine tells the epoch."""
        return self.batch_sampler.sampler

    @property
    def batch_size(self) -> int:
        """Samples in a batch."""
        return self.batch_sampler.batch_size

    def begin(self, turn: int, batch: int, seed: Optional[int] = None) -> None:
        """Say where the next iteration over the data begins.

        Args:
            turn (int): Number of the pass over the data, from 0.
            batch (int): Batches of it that are left out; of an endless
                sampler they may be more than a pass has.
            seed (int, optional): Of the run that is continued.
        """
        self._start = (turn, batch)
        if seed is not None:
            self.seed = seed
            if hasattr(self.sampler, 'seed'):
                self.sampler.seed = seed

    def __len__(self) -> int:
        return len(self.batch_sampler)

    def __iter__(self) -> Iterator[SeededBatch]:
        turn, skipped = self._start
        self._start = (turn, 0)
        while True:
            position = 0
            for indices in self.batch_sampler:
                if skipped:
                    skipped -= 1
                else:
                    yield SeededBatch(list(indices), self.seed, turn, position)
                position += len(indices)
            if position == 0 or not self.endless:
                return
            turn += 1
            if hasattr(self.sampler, 'set_epoch'):
                self.sampler.set_epoch(turn)


class ResumableLoader(DataLoader):
    """A DataLoader over a :class:`ResumableBatchSampler`."""

    @property
    def batch_size(self) -> int:
        """Samples in a batch; torch keeps none, and hooks ask for it."""
        return self.batch_sampler.batch_size

    @batch_size.setter
    def batch_size(self, none: None) -> None:
        pass

    def __iter__(self) -> Iterator:
        # As a generator: workers start when it is known at which batch.
        yield from super().__iter__()


def resumable(loader: DataLoader, seed: int, endless: bool) -> DataLoader:
    """Make a loader resumable.

    Args:
        loader (DataLoader): As MMEngine built it, or the user.
        seed (int): Of the run, the same in all processes.
        endless (bool): See :class:`ResumableBatchSampler`.

    Returns:
        DataLoader: The same with another batch sampler; the loader itself if
        it has none or is of a class of its own.
    """
    if (
        type(loader) is not DataLoader
        or isinstance(loader.dataset, IterableDataset)
        or loader.batch_sampler is None
    ):
        return loader
    same = ['dataset', 'num_workers', 'collate_fn', 'pin_memory', 'timeout']
    same += ['worker_init_fn', 'multiprocessing_context', 'generator']
    same += ['prefetch_factor', 'persistent_workers', 'pin_memory_device']
    same += ['in_order']  # since torch 2.6
    options = {n: getattr(loader, n) for n in same if hasattr(loader, n)}
    sampler = ResumableBatchSampler(loader.batch_sampler, seed, endless)
    return ResumableLoader(batch_sampler=sampler, **options)
