"""Training curves of configs side by side."""

from pathlib import Path
from typing import List, Sequence

from matplotlib.figure import Figure

from mmdrloc.files import atomic_path
from .runs import Run
from .tables import Metric, by_config, metrics_of


def draw_curves(runs: Sequence[Run], path: Path) -> None:
    """Draw a group of runs: its first metric, and the parts of the loss.

    A colour a config, a line a seed.

    Args:
        runs (Sequence[Run]): Runs with the same data and metrics.
        path (Path): PNG to be written.
    """
    figure = Figure(figsize=(13, 4), layout='constrained')
    left, middle, right = figure.subplots(1, 3)
    for number, (config, group) in enumerate(by_config(runs).items()):
        for run in group:
            style = dict(
                color=f'C{number}',
                alpha=0.8,
                label=config if run is group[0] else None,
            )
            _plot_metric(left, run, metrics_of(run)[0], style)
            _plot_scalar(middle, run, ['loss_cls', 'loss'], style)
            _plot_scalar(right, run, ['drloc_raw'], style)
    left.set(title=metrics_of(runs[0])[0].title, xlabel='update')
    middle.set(title='training loss of the task', xlabel='update')
    right.set(title='DRLoc loss without its weight', xlabel='update')
    left.legend(fontsize='small')
    for axes in (left, middle, right):
        axes.grid(alpha=0.3)
    if not right.lines:
        figure.delaxes(right)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format='png', dpi=110)


def _plot_metric(axes, run: Run, metric: Metric, style: dict) -> None:
    entries = run.result['validations']
    axes.plot(
        [entry['iter'] for entry in entries],
        [metric.factor * entry['metrics'][metric.key] for entry in entries],
        **style,
    )


def _plot_scalar(axes, run: Run, names: List[str], style: dict) -> None:
    """Plot the first of the scalars that the run has."""
    for name in names:
        steps, numbers = run.scalars(name)
        if steps:
            axes.plot(steps, numbers, **style)
            return
