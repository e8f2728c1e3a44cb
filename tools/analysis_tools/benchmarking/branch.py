"""The DRLoc branch alone, ours and the pseudocode's, on Swin-T's grid."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from mmdrloc.models import DRLocHead
from mmdrloc.utils.files import atomic_path
from .outcome import Outcome, Table
from .plain_drloc import PlainDRLoc
from .step import TrainingStep
from .timing import Seconds, Setting, ratios, spread, time_interleaved

GRID, CHANNELS, HIDDEN_CHANNELS = (7, 7), 768, 512
NUM_PAIRS, BATCH_SIZE = 64, 32
SWEPT_PAIRS = (16, 32, 64, 128, 256, 512, 1024)
SWEPT_BATCHES = (8, 16, 32, 64, 128)
OURS, PLAIN, STEP = 'ours', 'pseudocode', 'Swin-T step'


@dataclass
class Branch:
    """Forward and backward pass of one implementation.

    Args:
        module (nn.Module): Holds the parameters.
        loss_of (Callable): From a grid, (B, C, H, W), to a scalar.
        tokens (Tensor): (B, H * W, C), a leaf.
        amp (bool): Whether to autocast.
    """

    module: nn.Module
    loss_of: Callable[[Tensor], Tensor]
    tokens: Tensor
    amp: bool

    def __call__(self) -> Tensor:
        """Compute all gradients, and return the loss."""
        self.tokens.grad = None
        self.module.zero_grad()
        with torch.autocast(self.tokens.device.type, enabled=self.amp):
            loss = self.loss_of(grid_of(self.tokens))
        loss.backward()
        return loss.detach()


def grid_of(tokens: Tensor) -> Tensor:
    """(B, C, H, W) as the tap gives it: a view of Swin's tokens."""
    return tokens.transpose(1, 2).unflatten(2, GRID)


def branches(setting: Setting, num_pairs: int) -> Dict[str, Branch]:
    """Both implementations with the same weights, on the same tokens.

    Args:
        setting (Setting): With B, the images.
        num_pairs (int): m.

    Returns:
        dict[str, Branch]: ``OURS`` and ``PLAIN``.

    Raises:
        AssertionError: If their losses differ on the same pairs.
    """
    batch_size, _, device, amp = setting
    tokens = torch.randn(batch_size, GRID[0] * GRID[1], CHANNELS)
    tokens = tokens.to(device).requires_grad_()
    head = DRLocHead(
        'stages.3',
        CHANNELS,
        num_pairs=num_pairs,
        hidden_channels=HIDDEN_CHANNELS,
    ).to(device)
    plain = PlainDRLoc(CHANNELS, HIDDEN_CHANNELS, num_pairs).to(device)
    plain.load_state_dict(head.mlps[0].state_dict())
    with torch.no_grad():
        pairs = plain.draw(batch_size, *GRID).to(device)
        torch.testing.assert_close(
            head.loss([grid_of(tokens)], [pairs])['drloc_raw'],
            plain(grid_of(tokens), pairs),
            rtol=1e-4,
            atol=1e-5,
        )
    return {
        OURS: Branch(
            head, lambda grid: head.loss([grid])['loss_drloc'], tokens, amp
        ),
        PLAIN: Branch(plain, plain, tokens, amp),
    }


def run_branch(step: TrainingStep, num_pairs: int) -> Outcome:
    """Compare the branch with the pseudocode and with a whole step.

    Args:
        step (TrainingStep): Of Swin-T without the loss, with its setting.
        num_pairs (int): m.

    Returns:
        Outcome: With a table of times and ratios.
    """
    setting = step.setting
    contenders = {**branches(setting, num_pairs), STEP: step}
    seconds = time_interleaved(
        contenders, setting.rounds, setting.device, 'branch and step'
    )
    rows = [
        [
            name,
            spread(values).text(1e3),
            ratios(values, seconds[PLAIN]).text(digits=3),
            ratios(values, seconds[STEP]).text(100),
        ]
        for name, values in seconds.items()
    ]
    title = f'for {setting.batch_size} images and {num_pairs} pairs each'
    header = ['', 'ms', f'of the {PLAIN}', '% of the step']
    return Outcome(
        'The DRLoc branch, forward and backward',
        dict(
            setting.told(),
            grid=f'{GRID[0]} x {GRID[1]} x {CHANNELS}',
            hidden_channels=HIDDEN_CHANNELS,
        ),
        [Table(f'The branch {title}', header, rows, seconds)],
    )


def scaling(
    pairs: Sequence[int],
    batch_sizes: Sequence[int],
    setting: Setting,
    picture: Path,
) -> List[Table]:
    """How the branch grows with m, and with the batch.

    Args:
        pairs (Sequence[int]): Values of m, at ``BATCH_SIZE`` images.
        batch_sizes (Sequence[int]): Values of B, at ``NUM_PAIRS`` pairs.
        setting (Setting): All but the images.
        picture (Path): PNG to be written.

    Returns:
        list[Table]: One for m, with the picture of both, and one for B.
    """
    sweeps = {
        'pairs an image': [(BATCH_SIZE, m) for m in pairs],
        'images': [(b, NUM_PAIRS) for b in batch_sizes],
    }
    tables = []
    figure = Figure(figsize=(9, 4), layout='constrained')
    for axes, (name, points) in zip(figure.subplots(1, 2), sweeps.items()):
        values = [m if name != 'images' else b for b, m in points]
        timed = [
            time_interleaved(
                branches(setting._replace(batch_size=batch_size), num_pairs),
                setting.rounds,
                setting.device,
                f'{batch_size} images, {num_pairs} pairs',
            )
            for batch_size, num_pairs in points
        ]
        _draw(axes, name, values, timed)
        tables.append(_sweep_table(name, values, timed))
    with atomic_path(picture) as temporary:
        figure.savefig(temporary, format='png', dpi=110)
    tables[0].picture = picture.name
    return tables


def _sweep_table(
    name: str, values: Sequence[int], timed: Sequence[Seconds]
) -> Table:
    table = Table(
        f'By the number of {name}',
        [name, f'{OURS} (ms)', f'{PLAIN} (ms)', 'ratio'],
        rows=[],
        seconds={},
    )
    for value, seconds in zip(values, timed):
        ours, plain = seconds[OURS], seconds[PLAIN]
        times = [spread(measured).text(1e3) for measured in (ours, plain)]
        ratio = ratios(ours, plain).text(digits=3)
        table.rows.append([str(value), *times, ratio])
        for contender, measured in seconds.items():
            table.seconds[f'{contender}, {value} {name}'] = measured
    return table


def _draw(
    axes: Any, name: str, values: Sequence[int], timed: Sequence[Seconds]
) -> None:
    for contender in (OURS, PLAIN):
        spreads = [spread(seconds[contender]) for seconds in timed]
        low, median, high = zip(*([1e3 * v for v in s] for s in spreads))
        axes.plot(values, median, 'o-', label=contender)
        axes.fill_between(values, low, high, alpha=0.2)
    axes.set(xlabel=name, ylabel='ms, forward and backward')
    axes.set_xscale('log', base=2)
    axes.xaxis.set_major_formatter('{x:.0f}')
    axes.set_yscale('log')
    axes.grid(alpha=0.3)
    axes.legend()
