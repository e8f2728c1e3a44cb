"""Whole epochs, loading and logging included: trainings as a user starts them.

Each is a process of its own, so nothing of one is left for the next.
"""

from pathlib import Path
from typing import List, Sequence

from mmdrloc.apis.side_by_side import SideBySide, Step
from mmdrloc.datasets.recipes import name_of
from .outcome import Outcome, Table
from .timing import ratios, spread

TRAIN = Path(__file__).resolve().parents[2] / 'train.py'


def time_epochs(
    configs: Sequence[str],
    rounds: int,
    options: Sequence[str],
    work_dir: Path,
) -> Outcome:
    """Train each config for an epoch without validation, in turns.

    Args:
        configs (Sequence[str]): Config files; the first is what the others
            are compared with.
        rounds (int): Trainings of each.
        options (Sequence[str]): More flags of tools/train.py.
        work_dir (Path): Of all trainings. Those finished earlier are kept.

    Returns:
        Outcome: Seconds of training an epoch, loading included.
    """
    names = [name_of(config) for config in configs]
    steps: List[Step] = [
        _step(config, number, options, work_dir)
        for number in range(rounds)
        for config in configs
    ]
    SideBySide(workers=1, work=len(steps)).run(steps)
    results = [step.result() for step in steps]
    speeds = {
        name: [r['images_per_s'] for r in results[index :: len(names)]]
        for index, name in enumerate(names)
    }
    rows = [
        [
            name,
            spread(values).text(digits=1),
            ratios(values, speeds[names[0]]).text(digits=3),
        ]
        for name, values in speeds.items()
    ]
    images = results[0]['dataset']['train_images']
    seconds = {
        name: [images / speed for speed in values]
        for name, values in speeds.items()
    }
    header = ['config', 'images/s', 'of the first']
    return Outcome(
        'A whole epoch of training',
        dict(images=images, rounds=rounds, options=' '.join(options)),
        [Table('Speed', header, rows, seconds)],
    )


def _step(
    config: str, number: int, options: Sequence[str], work_dir: Path
) -> Step:
    title = f'{name_of(config)}_round{number}'.replace('/', '_')
    folder = work_dir / title
    command = [
        *(str(TRAIN), config, '--work-dir', str(folder)),
        *('--no-validate', *options),
        *('--cfg-options', 'train_cfg.max_epochs=1'),
    ]
    return Step(title, command, 1.0, work_dir / f'logs/{title}.txt', folder)
