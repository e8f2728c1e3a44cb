#!/usr/bin/env python
"""Train on handwritten digits and take the backbone into other tasks.

1. A small Swin learns digits with DRLoc.
2. UperNet is trained from random weights and from that backbone, three seeds
   each: a table, then a picture and a report.
3. With --full the same with Mask R-CNN.

What the loss itself gains needs more runs than a demo has: see
docs/when_it_helps.md. Each step is a public command and is printed before it
runs. If the demo was interrupted, run it again.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import List

from mmdrloc.apis.cli import command_parser
from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.reporting.paired import in_a_sentence
from mmdrloc.reporting.runs import Run, load_runs
from mmdrloc.reporting.tables import metrics_of, spread, values
from mmdrloc.utils.console import minutes

OUT = Path('work_dirs/demo')
REPORT = OUT / 'report.html'
SWIN = OUT / 'swin-2stage_drloc'
FROM_SWIN = f'_from_{SWIN.name}'  # as paired.py names folders
JOBS = str(min(2, os.cpu_count() or 1))
DENSE = {
    'UperNet': 'upernet_swin-2stage',
    'Mask R-CNN': 'mask-rcnn_swin-2stage',
}
# Without --full, for a table in minutes.
SHORT = {'Swin': ('--epochs', '2'), 'UperNet': ('--iters', '300')}


def step(*words: object) -> None:
    """Run a command of this repository; where it fails, end as it ended."""
    command = [sys.executable, *map(str, words)]
    print(f'$ {" ".join(["python", *command[1:]])}', flush=True)
    status = subprocess.run(command).returncode
    if status:
        sys.exit(status)


def recipe(name: str) -> str:
    """The file of a quickstart recipe."""
    return f'configs/quickstart/{name}.py'


def runs_of(network: str, start: str = '') -> List[Run]:
    """Finished runs of a network, from random weights or a backbone."""
    pattern = f'{DENSE[network]}{start}_seed*/result.json'
    places = sorted((OUT / network.replace(' ', '-')).glob(pattern))
    return load_runs([place.parent for place in places])


def compare(network: str, full: bool) -> None:
    """Train from random weights and from the Swin's backbone."""
    step(
        *('tools/paired.py', recipe(DENSE[network]), '--jobs', JOBS),
        *('--weights', 'none', SWIN, '--seeds', *range(3)),
        *('--work-dir', OUT / network.replace(' ', '-')),
        *(() if full else SHORT[network]),
    )
    table(network)


def table(network: str) -> None:
    """A sentence and a table of two rows."""
    random, carried = runs_of(network), runs_of(network, FROM_SWIN)
    what = f'{network} from the backbone against random weights'
    metric = metrics_of(random[0])[0]
    print(f'\n{in_a_sentence(what, carried, random)}\n')
    print(f'  {f"{network} trained from":<32} {metric.title}')
    for name, runs in (('random weights', random), ('the Swin', carried)):
        print(f'  {name:<32} {spread(values(runs, metric, "last"))}')


def main() -> None:
    """Run the demo from the root of the repository."""
    parser = command_parser(__doc__, '')
    parser.add_argument(
        '--full',
        action='store_true',
        help='as long as the recipes say, with Mask R-CNN: 40 minutes',
    )
    parser.add_argument(
        '--fresh', action='store_true', help='train everything again'
    )
    args = parser.parse_args()
    os.chdir(Path(__file__).resolve().parents[1])
    if args.fresh:
        shutil.rmtree(OUT, ignore_errors=True)
    begun = time.monotonic()
    step('tools/dataset_converters/digits.py')
    step(
        *('tools/train.py', recipe(SWIN.name), '--work-dir', SWIN),
        *(() if args.full else SHORT['Swin']),
    )
    networks = list(DENSE) if args.full else ['UperNet']
    pictures = []
    for network in networks:
        compare(network, args.full)
        print(f'\n{minutes(time.monotonic() - begun)} so far.\n')
        name, run = DENSE[network], runs_of(network, FROM_SWIN)[0].place
        pictures.append(OUT / f'{name}.png')
        step(
            *('tools/analysis_tools/draw.py', 'predictions', recipe(name)),
            *(last_checkpoint(run), '--out', pictures[-1]),
        )
    step(
        *('tools/report.py', SWIN),
        *(
            run.place
            for network in networks
            for start in ('', FROM_SWIN)
            for run in runs_of(network, start)
        ),
        *('--title', 'DRLoc on digits', '--pictures', *pictures),
        *('--out', REPORT),
    )
    print(f'\n{minutes(time.monotonic() - begun)} in all.')
    print(f'Open this page in a browser: {REPORT.resolve()}')


if __name__ == '__main__':
    main()
