#!/usr/bin/env python
"""Measure what the loss costs, on a CPU or a GPU.

step    a whole training step without the loss, with it, or with other
        options of its head, in one process or several by torchrun; the
        batch size is that of a process (the supplement's Table 14: 8 x 128)
forward the forward pass of classifiers, with their parameters and
        multiply-accumulates per image as MMEngine counts them (without the
        two products inside attention)

All variants take turns in one process, so that other load on the machine
meets all of them. The table has medians with quartiles: milliseconds, and
the ratio to the first variant of the same round.
"""

import argparse
import json
import os
import time
from copy import deepcopy
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from statistics import fmean, quantiles, stdev
from typing import Any, Callable, Dict, List, Sequence, Tuple

import torch
from mmengine.analysis import get_model_complexity_info
from mmengine.config import Config
from mmengine.dist import init_dist, is_main_process
from mmengine.logging import MMLogger
from mmengine.model import MMDistributedDataParallel
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from torch import Tensor

from mmdrloc.apis.cli import Parser, read_options
from mmdrloc.checkpoints.reading import files_as_data
from mmdrloc.datasets.recipes import read_recipe
from mmdrloc.export.plain import size_after
from mmdrloc.models.building import without_drloc
from mmdrloc.reporting.tables import markdown
from mmdrloc.utils.config_walk import at
from mmdrloc.utils.distributed import join_group
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.provenance import git_revision, library_versions, machine

Variants = Dict[str, Callable[[], Any]]
Seconds = Dict[str, List[float]]


def training_step(
    cfg: Config, args: argparse.Namespace
) -> Callable[[], Dict[str, Tensor]]:
    """Train: from a batch on the host to new weights.

    The batch is noise, or with ``--dataset`` the next one of the loader.
    """
    from mmengine.runner import Runner
    from mmpretrain.structures import DataSample

    init_default_scope('mmpretrain')
    parts = dict(data_preprocessor=cfg.get('data_preprocessor'))
    model = MODELS.build({**parts, **cfg.model}).to(args.device).train()
    optim_wrapper = build_optim_wrapper(model, cfg.optim_wrapper)
    if args.launcher != 'none':
        devices = None
        if args.device == 'cuda':
            devices = [torch.cuda.current_device()]
        model = MMDistributedDataParallel(model, device_ids=devices)
    shape = (args.batch_size, 3, *image_size(cfg, args))
    noise = torch.randint(256, shape, dtype=torch.uint8)
    noise = noise.pin_memory() if args.device == 'cuda' else noise
    batches = None
    if args.dataset:
        loader = dict(cfg.train_dataloader, batch_size=args.batch_size)
        batches = chain.from_iterable(repeat(Runner.build_dataloader(loader)))

    def step() -> Dict[str, Tensor]:
        # New samples: Mixup writes into them.
        samples = [DataSample().set_gt_label(0) for _ in noise]
        batch = next(batches) if batches else None
        batch = batch or dict(inputs=noise, data_samples=samples)
        with torch.autocast(args.device, torch.bfloat16, enabled=args.amp):
            return model.train_step(batch, optim_wrapper)

    return step


def step_variants(args: argparse.Namespace) -> Variants:
    """The training steps without the loss and with each head."""
    cfg = read_recipe(args.config, args.dataset)
    if args.dataset and args.image_size:
        raise UsageError('--image-size is of noise: leave --dataset out')
    if not cfg.model.get('auxiliary_head'):
        raise UsageError(
            f'{args.config} has no model.auxiliary_head: give a classifier '
            'with the loss, such as configs/scratch_100e/swin-tiny_drloc.py'
        )
    if args.launcher != 'none':
        cfg.launcher = args.launcher
        init_dist(args.launcher) if args.device == 'cuda' else join_group(cfg)
    baseline = deepcopy(cfg)
    baseline.model = without_drloc(cfg.model)
    variants = {'without': training_step(baseline, args)}
    for name in args.arms or ['with']:
        arm = deepcopy(cfg)
        arm.merge_from_dict(head_options(name))
        variants[name] = training_step(arm, args)
    # It is noted with the times.
    args.image_size = None if args.dataset else image_size(cfg, args)
    return variants


def head_options(arm: str) -> Dict[str, Any]:
    """Options of a config, from words such as pool=None,num_pairs=16."""
    if arm == 'with':
        return {}
    options = arm.split(',')
    if not all(option.partition('=')[2] for option in options):
        raise UsageError(f'--arms {arm}: an option is KEY=VALUE')
    return read_options([f'model.auxiliary_head.{one}' for one in options])


