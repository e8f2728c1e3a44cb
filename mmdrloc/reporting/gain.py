"""Gain over the baseline in the course of training, as one picture."""

import textwrap
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mmdrloc.utils.errors import UsageError
from .curves import SKILL, STYLE, save
from .paired import CONFIDENCE, gain_by_update, interval, skill_by_update
from .runs import Run
from .tables import baseline_of, by_config, by_task, metrics_of


class Pair(NamedTuple):
    """Runs of one twin and of its baseline, with the gains by update."""

    twins: List[Run]
    others: List[Run]
    gains: Dict[int, List[float]]


@rc_context(STYLE)
def draw_gain(
    runs: Sequence[Run], path: Path, baseline: Optional[str] = None
) -> None:
    """Draw what twins gain against updates, and their skill below.

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
    columns = _columns(runs, baseline)
    if not columns:
        raise UsageError(
            'of no config both it and its baseline were run with one seed: '
            'give both, or name the config to compare with by --baseline'
        )
    figure = Figure(figsize=(5 * len(columns), 7), layout='constrained')
    panels = figure.subplots(2, len(columns), sharex='col', squeeze=False)
    for pairs, (gain, skill) in zip(columns, panels.T):
        plain = pairs[0].others[0]
        for number, (twins, _, gains) in enumerate(pairs):
            seeds = max(map(len, gains.values()))
            many = 'seed' if seeds == 1 else 'seeds'
            label = _wrapped(f'{twins[0].config}, {seeds} {many}')
            _plot(gain, gains, f'C{number}', label)
            _plot(skill, skill_by_update(twins), f'C{number}')
        gain.axhline(0, color='grey', linewidth=1)
        title = f'over {plain.config}, {plain.dataset}'
        gain.set_title(_wrapped(title), fontsize='medium')
        gain.set(ylabel=f'gain, {metrics_of(plain)[0].title}')
        skill.set(xlabel='updates', ylabel=SKILL)
        skill.legend(
            *gain.get_legend_handles_labels(),
            loc='upper center',
            bbox_to_anchor=(0.5, -0.22),
            fontsize='small',
        )
        for axes in (gain, skill):
            axes.grid(alpha=0.3)
    # Skills are to be compared across columns.
    limits = [skill.get_ylim() for skill in panels[1]]
    for skill in panels[1]:
        skill.set_ylim(min(limits)[0], max(high for _, high in limits))
    figure.supxlabel(
        f'mean over the seeds, paired; band: {100 * CONFIDENCE:.0f} % '
        'interval of the mean (Student t)',
        fontsize='small',
    )
    save(figure, path)


def _columns(runs: Sequence[Run], baseline: Optional[str]) -> List[List[Pair]]:
    """Pairs on the same data and with the same baseline."""
    columns: Dict[Tuple[str, str], List[Pair]] = defaultdict(list)
    for group in by_task(runs):
        configs = by_config(group)
        for config, twins in configs.items():
            other = baseline or baseline_of(config, configs)
            others = configs.get(other, [])
            gains = gain_by_update(twins, others, metrics_of(twins[0])[0])
            if config != baseline and gains:
                place = other, twins[0].dataset
                columns[place].append(Pair(twins, others, gains))
    return list(columns.values())


def _wrapped(label: str) -> str:
    return textwrap.fill(label, 50)


def _plot(
    axes: Axes,
    numbers: Dict[int, List[float]],
    color: str,
    label: Optional[str] = None,
) -> None:
    """A line of means, and a band where there are several numbers."""
    updates = sorted(numbers)
    means = [mean(numbers[update]) for update in updates]
    axes.plot(updates, means, color=color, label=label)
    several = [update for update in updates if len(numbers[update]) > 1]
    ends = [interval(numbers[update]) for update in several]
    axes.fill_between(
        several,
        [low for low, _ in ends],
        [high for _, high in ends],
        color=color,
        alpha=0.2,
        linewidth=0,
    )
