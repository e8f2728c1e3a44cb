#!/usr/bin/env python
"""Measure what the loss costs, on a CPU or a GPU.

step    a whole training step with and without the loss, as in the
        supplement's Table 14 of Liu et al. (NeurIPS 2021)
branch  the head alone against a plain implementation of the pseudocode

All variants take turns in one process, so that other load on the machine
meets all of them. Prints medians with quartiles, as Markdown.
"""

import argparse
import json
import os
import time
from pathlib import Path
from statistics import quantiles
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

import torch
from mmengine.config import Config
from mmengine.logging import MMLogger
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from torch import Tensor, nn

from mmdrloc.models import DRLocHead
from mmdrloc.reporting.tables import markdown
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.provenance import git_revision, library_versions, machine

CONFIGS = Path(__file__).resolve().parents[2] / 'configs/scratch_100e'
NETWORKS = ('swin-tiny', 'cvt-13', 't2t-vit-14')
# Seconds a batch of 1,024 without and with the loss: supplement, Table 14.
TABLE_14 = {
    'cvt-13_drloc': (0.6037, 0.6184),
    'swin-tiny_drloc': (0.6684, 0.6842),
    't2t-vit-14_drloc': (0.5941, 0.6046),
}
IMAGE_SIZE = 224
# Swin-T's last stage at 224 pixels.
CHANNELS, HEIGHT, WIDTH = 768, 7, 7
HIDDEN_CHANNELS = 512

Seconds = Dict[str, List[float]]


class PlainDRLoc(nn.Module):
    """The L1 loss as the supplement's pseudocode has it.

    Draw the pairs on the host, gather both embeddings of each pair,
    concatenate them, apply the MLP.

    Args:
        num_pairs (int): m.
    """

    def __init__(self, num_pairs: int) -> None:
        super().__init__()
        self.num_pairs = num_pairs
        self.layers = nn.Sequential(
            nn.Linear(2 * CHANNELS, HIDDEN_CHANNELS),
            nn.ReLU(),
            nn.Linear(HIDDEN_CHANNELS, HIDDEN_CHANNELS),
            nn.ReLU(),
            nn.Linear(HIDDEN_CHANNELS, 2),
        )

    def draw(self, batch_size: int) -> Tensor:
        """Draw pairs of cells on the host.

        Args:
            batch_size (int): B.

        Returns:
            Tensor: (B, m, 4): row_a, col_a, row_b, col_b.
        """
        shape = (batch_size, self.num_pairs)
        ends = [torch.randint(size, shape) for size in (HEIGHT, WIDTH) * 2]
        return torch.stack(ends, dim=-1)

    def forward(self, grid: Tensor, pairs: Optional[Tensor] = None) -> Tensor:
        """Mean over images, pairs and axes of |prediction - offset / k|.

        Args:
            grid (Tensor): (B, C, H, W).
            pairs (Tensor, optional): (B, m, 4). Drawn by default.

        Returns:
            Tensor: A scalar.
        """
        batch_size, channels, height, width = grid.shape
        pairs = self.draw(batch_size) if pairs is None else pairs
        pairs = pairs.to(grid.device)
        ends = []
        for end in pairs.split(2, dim=-1):
            index = (end[..., 0] * width + end[..., 1]).unsqueeze(1)
            index = index.expand(-1, channels, -1)
            ends.append(grid.flatten(2).gather(2, index))
        predictions = self.layers(torch.cat(ends, dim=1).transpose(1, 2))
        size = torch.tensor((height, width), device=grid.device)
        offsets = (pairs[..., :2] - pairs[..., 2:]).abs() / size
        return (predictions - offsets).abs().mean()