def forward_variants(args: argparse.Namespace) -> Variants:
    """The forward passes of classifiers, whose sizes are printed."""
    init_default_scope('mmpretrain')
    variants, sizes = {}, []
    for path in args.configs:
        cfg = read_recipe(path)
        shape = (3, *image_size(cfg, args))
        images = torch.randn(args.batch_size, *shape).to(args.device)
        plain = without_drloc(dict(cfg.model, train_cfg=None))
        name, model = Path(path).stem, MODELS.build(plain).eval()
        if name in variants:
            raise UsageError(f'two configs are called {name}: rename one.')
        count = get_model_complexity_info(
            model, shape, show_table=False, show_arch=False
        )
        counts = count['params'] / 1e6, count['flops'] / 1e9
        size = 'x'.join(map(str, shape[1:]))
        sizes.append([name, size, *(f'{number:.3f}' for number in counts)])
        forward = partial(model.to(args.device), images, mode='tensor')
        cast = torch.autocast(args.device, torch.bfloat16, enabled=args.amp)
        variants[name] = torch.no_grad()(cast(forward))
    columns = ['', 'image size', 'parameters (M)', 'operations (G)']
    print(markdown(columns, sizes), '\n')
    return variants


def image_size(cfg: Config, args: argparse.Namespace) -> Tuple[int, int]:
    """Height and width of the noise: as asked, or as the config tests."""
    if args.image_size:
        return args.image_size, args.image_size
    steps = at(cfg, 'test_dataloader.dataset.pipeline')
    return (steps and size_after(steps)) or (224, 224)


def time_in_turn(variants: Variants, rounds: int, device: str) -> Seconds:
    """Seconds of each variant, one a round; the first round does not count."""

    def now() -> float:
        if device == 'cuda':
            torch.cuda.synchronize()
        return time.perf_counter()

    names = list(variants)
    seconds: Seconds = {name: [] for name in names}
    for number in range(rounds + 1):
        first = number % len(names)  # another one from round to round
        for name in names[first:] + names[:first]:
            start = now()
            variants[name]()
            seconds[name].append(now() - start)
    return {name: values[1:] for name, values in seconds.items()}


def quartiles(values: Sequence[float], digits: int) -> str:
    """Median and quartiles, such as '1.050 (1.010 to 1.100)'."""
    low, median, high = quantiles(values, n=4, method='inclusive')
    return f'{median:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})'


def table_of(seconds: Seconds) -> str:
    """A row a variant. A ratio's quartiles are those of the rounds' ratios."""
    first = next(iter(seconds))
    rows = [
        [
            name,
            quartiles([1e3 * value for value in values], 1),
            f'{1e3 * fmean(values):.1f} ± {1e3 * stdev(values):.1f}',
            quartiles([b / a for a, b in zip(seconds[first], values)], 3),
        ]
        for name, values in seconds.items()
    ]
    names = ['', 'ms', 'mean ± sd', f'ratio to {first}']
    return markdown(names, rows)


def parse_args() -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(description=__doc__)
    modes = parser.add_subparsers(dest='mode', required=True)
    step, forward = map(modes.add_parser, ('step', 'forward'))
    add = step.add_argument
    add('config', help='a classifier with the loss')
    add(
        '--arms',
        nargs='+',
        help='heads to time: the options that differ from the config, such '
        'as num_pairs=16,loss.signed=True, or `with` for none (the default)',
    )
    add(
        '--dataset', help='time its batches, loading included (default: noise)'
    )
    add('--launcher', choices=['none', 'pytorch'], default='none')
    forward.add_argument('configs', nargs='+', help='classifiers')
    devices = ['cuda', 'cpu'] if torch.cuda.is_available() else ['cpu']
    for mode in (step, forward):
        add = mode.add_argument
        add(
            '--image-size', type=int, help='of noise (default: as in the test)'
        )
        add('--batch-size', type=int, default=32, help='(default: 32)')
        add('--rounds', type=int, default=20, help='(default: 20)')
        add('--device', choices=devices, default=devices[0])
        add('--amp', action='store_true', help='autocast to bfloat16')
        add('--out', type=Path, help='JSON file for all seconds')
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    args = parse_args()
    # Or the options of every single parameter are listed.
    MMLogger.get_current_instance().setLevel('WARNING')
    variants_of = dict(step=step_variants, forward=forward_variants)[args.mode]
    with usage_errors_in_one_sentence(), files_as_data():
        if min(args.batch_size, args.rounds - 1) < 1:
            raise UsageError('give two --rounds and one image, or more')
        if args.out and not args.out.parent.is_dir():
            raise UsageError(f'--out: there is no folder {args.out.parent}')
        seconds = time_in_turn(variants_of(args), args.rounds, args.device)
    conditions = dict(
        vars(args),
        machine=machine(),
        threads=torch.get_num_threads(),
        load=os.getloadavg()[0],
        git_revision=git_revision(),
        versions=library_versions(),
    )
    if not is_main_process():
        return
    print(table_of(seconds))
    print('\nMedians, quartiles in brackets.', end=' ')
    print(', '.join(f'{name} {v}' for name, v in conditions.items()))
    if args.out:
        found = dict(conditions=conditions, seconds=seconds)
        args.out.write_text(json.dumps(found, indent=2, default=str) + '\n')


if __name__ == '__main__':
    main()
