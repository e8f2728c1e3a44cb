"""Random numbers that follow from where a training is, not from its past.

Before each step and each image the generators are seeded from the run's seed
and a place: a run that was interrupted then draws what it would have drawn,
and no random state has to be kept.
"""

import random
from hashlib import blake2b

import numpy as np
import torch

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
