"""Order and augmentation of images, from seed, epoch and position alone.

Not from the number of workers or processes, nor from what was drawn before:
so a training can begin in the midst of an epoch, and no random state has to
be kept.
"""

import random
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np
import torch
from mmengine.dist import get_dist_info
from mmengine.registry import DATA_SAMPLERS
from torch.utils.data import BatchSampler, Sampler

BYTES = 8


def seed_sample(*place: int) -> None:
    """Seed what transforms draw from: Python, NumPy, torch on the CPU."""
    digest = blake2b(repr(place).encode(), digest_size=3 * BYTES).digest()
    # Each its own number: NumPy and torch are both Mersenne Twisters, and
    # with the same seed a crop's place would tell the colours drawn after it.
    words = [
        int.from_bytes(digest[start : start + BYTES], 'little')
        for start in range(0, len(digest), BYTES)
    ]
    random.seed(words[0])
    np.random.seed(words[1] & 0xFFFFFFFF)
    torch.default_generator.manual_seed(words[2])


def seed_step(*place: int) -> None:
    """Seed also what a training step draws from on GPUs; nothing waits."""
    seed_sample(*place)
    # Not torch.manual_seed: without a GPU in use it would remember each call,
    # with a traceback, for the moment in which there is one.
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(torch.initial_seed())


@dataclass
class SeededBatch:
    """Indices of a batch; to iterate over them seeds what is drawn of each.

    A loader asks the data set for one index after the other, in a worker or
    in its own process. So the data set itself needs no wrapper.
    """

    indices: List[int]
    #: Of each index: seed of the run, number of the pass, position in it.
    places: List[Tuple[int, int, int]]

    def __iter__(self) -> Iterator[int]:
        for index, place in zip(self.indices, self.places):
            seed_sample(*place)
            yield index


class ResumableBatchSampler(Sampler):
    """A batch sampler that begins where it is told to.

    Args:
        sampler (Sampler): What draws the indices of this process.
        batch_size (int): Of this process.
        seed (int): Of the run, the same in all processes.
        endless (bool): Whether one pass follows the other without end, as
            training counted in iterations needs it.
        drop_last (bool): Whether to leave out an incomplete last batch.
            Defaults to False.
        batch_sampler (dict, optional): Config of another batch sampler.
    """

    def __init__(
        self,
        sampler: Any,
        batch_size: int,
        seed: int,
        endless: bool,
        drop_last: bool = False,
        batch_sampler: Optional[dict] = None,
    ) -> None:
        self.sampler = sampler
        self.batch_size = batch_size
        self.seed = seed
        self.endless = endless
        self.batches: Any = BatchSampler(sampler, batch_size, drop_last)
        if batch_sampler is not None:
            self.batches = DATA_SAMPLERS.build(
                batch_sampler,
                default_args=dict(sampler=sampler, batch_size=batch_size),
            )
        self._start = (0, 0)

    def begin(self, turn: int, batch: int, seed: int) -> None:
        """Say where the next iteration over the data begins.

        Args:
            turn (int): Number of the pass over the data, from 0.
            batch (int): Batches that are left out, of an endless sampler
                also more than a pass has.
            seed (int): Of the run that is continued.
        """
        self._start = (turn, batch)
        self.seed = seed
        if hasattr(self.sampler, 'seed'):
            self.sampler.seed = seed

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[SeededBatch]:
        turn, skipped = self._start
        self._start = (turn, 0)
        # Samplers deal the data out: to each process every n-th sample.
        rank, world_size = get_dist_info()
        while True:
            position = 0
            for batch in self.batches:
                indices = list(batch)
                end = position + len(indices)
                if skipped:
                    skipped -= 1
                else:
                    places = [
                        (self.seed, turn, count * world_size + rank)
                        for count in range(position, end)
                    ]
                    yield SeededBatch(indices, places)
                position = end
            if position == 0 or not self.endless:
                return
            turn += 1
            if hasattr(self.sampler, 'set_epoch'):
                self.sampler.set_epoch(turn)


def resumable(
    loader: Mapping[str, Any], seed: int, endless: bool
) -> Dict[str, Any]:
    """Give the config of a loader our batch sampler, if it has a sampler."""
    config = dict(loader)
    if config.get('sampler') is not None:
        config['batch_sampler'] = dict(
            type=ResumableBatchSampler,
            seed=seed,
            endless=endless,
            drop_last=config.pop('drop_last', False),
            batch_sampler=config.pop('batch_sampler', None),
        )
    return config
