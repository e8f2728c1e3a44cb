#!/usr/bin/env python
"""The whole chain on real handwritten digits, in about 15 minutes on 2 cores.

Trains a small Swin with and without DRLoc (three seeds), carries both
backbones into Mask R-CNN and UperNet, compares with random initialisation
and writes work_dirs/demo/report.md. Every step is one of the public commands
and is printed before it runs. Interrupted, it goes on where it stopped.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

from mmdrloc.errors import UsageError, usage_errors_in_one_sentence

OUT = Path('work_dirs/demo')
SEEDS = (0, 1, 2)
CLASSIFIERS = ('swin-2stage_digits', 'swin-2stage_drloc_digits')
# What a dense config is initialised with: nothing, or a classifier.
INITS = {'': None, 'plain_': CLASSIFIERS[0], 'drloc_': CLASSIFIERS[1]}
# Seconds that a step takes on two cores when two run side by side: weights
# for the estimate of the time left, which is then scaled by what was seen.
USUAL_S = dict(classification=150, detection=90, segmentation=180, small=10)
SHOW_EVERY_S = 15.0


@dataclass(eq=False)
class Step:
    """One command of the demo.

    Args:
        title (str): Its name in the progress line.
        command (list[str]): What runs, after the Python interpreter.
        usual_s (float): How long it usually takes, in seconds.
        work_dir (Path, optional): For a training, where its result.json is.
    """

    title: str
    command: List[str]
    usual_s: float
    work_dir: Optional[Path] = None

    @property
    def log(self) -> Path:
        """What the command said."""
        return OUT / 'logs' / f'{self.title.replace(" ", "_")}.txt'

    def result(self) -> dict:
        """What the training says of itself so far."""
        path = self.work_dir and self.work_dir / 'result.json'
        return json.loads(path.read_text()) if path and path.exists() else {}

    def is_finished(self) -> bool:
        """Whether an earlier demo has done this training."""
        return self.result().get('finished', False)

    def progress(self) -> float:
        """Part of the training that is done, 0 to 1."""
        planned = self.result().get('updates', {}).get('planned')
        scalars = (
            sorted(self.work_dir.glob('*/vis_data/scalars.json'))
            if self.work_dir
            else []
        )
        if not planned or not scalars:
            return 0.0
        steps = [
            entry['step']
            for entry in map(json.loads, scalars[-1].read_text().splitlines())
            if 'lr' in entry
        ]
        return steps[-1] / planned if steps else 0.0


def train_step(
    config: str, seed: int, usual_s: float, backbone: Optional[Path] = None
) -> Step:
    """Train a quickstart config."""
    work_dir = OUT / f'{config}_seed{seed}'
    options = [f'randomness.seed={seed}']
    if backbone:
        options.append(f'model.backbone.init_cfg.checkpoint={backbone}')
    return Step(
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


def last_checkpoint(work_dir: Path) -> Path:
    """The checkpoint that a finished training left."""
    return Path((work_dir / 'last_checkpoint').read_text().strip())


def data_steps() -> List[Step]:
    """Write the digits."""
    return [
        Step(
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
            Step(
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
    return Step(
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
        Step(
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


class Demo:
    """Runs steps side by side and says how far they are."""

    def __init__(self) -> None:
        self.workers = min(2, os.cpu_count() or 1)
        # More threads than cores are ruinous.
        threads = max(1, (os.cpu_count() or 1) // self.workers)
        self.env = dict(os.environ, OMP_NUM_THREADS=str(threads))
        self.start = self.shown = time.monotonic()
        self.work_s = ALL_WORK_S
        self.done_s = 0.0
        self.running: Dict[Step, subprocess.Popen] = {}

    def run(self, steps: List[Step]) -> None:
        """Run the steps of one phase.

        Args:
            steps (list[Step]): They do not need each other.

        Raises:
            UsageError: If one fails; the others are stopped.
        """
        waiting = list(steps)
        try:
            while waiting or self.running:
                while waiting and len(self.running) < self.workers:
                    self._begin(waiting.pop(0))
                time.sleep(0.5)
                for step, process in list(self.running.items()):
                    if process.poll() is not None:
                        self._end(step, process.returncode)
                self._show_progress()
        finally:
            for process in self.running.values():
                process.terminate()

    def _begin(self, step: Step) -> None:
        python = os.path.relpath(sys.executable)
        command = shlex.join([python, *step.command])
        if step.is_finished():
            print(f'done before: {command}', flush=True)
            self.work_s -= step.usual_s
            return
        print(f'$ {command}', flush=True)
        with open(step.log, 'w') as log:
            self.running[step] = subprocess.Popen(
                [sys.executable, *step.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.env,
            )

    def _end(self, step: Step, returncode: int) -> None:
        del self.running[step]
        if returncode:
            lines = step.log.read_text().splitlines()
            print('\n'.join(lines[-15:]), file=sys.stderr)
            raise UsageError(
                f'{step.title} failed: all it said is in '
                f'{step.log}; mend the cause and run again, '
                'finished trainings are kept'
            )
        self.done_s += step.usual_s

    def _show_progress(self) -> None:
        now = time.monotonic()
        if now - self.shown < SHOW_EVERY_S:
            return
        self.shown = now
        done_s = self.done_s + sum(
            step.usual_s * step.progress() for step in self.running
        )
        elapsed_s = now - self.start
        # Early on the usual time of a step is the better guess.
        left_s = self.work_s / self.workers - elapsed_s
        if done_s > 0.1 * self.work_s:
            left_s = elapsed_s * (self.work_s - done_s) / done_s
        running = ', '.join(
            f'{step.title} {step.progress():.0%}' for step in self.running
        )
        print(
            f'  {done_s / self.work_s:4.0%} done, {_minutes(elapsed_s)} '
            f'passed, about {_minutes(left_s)} left: {running}',
            flush=True,
        )


def _minutes(seconds: float) -> str:
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    return f'{minutes}:{seconds:02d} min'


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
    (OUT / 'logs').mkdir(parents=True, exist_ok=True)
    demo = Demo()
    with usage_errors_in_one_sentence():
        try:
            for phase in PHASES:
                demo.run(phase())
        except KeyboardInterrupt:
            raise UsageError(
                'interrupted; the same command goes on where it stopped'
            ) from None
    report = OUT / 'report.md'
    tables = report.read_text().partition('## Pictures')[0].splitlines()
    print('\n'.join(line for line in tables if line.startswith(('|', '## '))))
    print(
        f'\n{_minutes(time.monotonic() - demo.start)} in all. The report '
        f'with its pictures: {report}'
    )


if __name__ == '__main__':
    main()
