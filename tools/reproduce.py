#!/usr/bin/env python
"""Do again what the documents show: all rows of a table by one command.

Trains what a table needs, pre-training first, tests it and writes a report
with the published values. The same command goes on where it was stopped.
"""

import argparse
import difflib
import json
import os
import re
import shlex
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence

import yaml

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.reporting.identity import of_record
from mmdrloc.reporting.results import write_tested
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.paths import shipped

CONFIGS, TOOLS = shipped('configs'), shipped('tools')
# Seconds a batch of 1,024 on 8 GPUs: supplement, Table 14.
SECONDS = {'swin-tiny': 0.6684, 'cvt-13': 0.6037, 't2t-vit-14': 0.5941}
# What takes the place of all data at small scale.
SMALL_DATA = dict(
    classification='digits-300',
    detection='digits_coco',
    segmentation='digits_seg',
)

Run = Dict[str, Any]


class Step(NamedTuple):
    """A command, and the file that shows that it was carried out."""

    words: List[str]
    done: Path


def read_exhibits() -> Dict[str, Dict[str, Any]]:
    """Exhibits by name: the tables of published.yml, and the others."""
    content = yaml.safe_load((CONFIGS / 'published.yml').read_text())
    exhibits: Dict[str, Dict[str, Any]] = {}
    for record in content['records']:
        source, table = record['source'], record['table']
        of = dict(zip(('IDMM poster', 'arXiv:2402.03752'), ('poster', 'mae')))
        name = f'{of.get(source, "table")}-{table}'
        one = exhibits.setdefault(
            name.lower().replace(' ', '-'),
            dict(
                document=source,
                title=content['titles'].get(table, table),
                runs=[],
                weights=content['weights'],
            ),
        )
        seeds = record.get('seeds', 1)
        one['runs'] += [dict(record, seed=seed) for seed in range(seeds)]
    others = yaml.safe_load((CONFIGS / 'exhibits.yml').read_text())
    return {**exhibits, **others}


def all_runs(runs: Sequence[Run]) -> Iterator[Run]:
    """Each training once, after what it starts from."""
    seen = set()
    for run in runs:
        made_by = run.get('weights')
        earlier = all_runs([made_by]) if isinstance(made_by, dict) else ()
        for one in (*earlier, run):
            if (key := (of_record(one), one.get('seed', 0))) not in seen:
                seen.add(key)
                yield one


def folder_of(run: Run, root: Path) -> Path:
    """Where a training goes; the same for all exhibits that need it."""
    identity = of_record(run)
    name = f'{identity.title}_{identity.dataset}_seed{run.get("seed", 0)}'
    name = re.sub(r'(model|train_dataloader|optim_wrapper)\.', '', name)
    return root / re.sub(r'[^\w.=-]+', '_', name)[-200:]


def made_small(run: Run) -> Run:
    """The same training on a few digits, all that it starts from as well."""
    small = dict(run, dataset=SMALL_DATA[CATALOG[run['dataset']]['task']])
    weights = run.get('weights')
    if isinstance(weights, str):  # the authors' file: a training in its place
        recipe = run['recipe'].replace('finetune_100e', 'scratch_100e')
        weights = dict(
            recipe=recipe.removesuffix('_drloc'), dataset=run['dataset']
        )
    if weights:
        small['weights'] = made_small(weights)
    return small


def small_options(run: Run) -> Dict[str, Any]:
    """Two images an iteration, and an eighth of the size in dense tasks."""
    from mmdrloc.datasets.recipes import read_recipe
    from mmdrloc.utils.config_walk import dicts_in

    cfg = read_recipe(run['recipe'], run['dataset'])
    options: Dict[str, Any] = {}
    for name in ('train', 'val', 'test'):
        loader = f'{name}_dataloader'
        if cfg.get(loader):
            options[f'{loader}.batch_size'] = 2
            options[f'{loader}.num_workers'] = 0
            options[f'{loader}.persistent_workers'] = False
            count = 300 if name == 'train' else 4
            options[f'{loader}.dataset.indices'] = count
    if cfg.get('default_scope') in ('mmdet', 'mmseg'):
        for place, node in dicts_in(dict(cfg.items())):
            place = re.sub(r'\[(\d+)\]', r'.\1', place)
            for key in {'scale', 'scales', 'crop_size', 'size'} & node.keys():
                if 'pipeline' in place or 'data_preprocessor' in place:
                    options[f'{place}.{key}'] = eighth(node[key])
    return options


