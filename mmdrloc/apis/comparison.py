"""Train recipes and their baseline over several seeds; compare by seed."""

import copy
import os
from dataclasses import dataclass
from pathlib import Path
from typing import (
    Any,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Union,
)

from mmdrloc.checkpoints.sources import SUFFIXES
from mmdrloc.checkpoints.starts import check_starts, start_from
from mmdrloc.datasets.recipes import (
    baseline_of,
    head_of,
    read_config,
    work_dir_of,
)
from mmdrloc.engine.run_folder.folder import LOCK, locked
from mmdrloc.preflight.building import preflight
from mmdrloc.preflight.rules import MULTIPLIERS
from mmdrloc.reporting.paired import summary
from mmdrloc.reporting.report import report
from mmdrloc.reporting.runs import RunResult, load_runs
from mmdrloc.reporting.tables import task_table
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place, recipe_file
from .jobs import run_jobs, training_job
from .run import Run
from .running import load_config, session

Places = Union[None, Place, Sequence[Place]]


@dataclass(repr=False, eq=False)
class Comparison:
    """Finished runs of all seeds and their folder; a table in a notebook.

    ``baseline`` is the config that the others are compared with, as tables
    name it.
    """

    runs: List[Run]
    baseline: str
    folder: Path

    def report(self, out: Optional[Place] = None) -> Path:
        """Write differences, tables and curves; see :func:`report`."""
        return report(
            self.runs,
            out or self.folder / 'report.md',
            f'Runs paired with {self.baseline}',
            baseline=self.baseline,
        )

    def __repr__(self) -> str:
        """A table of the mean differences with their intervals."""
        return task_table(self._loaded(), {}, self.baseline)

    _repr_markdown_ = __repr__

    def __str__(self) -> str:
        """The outcome in a sentence, for a console."""
        return summary(self._loaded(), self.baseline)

    def _loaded(self) -> List[RunResult]:
        # Together: their names say what differs between them.
        return load_runs([run.folder for run in self.runs])


