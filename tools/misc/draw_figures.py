#!/usr/bin/env python
"""Draw the figures of docs/loss.md and docs/pretraining.md anew."""

from pathlib import Path
from statistics import mean, stdev
from typing import Any, Dict, Tuple

import torch
from matplotlib.figure import Figure
from sklearn.datasets import load_sample_image

from mmdrloc.apis.cli import Parser
from mmdrloc.models import DRLocHead, DRLocL1Loss
from mmdrloc.models.losses import cell_offsets
from mmdrloc.reporting.runs import RunResult, load_runs
from mmdrloc.utils.files import atomic_path

DOCS = Path(__file__).resolve().parents[2] / 'docs'
SIDE = 7  # cells along either axis, as Swin-T has at 224 pixels
TARGETS = {
    "paper: normalize='k'": dict(),
    "normalize='k-1'": dict(normalize='k-1'),
    'paper, signed: signed=True': dict(signed=True),
    "official, signed, normalize='k-1'": dict(
        signed=True, convention='official', normalize='k-1'
    ),
}

PANELS = {
    '5,000 images, all with labels, ViT': (
        'pretraining_1x',
        'pretraining_4x',
        'pretraining_mae_16x',
    ),
    'the same, BoTNet': (
        'pretraining_botnet_1x',
        'pretraining_botnet_4x',
        'pretraining_botnet_16x',
    ),
    'labels for 500 of the 5,000, ViT': (
        'pretraining_few_labels',
        'few_labels_augmented',
    ),
}
METHODS = {
    None: 'labels alone',
    'evidence/mae_vit-4layers': 'MAE',
    'evidence/supcon_vit-4layers': 'SupCon',
    'evidence/simclr_vit-4layers': 'SimCLR',
    'evidence/idmm_vit-4layers': 'IDMM',
}
# How many epochs take as long as 750 iterations with labels.
EPOCHS = {'MAE': 6, 'SupCon': 2, 'SimCLR': 2, 'IDMM': 3}
BOTNET_EPOCHS = {'SimCLR': 2, 'IDMM': 2}
AUGMENTED = ' + RandAugment, CutMix'
RECIPES = {
    'vit-4layers': '',
    'vit-4layers_augmented': AUGMENTED,
    'resnet-mini': '',  # of which the BoTNet is a variant
}
# Without pre-training, the network that MAE's is.
CONTROL = 'model.backbone.with_cls_token=True'


def draw_pairs() -> Figure:
    """Pairs of cells on a photo, and what the MLP is to predict of them."""
    head = DRLocHead('stages.3', in_channels=768, num_pairs=3)
    generator = torch.Generator().manual_seed(17)
    pairs = head.sample_pairs(1, (SIDE, SIDE), 'cpu', generator)
    rows, columns = cell_offsets(pairs)
    target = DRLocL1Loss(signed=True).target
    figure = Figure(figsize=(8, 4), layout='constrained')
    photo, words = figure.subplots(1, 2, width_ratios=(1, 0.9))
    # By danielbuechele, CC BY 2.0; 427x640 pixels.
    pixels = load_sample_image('china.jpg')[:, 40:467]
    photo.imshow(pixels, extent=(0, SIDE, SIDE, 0))
    photo.set(xticks=range(SIDE + 1), yticks=range(SIDE + 1))
    photo.tick_params(length=0, labelbottom=False, labelleft=False)
    photo.grid(color='white', alpha=0.6)
    words.axis('off')
    words.text(0, 0.9, 'two tokens → MLP → offset', size=15, weight='bold')
    for number, colour in enumerate(('#e6007e', '#ffb000', '#00d0ff')):
        row_a, col_a, row_b, col_b = (pairs[0, number] + 0.5).tolist()
        photo.annotate(
            '',
            (col_a, row_a),
            (col_b, row_b),
            arrowprops=dict(
                color=colour, width=3, headwidth=12, shrinkA=6, shrinkB=0
            ),
        )
        photo.plot(col_b, row_b, 'o', color=colour, markersize=11)
        u, v = rows[0, number].item(), columns[0, number].item()
        moved = (
            f'{abs(u)} {"down" if u > 0 else "up"}, '
            f'{abs(v)} {"right" if v > 0 else "left"}'
        )
        told = f'({target(u, SIDE):+.2f}, {target(v, SIDE):+.2f})'
        height = 0.66 - 0.25 * number
        words.plot(0.04, height + 0.02, 'o', color=colour, markersize=13)
        words.text(0.13, height, f'{moved}\n→ {told}', size=14, va='center')
    words.set(xlim=(0, 1), ylim=(0, 1))
    return figure