def eighth(size: Any) -> Any:
    """Sizes in pixels, however nested."""
    many = isinstance(size, (list, tuple))
    return [*map(eighth, size)] if many else max(32, int(size) // 8)


def train_step(run: Run, root: Path, args: argparse.Namespace) -> Step:
    """The command of a training."""
    work_dir = folder_of(run, root)
    words = [tool('train.py'), run['recipe'], '--dataset', run['dataset']]
    if args.gpus > 1:
        start = [
            '-m',
            'torch.distributed.run',
            f'--nproc_per_node={args.gpus}',
        ]
        words = [*start, *words, '--launcher', 'pytorch']
    words += ['--work-dir', str(work_dir)]
    weights = run.get('weights')
    if weights:
        is_run = isinstance(weights, dict)
        start = folder_of(weights, root) if is_run else weights
        words += ['--weights', str(start)]
    words += ['--seed', str(run.get('seed', 0))]
    options = dict(run.get('options', {}))
    if args.scale == 'small':
        words += ['--iters', '2']
        options.pop('train_cfg.max_epochs', None)
        options = {**small_options(run), **options}
    elif args.accumulate > 1:
        options['optim_wrapper.accumulative_counts'] = args.accumulate
    values = [f'{k}={v}'.replace(', ', ',') for k, v in options.items()]
    words += ['--cfg-options', *values] if values else []
    return Step(words, work_dir / 'result.json')


def tool(name: str) -> str:
    """A tool as a command names it."""
    return os.path.relpath(TOOLS / name)


def steps_of(
    name: str, exhibit: Run, root: Path, args: argparse.Namespace
) -> List[Step]:
    """All commands of an exhibit, in their order."""
    small = args.scale == 'small'
    wanted = exhibit.get('runs', [])
    wanted = [made_small(run) for run in wanted] if small else wanted
    steps = [train_step(run, root, args) for run in all_runs(wanted)]
    shown: Dict[Path, None] = {}
    for run in wanted:
        place = folder_of(run, root)
        if run.get('tta'):
            words = [tool('test.py'), str(place), '--tta', '--work-dir']
            place = place / 'tta'
            words.append(str(place))
            steps.append(Step(words, place / 'result.json'))
        shown[place] = None
    steps = list({step.done: step for step in steps}.values())
    folder = root / name
    last = folder_of(wanted[-1], root) if wanted else root
    names = dict(
        folder=folder,
        run=last,
        config=last / f'{Path(wanted[-1]["recipe"]).name}.py'
        if wanted
        else '',
        batch=2 if small else 1024,
        rounds=2 if small else 200,
    )
    for number, command in enumerate(exhibit.get('after', [])):
        path, *words = shlex.split(command.format(**names))
        words = [tool(path.removeprefix('tools/')), *words]
        steps.append(Step(words, folder / f'{number}.done'))
    if shown:
        report = [tool('report.py'), *map(str, shown), '--title', name]
        report += ['--out', str(folder / 'report.html')]
        steps.append(Step(report, folder / 'report.done'))
    return steps


def missing(exhibit: Run, small: bool) -> List[str]:
    """Data and weights that are not there, with the commands for them."""
    found: Dict[str, str] = {}  # by command
    runs = exhibit.get('runs', [])
    for run in all_runs(list(map(made_small, runs)) if small else runs):
        data = CATALOG[run['dataset']]
        for part in (data['train_dataset'], data['val_dataset']):
            place = part.get('ann_file', part.get('domain', ''))
            place = Path(part['data_root'], place)
            if not place.exists():
                found[data['data_made_by']] = str(place)
        weights = run.get('weights')
        if isinstance(weights, str) and not Path(weights).exists():
            url = exhibit['weights'][weights]
            found[f'curl -L -o {weights} {url}'] = weights
    return [f'{place}: {command}' for command, place in found.items()]


def hours_of(exhibit: Run) -> str:
    """GPU hours, as far as Table 14 tells the speed of a network."""
    known, unknown = 0.0, 0
    for run in all_runs(exhibit.get('runs', [])):
        epochs = re.findall(r'(\d+)e(?:_|/|$)', run['recipe'])
        network = run['recipe'].split('/')[-1].split('_')[0]
        if epochs and network in SECONDS:
            updates = CATALOG[run['dataset']]['num_train'] / 1024
            known += int(epochs[-1]) * updates * SECONDS[network] * 8 / 3600
        else:
            unknown += 1
    return ' and more'[: 9 * bool(unknown)].join(
        [f'{known:.0f}' if known else '?', '']
    )


def is_done(step: Step) -> bool:
    """Whether a command was carried out to its end."""
    if step.done.name != 'result.json' or not step.done.is_file():
        return step.done.is_file() and 'report' not in step.done.name
    return json.loads(step.done.read_text())['finished']


def carry_out(steps: Sequence[Step], folder: Path) -> None:
    """Call what is not done yet, one command after the other."""
    from mmdrloc.apis.jobs import Job, run_jobs
    from mmdrloc.apis.session import session

    with session():
        for number, step in enumerate(steps):
            if is_done(step):
                print(f'done before: {step.done.parent}')
                continue
            log = folder / 'logs' / f'{number}.txt'
            run_jobs(
                [Job(f'step {number + 1} of {len(steps)}', step.words, log)]
            )
            if step.done.parent.name == 'tta':
                write_tested(step.done.parents[1], step.done.parent)
            elif step.done.suffix == '.done':
                print(log.read_text())
                step.done.touch()


def find_exhibit(name: str, exhibits: Dict[str, Run]) -> Run:
    """One that can be done.

    Raises:
        UsageError: If nobody knows it, or it is left out.
    """
    if name not in exhibits:
        near = difflib.get_close_matches(name, exhibits, 3, 0.3)
        raise UsageError(
            f'there is no exhibit {name}: did you mean {" or ".join(near)}? '
            'See --list.'
        )
    if not {'runs', 'after'} & exhibits[name].keys():
        raise UsageError(f'{name}: {exhibits[name]["title"]}')
    return exhibits[name]


def print_list(exhibits: Dict[str, Run]) -> None:
    """A line each, and below what it needs."""
    print('GPU hours: those that Table 14 tells, ? for the others.\n')
    for name, one in exhibits.items():
        runs = [*all_runs(one.get('runs', []))]
        needs = {run['dataset']: None for run in runs}
        needs.update(
            {
                w: None
                for run in runs
                if isinstance(w := run.get('weights'), str)
            }
        )
        print(f'{name}: {one["title"]} ({one["document"]})')
        print(f'    {len(runs)} trainings, GPU hours: {hours_of(one) or "-"}')
        print(f'    needs {", ".join(needs) or "no data"}')


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add('exhibit', nargs='?', help='such as table-4')
    add('--list', action='store_true', help='what there is, and its price')
    add('--check', action='store_true', help='say what is missing, and stop')
    add(
        '--scale',
        choices=['full', 'small'],
        default='full',
        help='small: two iterations a training, on digits (default: full)',
    )
    add('--gpus', type=int, default=1, help='(default: 1)')
    add(
        '--accumulate',
        type=int,
        default=1,
        help='gradients of N batches an '
        'iteration: 8 / GPUS for recipes of 8 GPUs (default: 1)',
    )
    add('--work-dir', type=Path, help='(default: work_dirs/reproduce)')
    args = parser.parse_args()
    exhibits = read_exhibits()
    if args.list or args.exhibit is None:
        return print_list(exhibits)
    small = args.scale == 'small'
    root = args.work_dir or Path('work_dirs/reproduce' + '_small' * small)
    with usage_errors_in_one_sentence():
        exhibit = find_exhibit(args.exhibit, exhibits)
        if absent := missing(exhibit, small):
            raise UsageError(
                'these are missing, with the commands that make '
                'them:\n' + '\n'.join(absent)
            )
        steps = steps_of(args.exhibit, exhibit, root, args)
        if args.check:
            for step in steps:
                print(shlex.join(['python', *step.words]))
            return print('\nAll data and weights are there.')
        carry_out(steps, root / args.exhibit)


if __name__ == '__main__':
    main()