def compare(
    recipes: Union[Place, Sequence[Place]],
    seeds: Sequence[int],
    *,
    baseline: Optional[Place] = None,
    weights: Places = None,
    work_dir: Optional[Place] = None,
    jobs: int = 1,
    dataset: Optional[Place] = None,
    epochs: Optional[int] = None,
    iters: Optional[int] = None,
    amp: bool = False,
    options: Optional[Mapping[str, Any]] = None,
    partial: bool = False,
    trust: bool = False,
) -> Comparison:
    """Train recipes and their baseline over several seeds, and compare.

    Each run is a process of its own, which trains the config that was
    checked, in ``configs`` beside the runs. The same call goes on where it
    was interrupted. A report is written beside the runs.

    Args:
        recipes (str | Path | Sequence): Configs, or names of recipes.
        seeds (Sequence[int]): Each recipe is trained with each of them.
        baseline (str | Path, optional): What to compare with. Defaults to
            the recipe that a DRLoc recipe inherits from.
        weights (str | Path | Sequence, optional): What all runs start from;
            of several, or 'none', each is compared with the first.
        work_dir (str | Path, optional): Where the runs go. Defaults to
            ``work_dirs/RECIPE_DATASET_paired``.
        jobs (int): Runs at a time. Defaults to 1.
        dataset (str | Path, optional): See :func:`train`.
        epochs (int, optional): See there.
        iters (int, optional): See there.
        amp (bool): See there.
        options (Mapping[str, Any], optional): See there. Those of the loss
            are not given to recipes without it.
        partial (bool): See there.
        trust (bool): See there.

    Returns:
        Comparison: The runs and their differences.

    Raises:
        UsageError: With all that keeps them from being trained, or if one of
            them fails.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    if jobs < 1:
        raise UsageError(f'{jobs} runs at a time: give 1 or more.')
    if not _listed(recipes) or not seeds:
        raise UsageError('give at least one recipe and one seed.')
    if not all(type(one) is int and 0 <= one < 2**32 for one in seeds):
        raise UsageError(f'seeds {seeds}: give numbers from 0 to 4294967295.')
    how: Dict[str, Any] = dict(
        epochs=epochs, iters=iters, amp=amp, partial=partial
    )
    with session(trust):
        arms = arms_of(recipes, baseline, weights)
        configs = [
            load_config(arm.config, dataset, own, **how)
            for arm, own in zip(arms, _options_of(arms, options))
        ]
        # All are checked before the first one trains for hours.
        for arm, cfg in zip(arms, map(copy.deepcopy, configs)):
            start_from(cfg, arm.weights)
            preflight(cfg, ['train', 'val'])
            check_starts(cfg)
        usual = f'{work_dir_of(arms[1].config, configs[1])}_paired'
        folder = Path(work_dir or usual).expanduser()
        runs, todo = [], []
        with locked(folder / LOCK):
            for seed in dict.fromkeys(seeds):
                for arm, cfg in zip(arms, map(copy.deepcopy, configs)):
                    place = folder / f'{arm.title}_seed{seed}'
                    runs.append(Run(place))
                    cfg.merge_from_dict({'randomness.seed': seed})
                    job = training_job(cfg, arm.weights, place, trust=trust)
                    todo += [job] if job else []
            run_jobs(todo, jobs)
        places = [run.folder for run in runs]
        names = {one.place: one.config for one in load_runs(places)}
        of_baseline = [names[p] for p in places[:: len(arms)] if p in names]
        if not of_baseline:
            raise UsageError(
                f'no run of {arms[0].title} has a metric: train for longer.'
            )
        comparison = Comparison(runs, of_baseline[0], folder)
        comparison.report()
    return comparison


class Arm(NamedTuple):
    """A config and the weights it starts from, trained with each seed."""

    config: str
    weights: Optional[str] = None

    @property
    def title(self) -> str:
        """The name of its folders, before the seed."""
        name = Path(self.config).stem
        if self.weights is None:
            return name
        place = Path(self.weights)
        if place.suffix in SUFFIXES:  # epoch_10.pth says little
            return f'{name}_from_{place.parent.name}_{place.stem}'
        return f'{name}_from_{place.name}'


def arms_of(
    recipes: Places, baseline: Optional[Place] = None, weights: Places = None
) -> List[Arm]:
    """List what :func:`compare` trains with each seed, the baseline first.

    Raises:
        UsageError: If there is no baseline, or more than one.
    """
    configs = _listed(recipes)
    starts = [None if name == 'none' else name for name in _listed(weights)]
    if baseline:
        configs.insert(0, str(baseline))
    elif len(starts) < 2:
        found = {*map(_baseline, configs)}
        if len(found) > 1:
            raise UsageError(
                f'the baselines are several, {", ".join(sorted(found))}: '
                'compare with one at a time.'
            )
        configs[:0] = found
    arms = [Arm(one, start) for one in configs for start in starts or [None]]
    titles = [arm.title for arm in arms]
    if len({*titles}) < len(titles):
        raise UsageError(
            f'two configs or weights have the same name ({", ".join(titles)}):'
            ' rename one, or give it once.'
        )
    return arms


def _baseline(recipe: str) -> str:
    path = recipe_file(recipe)
    found = baseline_of(path, read_config(path))
    if found is None:
        raise UsageError(
            f'{recipe} inherits from no recipe without DRLoc: say what to '
            'compare with, --baseline RECIPE.'
        )
    return os.path.relpath(found)


def _options_of(
    arms: Sequence[Arm], options: Optional[Mapping[str, Any]]
) -> List[Optional[Mapping[str, Any]]]:
    """The options of each arm; those of the loss are for arms with one."""
    paths = [recipe_file(arm.config) for arm in arms]
    heads = [head_of(read_config(path)) for path in paths]
    of_loss = tuple(
        f'{place}.{head}.'
        for place in ('model', MULTIPLIERS)
        for head in heads
        if head
    )
    others = {
        key: value
        for key, value in (options or {}).items()
        if not key.startswith(of_loss)
    }
    return [options if head else others for head in heads]


def _listed(places: Places) -> List[str]:
    if places is None or isinstance(places, (str, Path)):
        places = [places] if places else []
    return [str(place) for place in places]
