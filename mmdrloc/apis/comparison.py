"""Train twins and their baseline over several seeds, and compare them."""

from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import (
    Any,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from mmdrloc.datasets.recipes import work_dir_of
from mmdrloc.reporting.paired import interval, paired_section
from mmdrloc.reporting.tables import (
    by_config,
    metrics_of,
    paired_differences,
)
from mmdrloc.utils.errors import UsageError
from .arms import Arm, arms_of, check, train_step
from .run import Run, as_html, report
from .session import session
from .side_by_side import SideBySide

Place = Union[str, Path]


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


@dataclass(repr=False, eq=False)
class Comparison:
    """Finished twins; in a notebook it shows itself as a table.

    Args:
        runs (list[Run]): Of all recipes and seeds.
        baseline (str): What the others are compared with, as tables name it.
        folder (Path): Where the runs lie.
    """

    runs: List[Run]
    baseline: str
    folder: Path

    @property
    def differences(self) -> List[Difference]:
        """To the baseline, after the last update, metric by metric."""
        configs = by_config([run.record() for run in self.runs])
        reference = configs.pop(self.baseline)
        found = []
        for config, others in configs.items():
            for metric in metrics_of(reference[0]):
                numbers = paired_differences(others, reference, metric, 'last')
                ends = interval(numbers) if len(numbers) > 1 else (None, None)
                found.append(
                    Difference(config, metric.title, mean(numbers), *ends)
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
        records = [run.record() for run in self.runs]
        return paired_section(records, self.baseline)

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
    trust: bool = False,
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
        jobs (int): Runs at a time, as many as cores and memory are there
            for. Defaults to 1.
        dataset (str | Path, optional): As of :func:`mmdrloc.apis.train`, and
            so is all that follows.
        amp (bool): Whether to train in mixed precision. Defaults to False.
        options (Mapping, optional): Settings of the configs to change.
        partial (bool): Whether weights of which only a part fits are enough.
            Defaults to False.
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.

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
        trust=trust,
    )
    if jobs < 1:
        raise UsageError(
            f'{jobs} runs at a time train nothing: give 1 or more'
        )
    with session(trust):
        arms = arms_of(
            _listed(twins),
            None if baseline is None else str(baseline),
            _listed(weights),
            training,
        )
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
        comparison = Comparison(
            [Run(folder) for folder in folders],
            Run(folders[0]).record().config,
            Path(work_dir),
        )
        comparison.report()
    return comparison


def _listed(places: Union[None, Place, Sequence[Place]]) -> Tuple[str, ...]:
    if places is None:
        return ()
    if isinstance(places, (str, Path)):
        places = [places]
    return tuple(str(place) for place in places)
