"""Work folders of runs that never ran, and what tables make of them."""

import json
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence


def write_run(
    folder: Path,
    config: str,
    seed: int,
    accuracies: Sequence[float],
    finished: bool = True,
    dataset: str = 'digits',
    baseline: Optional[str] = None,
    weights: Optional[Dict[str, Any]] = None,
    planned: int = 20,
    **more: Any,
) -> Path:
    """Write a work directory as training leaves it, resumed once."""
    validations = [
        dict(iter=10 * epoch, epoch=epoch, metrics={'accuracy/top1': accuracy})
        for epoch, accuracy in enumerate(accuracies, 1)
    ]
    measured = [
        dict(value=entry['metrics']['accuracy/top1'], epoch=entry['epoch'])
        for entry in validations
    ]
    result = dict(
        run=dict(
            recipe=config, dataset=dataset, weights=weights, baseline=baseline
        ),
        config=dict(name=config, path=f'configs/{config}.py'),
        seed=seed,
        command=f'tools/train.py {config}.py',
        machine='abacus, 2 cores',
        git_revision='0123456789abcdef',
        versions=dict(torch='2'),
        dataset=dict(
            name=dataset, train_images=100, val_images=20, classes=10
        ),
        global_batch=32,
        finished=finished,
        updates=dict(done=10 * len(accuracies), planned=planned),
        last={'accuracy/top1': measured[-1]} if measured else {},
        best={'accuracy/top1': max(measured, key=lambda m: m['value'])}
        if measured
        else {},
        images_per_s=10.0,
        wall_time_s=5.0,
        validations=validations,
        **more,
    )
    work_dir = folder / f'{Path(config).name}_{seed}'
    for part, steps in (('a', (5, 10)), ('b', (10, 15))):
        scalars = work_dir / f'2026_{part}' / 'vis_data' / 'scalars.json'
        scalars.parent.mkdir(parents=True)
        lines = [
            dict(lr=1e-3, loss=step / 10, loss_cls=step / 10, step=step)
            for step in steps
        ] + [dict([('accuracy/top1', 1.0), ('step', 1)])]
        scalars.write_text('\n'.join(map(json.dumps, lines)))
    (work_dir / 'result.json').write_text(json.dumps(result))
    return work_dir


@contextmanager
def changed(work_dir: Path) -> Iterator[Dict[str, Any]]:
    """The record of a run, written again with what is changed in it."""
    path = work_dir / 'result.json'
    content = json.loads(path.read_text())
    yield content
    path.write_text(json.dumps(content))


def cells(table: str) -> List[List[str]]:
    """Take a Markdown table apart: its lines, and their cells."""
    return [
        [cell.strip() for cell in line.strip('|').split('|')]
        for line in table.splitlines()
    ]


def write_twins(folder):
    """Two seeds of a network and of its twin."""
    return [
        write_run(folder, config, seed, accuracies, baseline=baseline)
        for config, baseline, by_seed in (
            ('net', None, [[80.0, 90.0], [92.0, 94.0]]),
            ('twin', 'net', [[85.0, 91.0], [97.0, 95.0]]),
        )
        for seed, accuracies in enumerate(by_seed)
    ]
