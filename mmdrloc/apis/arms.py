"""What is compared: recipes, what they start from, and their trainings."""

import os
import shlex
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

from mmengine.config import Config

from mmdrloc.checkpoints.transfer.starting_weights import try_weights
from mmdrloc.datasets.recipes import baseline_of, find_recipe
from mmdrloc.preflight import check_config, refuse
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import shipped
from .cli import words_of
from .settings import load_config
from .side_by_side import Step

# In place of weights: the recipe's own start.
NONE = 'none'


class Arm(NamedTuple):
    """What is trained with each seed.

    Args:
        config (str): Its file.
        weights (str, optional): What it starts from. Defaults to None: the
            config's own start.
    """

    config: str
    weights: Optional[str] = None

    @property
    def title(self) -> str:
        """In the names of its folders."""
        name = Path(self.config).stem
        if self.weights is None:
            return name
        weights = Path(self.weights)
        if weights.suffix:  # names such as epoch_10 tell nothing
            weights = weights.with_name(
                f'{weights.parent.name}_{weights.stem}'
            )
        return f'{name}_from_{weights.name}'

    def load(self, training: Mapping[str, Any]) -> Config:
        """Its config, as a training would read it.

        Args:
            training (Mapping): What all trainings share.
        """
        return load_config(
            self.config,
            training.get('dataset'),
            training.get('options'),
            partial=training.get('partial', False),
        )


def arms_of(
    twins: Sequence[str],
    baseline: Optional[str],
    weights: Sequence[str],
    training: Mapping[str, Any],
) -> List[Arm]:
    """What is trained.

    Args:
        twins (Sequence[str]): Recipes.
        baseline (str, optional): What to compare them with.
        weights (Sequence[str]): What they start from.
        training (Mapping): What all trainings share.

    Returns:
        list[Arm]: The baseline first.

    Raises:
        UsageError: If there is no baseline, or more than one.
    """
    starts = [None if name == NONE else name for name in weights]
    if len(starts) > 1:
        if len(twins) > 1 or baseline:
            raise UsageError(
                'several --weights are compared in one config: give one '
                'config, without --baseline, or one of the weights.'
            )
        return [Arm(twins[0], start) for start in starts]
    start = starts[0] if starts else None
    arms = [Arm(config, start) for config in twins]
    if baseline:
        return [Arm(baseline, start), *arms]
    baselines = []
    for arm in arms:
        path = baseline_of(find_recipe(arm.config), arm.load(training))
        if path is None:
            raise UsageError(
                f'{arm.config} is no twin of a baseline that it inherits '
                'from: give a config with DRLoc, or say --baseline CONFIG.'
            )
        baselines.append(os.path.relpath(path))
    if len(set(baselines)) > 1:
        raise UsageError(
            f'these twins have several baselines, {", ".join(baselines)}: '
            'compare those of one at a time.'
        )
    return [Arm(baselines[0], start), *arms]


def check(arms: Sequence[Arm], training: Mapping[str, Any]) -> None:
    """Look for faults of all configs before the first one is trained.

    Args:
        arms (Sequence[Arm]): What is trained.
        training (Mapping): What all trainings share.

    Raises:
        UsageError: With all that was found.
    """
    titles = [arm.title for arm in arms]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(
                f'two of what is compared have the name {title}, which their '
                'runs would share: rename one, or give it once'
            )
    findings = []
    for arm in arms:
        cfg = arm.load(training)
        try_weights(cfg, arm.weights, training.get('partial', False))
        findings += check_config(cfg, ['train', 'val'])
    refuse(list(dict.fromkeys(findings)))


def train_step(
    arm: Arm, seed: int, work_dir: Path, training: Mapping[str, Any]
) -> Step:
    """Train a config; its training goes on where it was stopped.

    Args:
        arm (Arm): The config with its weights.
        seed (int): Of the run.
        work_dir (Path): Of all runs.
        training (Mapping): What all trainings share.

    Returns:
        Step: Of the run.

    Raises:
        UsageError: If another command wrote the folder of the run.
    """
    title = f'{arm.title}_seed{seed}'
    folder = work_dir / title
    words = words_of(
        arm.config,
        dict(weights=arm.weights, work_dir=folder, seed=seed, **training),
    )
    tool = os.path.relpath(shipped('tools') / 'train.py')
    step = Step(
        title, [tool, *words], 1.0, work_dir / f'logs/{title}.txt', folder
    )
    earlier = step.result().get('command')
    if earlier is not None and _asked(shlex.split(earlier)[1:]) != _asked(
        words
    ):
        raise UsageError(
            f'{folder} holds the run of another command, {earlier}: give '
            'another --work-dir'
        )
    return step


def _asked(words: Sequence[str]) -> Dict[str, List[str]]:
    """What the words of a training ask for, in whatever order."""
    asked: Dict[str, List[str]] = {}
    flag = ''
    for word in words:
        if word.startswith('--'):
            flag, word = word, ''
        asked.setdefault(flag, []).extend([word] * bool(word))
    for flag in ('--resume', '--overwrite'):
        asked.pop(flag, None)
    return {flag: sorted(values) for flag, values in asked.items()}
