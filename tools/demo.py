#!/usr/bin/env python
"""The whole chain on real handwritten digits, about 9 minutes on 2 cores.

First a small Swin with and without DRLoc: four minutes, and there are a
table, a picture and a page to open in a browser. Then its backbone is carried
into Mask R-CNN and UperNet, beside the same from random weights. --full has
three seeds, trains as long as the recipes say, and carries the backbone that
was trained without DRLoc too.

Every step is one of the public commands and is printed before it runs.
Interrupted, the demo goes on where it stopped.
"""

import os
import shutil
import time
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Sequence

from rich.console import Console
from rich.table import Column, Table

from mmdrloc.apis.cli import command_parser, words_of
from mmdrloc.apis.jobs import Job, run_jobs
from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.reporting.paired import in_a_sentence
from mmdrloc.reporting.runs import Run, load_runs
from mmdrloc.reporting.tables import by_task, task_table
from mmdrloc.utils.console import minutes
from mmdrloc.utils.errors import usage_errors_in_one_sentence
from mmdrloc.utils.signals import watched

OUT = Path('work_dirs/demo')
REPORT = OUT / 'report.html'
BASELINE, TWIN = 'swin-2stage', 'swin-2stage_drloc'
SEGMENTOR, DETECTOR = 'upernet_swin-2stage', 'mask-rcnn_swin-2stage'
# Without --full: two of a classifier's three epochs, for a table in four
# minutes, and 600 of a segmentor's 1,000 iterations.
SHORT: Dict[str, Dict[str, int]] = {
    BASELINE: dict(epochs=2),
    TWIN: dict(epochs=2),
    SEGMENTOR: dict(iters=600),
}
WORKERS = min(2, os.cpu_count() or 1)


class Training(NamedTuple):
    """One training of the demo.

    Args:
        recipe (str): In ``configs/quickstart``.
        seed (int): Of the run.
        full (bool): Whether it is as long as its recipe says.
        start (Training, optional): Whose backbone it starts from. Defaults
            to None: random weights.
    """

    recipe: str
    seed: int
    full: bool
    start: Optional['Training'] = None

    @property
    def config(self) -> str:
        """The file of its recipe."""
        return f'configs/quickstart/{self.recipe}.py'

    @property
    def folder(self) -> Path:
        """Its work folder."""
        start = f'_from_{self.start.recipe}' if self.start else ''
        return OUT / f'{self.recipe}{start}_seed{self.seed}'

    def step(self) -> Job:
        """The command that trains it."""
        length = {} if self.full else SHORT.get(self.recipe, {})
        words = words_of(
            self.config,
            dict(
                **length,
                seed=self.seed,
                weights=self.start and self.start.folder,
                work_dir=self.folder,
            ),
        )
        return command_step(self.folder.name, 'tools/train.py', *words)


class Plan:
    """What a demo trains.

    Args:
        full (bool): With three seeds, to the end, and the backbone of the
            baseline carried too.
    """

    def __init__(self, full: bool) -> None:
        self.full = full
        seeds = range(3) if full else range(1)
        starts = (None, BASELINE, TWIN) if full else (None, TWIN)
        #: The twins, seed by seed.
        self.classifiers = [
            Training(recipe, seed, full)
            for seed in seeds
            for recipe in (BASELINE, TWIN)
        ]
        #: Segmentors and detectors.
        self.dense = [
            Training(recipe, seed, full, start and Training(start, seed, full))
            for recipe in (SEGMENTOR, DETECTOR)
            for seed in seeds
            for start in starts
        ]
        self.trainings = [*self.classifiers, *self.dense]


def command_step(title: str, *command: str) -> Job:
    """A command by its name and its words."""
    return Job(title, command, OUT / f'logs/{title}.txt')


