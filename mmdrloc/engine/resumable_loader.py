"""A data loader that can begin in the midst of an epoch.

What it gives at a place depends on the seed, the epoch and the place alone:
not on the number of workers or processes, on what they have loaded before, or
on where a run was interrupted.
"""

from typing import Any, Iterator, List, Sized, Tuple

from mmengine.dist import get_dist_info
from torch.utils.data import DataLoader, IterableDataset, Sampler

from .seeding import seed_sample


class SeededBatch:
    """The indices of a batch; to go over them is to seed what is drawn.

    A loader asks the data set for one index after the other, in a worker or
    in its own process: each finds the random generators in a state of its
    own. So the data set itself needs no wrapper.

    Args:
        indices (list): As a batch sampler gave them.
        seed (tuple[int, int]): The run's seed and the number of the pass
            over the data.
        positions (range): Of the samples, in the pass of all processes.
    """

    def __init__(
        self, indices: List[int], seed: Tuple[int, int], positions: range
    ) -> None:
        self.indices = indices
        self.seed = seed
        self.positions = positions

    def __iter__(self) -> Iterator[int]:
        """Give index after index, the generators seeded for it."""
        for index, position in zip(self.indices, self.positions, strict=True):
            seed_sample(*self.seed, position)
            yield index

    def __len__(self) -> int:
        """Count the samples."""
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

    def begin(self, turn: int, batch: int) -> None:
        """Say where the next iteration over the data begins.

        Args:
            turn (int): Number of the pass over the data, from 0.
            batch (int): Batches of it that are left out; of an endless
                sampler they may be more than a pass has.
        """
        self._start = (turn, batch)

    def reseed(self, seed: int) -> None:
        """Take another run's seed, before anything is drawn.

        Args:
            seed (int): Of the run that is continued.
        """
        self.seed = seed
        if hasattr(self.sampler, 'seed'):
            self.sampler.seed = seed

    def __len__(self) -> int:
        """Count the batches of a pass."""
        return len(self.batch_sampler)

    def __iter__(self) -> Iterator[SeededBatch]:
        """Draw batches; those left out cost no more than their indices."""
        turn, skipped = self._start
        self._start = (turn, 0)
        for batch in self._passes(turn):
            if skipped:
                skipped -= 1
            else:
                yield batch

    def _passes(self, turn: int) -> Iterator[SeededBatch]:
        while True:
            position = 0
            for indices in self.batch_sampler:
                yield self._batch(list(indices), turn, position)
                position += len(indices)
            if position == 0 or not self.endless:
                return
            turn += 1
            if hasattr(self.sampler, 'set_epoch'):
                self.sampler.set_epoch(turn)

    def _batch(
        self, indices: List[int], turn: int, position: int
    ) -> SeededBatch:
        """Samplers deal the data out: to each process every n-th sample."""
        rank, world_size = get_dist_info()
        first = position * world_size + rank
        positions = range(first, first + len(indices) * world_size, world_size)
        return SeededBatch(indices, (self.seed, turn), positions)


class ResumableLoader(DataLoader):
    """A DataLoader over a :class:`ResumableBatchSampler`.

    Its ``batch_size`` is that of the loader it was made from: torch keeps
    none beside a batch sampler, and hooks ask for it.
    """

    @property
    def batch_size(self) -> int:
        """Samples in a batch."""
        return self.batch_sampler.batch_size

    @batch_size.setter
    def batch_size(self, none: None) -> None:
        pass

    def __iter__(self) -> Iterator:
        """Start workers with the first batch, when it is known which."""
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
    return ResumableLoader(
        batch_sampler=ResumableBatchSampler(
            loader.batch_sampler, seed, endless
        ),
        **options,
    )
