"""Training curves of configs side by side."""

from collections import defaultdict
from pathlib import Path
from typing import Any, Dict, List, Sequence

from matplotlib import rc_context
from matplotlib.figure import Figure

from mmdrloc.utils.files import atomic_path
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

    A colour a config, a line a seed.

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
    figure = Figure(
        figsize=(4.25 * columns, 4 + 0.2 * len(configs)), layout='constrained'
    )
    measured, *others = figure.subplots(1, columns, squeeze=False)[0]
    for number, group in enumerate(configs.values()):
        for run in group:
            style = _style(number, run, run is group[0])
            _plot_metric(measured, run, metrics_of(run)[0], style)
            for axes, (names, _) in zip(others, logged):
                axes.plot(*zip(*_logged(run, names)), **style)
    measured.set(title=metrics_of(runs[0])[0].title, xlabel=_unit(runs[0]))
    for axes, (_, title) in zip(others, logged):
        axes.set(title=title, xlabel='iteration')
    for axes in (measured, *others):
        axes.grid(alpha=0.3)
    figure.legend(
        *measured.get_legend_handles_labels(),
        loc='outside lower center',
        fontsize='small',
    )
    save(figure, path)


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG.

    Args:
        figure (Figure): The figure.
        path (Path): The file.
    """
    with atomic_path(path) as temporary:
        # Names of configs can be longer than the figure is wide.
        figure.savefig(temporary, format='png', dpi=110, bbox_inches='tight')


@rc_context(STYLE)
def draw_twins(runs: Sequence[Run], path: Path) -> None:
    """Draw baselines with their twins: a panel a baseline and data set.

    As in Fig. 3 of the supplement of Liu et al. (NeurIPS 2021).

    Args:
        runs (Sequence[Run]): Of any number of configs and data sets.
        path (Path): PNG to be written.
    """
    panels = twin_panels(runs)
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(4.5 * columns, 3.5 * rows), layout='constrained')
    grid = figure.subplots(rows, columns, squeeze=False).flatten()
    for axes, configs in zip(grid, panels):
        for number, group in enumerate(configs.values()):
            for run in group:
                metric = metrics_of(run)[0]
                style = _style(number, run, run is group[0])
                _plot_metric(axes, run, metric, style)
        axes.set(title=run.dataset, xlabel=_unit(run), ylabel=metric.title)
        axes.legend(fontsize='small')
        axes.grid(alpha=0.3)
    for axes in grid[len(panels) :]:
        figure.delaxes(axes)
    save(figure, path)


def twin_panels(runs: Sequence[Run]) -> List[Dict[str, List[Run]]]:
    """Put each baseline together with its twins.

    Args:
        runs (Sequence[Run]): Of any number of configs and data sets.

    Returns:
        list[dict[str, list[Run]]]: Runs by config, the baseline first; one
        dict a baseline and data set.
    """
    panels = []
    for group in by_task(runs):
        configs = by_config(group)
        families: Dict[str, Dict[str, List[Run]]] = defaultdict(dict)
        # Baselines first, so that they have the same colour everywhere.
        baselines = {name: baseline_of(name, configs) for name in configs}
        for config in sorted(configs, key=lambda name: bool(baselines[name])):
            baseline = baselines[config] or config
            families[baseline][config] = configs[config]
        panels += families.values()
    return panels


def _style(number: int, run: Run, is_first: bool) -> dict:
    """A colour a config, a line a seed, one of them in the legend."""
    label = run.config if is_first else None
    return dict(color=f'C{number}', alpha=0.8, label=label)


def _unit(run: Run) -> str:
    """What the validations of a run are counted in."""
    return 'iteration' if run.validations[0].epoch is None else 'epoch'


def _plot_metric(axes: Any, run: Run, metric: Metric, style: dict) -> None:
    unit = _unit(run)
    measured = [
        validation
        for validation in run.validations
        if getattr(validation, unit) is not None
        and metric.key in validation.metrics
    ]
    places = [getattr(validation, unit) for validation in measured]
    values = [metric.factor * v.metrics[metric.key] for v in measured]
    axes.plot(places, values, **style)


def _logged(run: Run, names: Sequence[str]) -> Curve:
    """The first of the curves that the run has."""
    return next((run.curves[name] for name in names if name in run.curves), [])