def picture_step(what: str, training: Training) -> Job:
    """Draw what a finished model says, ``what`` as draw.py knows it.

    The last word of the command is the picture's file.
    """
    title = f'{what}_{training.recipe}'
    return command_step(
        title,
        *('tools/analysis_tools/draw.py', what, training.config),
        *(str(last_checkpoint(training.folder)), '--out'),
        str(OUT / f'{title}.png'),
    )


def report_step(trainings: Sequence[Training], pictures: List[Job]) -> Job:
    """Put finished trainings and what was drawn on one page."""
    return command_step(
        'report',
        'tools/report.py',
        *[str(training.folder) for training in trainings],
        *('--out', str(REPORT), '--title', 'DRLoc demo', '--pictures'),
        *[step.words[-1] for step in pictures],
    )


def show_table(trainings: Sequence[Training]) -> None:
    """Print the tables of finished trainings, of any number of tasks."""
    runs = load_runs([training.folder for training in trainings])
    for group in by_task(runs):
        header, _, *rows = [
            [cell.strip() for cell in line.strip('|').split('|')]
            for line in task_table(group, {}).replace('`', '').splitlines()
        ]
        # A name is folded where it does not fit, and not cut.
        table = Table(*[Column(title, overflow='fold') for title in header])
        for row in rows:
            table.add_row(*row)
        Console().print(table)


def story(plan: Plan) -> List[str]:
    """What a finished demo has shown, and what not, in sentences."""

    def of(recipe: str, start: Optional[str] = None) -> List[Run]:
        return load_runs(
            [
                training.folder
                for training in plan.trainings
                if training.recipe == recipe
                and (training.start and training.start.recipe) == start
            ]
        )

    what = 'digits with against without DRLoc'
    sentences = [in_a_sentence(what, of(TWIN), of(BASELINE))]
    for recipe, name in ((DETECTOR, 'Mask R-CNN'), (SEGMENTOR, 'UperNet')):
        what = f'{name} from the backbone with DRLoc against '
        others = {'random weights': None}
        if plan.full:
            others['the one without'] = BASELINE
        sentences += [
            in_a_sentence(what + other, of(recipe, TWIN), of(recipe, start))
            for other, start in others.items()
        ]
    return sentences


def run(plan: Plan) -> None:
    """Train, show, carry, show."""
    begun = time.monotonic()
    run_jobs(
        [command_step('digits', 'tools/dataset_converters/digits.py')], WORKERS
    )
    run_jobs([training.step() for training in plan.classifiers], WORKERS)
    pictures = [picture_step('pair-distances', plan.classifiers[1])]
    run_jobs(pictures, WORKERS)
    run_jobs([report_step(plan.classifiers, pictures)], WORKERS)
    show_table(plan.classifiers)
    print(
        f'{minutes(time.monotonic() - begun)} so far. With the learning '
        f'curves, and the distances that it guesses: {REPORT}\n'
    )
    run_jobs([training.step() for training in plan.dense], WORKERS)
    carried = {t.recipe: t for t in plan.dense if t.start}
    drawn = [picture_step('predictions', t) for t in carried.values()]
    run_jobs(drawn, WORKERS)
    run_jobs([report_step(plan.trainings, [*pictures, *drawn])], WORKERS)
    show_table(plan.trainings)
    print('\n'.join(story(plan)))
    print(
        f'\n{minutes(time.monotonic() - begun)} in all. Open this page '
        f'in a browser: {REPORT.resolve()}'
    )


def main() -> None:
    """Run the demo from the root of the repository."""
    parser = command_parser(__doc__, '')
    parser.add_argument(
        '--full',
        action='store_true',
        help='three seeds, and each backbone carried: 40 minutes in all',
    )
    parser.add_argument(
        '--fresh',
        action='store_true',
        help='forget earlier demos: train everything again',
    )
    args = parser.parse_args()
    os.chdir(Path(__file__).resolve().parents[1])
    if args.fresh:
        shutil.rmtree(OUT, ignore_errors=True)
    with usage_errors_in_one_sentence(), watched():
        run(Plan(args.full))


if __name__ == '__main__':
    main()
