"""Training curves of configs side by side, and what twins gain."""

from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from matplotlib import rc_context
from matplotlib.figure import Figure

from mmdrloc.utils.errors import UsageError, counted
from mmdrloc.utils.files import atomic_path
from .paired import CONFIDENCE, ENOUGH_SEEDS, gain_by_iteration, interval
from .runs import Run
from .tables import baseline_of, by_config, by_task, course, metrics_of

# A dollar in a name begins no formula.
STYLE: Any = {'text.parse_math': False}
SKILL = 'DRLoc skill: 0 = best constant, 1 = perfect'
BAND = f'band: {100 * CONFIDENCE:.0f} % interval of the mean (Student t)'
# What is logged, the first that a run has, and the title of its panel.
LOGGED_PANELS = {
    ('loss_cls', 'loss'): 'training loss of the task',
    ('drloc_raw',): 'DRLoc loss without its weight',
    ('drloc_skill',): SKILL,
}
# A line's label, and its numbers by iteration and seed.
Line = Tuple[str, Mapping[int, Mapping[int, float]]]


def draw_curves(runs: Sequence[Run], path: Path) -> None:
    """Draw a group of runs: its first metric, and what they have logged.

    A colour a config, a line a seed. The metric's panel is that of Fig. 3 of
    the supplement of Liu et al. (NeurIPS 2021).
    """
    metric = metrics_of(runs[0])[0]
    by_epoch = all('epoch' in run.result['validations'][0] for run in runs)
    key, unit = ('epoch', 'epoch') if by_epoch else ('iter', 'iteration')
    panels: Dict[Tuple[str, str], List[Line]] = defaultdict(list)
    for run in runs:
        line = course([run], metric.key, metric.factor, key)
        panels[metric.title, unit].append((run.config, line))
        for names, title in LOGGED_PANELS.items():
            found = [run.curves[name] for name in names if name in run.curves]
            if found:
                line = {step: {run.seed: value} for step, value in found[0]}
                panels[title, 'iteration'].append((run.config, line))
    _draw(panels, path)


def draw_gain(
    runs: Sequence[Run], path: Path, baseline: Optional[str] = None
) -> None:
    """Draw what twins gain over their baselines, or one, and their skill.

    A line a twin: the mean over the seeds that both have, and from three seeds
    on the confidence interval as a band. The gain is of the first metric
    that tables show.

    Raises:
        UsageError: If no twin was run with its baseline.
    """
    gained: List[Line] = []
    skilled: List[Line] = []
    for group in by_task([run for run in runs if run.finished]):
        configs = by_config(group)
        metric = metrics_of(group[0])[0]
        for config, twins in configs.items():
            other = baseline or baseline_of(config, configs)
            gains = gain_by_iteration(twins, configs.get(other, []), metric)
            if config == baseline or not gains:
                continue
            seeds = counted(max(map(len, gains.values())), 'seed')
            label = (
                f'{config} over {other}\n{group[0].dataset}, {metric.title}, '
                f'{seeds}'
            )
            gained.append((label, gains))
            skilled.append((label, course(twins, 'drloc_skill')))
    if not gained:
        raise UsageError(
            'of no config both it and its baseline were finished with one '
            'seed: give both, or name the config to compare with by '
            '--baseline'
        )
    title = f'gain, mean over the seeds, paired;\n{BAND}'
    _draw({(title, 'iteration'): gained, (SKILL, 'iteration'): skilled}, path)


@rc_context(STYLE)
def _draw(
    panels: Mapping[Tuple[str, str], Sequence[Line]], path: Path
) -> None:
    """Draw panels by title and unit, a colour a label, a band over seeds."""
    first = next(iter(panels.values()))
    labels = list(dict.fromkeys(label for label, _ in first))
    size = (4.5 * len(panels), 4 + 0.3 * len(labels))
    figure = Figure(figsize=size, layout='constrained')
    all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, ((title, unit), lines) in zip(all_axes, panels.items()):
        axes.set(title=title, xlabel=unit)
        axes.grid(alpha=0.3)
        for label, numbers in lines:
            color = f'C{labels.index(label)}'
            places = sorted(numbers)
            means = [mean(numbers[place].values()) for place in places]
            style = dict(color=color, alpha=0.8, label=label)
            marker = '' if len(places) > 1 else 'o'
            axes.plot(places, means, marker=marker, **style)
            enough = [n for n in places if len(numbers[n]) >= ENOUGH_SEEDS]
            ends = [interval(numbers[place].values()) for place in enough]
            low, high = zip(*ends) if ends else ((), ())
            axes.fill_between(enough, low, high, color=color, alpha=0.2)
    handles, names = figure.axes[0].get_legend_handles_labels()
    known = dict(zip(names, handles))  # each once, whatever the seeds
    figure.legend(
        [*known.values()],
        [*known],
        loc='outside lower center',
        fontsize='small',
    )
    with atomic_path(path) as temporary:
        # Names of configs can be longer than the figure is wide.
        figure.savefig(temporary, format='png', dpi=110, bbox_inches='tight')
