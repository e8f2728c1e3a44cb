"""Train twins and their baseline over several seeds, and compare them."""

import os
import shlex
from pathlib import Path
from statistics import mean
from typing import (
    Any,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from mmengine.config import Config

from mmdrloc.checks import check_config, refuse
from mmdrloc.engine.starting_weights import try_weights
from mmdrloc.errors import UsageError
from mmdrloc.recipes import baseline_of, find_recipe, work_dir_of
from mmdrloc.reporting.paired import half_width, paired_section
from mmdrloc.reporting.runs import load_runs as read_runs
from mmdrloc.reporting.tables import (
    by_config,
    metrics_of,
    paired_differences,
)
from mmdrloc.shipped import shipped
from .run import Run, as_html, report
from .session import session
from .settings import load_config
from .side_by_side import SideBySide, Step
from .words import words_of

Place = Union[str, Path]
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


class Difference(NamedTuple):
    """A mean difference to the baseline, paired by seed.

    Args:
        config (str): What was compared, as tables name it.
        metric (str): As tables name it, with its unit.
        mean (float): In that unit.
        low (float, optional): Lower end of the 95 % confidence interval;
            None of one seed.
        high (float, optional): Its upper end.
    """

    config: str
    metric: str
    mean: float
    low: Optional[float]
    high: Optional[float]


class Comparison:
    """Finished twins; in a notebook it shows itself as a table.

    Args:
        runs (Sequence[Run]): Of all recipes and seeds.
        baseline (str): What the others are compared with, as tables name it.
        folder (Path): Where the runs lie.
    """

    def __init__(
        self, runs: Sequence[Run], baseline: str, folder: Path
    ) -> None:
        self.runs = list(runs)
        self.baseline = baseline
        self.folder = folder

    @property
    def differences(self) -> List[Difference]:
        """To the baseline, after the last update, metric by metric."""
        records = read_runs([run.folder for run in self.runs])
        configs = by_config(records)
        reference = configs.pop(self.baseline)
        found = []
        for config, others in configs.items():
            for metric in metrics_of(reference[0]):
                numbers = paired_differences(others, reference, metric, 'last')
                low = high = None
                if len(numbers) > 1:
                    half = half_width(numbers)
                    low, high = mean(numbers) - half, mean(numbers) + half
                found.append(
                    Difference(config, metric.title, mean(numbers), low, high)
                )
        return found

    def report(self, out: Optional[Place] = None) -> Path:
        """Write differences, tables and curves.

        Args:
            out (str | Path, optional): A .md or .html file. Defaults to
                ``report.md`` in the folder of the runs.

        Returns:
            Path: The file.
        """
        return report(
            self.runs,
            out or self.folder / 'report.md',
            f'Runs paired with {self.baseline}',
            baseline=self.baseline,
        )

    def __repr__(self) -> str:
        """The mean differences with their intervals, a table."""
        folders = [run.folder for run in self.runs]
        return paired_section(read_runs(folders), self.baseline)

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        return as_html(repr(self))


def compare(
    twins: Union[Place, Sequence[Place]],
    seeds: Sequence[int],
    *,
    baseline: Optional[Place] = None,
    weights: Union[None, Place, Sequence[Place]] = None,
    work_dir: Optional[Place] = None,
    jobs: int = 1,
    dataset: Optional[Place] = None,
    amp: bool = False,
    options: Optional[Mapping[str, Any]] = None,
    partial: bool = False,
    auto_scale_lr: bool = False,
    skip_bad_steps: int = 0,
    skip_data_check: bool = False,
    trust: bool = False,
    verbose: bool = False,
) -> Comparison:
    """Train twins and their baseline; what ``tools/paired.py`` does.

    Each run is a process of its own, a call of ``tools/train.py`` that is
    printed before it begins. Interrupted, the same call goes on where it
    stopped: finished runs are kept, begun ones resumed. A report is written
    beside them.

    Args:
        twins (str | Path | Sequence): Recipes to be compared with their
            baseline.
        seeds (Sequence[int]): A run of each recipe each.
        baseline (str | Path, optional): What to compare with. Defaults to
            the recipe that a twin inherits from.
        weights (str | Path | Sequence, optional): What all runs start from;
            of several, or 'none', each is compared with the first.
        work_dir (str | Path, optional): Where the runs and the report go.
            Defaults to ``work_dirs/<first recipe>_<data set>_paired``.
        jobs (int): Runs at a time. Defaults to 1.
        dataset (str | Path, optional): As of :func:`mmdrloc.apis.train`, and
            so is all that follows.
        amp (bool): Whether to train in mixed precision. Defaults to False.
        options (Mapping, optional): Settings of the configs to change.
        partial (bool): Whether weights of which only a part fits are enough.
            Defaults to False.
        auto_scale_lr (bool): Whether to scale the learning rate with the
            images an update. Defaults to False.
        skip_bad_steps (int): Steps that are not finite to leave out. Defaults
            to 0.
        skip_data_check (bool): Whether not to read the data beforehand.
            Defaults to False.
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.
        verbose (bool): Whether to show all that libraries say. Defaults to
            False.

    Returns:
        Comparison: The runs and their differences.

    Raises:
        UsageError: With all that keeps them from being trained, or if one of
            them fails.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    training = dict(
        dataset=dataset,
        amp=amp,
        options=options,
        partial=partial,
        auto_scale_lr=auto_scale_lr,
        skip_bad_steps=skip_bad_steps,
        skip_data_check=skip_data_check,
        trust=trust,
        verbose=verbose,
    )
    with session(trust, verbose):
        arms = arms_of(_listed(twins), baseline, _listed(weights), training)
        check(arms, training)
        first = Arm(_listed(twins)[0], arms[-1].weights)
        if work_dir is None:
            cfg = first.load(training)
            work_dir = f'{work_dir_of(first.config, cfg)}_paired'
        steps = {
            (arm, seed): train_step(arm, seed, Path(work_dir), training)
            for seed in dict.fromkeys(seeds)
            for arm in arms
        }
        SideBySide(jobs, len(steps)).run(list(steps.values()))
        folders = [step.work_dir for step in steps.values()]
        [reference] = read_runs([steps[arms[0], seeds[0]].work_dir])
        comparison = Comparison(
            [Run(folder) for folder in folders],
            reference.config,
            Path(work_dir),
        )
        comparison.report()
    return comparison


def arms_of(
    twins: Sequence[str],
    baseline: Optional[Place],
    weights: Sequence[str],
    training: Mapping[str, Any],
) -> List[Arm]:
    """What is trained.

    Args:
        twins (Sequence[str]): Recipes.
        baseline (str | Path, optional): What to compare them with.
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
        return [Arm(str(baseline), start), *arms]
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
        findings += check_config(
            cfg, ['train', 'val'], training.get('skip_data_check', False)
        )
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
        weights=arm.weights,
        work_dir=folder,
        seed=seed,
        **training,
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


def _listed(places: Union[None, Place, Sequence[Place]]) -> Tuple[str, ...]:
    if places is None:
        return ()
    if isinstance(places, (str, Path)):
        places = [places]
    return tuple(str(place) for place in places)
