#!/usr/bin/env python
"""Train on handwritten digits and take the backbone into segmentation.

1. A small Swin learns digits with DRLoc for one epoch.
2. UperNet is trained on scenes of digits, from random weights and from that
   Swin, three seeds each: a sentence and a table tell the outcome.

What the loss itself gains needs more seeds than minutes have: see
configs/quickstart/README.md. Each step is a public command and is printed
before it runs. If the demo was interrupted, run it again.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mmdrloc.utils.console import minutes

OUT = Path('work_dirs/demo')
CONFIGS = Path('configs/quickstart')
# With fewer, three seeds do not tell the two apart.
ITERS = 300


def step(*words: object) -> None:
    """Run a command of this repository; where it fails, end as it ended."""
    command = [sys.executable, *map(str, words)]
    print(f'\n$ {" ".join(["python", *command[1:]])}', flush=True)
    status = subprocess.run(command).returncode
    if status:
        sys.exit(status)


def main() -> None:
    """Run the demo from the root of the repository."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        '--fresh', action='store_true', help='train everything again'
    )
    args = parser.parse_args()
    os.chdir(Path(__file__).resolve().parents[1])
    if args.fresh:
        shutil.rmtree(OUT, ignore_errors=True)
    begun = time.monotonic()
    swin, upernet = OUT / 'swin-2stage_drloc', OUT / 'UperNet'
    segmentor = CONFIGS / 'upernet_swin-2stage.py'
    step('tools/dataset_converters/digits.py')
    step(
        *('tools/train.py', CONFIGS / f'{swin.name}.py', '--epochs', 1),
        *('--work-dir', swin),
    )
    step(
        *('tools/paired.py', segmentor, '--weights', 'none', swin),
        *('--seeds', *range(3), '--jobs', min(2, os.cpu_count() or 1)),
        *('--iters', ITERS, '--work-dir', upernet),
        *('--cfg-options', f'train_cfg.val_interval={ITERS}'),
    )
    print(f'\n{minutes(time.monotonic() - begun)} so far.')
    picture, report = OUT / 'upernet.png', OUT / 'report.html'
    carried = upernet / f'{segmentor.stem}_from_{swin.name}_seed0'
    step(
        *('tools/analysis_tools/draw.py', 'predictions', segmentor),
        *(carried / f'iter_{ITERS}.pth', '--out', picture),
    )
    step(
        *('tools/report.py', swin, *sorted(upernet.glob('*_seed?'))),
        *('--title', 'DRLoc on digits', '--pictures', picture),
        *('--out', report),
    )
    print(f'\n{minutes(time.monotonic() - begun)} in all.')
    print(f'Open this page in a browser: {report.resolve()}')


if __name__ == '__main__':
    main()
