#!/usr/bin/env python
"""Train on handwritten digits and transfer the backbone to UperNet.

1. A small Swin learns digits with DRLoc for one epoch.
2. UperNet is trained on scenes of digits, from random weights and from that
   Swin, five seeds each; with --full Mask R-CNN as well, three seeds.
3. The report begins with the outcome and predictions on scenes.

What the loss itself gains needs more seeds than minutes have: see
docs/when_it_helps.md. Each step is a public command and is printed
before it runs. If the demo was interrupted, run it again.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import List

from mmdrloc.apis.cli import Parser
from mmdrloc.utils.console import minutes
from mmdrloc.utils.errors import usage_errors_in_one_sentence

OUT = Path('work_dirs/demo')
CONFIGS = Path('configs/quickstart')
SCENES = Path('data/digits/detection/val')
SWIN = OUT / 'swin-2stage_drloc'


def step(*words: object) -> None:
    """Run a command of this repository; where it fails, end as it ended."""
    command = [sys.executable, *map(str, words)]
    print(f'\n$ {" ".join(["python", *command[1:]])}', flush=True)
    process = subprocess.Popen(command)
    try:
        status = process.wait()
    except KeyboardInterrupt:
        process.terminate()  # a training saves a checkpoint
        process.wait()
        raise
    if status:
        sys.exit(status)


def compare(config: str, seeds: int, *length: object) -> List[Path]:
    """Train from random weights and from the Swin; the runs, best last."""
    recipe, out = CONFIGS / f'{config}.py', OUT / config
    step(
        *('tools/compare.py', recipe, '--weights', 'none', SWIN),
        *('--seeds', *range(seeds), '--jobs', min(2, os.cpu_count() or 1)),
        *(*length, '--work-dir', out),
    )
    transferred = out / f'{config}_from_{SWIN.name}_seed0'
    step(
        *('tools/predict.py', transferred, *sorted(SCENES.glob('*.png'))[:6]),
        *('--show-dir', OUT / 'pictures' / config),
    )
    return sorted(out.glob('*_seed?'))


def main() -> None:
    """Run the demo from the root of the repository."""
    parser = Parser(description=__doc__)
    parser.add_argument(
        '--full', action='store_true', help='Mask R-CNN too: twice as long'
    )
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with usage_errors_in_one_sentence():
        run(args)


def run(args: argparse.Namespace) -> None:
    """Train, transfer and report."""
    os.chdir(Path(__file__).resolve().parents[1])
    begun = time.monotonic()
    step('tools/dataset_converters/digits.py')
    step(
        *('tools/train.py', CONFIGS / f'{SWIN.name}.py', '--epochs', 1),
        *('--work-dir', SWIN),
    )
    # With fewer iterations the two are hard to tell apart.
    runs = compare(
        *('upernet_swin-2stage', 5, '--iters', 300),
        *('--cfg-options', 'train_cfg.val_interval=300'),
    )
    if args.full:
        runs += compare('mask-rcnn_swin-2stage', 3)
    pictures = sorted(OUT.glob('pictures/*/vis/*.png'))
    report = OUT / 'report.html'
    step(
        *('tools/report.py', SWIN, *runs, '--pictures', *pictures),
        *('--title', 'A backbone trained with DRLoc, transferred'),
        *('--out', report),
    )
    print(f'\n{minutes(time.monotonic() - begun)} in all.')
    print(f'Open this page in a browser: {report.resolve()}')


if __name__ == '__main__':
    main()
