"""Order and augmentation of images, from seed, epoch and position alone.

They depend neither on the number of workers or processes nor on what was
drawn before. So a training can begin in the middle of an epoch, and no random
state has to be saved.
"""

import random
import struct
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np
import torch
from mmengine.dist import get_dist_info
from mmengine.registry import DATA_SAMPLERS
from torch.utils.data import BatchSampler, Sampler


def seed_sample(*place: int) -> None:
    """Seed what transforms draw from: Python, NumPy, torch on the CPU."""
    digest = blake2b(repr(place).encode(), digest_size=24).digest()
    # Each gets its own number: NumPy and torch both use Mersenne Twisters, and
    # from one seed a crop's place would determine the colours drawn after it.
    words = struct.unpack('<3Q', digest)
    random.seed(words[0])
    np.random.seed(words[1] & 0xFFFFFFFF)
    torch.default_generator.manual_seed(words[2])


def seed_step(*place: int) -> None:
    """Seed also what a training step draws from on GPUs, without a wait."""
    seed_sample(*place)
    # Not torch.manual_seed: until a GPU is in use, it stores each call with
    # a traceback.
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(torch.initial_seed())


@dataclass
class SeededBatch:
    """Indices of a batch; iterating over them seeds each sample's transforms.

    A loader takes one index after the other, in a worker or in its own
    process, and loads its sample. So the dataset needs no wrapper.
    """

    indices: List[int]
    #: For each index: seed of the run, number of the pass, position in it.
    places: List[Tuple[int, int, int]]

    def __iter__(self) -> Iterator[int]:
        for index, place in zip(self.indices, self.places):
            seed_sample(*place)
            yield index


class ResumableBatchSampler(Sampler):
    """A batch sampler that begins where it is told to, and not before.

    Args:
        sampler (Sampler): The sampler of this process's indices.
        batch_size (int): Batch size of this process.
        endless (bool): Whether passes follow each other without end, as
            trainings counted in iterations need it.
        drop_last (bool): Whether to leave out an incomplete last batch.
            Defaults to False.
        batch_sampler (dict, optional): Config of another batch sampler.
    """

    def __init__(
        self,
        sampler: Any,
        batch_size: int,
        endless: bool,
        drop_last: bool = False,
        batch_sampler: Optional[dict] = None,
    ) -> None:
        self.sampler = sampler
        self.batch_size = batch_size
        self.endless = endless
        self.batches = DATA_SAMPLERS.build(
            batch_sampler or dict(type=BatchSampler, drop_last=drop_last),
            default_args=dict(sampler=sampler, batch_size=batch_size),
        )
        self._start: Optional[Tuple[int, int]] = None

    def begin(self, turn: int, batch: int, seed: int) -> None:
        """Say where the next iteration over the data begins.

        Args:
            turn (int): Number of the pass over the data, from 0.
            batch (int): Batches to skip; of an endless sampler also more
                than a pass has.
            seed (int): Seed of the run, the same in all processes; of the
                one that is continued.
        """
        self._start = (turn, batch)
        self.seed = seed
        if hasattr(self.sampler, 'seed'):
            self.sampler.seed = seed

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[SeededBatch]:
        if self._start is None:
            # MMEngine 0.10.7 draws batches before the training, with workers.
            return
        turn, skipped = self._start
        self._start = (turn, 0)
        # Samplers give each of n processes every n-th sample.
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


def resumable(loader: Mapping[str, Any], endless: bool) -> Dict[str, Any]:
    """Put our batch sampler into the config of a loader with a sampler."""
    config = dict(loader)
    if config.get('sampler') is not None:
        config['batch_sampler'] = dict(
            type=ResumableBatchSampler,
            endless=endless,
            drop_last=config.pop('drop_last', False),
            batch_sampler=config.pop('batch_sampler', None),
        )
    return config
