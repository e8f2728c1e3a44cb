#!/usr/bin/env python
"""Draw the accuracy after a pre-training over the time of both trainings.

Time is in iterations with labels; a pre-training counts as planned in
configs/evidence/studies.yml.
"""

from pathlib import Path
from statistics import mean, stdev
from typing import Any, Dict, List, Tuple

from matplotlib.figure import Figure

from mmdrloc.apis.cli import Parser
from mmdrloc.reporting.runs import RunResult, load_runs
from mmdrloc.utils.files import atomic_path

DOCS = Path(__file__).resolve().parents[2] / 'docs'
PANELS = {
    '5,000 images, all with labels': ('pretraining_1x', 'pretraining_4x'),
    'labels for 500 of the 5,000': (
        'pretraining_few_labels',
        'few_labels_augmented',
    ),
}
# By the recipe: its name, and how many of its epochs take as long as 750
# iterations with labels.
METHODS = {
    None: ('labels alone', 0),
    'evidence/mae_vit-4layers': ('MAE', 6),
    'evidence/supcon_vit-4layers': ('SupCon', 2),
    'evidence/simclr_vit-4layers': ('SimCLR', 2),
    'evidence/idmm_vit-4layers': ('IDMM', 3),
}
AUGMENTED = ' + RandAugment, CutMix'
RECIPES = {'vit-4layers': '', 'vit-4layers_augmented': AUGMENTED}
# Without pre-training, the network that MAE's is.
CONTROL = 'model.backbone.with_cls_token=True'


def place(run: RunResult) -> Tuple[str, float]:
    """The line that a run belongs to, and the time of its trainings."""
    weights = run.result['run']['weights']
    pretraining = weights and weights['run']
    method, epochs = METHODS[pretraining and pretraining['recipe']]
    time = float(run.planned)
    if pretraining:
        (length,) = pretraining['length']
        time += 750 * int(length.split('=')[1]) / epochs
    elif CONTROL in run.result['run']['options']:
        method = 'labels alone, class token'
    return method + RECIPES[run.result['config']['name']], time


def draw() -> Figure:
    """A line for each method, mean and deviation over the seeds."""
    figure = Figure(figsize=(10, 4), layout='constrained')
    panels = figure.subplots(1, 2)
    drawn: Dict[str, Any] = {}
    for axes, (title, names) in zip(panels, PANELS.items()):
        lines: Dict[str, Dict[float, List[float]]] = {}
        for run in load_runs([DOCS / f'results/{n}.json' for n in names]):
            if run.result['config']['name'] in RECIPES:
                line, time = place(run)
                alike = lines.setdefault(line, {}).setdefault(time, [])
                alike.append(run.result['last']['accuracy/top1']['value'])
        for line, points in sorted(lines.items()):
            times = sorted(points)
            like = drawn.get(line)
            drawn[line] = axes.errorbar(
                times,
                [mean(points[time]) for time in times],
                [stdev(points[time]) for time in times],
                fmt='s--' if line.endswith(AUGMENTED) else 'o-',
                fillstyle='none' if line.endswith(AUGMENTED) else 'full',
                color=like[0].get_color() if like else f'C{len(drawn)}',
                capsize=3,
            )
        axes.set(title=title, xlabel='time of both (iterations with labels)')
        axes.grid(alpha=0.3)
    panels[0].set(ylabel='top-1 (%), mean ± std over seeds')
    figure.legend(drawn.values(), drawn, loc='outside right upper')
    return figure


def main() -> None:
    """Run the command line."""
    example = 'example:\n  python tools/misc/draw_pretraining.py'
    parser = Parser(description=__doc__, epilog=example)
    parser.add_argument(
        '--out',
        type=Path,
        default=DOCS / 'pictures/pretraining_time.png',
        metavar='FILE',
        help='where to (default: docs/pictures/pretraining_time.png)',
    )
    path = parser.parse_args().out
    with atomic_path(path) as temporary:
        draw().savefig(temporary, format='png', dpi=90)
    print(f'written: {path}')


if __name__ == '__main__':
    main()
