#!/usr/bin/env python
"""The whole chain on real handwritten digits, in 15 to 20 minutes on 2 cores.

Trains a small Swin with and without DRLoc (three seeds), carries both
backbones into Mask R-CNN and UperNet, compares with random initialisation
and writes work_dirs/demo/report.md. Every step is one of the public commands
and is printed before it runs. Interrupted, it goes on where it stopped.
"""

import argparse
import os
import shutil
import time
from pathlib import Path
from typing import List, Optional

from mmdrloc.engine.side_by_side import SideBySide, Step, minutes
from mmdrloc.engine.signals import WATCH
from mmdrloc.errors import usage_errors_in_one_sentence
from mmdrloc.saved import last_checkpoint

OUT = Path('work_dirs/demo')
SEEDS = (0, 1, 2)
CLASSIFIERS = ('swin-2stage_digits', 'swin-2stage_drloc_digits')
# What a dense config is initialised with: nothing, or a classifier.
INITS = {'': None, 'plain_': CLASSIFIERS[0], 'drloc_': CLASSIFIERS[1]}
# Seconds that a step takes on two cores when two run side by side: weights
# for the estimate of the time left, which is then scaled by what was seen.
USUAL_S = dict(classification=178, detection=120, segmentation=180, small=10)
WORKERS = min(2, os.cpu_count() or 1)


def command_step(
    title: str,
    command: List[str],
    usual_s: float,
    work_dir: Optional[Path] = None,
) -> Step:
    """One command of the demo, its work counted in seconds."""
    log = OUT / 'logs' / f'{title.replace(" ", "_")}.txt'
    return Step(title, command, usual_s, log, work_dir)


def train_step(
    config: str, seed: int, usual_s: float, backbone: Optional[Path] = None
) -> Step:
    """Train a quickstart config."""
    work_dir = OUT / f'{config}_seed{seed}'
    options = [f'randomness.seed={seed}']
    if backbone:
        options.append(f'model.backbone.init_cfg.checkpoint={backbone}')
    return command_step(
        f'{config} seed {seed}',
        [
            'tools/train.py',
            f'configs/quickstart/{config}.py',
            '--work-dir',
            str(work_dir),
            '--cfg-options',
            *options,
        ],
        usual_s,
        work_dir,
    )


def data_steps() -> List[Step]:
    """Write the digits."""
    return [
        command_step(
            'digits', ['tools/dataset_converters/digits.py'], USUAL_S['small']
        )
    ]


def classification_steps() -> List[Step]:
    """Train the twins."""
    return [
        train_step(config, seed, USUAL_S['classification'])
        for seed in SEEDS
        for config in CLASSIFIERS
    ]


def carry_steps() -> List[Step]:
    """Take the backbones out of the classifiers of the first seed."""
    steps = []
    for config in CLASSIFIERS:
        work_dir = OUT / f'{config}_seed{SEEDS[0]}'
        steps.append(
            command_step(
                f'carry {config}',
                [
                    'tools/transfer.py',
                    str(last_checkpoint(work_dir)),
                    str(work_dir / 'backbone.pth'),
                ],
                USUAL_S['small'],
            )
        )
    return steps


def dense_steps() -> List[Step]:
    """Train detectors and segmentors from each initialisation."""
    steps = []
    for task, stem in (
        ('segmentation', 'upernet'),
        ('detection', 'mask-rcnn'),
    ):
        for init, classifier in INITS.items():
            backbone = classifier and (
                OUT / f'{classifier}_seed{SEEDS[0]}' / 'backbone.pth'
            )
            steps.append(
                train_step(
                    f'{stem}_swin-2stage_{init}digits',
                    SEEDS[0],
                    USUAL_S[task],
                    backbone,
                )
            )
    return steps


def picture_steps() -> List[Step]:
    """Draw what the trained models say."""
    return [
        _draw('predictions', 'mask-rcnn_swin-2stage_drloc_digits'),
        _draw('predictions', 'upernet_swin-2stage_drloc_digits'),
        _draw('pair-distances', 'swin-2stage_drloc_digits'),
    ]


def _draw(what: str, config: str) -> Step:
    checkpoint = last_checkpoint(OUT / f'{config}_seed{SEEDS[0]}')
    picture = OUT / f'{what}_{config.split("_")[0]}.png'
    return command_step(
        f'{what} of {config}',
        [
            'tools/analysis_tools/draw.py',
            what,
            f'configs/quickstart/{config}.py',
            str(checkpoint),
            '--out',
            str(picture),
        ],
        USUAL_S['small'],
    )


def report_steps() -> List[Step]:
    """Put everything together."""
    trainings = classification_steps() + dense_steps()
    pictures = [step.command[-1] for step in picture_steps()]
    return [
        command_step(
            'report',
            [
                'tools/report.py',
                *[str(step.work_dir) for step in trainings],
                '--out',
                str(OUT / 'report.md'),
                '--title',
                'DRLoc demo',
                '--pictures',
                *pictures,
            ],
            USUAL_S['small'],
        )
    ]


# In this order; the steps of a phase do not need each other.
PHASES = (
    data_steps,
    classification_steps,
    carry_steps,
    dense_steps,
    picture_steps,
    report_steps,
)
# Later phases need the files of earlier ones before they can be planned, so
# the work of all of them is counted ahead.
ALL_WORK_S = (
    len(SEEDS) * len(CLASSIFIERS) * USUAL_S['classification']
    + len(INITS) * (USUAL_S['detection'] + USUAL_S['segmentation'])
    + (len(CLASSIFIERS) + 5) * USUAL_S['small']
)


def parse_args() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        '--fresh',
        action='store_true',
        help='forget earlier demos: train everything again',
    )
    return parser.parse_args()


def main() -> None:
    """Run the demo from the root of the repository."""
    args = parse_args()
    os.chdir(Path(__file__).resolve().parents[1])
    if args.fresh:
        shutil.rmtree(OUT, ignore_errors=True)
    demo = SideBySide(WORKERS, ALL_WORK_S, seconds_per_work=1.0)
    with usage_errors_in_one_sentence(), WATCH.watching():
        for phase in PHASES:
            demo.run(phase())
    report = OUT / 'report.md'
    tables = report.read_text().partition('## Pictures')[0].splitlines()
    print('\n'.join(line for line in tables if line.startswith(('|', '## '))))
    print(
        f'\n{minutes(time.monotonic() - demo.start)} in all. The report '
        f'with its pictures: {report}'
    )


if __name__ == '__main__':
    main()
