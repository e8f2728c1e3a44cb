"""How well a training answered DRLoc's question, and a word if it did not."""

from typing import Optional

import numpy as np
from mmengine.runner import Runner

#: Updates over which the skill, which is of a batch, is averaged.
WINDOW = 100
#: Below it, the answers are hardly better than a guess.
LOW = 0.1


def recent_skill(runner: Runner) -> Optional[float]:
    """Mean of the last updates.

    Args:
        runner (Runner): In a training.

    Returns:
        float | None: None without DRLoc, or before the first update.
    """
    skills = _history(runner)[-WINDOW:]
    return float(skills.mean()) if len(skills) else None


def warn_if_low(runner: Runner) -> None:
    """Say so if the question was never answered.

    Args:
        runner (Runner): At the end of its training.
    """
    skills = _history(runner)
    if not len(skills):
        return
    width = min(WINDOW, len(skills))
    best = np.convolve(skills, np.full(width, 1 / width), 'valid').max()
    if best < LOW:
        runner.logger.warning(
            f'DRLoc: drloc_skill never passed {best:.2f} (0 is guessing, 1 is '
            'perfect), so the loss can hardly have mattered. What can bring '
            'the answer on: a longer training, signed=True in the loss, '
            'larger position embeddings; see "When the question is answered" '
            'in docs/loss.md.'
        )


def _history(runner: Runner) -> np.ndarray:
    """The logged skill of each update, of resumed parts too.

    Of crops that go through the network in groups, as IDMM's, the mean.
    """
    groups = [
        buffer.data[0]
        for name, buffer in runner.message_hub.log_scalars.items()
        if name.startswith('train/drloc_skill')
    ]
    if not groups:
        return np.empty(0)
    skills = np.mean(groups, axis=0)
    return skills[np.isfinite(skills)]