def draw_targets() -> Figure:
    """The target of one axis over the offset, in each convention."""
    offsets = torch.arange(1 - SIDE, SIDE)
    figure = Figure(figsize=(6.4, 3.6), layout='constrained')
    axes = figure.subplots()
    for label, options in TARGETS.items():
        targets = DRLocL1Loss(**options).target(offsets.float(), SIDE)
        axes.plot(offsets, targets, 'o-', label=label)
    axes.set(xlabel=f'offset along an axis of {SIDE} cells', ylabel='target')
    axes.grid(alpha=0.3)
    axes.legend(fontsize='small')
    return figure


def place_of(run: RunResult) -> Tuple[str, float]:
    """The line that a run belongs to, and the time of its trainings."""
    weights = run.result['run']['weights']
    pretraining = weights and weights['run']
    method = METHODS[pretraining and pretraining['recipe']]
    recipe = run.result['config']['name']
    time = float(run.planned)
    if pretraining:
        (length,) = pretraining['length']
        epochs = BOTNET_EPOCHS if recipe == 'resnet-mini' else EPOCHS
        time += 750 * int(length.split('=')[1]) / epochs[method]
    elif CONTROL in run.result['run']['options']:
        method = 'labels alone, class token'
    return method + RECIPES[recipe], time


def draw_pretraining() -> Figure:
    """Accuracy after a pre-training, over the time of both trainings.

    A line for each method, mean and deviation over the seeds. Time is in
    iterations with labels; a pre-training counts as planned in
    configs/evidence/studies.yml.
    """
    figure = Figure(figsize=(13, 4), layout='constrained')
    panels = figure.subplots(1, 3)
    drawn: Dict[str, Any] = {}
    for axes, (title, names) in zip(panels, PANELS.items()):
        # By seed: a run may stand in several results.
        lines: Dict[str, Dict[float, Dict[int, float]]] = {}
        for run in load_runs([DOCS / f'results/{n}.json' for n in names]):
            if run.result['config']['name'] in RECIPES:
                line, time = place_of(run)
                alike = lines.setdefault(line, {}).setdefault(time, {})
                value = run.result['last']['accuracy/top1']['value']
                alike[run.result['seed']] = value
        for line, points in sorted(lines.items()):
            times = sorted(points)
            like = drawn.get(line)
            drawn[line] = axes.errorbar(
                times,
                [mean(points[time].values()) for time in times],
                [stdev(points[time].values()) for time in times],
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


FIGURES = {
    'loss_pairs.png': draw_pairs,
    'loss_targets.png': draw_targets,
    'pretraining_time.png': draw_pretraining,
}


def main() -> None:
    """Run the command line."""
    example = 'example:\n  python tools/misc/draw_figures.py'
    parser = Parser(description=__doc__, epilog=example)
    parser.add_argument(
        '--out',
        type=Path,
        default=DOCS / 'pictures',
        metavar='DIR',
        help='where to (default: docs/pictures)',
    )
    folder = parser.parse_args().out
    for name, draw in FIGURES.items():
        with atomic_path(folder / name) as temporary:
            draw().savefig(temporary, format='png', dpi=90)
        print(f'written: {folder / name}')


if __name__ == '__main__':
    main()