def training_step(
    cfg: Config, batch_size: int, device: torch.device, amp: bool
) -> Callable[[], Any]:
    """Build what trains a classifier on one batch of noise again and again.

    From bytes on the host to updated weights: copy, normalisation, Mixup,
    forward and backward pass, clipping, optimizer.

    Args:
        cfg (Config): Of a classifier.
        batch_size (int): Images a step.
        device (torch.device): Where to compute.
        amp (bool): Whether to autocast to bfloat16.

    Returns:
        Callable: Takes a step; returns what training logs.
    """
    from mmpretrain.structures import DataSample

    init_default_scope('mmpretrain')
    parts = dict(data_preprocessor=cfg.get('data_preprocessor'))
    model = MODELS.build({**parts, **cfg.model}).to(device).train()
    optim_wrapper = build_optim_wrapper(model, cfg.optim_wrapper)
    images = torch.randint(
        256,
        (batch_size, 3, IMAGE_SIZE, IMAGE_SIZE),
        dtype=torch.uint8,
        pin_memory=device.type == 'cuda',
    )

    def step() -> Dict[str, Tensor]:
        # New samples: Mixup writes into them.
        samples = [DataSample().set_gt_label(0) for _ in images]
        batch = dict(inputs=images, data_samples=samples)
        with torch.autocast(device.type, torch.bfloat16, enabled=amp):
            return model.train_step(batch, optim_wrapper)

    return step


def without_loss(cfg: Config) -> Config:
    """The baseline of a classifier's config.

    Args:
        cfg (Config): Of a classifier with the loss.

    Returns:
        Config: Of the same classifier without it.

    Raises:
        UsageError: If it has no DRLoc head.
    """
    baseline = cfg.copy()
    if baseline.model.pop('auxiliary_head', None) is None:
        raise UsageError(
            f'{cfg.filename} has no model.auxiliary_head: give a classifier '
            'with the loss, such as configs/scratch_100e/swin-tiny_drloc.py'
        )
    baseline.model.type = 'mmpretrain.ImageClassifier'
    return baseline


def measure_steps(args: argparse.Namespace) -> Seconds:
    """Time the training steps of all configs, with and without the loss."""
    steps = {}
    for path in args.configs:
        cfg = Config.fromfile(path)
        for arm, one in (('without', without_loss(cfg)), ('with', cfg)):
            name = f'{Path(path).stem}, {arm}'
            steps[name] = training_step(
                one, args.batch_size, args.device, args.amp
            )
    return time_in_turn(steps, args.rounds, args.device)


def measure_branch(args: argparse.Namespace) -> Seconds:
    """Time forward and backward passes of the head and the pseudocode.

    Raises:
        AssertionError: If their losses differ on the same pairs.
    """
    head = DRLocHead(
        'stages.3',
        CHANNELS,
        num_pairs=args.num_pairs,
        hidden_channels=HIDDEN_CHANNELS,
    ).to(args.device)
    plain = PlainDRLoc(args.num_pairs).to(args.device)
    plain.load_state_dict(head.mlps[0].state_dict())
    tokens = torch.randn(args.batch_size, HEIGHT * WIDTH, CHANNELS)
    tokens = tokens.to(args.device).requires_grad_()

    def grid() -> Tensor:
        # A view of Swin's tokens, as the tap gives it.
        return tokens.transpose(1, 2).unflatten(2, (HEIGHT, WIDTH))

    def backward(module: nn.Module, loss: Callable[[], Tensor]) -> None:
        tokens.grad = None
        module.zero_grad()
        with torch.autocast(
            args.device.type, torch.bfloat16, enabled=args.amp
        ):
            value = loss()
        value.backward()

    pairs = plain.draw(args.batch_size).to(args.device)
    with torch.no_grad():
        ours = head.loss([grid()], [pairs])['drloc_raw']
        torch.testing.assert_close(
            ours, plain(grid(), pairs), rtol=1e-4, atol=1e-5
        )
    variants = {
        'pseudocode': lambda: backward(plain, lambda: plain(grid())),
        'head': lambda: backward(
            head, lambda: head.loss([grid()])['loss_drloc']
        ),
    }
    return time_in_turn(variants, args.rounds, args.device)


