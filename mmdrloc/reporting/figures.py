"""Training curves of configs side by side, and what twins gain."""

import textwrap
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any, Dict, List, Optional, Sequence, Tuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .paired import CONFIDENCE, gain_by_iteration, interval
from .runs import Curve, Run
from .tables import Metric, baseline_of, by_config, by_task, metrics_of

SKILL = 'DRLoc skill: 0 = best constant, 1 = perfect'
# A dollar in a name begins no formula.
STYLE: Any = {'text.parse_math': False}
# What is logged, the first that a run has, and the title of its panel.
LOGGED_PANELS = (
    (('loss_cls', 'loss'), 'training loss of the task'),
    (('drloc_raw',), 'DRLoc loss without its weight'),
    (('drloc_skill',), SKILL),
)


@rc_context(STYLE)
def draw_curves(runs: Sequence[Run], path: Path) -> None:
    """Draw a group of runs: its first metric, and what they have logged.

    A colour a config, a line a seed. The metric's panel is that of Fig. 3 of
    the supplement of Liu et al. (NeurIPS 2021).

    Args:
        runs (Sequence[Run]): Runs with the same data and metrics.
        path (Path): PNG to be written.
    """
    configs = by_config(runs)
    logged = [
        (names, title)
        for names, title in LOGGED_PANELS
        if any(_logged(run, names) for run in runs)
    ]
    columns = 1 + len(logged)
    size = (4.25 * columns, 4 + 0.2 * len(configs))
    figure = Figure(figsize=size, layout='constrained')
    measured, *others = figure.subplots(1, columns, squeeze=False)[0]
    by_epoch = all(run.validations[0].epoch is not None for run in runs)
    unit = 'epoch' if by_epoch else 'iteration'
    for number, group in enumerate(configs.values()):
        for run in group:
            label = run.config if run is group[0] else None
            style = dict(color=f'C{number}', alpha=0.8, label=label)
            points = _measured(run, metrics_of(run)[0], unit)
            measured.plot(*zip(*points), **style)
            for axes, (names, _) in zip(others, logged):
                axes.plot(*zip(*_logged(run, names)), **style)
    measured.set(title=metrics_of(runs[0])[0].title, xlabel=unit)
    for axes, (_, title) in zip(others, logged):
        axes.set(title=title, xlabel='iteration')
    for axes in (measured, *others):
        axes.grid(alpha=0.3)
    figure.legend(
        *measured.get_legend_handles_labels(),
        loc='outside lower center',
        fontsize='small',
    )
    _save(figure, path)


def _measured(run: Run, metric: Metric, unit: str) -> List[Tuple[int, float]]:
    """A metric of all validations, in the table's unit."""
    return [
        (getattr(one, unit), metric.factor * one.metrics[metric.key])
        for one in run.validations
        if metric.key in one.metrics and getattr(one, unit) is not None
    ]


def _logged(run: Run, names: Sequence[str]) -> Curve:
    """The first of the curves that the run has."""
    return next((run.curves[name] for name in names if name in run.curves), [])


def _save(figure: Figure, path: Path) -> None:
    with atomic_path(path) as temporary:
        # Names of configs can be longer than the figure is wide.
        figure.savefig(temporary, format='png', dpi=110, bbox_inches='tight')


@rc_context(STYLE)
def draw_gain(
    runs: Sequence[Run], path: Path, baseline: Optional[str] = None
) -> None:
    """Draw what twins gain against iterations, and their skill below.

    A column a baseline, of all data sets; a line a twin: the mean over the
    seeds that both have, and from two seeds on the confidence interval as a
    band. The gain is of the first metric that tables show.

    Args:
        runs (Sequence[Run]): Twins and their baselines.
        path (Path): PNG to be written.
        baseline (str, optional): Name of the config that all others are
            compared to. Defaults to None: each twin's own.

    Raises:
        UsageError: If no twin was run with its baseline.
    """
    columns: Dict[Tuple[str, str, str], list] = defaultdict(list)
    for group in by_task(runs):
        configs = by_config(group)
        metric = metrics_of(group[0])[0]
        for config, twins in configs.items():
            other = baseline or baseline_of(config, configs)
            others = configs.get(other, [])
            gains = gain_by_iteration(twins, others, metric)
            if config != baseline and gains:
                place = other, group[0].dataset, metric.title
                columns[place].append((twins, gains))
    if not columns:
        raise UsageError(
            'of no config both it and its baseline were run with one seed: '
            'give both, or name the config to compare with by --baseline'
        )
    figure = Figure(figsize=(5 * len(columns), 7), layout='constrained')
    panels = figure.subplots(
        2, len(columns), sharex='col', sharey='row', squeeze=False
    )
    for (other, dataset, title), (gain, skill) in zip(columns, panels.T):
        for number, (twins, gains) in enumerate(
            columns[other, dataset, title]
        ):
            seeds = max(map(len, gains.values()))
            many = 'seed' if seeds == 1 else 'seeds'
            label = textwrap.fill(f'{twins[0].config}, {seeds} {many}', 50)
            _plot(gain, gains, f'C{number}', label)
            skills = defaultdict(list)
            for one in (one for run in twins for one in run.validations):
                if one.skill is not None:
                    skills[one.iteration].append(one.skill)
            _plot(skill, skills, f'C{number}')
        gain.axhline(0, color='grey', linewidth=1)
        over = textwrap.fill(f'over {other}, {dataset}', 50)
        gain.set_title(over, fontsize='medium')
        gain.set(ylabel=f'gain, {title}')
        skill.set(xlabel='iterations', ylabel=SKILL)
        skill.legend(
            *gain.get_legend_handles_labels(),
            loc='upper center',
            bbox_to_anchor=(0.5, -0.22),
            fontsize='small',
        )
        for axes in (gain, skill):
            axes.grid(alpha=0.3)
    figure.supxlabel(
        f'mean over the seeds, paired; band: {100 * CONFIDENCE:.0f} % '
        'interval of the mean (Student t)',
        fontsize='small',
    )
    _save(figure, path)


def _plot(
    axes: Axes,
    numbers: Dict[int, List[float]],
    color: str,
    label: Optional[str] = None,
) -> None:
    """A line of means, and a band where there are several numbers."""
    places = sorted(numbers)
    means = [mean(numbers[place]) for place in places]
    axes.plot(places, means, color=color, label=label)
    several = [place for place in places if len(numbers[place]) > 1]
    ends = [interval(numbers[place]) for place in several]
    low, high = zip(*ends) if ends else ((), ())
    axes.fill_between(several, low, high, color=color, alpha=0.2, linewidth=0)
