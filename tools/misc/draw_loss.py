#!/usr/bin/env python
"""Draw the figures of docs/loss.md, computed by the loss itself."""

from pathlib import Path

import torch
from matplotlib.figure import Figure

from mmdrloc.apis.cli import command_parser
from mmdrloc.models import DRLocHead, DRLocL1Loss
from mmdrloc.models.losses import cell_offsets
from mmdrloc.utils.files import atomic_path

PICTURES = Path(__file__).resolve().parents[2] / 'docs/pictures'
SIDE = 7  # cells along either axis, as Swin-T has at 224 pixels
TARGETS = {
    "paper: normalize='k'": dict(),
    "normalize='k-1'": dict(normalize='k-1'),
    'paper, signed: signed=True': dict(signed=True),
    "official, signed, normalize='k-1'": dict(
        signed=True, convention='official', normalize='k-1'
    ),
}


def draw_pairs() -> Figure:
    """Some pairs of cells, and what the MLP is to say of them."""
    head = DRLocHead('stages.3', in_channels=768, num_pairs=5)
    generator = torch.Generator().manual_seed(4)
    pairs = head.sample_pairs(1, (SIDE, SIDE), 'cpu', generator)
    rows, columns = cell_offsets(pairs)
    target = head.loss_module.target
    figure = Figure(figsize=(6.4, 3.6), layout='constrained')
    axes = figure.subplots()
    for number, (row_a, col_a, row_b, col_b) in enumerate(pairs[0].tolist()):
        u = target(rows[0, number], SIDE).item()
        v = target(columns[0, number], SIDE).item()
        label = f'({u:.2f}, {v:.2f})'
        axes.plot([col_a, col_b], [row_a, row_b], 'o-', label=label)
    edges = [position - 0.5 for position in range(SIDE + 1)]
    axes.set(
        xlim=(edges[0], edges[-1]),
        ylim=(edges[-1], edges[0]),
        xticks=range(SIDE),
        yticks=range(SIDE),
        xlabel='column',
        ylabel='row',
        aspect='equal',
    )
    axes.set_xticks(edges, minor=True)
    axes.set_yticks(edges, minor=True)
    axes.grid(which='minor', alpha=0.4)
    title = 'target: rows, columns'
    axes.legend(title=title, loc='upper left', bbox_to_anchor=(1.02, 1))
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


FIGURES = {'loss_pairs.png': draw_pairs, 'loss_targets.png': draw_targets}


def main() -> None:
    """Run the command line."""
    example = 'example:\n  python tools/misc/draw_loss.py'
    parser = command_parser(__doc__, example)
    parser.add_argument(
        '--out',
        type=Path,
        default=PICTURES,
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