def time_in_turn(
    variants: Mapping[str, Callable[[], Any]],
    rounds: int,
    device: torch.device,
) -> Seconds:
    """Call each variant once a round, after one call that is not counted.

    The first of a round changes from round to round.

    Args:
        variants (Mapping[str, Callable]): By name.
        rounds (int): At least one.
        device (torch.device): Where they compute.

    Returns:
        dict[str, list[float]]: Seconds, one a round.
    """

    def wait() -> None:
        if device.type == 'cuda':
            torch.cuda.synchronize(device)

    names = list(variants)
    seconds: Seconds = {name: [] for name in names}
    for number in range(-1, rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            wait()
            start = time.perf_counter()
            variants[name]()
            wait()
            if number >= 0:
                seconds[name].append(time.perf_counter() - start)
    return seconds


def spread(values: Sequence[float], digits: int = 3) -> str:
    """Median and quartiles, such as '1.050 (1.010 to 1.100)'."""
    low, median, high = (
        quantiles(values, n=4, method='inclusive')
        if len(values) > 1
        else [values[0]] * 3
    )
    return f'{median:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})'


def table_of(seconds: Seconds) -> str:
    """A table of pairs: of each the variant and what it is compared with.

    Args:
        seconds (dict[str, list[float]]): Of 'without' before 'with'.

    Returns:
        str: Markdown. A ratio's quartiles are those of the rounds' ratios.
    """
    names = list(seconds)
    rows = []
    for before, name in zip(names[::2], names[1::2]):
        ratios = [b / a for a, b in zip(seconds[before], seconds[name])]
        published = TABLE_14.get(name.partition(',')[0])
        rows.append(
            [
                name,
                spread([1e3 * s for s in seconds[before]], 1),
                spread([1e3 * s for s in seconds[name]], 1),
                spread(ratios),
                f'{published[1] / published[0]:.3f}' if published else '',
            ]
        )
    header = ['', f'{names[0].split(", ")[-1]} (ms)', 'this (ms)', 'ratio']
    return markdown([*header, 'published ratio (Table 14)'], rows)


def at_least_one(text: str) -> int:
    """A number from the command line that may not be zero."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f'{number} is less than 1')
    return number


def device_of(text: str) -> torch.device:
    """A device from the command line that is there."""
    try:
        device = torch.device(text)
        torch.empty(1, device=device)
    except (AssertionError, RuntimeError) as error:
        raise argparse.ArgumentTypeError(
            f'{text} cannot be used here: {str(error).splitlines()[0]}'
        ) from error
    return device


def parse_args() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    modes = parser.add_subparsers(dest='mode', required=True)
    step, branch = modes.add_parser('step'), modes.add_parser('branch')
    step.add_argument(
        'configs',
        nargs='*',
        default=[str(CONFIGS / f'{name}_drloc.py') for name in NETWORKS],
        help='classifiers with the loss (default: those of Table 14)',
    )
    branch.add_argument(
        '--num-pairs', type=at_least_one, default=64, help='(default: 64)'
    )
    for mode in (step, branch):
        mode.add_argument(
            '--batch-size',
            type=at_least_one,
            default=32,
            help='images; Table 14 has 1024 (default: 32)',
        )
        mode.add_argument(
            '--rounds', type=at_least_one, default=10, help='(default: 10)'
        )
        mode.add_argument(
            '--device',
            type=device_of,
            default='cuda' if torch.cuda.is_available() else 'cpu',
            help='where to compute (default: %(default)s)',
        )
        mode.add_argument(
            '--amp', action='store_true', help='autocast to bfloat16'
        )
        mode.add_argument('--out', help='JSON file for all seconds')
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    args = parse_args()
    # Or the options of every single parameter are listed.
    MMLogger.get_current_instance().setLevel('WARNING')
    with usage_errors_in_one_sentence():
        measure = dict(step=measure_steps, branch=measure_branch)[args.mode]
        seconds = measure(args)
        conditions = dict(
            {**vars(args), 'device': str(args.device)},
            machine=machine(),
            threads=torch.get_num_threads(),
            load=os.getloadavg()[0],
            git_revision=git_revision(),
            versions=library_versions(),
        )
        print(table_of(seconds))
        print('\nMedians, quartiles in brackets.', end=' ')
        print(', '.join(f'{name} {v}' for name, v in conditions.items()))
        if args.out:
            with atomic_path(args.out) as path:
                found = dict(conditions=conditions, seconds=seconds)
                path.write_text(json.dumps(found, indent=2) + '\n')


if __name__ == '__main__':
    main()
