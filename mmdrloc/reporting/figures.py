"""Training curves, gains and confusion matrices as pictures."""

from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mmdrloc.utils.console import known_warnings_ignored
from mmdrloc.utils.errors import UsageError, counted
from mmdrloc.utils.files import atomic_path
from .answers import confusion
from .metrics import by_config, course, metrics_of
from .paired import CONFIDENCE, gain_by_iteration, interval, no_interval, pairs
from .runs import Curves, RunResult

# A dollar in a name begins no formula.
STYLE: Any = {'text.parse_math': False, 'font.size': 10}
# Inches, so that text can be read on a phone. Legends come on top.
WIDTH, HEIGHT = 4.8, 3.6
# Of how many classes a confusion matrix has numbers.
MOST_NUMBERED = 100
SKILL = 'DRLoc skill: 0 = best constant, 1 = perfect', 'iteration'
LOSS = 'training loss of the task', 'iteration'
AUXILIARY = ('loss_drloc', 'loss_pixels')
GAIN = (
    'gain, mean over the seeds, paired;\n'
    f'band: {100 * CONFIDENCE:.0f} % interval of the mean (Student t)',
    'iteration',
)
# A line's label, and its numbers by iteration and seed.
Line = Tuple[str, Mapping[int, Mapping[int, float]]]
# By the title and the unit of the horizontal axis.
Panels = Mapping[Tuple[str, str], Sequence[Line]]


def draw_group(runs: Sequence[RunResult], path: Path) -> List[Path]:
    """Draw runs on the same data: what classifiers confused, and curves.

    Confusion matrices are of two configs at most. Curves, with a colour for
    each config and a line for each seed, are of what has more than one point:
    the first metric, as in Fig. 3 of the supplement of Liu et al. (NeurIPS
    2021), and what was logged.

    Returns:
        list[Path]: The pictures; their names begin with that of ``path``.
    """
    files = []

    def place(kind: str) -> Path:
        name = f'{path.name}_{kind}_{len(files) + 1}.png'
        files.append(path.with_name(name))
        return files[-1]

    configs = by_config(runs)
    for config, alike in configs.items() if len(configs) < 3 else ():
        matrix = confusion([run.result for run in alike])
        if matrix:
            draw_confusion(matrix, config, place('confusion'))
    metric = metrics_of(runs[0])[0]
    by_epoch = all('epoch' in run.result['validations'][0] for run in runs)
    key, unit = ('epoch', 'epoch') if by_epoch else ('iter', 'iteration')
    panels: Dict[Tuple[str, str], List[Line]] = defaultdict(list)
    for run in runs:
        curves = run.curves
        losses = _of_the_task(curves)
        for panel, line in (
            ((metric.title, unit), course([run], *metric[::2], key)),
            (LOSS, {step: {run.seed: loss} for step, loss in losses.items()}),
            (SKILL, course([run], 'drloc_skill')),
        ):
            panels[panel].append((run.config, line))
    for panel, lines in panels.items():
        if any(len(line) > 1 for _, line in lines):
            _draw({panel: lines}, [*configs], place('curves'))
    return files


def _of_the_task(curves: Curves) -> Dict[int, float]:
    """The whole loss by iteration, without those of auxiliary tasks."""
    ours = [dict(c) for n, c in curves.items() if n.startswith(AUXILIARY)]
    return {
        step: loss - sum(one.get(step, 0) for one in ours)
        for step, loss in curves.get('loss', ())
    }


def draw_gain(
    runs: Sequence[RunResult], path: Path, baseline: str = ''
) -> None:
    """Draw what configs gain over their baselines, or one, and their skill.

    A line for each config: the mean over the seeds that both have, and from
    three seeds on the confidence interval as a band. The gain is of the first
    metric that tables show.

    Raises:
        UsageError: If no config was run with its baseline.
    """
    panels: Dict[Tuple[str, str], List[Line]] = {GAIN: []}
    for ours, theirs in pairs(runs, baseline):
        metric = metrics_of(ours[0])[0]
        found = gain_by_iteration((ours, theirs), metric)
        if found:
            seeds = counted(max(map(len, found.values())), 'seed')
            label = (
                f'{ours[0].config}\nover {theirs[0].config}: '
                f'{ours[0].dataset}, {metric.title}, {seeds}'
            )
            panels[GAIN].append((label, found))
            skill = course(ours, 'drloc_skill')
            if skill:
                panels.setdefault(SKILL, []).append((label, skill))
    if not panels[GAIN]:
        raise UsageError(
            'no config has a finished run with the same seed as its '
            'baseline: give both, or name the config to compare with by '
            '--baseline'
        )
    _draw(panels, [label for label, _ in panels[GAIN]], path)


@rc_context(STYLE)
def _draw(panels: Panels, labels: Sequence[str], path: Path) -> None:
    """Draw a colour a label, a band over seeds."""
    rows = sum(label.count('\n') + 1 for label in labels)
    size = WIDTH, HEIGHT * len(panels) + 0.2 * rows
    figure = Figure(size, layout='constrained')
    figure.subplots(len(panels))
    known: Dict[str, Line2D] = {}
    for axes, ((title, unit), lines) in zip(figure.axes, panels.items()):
        axes.set_title(title, fontsize='medium')
        axes.set_xlabel(unit)
        axes.locator_params('x', integer=True)
        axes.grid(alpha=0.3)
        for label, numbers in lines:
            if not numbers:
                continue
            color = f'C{labels.index(label)}'
            places = sorted(numbers)
            means = [mean(numbers[place].values()) for place in places]
            [line] = axes.plot(places, means, color=color, label=label)
            known.setdefault(label, line)
            line.set(alpha=0.8, marker='' if len(places) > 1 else 'o')
            enough = [
                n for n in places if not no_interval(numbers[n].values())
            ]
            ends = [interval(numbers[place].values()) for place in enough]
            low, high = zip(*ends) if ends else ((), ())
            axes.fill_between(enough, low, high, color=color, alpha=0.2)
    figure.legend(
        [*known.values()], [*known], loc='outside lower center', fontsize=9
    )
    save_figure(figure, path)


@rc_context(STYLE)
def draw_confusion(
    rows: Mapping[str, np.ndarray], title: str, path: Path
) -> None:
    """Draw how many per cent of each class were predicted as which."""
    counts = np.array([*rows.values()], float)
    shares = 100 * counts / np.maximum(counts.sum(1, keepdims=True), 1)
    figure = Figure((WIDTH, HEIGHT), layout='constrained')
    axes = figure.subplots()
    axes.set_title(f'{title}: predictions (%)', fontsize='medium')
    axes.set(xlabel='predicted', ylabel='true')
    axes.imshow(shares, 'Blues', vmin=0, vmax=100, aspect='auto')
    size = min(9, 200 / len(rows))
    axes.set_xticks(range(len(rows)), [*rows], rotation=90, fontsize=size)
    axes.set_yticks(range(len(rows)), [*rows], fontsize=size)
    numbered = shares >= (0.5 if len(rows) <= MOST_NUMBERED else np.inf)
    for row, column in np.argwhere(numbered):
        share = shares[row, column]
        color = 'white' if share > 50 else 'black'
        number = axes.text(column, row, f'{share:.0f}', color=color)
        number.set(ha='center', va='center', fontsize=size)
    save_figure(figure, path)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as a PNG file."""
    with atomic_path(path) as temporary, known_warnings_ignored():
        # Names can be longer than the figure is wide.
        figure.savefig(temporary, format='png', dpi=150, bbox_inches='tight')
