#!/usr/bin/env python
"""Run a table or figure of the documents, or a study, with one command.

Trains what it needs, pre-training first, tests it, and writes a report with
the published values. If it was stopped, the same command goes on.

    python tools/reproduce.py table-4 --gpus 8
    python tools/reproduce.py positions-vit --seeds 0 1
"""

import argparse
import json
import os
import re
import shlex
from functools import cache
from hashlib import sha1
from itertools import product
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

import yaml
from mmengine.config import Config

from mmdrloc.apis.cli import Parser, parse, read_options
from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.recipe_list import is_pretraining
from mmdrloc.datasets.recipes import read_config
from mmdrloc.reporting.identity import of_record
from mmdrloc.reporting.published import load_published
from mmdrloc.reporting.runs import RESULT, read_result
from mmdrloc.utils.config_walk import kind_of
from mmdrloc.utils.distributed import launched
from mmdrloc.utils.errors import (
    UsageError,
    did_you_mean,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import find_recipe, shipped

# What replaces the data of dense tasks at small scale.
SMALL = dict(detection='digits_coco', segmentation='digits_seg')
# Recipes whose length is in iterations.
IN_ITERATIONS = re.compile(
    'evidence/(vit|swin|resnet)|photos/(dinov2|tinyvit)'
)

COUNTS = 'optim_wrapper.accumulative_counts'
BATCH = 'train_dataloader.batch_size'
# Pre-trainings with a second network that moves with each iteration.
TEACHERS = ('DINO', 'MoCo', 'MoCoV3')
# Options of tools/train.py that --train does not take.
OF_THE_PLAN = (
    *('seed', 'dataset', 'weights', 'work_dir'),
    *('check', 'overwrite', 'resume'),
)

Run = Dict[str, Any]
# Commands by what they make, or by a name.
Steps = Dict[Path, List[str]]


def read_exhibits() -> Tuple[Dict[str, Run], Dict[str, str]]:
    """Exhibits and studies by name; options of trainings at small scale."""
    content = load_published(shipped('configs') / 'published.yml')
    kinds = {'IDMM poster': 'poster', 'arXiv:2402.03752': 'mae'}
    exhibits: Dict[str, Run] = {}
    for record in content['records']:
        table, source = record['table'], record['source']
        name = f'{kinds.get(source, "table")}-{table}'.lower()
        one = exhibits.setdefault(
            name.replace(' ', '-'),
            dict(document=source, title=record.get('title', table), runs=[]),
        )
        one['runs'].append(record)
        one['weights'] = content['weights']
    others, plans = (
        yaml.safe_load(path.read_text())
        for path in (
            Path(__file__).with_name('exhibits.yml'),
            shipped('configs') / 'evidence/studies.yml',
        )
    )
    exhibits.update(others['exhibits'])
    for name, study in plans['studies'].items():
        title, root = study['question'], Path('work_dirs', name)
        exhibits[name] = dict(study, document='study', title=title, root=root)
    return exhibits, others['small']


def by_seed(exhibit: Run, seeds: Optional[List[int]] = None) -> List[Run]:
    """The runs of an exhibit: one for each point of its grid and seed.

    Each seed has a pre-training of its own.
    """
    grid = exhibit.get('grid', {})
    runs = []
    for run in exhibit.get('runs', []):
        own = seeds or run.get('seeds', exhibit.get('seeds', 1))
        own = range(own) if isinstance(own, int) else own
        for *point, seed in product(*grid.values(), own):
            options = {**run.get('options', {}), **dict(zip(grid, point))}
            runs.append(seeded({**run, 'options': options}, seed))
    return runs


def seeded(run: Run, seed: int) -> Run:
    """A run with a seed, and those whose weights it starts from."""
    one, start = {**run, 'seed': seed}, run.get('weights')
    if isinstance(start, dict):
        one['weights'] = seeded(start, seed)
    return one


def with_starts(runs: Iterable[Run]) -> Iterator[Run]:
    """Trainings after those they start from; some more than once."""
    for run in runs:
        start = run.get('weights')
        if isinstance(start, dict):
            yield from with_starts([start])
        yield run


def folder_of(run: Run, root: Path) -> Path:
    """The work_dir of a training, shared by all exhibits that need it."""
    one = of_record(run)
    name = f'{one.title}_{one.dataset}_seed{run.get("seed", 0)}'
    name += f'_{run["iters"]}it' if 'iters' in run else ''
    name = re.sub(r'[^\w.=-]+', '_', name)
    if len(name) > 120:
        name = f'{name[:110]}_{sha1(name.encode()).hexdigest()[:8]}'
    return root / name


def made_small(run: Run) -> Run:
    """The same training on digits, on any CPU, and those it starts from."""
    task = CATALOG[run['dataset']]['task']
    small = dict(run, dataset=SMALL.get(task, 'digits-300'))
    small.pop('iters', None)
    small.pop('amp', None)
    if '/idmm_' in run['recipe']:  # of two batches of two, each image
        classes = {'model.head.num_classes': 4}
        small['options'] = {**run.get('options', {}), **classes}
    start = run.get('weights')
    if isinstance(start, str):  # train in place of a download
        recipe = run['recipe'].replace('finetune_100e', 'scratch_100e')
        recipe = recipe.removesuffix('_drloc').removesuffix('_finetune')
        untrained = {'model.backbone.init_cfg': None}
        start = dict(recipe=recipe, dataset=run['dataset'], options=untrained)
    return dict(small, weights=made_small(start)) if start else small


def tool(path: str) -> str:
    """The path of a tool from the current folder."""
    return os.path.relpath(shipped(path))


def train_command(run: Run, root: Path, args: argparse.Namespace) -> List[str]:
    """The command that trains a run, in one process."""
    words = [tool('tools/train.py'), run['recipe'], '--dataset']
    words += [run['dataset'], '--work-dir', str(folder_of(run, root))]
    words += ['--seed', str(run.get('seed', 0))]
    start = run.get('weights')
    if start:
        start = folder_of(start, root) if isinstance(start, dict) else start
        words += ['--weights', str(start)]
    if run.get('iters'):
        words += ['--iters', str(run['iters'])]
    options = run.get('options', {}).items()
    if options:
        words += ['--cfg-options', *(f'{k}={v}' for k, v in options)]
    words += ['--amp'] if run.get('amp') else []
    kind = 'pretrain' if is_pretraining(run['recipe']) else run['dataset']
    if IN_ITERATIONS.match(run['recipe']):
        kind = 'iterations'
    if run['recipe'].startswith(('nuclei/', 'coco_mini/')):
        kind = 'nuclei'
    return [*words, *shlex.split(args.small.get(kind, args.train))]


def steps_of(exhibit: Run, args: argparse.Namespace) -> Steps:
    """The commands of an exhibit, in order."""
    root, folder, runs = args.work_dir, args.folder, exhibit['runs']
    last = folder_of(runs[-1], root) if runs else root
    scale: Run = dict(images='cifar100', batch=1024 // args.gpus, rounds=20)
    if args.small:
        scale = dict(images='digits-300', batch=2, rounds=2)
    steps = {
        folder_of(run, root) / 'result.json': train_command(run, root, args)
        for run in with_starts(runs)
    }
    shown: Dict[str, None] = {}
    for run in runs:
        place = folder_of(run, root)
        if run.get('tta'):
            words = [tool('tools/test.py'), str(place), '--tta', '--work-dir']
            place = place / 'tta'
            steps[place / 'result.json'] = [*words, str(place)]
        if not is_pretraining(run['recipe']):
            shown[str(place)] = None
    for number, command in enumerate(exhibit.get('after', [])):
        path, *words = (
            word.format(folder=folder, run=last, **scale)
            for word in shlex.split(command)
        )
        steps[folder / str(number)] = [tool(path), *words]
    if shown:
        words = [tool('tools/report.py'), *shown, '--title', args.exhibit]
        words += ['--out', str(folder / 'report.html')]
        steps[folder / 'report'] = words
    return steps


def missing(exhibit: Run) -> List[str]:
    """Missing data and weights, with the commands that get them."""
    found: Dict[str, str] = {}
    for run in with_starts(exhibit['runs']):
        data, start = CATALOG[run['dataset']], run.get('weights')
        parts = [data.get('train_dataset'), data.get('val_dataset')]
        places = [
            p['data_root'] + '/' + p.get('ann_file', '') for p in parts if p
        ]
        if not places:  # of dense tasks, whose recipe names the folder
            cfg = config_of(data['recipe'])
            places = [cfg.train_dataloader.dataset.data_root]
        for place in places:
            if not Path(place).exists():
                by_hand = 'put it there as mmdet and mmseg have it'
                found[place] = data.get('data_made_by', by_hand)
        if isinstance(start, str) and not Path(start).exists():
            url = exhibit['weights'][start]
            found[start] = f'curl -L -o {start} {url}'
    return [f'{place}: {command}' for place, command in found.items()]


def write_tested(run: Path, folder: Path) -> None:
    """Write the record of a tested run, with the metrics of the test."""
    result = read_result(run / RESULT)
    log = max(folder.glob('*/[0-9]*.json'))
    tested = json.loads(log.read_text())
    metrics = {k: v for k, v in tested.items() if k in result['last']}
    for which in ('last', 'best'):
        result[which] = {k: dict(value=v) for k, v in metrics.items()}
    last = result['validations'][-1]
    result['validations'] = [dict(iter=last['iter'], metrics=metrics)]
    with atomic_path(folder / RESULT) as temporary:
        temporary.write_text(json.dumps(result))


@cache
def config_of(recipe: str) -> Config:
    """A recipe, read once."""
    return read_config(find_recipe(recipe))


def fitted(words: List[str], gpus: int) -> Tuple[List[str], int]:
    """Fit a training to some GPUs; its command and number of processes.

    An update keeps the images for which the learning rate is meant: too few
    GPUs add up several iterations for one update, too many stay idle.
    """
    _, asked = parse(['train', *words[1:]])
    given = read_options(asked['options'] or [])
    if given.get('auto_scale_lr.enable'):
        return words, gpus
    cfg = config_of(asked['recipe'])
    images = cfg.auto_scale_lr.base_batch_size
    size = given.get(BATCH, cfg.train_dataloader.batch_size)
    shares, rest = divmod(images, size)
    if rest:
        raise UsageError(
            f'{asked["recipe"]}: its learning rate is for {images} images an '
            f'update, of which {size} are no part: give another {BATCH}.'
        )
    processes = max(n for n in range(1, gpus + 1) if shares % n == 0)
    counts = shares // processes
    more = []
    if counts > 1:
        if kind_of(cfg.model) in TEACHERS:
            raise UsageError(
                f'{asked["recipe"]}: its teacher moves with each iteration, '
                f'so that an update must be one: give --gpus {shares}.'
            )
        more += ['--cfg-options', f'{COUNTS}={counts}']
        # MMEngine averages weights after iterations.
        more += [
            f'custom_hooks.{number}.interval={counts}'
            for number, hook in enumerate(cfg.get('custom_hooks') or [])
            if kind_of(hook) == 'EMAHook'
        ]
        iters = asked['iters'] or cfg.train_cfg.get('max_iters')
        more += ['--iters', str(iters * counts)] if iters else []
    return [*words, *more], processes


def training(words: List[str], processes: int) -> Any:
    """Write the config of a training; its job, None if it is done."""
    from mmdrloc.apis.jobs import training_job
    from mmdrloc.apis.running import load_config, session

    _, asked = parse(['train', *words[1:]])
    how = {k: asked[k] for k in ('seed', 'epochs', 'iters', 'amp', 'partial')}
    with session(asked['trust']):
        options = read_options(asked['options'] or [])
        cfg = load_config(asked['recipe'], asked['dataset'], options, **how)
        how = dict(trust=asked['trust'], processes=processes)
        folder = Path(asked['work_dir'])
        return training_job(cfg, asked['weights'], folder, **how)


def as_run(
    words: List[str], args: argparse.Namespace
) -> Tuple[List[str], int]:
    """A command as it runs, and in how many processes."""
    if words[0] != tool('tools/train.py'):
        return words, args.gpus if words[1] == 'step' else 1
    return (words, args.gpus) if args.small else fitted(words, args.gpus)


def is_newer(tested: Path, run: Path) -> bool:
    """Whether a run was tested since it was trained."""
    trained = (run / RESULT).stat().st_mtime
    return tested.is_file() and tested.stat().st_mtime >= trained


def carry_out(steps: Steps, args: argparse.Namespace) -> None:
    """Run the commands one after the other.

    What is trained or tested stays; the rest takes minutes.
    """
    from mmdrloc.apis.jobs import Job, run_jobs

    # All are refused before the first, or none.
    planned = [as_run(words, args) for words in steps.values()]
    for number, (made, step) in enumerate(zip(steps, planned), 1):
        log = args.folder / f'logs/{number}.txt'
        title = f'step {number} of {len(steps)}'
        words, processes = step
        job = Job(title, (*launched(words, processes),), log)
        is_test = made.parent.name == 'tta'
        if words[0] == tool('tools/train.py'):
            job = training(words, processes)
        elif is_test and is_newer(made, made.parents[1]):
            print(f'done before: {shlex.join(words)}')
            continue
        if job is None:
            continue
        run_jobs([job])
        if is_test:
            write_tested(made.parents[1], made.parent)
        elif made.suffix != '.json':  # tables and the path of the report
            print(log.read_text())


def print_list(exhibits: Dict[str, Run]) -> None:
    """Print each exhibit with its number of trainings and what it needs."""
    for name, one in exhibits.items():
        print(f'{name} ({one["document"]}): {one["title"]}')
        runs = {
            folder_of(run, Path()): run for run in with_starts(by_seed(one))
        }
        needs = [run['dataset'] for run in runs.values()]
        starts = [run.get('weights') for run in runs.values()]
        needs += [start for start in starts if isinstance(start, str)]
        if runs:
            needed = ', '.join(dict.fromkeys(needs))
            print(f'    {len(runs)} trainings with {needed}')


def main() -> None:
    """Run the command line."""
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add('exhibit', nargs='?', help='such as table-4, or the name of a study')
    add('--list', action='store_true', help='print all exhibits and studies')
    add(
        '--check',
        action='store_true',
        help='print the commands and what is missing, and stop',
    )
    add(
        '--scale',
        choices=['full', 'small'],
        default='full',
        help='small: two iterations a training, one seed, on digits',
    )
    add(
        '--gpus',
        type=int,
        default=1,
        help='the most that a training gets: each keeps the batch of its '
        'recipe (default: 1)',
    )
    add(
        '--train',
        default='',
        help='more options of tools/train.py, such as "--amp --cfg-options '
        'train_dataloader.batch_size=64"',
    )
    add('--seeds', type=int, nargs='+', help='instead of those of the plan')
    add(
        '--work-dir',
        type=Path,
        help='(default: work_dirs/reproduce, of a study work_dirs/STUDY)',
    )
    args = parser.parse_args()
    exhibits, small = read_exhibits()
    args.small = {}
    with usage_errors_in_one_sentence():
        if args.list or not args.exhibit:
            return print_list(exhibits)
        if args.exhibit not in exhibits:
            near = did_you_mean(args.exhibit, exhibits)
            raise UsageError(
                f'there is no exhibit {args.exhibit}{near} See --list.'
            )
        if args.gpus < 1:
            raise UsageError(f'--gpus {args.gpus}: give 1 or more.')
        _, more = parse(['train', 'RECIPE', *shlex.split(args.train)])
        for word in OF_THE_PLAN:
            if more[word] not in (None, False):
                option = '--' + word.replace('_', '-')
                raise UsageError(f'--train takes no {option}.')
        exhibit = exhibits[args.exhibit]
        if not {'runs', 'after'} & exhibit.keys():
            raise UsageError(f'{args.exhibit}: {exhibit["title"]}')
        seeds = [0] if args.scale == 'small' else None
        exhibit['runs'] = by_seed(exhibit, args.seeds or seeds)
        root = exhibit.get('root', Path('work_dirs/reproduce'))
        args.work_dir = args.work_dir or root
        if args.scale == 'small':
            args.small, args.work_dir = small, args.work_dir / 'small'
            exhibit['runs'] = [*map(made_small, exhibit['runs'])]
        args.folder = args.work_dir
        if exhibit['document'] != 'study':  # which share their runs
            args.folder /= args.exhibit
        absent = missing(exhibit)
        steps = steps_of(exhibit, args)
        if args.check:
            for words in steps.values():
                print(shlex.join(['python', *launched(*as_run(words, args))]))
        if absent:
            raise UsageError('\n'.join(['missing:', *absent]))
        if not args.check:
            carry_out(steps, args)


if __name__ == '__main__':
    main()
