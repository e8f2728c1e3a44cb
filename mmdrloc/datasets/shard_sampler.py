"""An order in which each process reads few shards at a time."""

from typing import Iterator, Optional, Sized

import numpy as np
from mmengine.dataset import DefaultSampler

from mmdrloc.registry import DATA_SAMPLERS
from mmdrloc.utils.errors import UsageError


@DATA_SAMPLERS.register_module()
class ShardSampler(DefaultSampler):
    """Shuffles shards, and the images of each, and reads some side by side.

    The shards are put in a random order, and the images of each shard in
    another. That sequence is cut into ``runs`` equal parts, of which one
    image each is taken in turns. The order follows from seed and epoch alone,
    whatever the number of processes, as with MMEngine's sampler. Where that
    number divides ``runs``, a process reads some of the parts and nothing of
    the others: each shard is read by one process, but for those at a cut,
    which are read by two.

    What a whole shuffle does and this does not: images of different shards
    meet in a batch only if their shards are read at the same time, and a
    batch of more images than ``runs`` has several of one shard.

    Args:
        dataset (TarShards): The data set, whole.
        shuffle (bool): Whether to shuffle at all. Defaults to True.
        seed (int, optional): Of the shuffling, the same in all processes.
            Defaults to None: drawn.
        round_up (bool): Whether some images come twice so that all processes
            have as many. Defaults to True.
        runs (int): How many shards are read side by side, by all processes
            together: a multiple of their number. Defaults to 64.

    Raises:
        UsageError: If ``runs`` is no positive number; with the first image if
            the data set does not say how many images its shards have.
    """

    def __init__(
        self,
        dataset: Sized,
        shuffle: bool = True,
        seed: Optional[int] = None,
        round_up: bool = True,
        runs: int = 64,
    ) -> None:
        if runs < 1:
            raise UsageError(
                f'mmdrloc.ShardSampler has runs={runs}: give at least 1.'
            )
        super().__init__(dataset, shuffle, seed, round_up)
        self.runs = runs

    def __iter__(self) -> Iterator[int]:
        """Give the indices of this process."""
        if not self.shuffle:
            return super().__iter__()
        order = np.resize(self._order(), self.total_size)
        return iter(order[self.rank :: self.world_size].tolist())

    def _order(self) -> np.ndarray:
        """Of all processes together."""
        # Not before: what looks at a config builds samplers of stand-ins.
        sizes = getattr(self.dataset, 'shard_sizes', ())
        images = np.arange(len(self.dataset))
        if sum(sizes) != len(images):
            raise UsageError(
                f'mmdrloc.ShardSampler needs whole shards, and '
                f'{type(self.dataset).__name__} is not mmdrloc.TarShards or '
                'is a part of it (`indices`): take DefaultSampler for it.'
            )
        rng = np.random.default_rng((self.seed, self.epoch))
        shards = np.split(images, np.cumsum(sizes)[:-1])
        rng.shuffle(shards)
        sequence = np.concatenate([rng.permutation(s) for s in shards])
        parts = np.array_split(sequence, self.runs)
        # The first parts may have an image more: it comes in the end.
        turns, longer = divmod(len(sequence), self.runs)
        rows = np.stack([part[:turns] for part in parts], axis=1)
        rest = [part[-1] for part in parts[:longer]]
        return np.append(rows.ravel(), rest).astype(sequence.dtype)
