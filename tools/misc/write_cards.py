"""Write what ``configs/published.yml`` says into READMEs and metafiles.

Of a README, what stands between two marks; the ``metafile.yml`` of every
folder of recipes, and ``model-index.yml``.

Example:
    python tools/misc/write_cards.py
    python tools/misc/write_cards.py --check
"""

import argparse
import os
import re
import shlex
import textwrap
from functools import cache
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

import yaml
from mmengine.config import Config

from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.files import atomic_path
from mmdrloc.recipes import find_data_entry, read_config

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / 'configs'
# The part of a README that is written here.
BEGIN = '<!-- written by tools/misc/write_cards.py from published.yml -->\n'
END = '<!-- end of what is written -->'
# Its tables are in one place, wherever their recipes lie.
POSTER = 'IDMM poster'
TASKS = {
    'classification': 'Image Classification',
    'detection': 'Instance Segmentation',
    'segmentation': 'Semantic Segmentation',
}
# Beginnings of the names of recipes that train without labels.
UNLABELLED = ('idmm/pretrain/', 'idmm/idmm_', 'mae/mae_')

Record = Dict[str, Any]


# ---- what there is ---------------------------------------------------------


@cache
def published() -> Dict[str, Any]:
    """The content of ``published.yml``; see there."""
    return yaml.safe_load((CONFIGS / 'published.yml').read_text())


@cache
def data_set(name: str) -> Config:
    """A data set of the project by its name."""
    return Config.fromfile(CONFIGS / f'_base_/datasets/{name}.py')


def recipes(pattern: str = '[!_]*/**/*.py') -> List[str]:
    """Names of recipes; without a pattern all."""
    return sorted(
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in CONFIGS.glob(pattern)
    )


class Header(NamedTuple):
    """The comment at the top of a recipe.

    Args:
        what (str): What it is.
        measured (str): What was measured of it.
    """

    what: str
    measured: str


@cache
def header_of(recipe: str) -> Header:
    """Read the header of a recipe."""
    text = (CONFIGS / f'{recipe}.py').read_text()
    lines = re.match(r'(?:#.*\n)*', text)[0].splitlines()
    comment = '\n'.join(line[1:].strip() for line in lines)
    what, _, rest = comment.partition('\n\n')
    # Until the next of the lines that begin with a word and a colon.
    measured = re.search(r'Measured: (.*?)\.?(?=\n\w+: |\s*\Z)', rest, re.S)
    if measured is None:
        raise UsageError(
            f'configs/{recipe}.py has no header that says what it is, and '
            'below an empty line "Measured: ...".'
        )
    return Header(' '.join(what.split()), ' '.join(measured[1].split()))


# ---- commands --------------------------------------------------------------


def arguments_of(run: Record) -> str:
    """What of a run's command follows ``tools/train.py``."""
    words = [f'configs/{run["recipe"]}.py', '--dataset', run['dataset']]
    weights = run.get('weights')
    if isinstance(weights, dict):
        name = Path(weights['recipe']).name
        weights = f'work_dirs/{name}_{weights["dataset"]}'
    words += ['--weights', weights] if weights else []
    options = run.get('options', {}).items()
    words += ['--cfg-options'] * bool(options)
    return shlex.join([*words, *(f'{key}={value}' for key, value in options)])


def commands_of(run: Record) -> List[str]:
    """A run's command, after those of the runs that it starts from."""
    weights = run.get('weights')
    earlier = commands_of(weights) if isinstance(weights, dict) else []
    command = textwrap.wrap(
        f'python tools/train.py {arguments_of(run)}',
        75,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [*earlier, ' \\\n    '.join(command)]


def on_any(run: Record, dataset: str) -> Record:
    """A run with NAME in place of a data set, wherever it is used."""
    run = dict(run)
    if run['dataset'] == dataset:
        run['dataset'] = 'NAME'
    if isinstance(run.get('weights'), dict):
        run['weights'] = on_any(run['weights'], dataset)
    return run


# ---- READMEs ---------------------------------------------------------------


def title_of(record: Record) -> str:
    """What was trained, in words."""
    titles = published()['titles']
    parts = [titles[record['model']]]
    if 'start' in record:
        start = titles[record['start']]
        if record['pretrained_on'] not in ('own', 'nothing'):
            start += f' on {data_set(record["pretrained_on"]).dataset_title}'
        return ', '.join([*parts, start, f'{record["epochs"]} epochs'])
    swept = ('num_pairs', 'loss_weight', 'hidden_channels')
    return ', '.join(
        [
            *parts,
            titles[record['method']],
            *(titles[k].format(record[k]) for k in swept if k in record),
        ]
    )


def cell_of(record: Record) -> str:
    """The published value."""
    cell = f'{record["value"]:g}'
    if 'std' in record:
        cell += f' ± {record["std"]:g}'
    if 'delta' in record:
        cell += f' ({record["delta"]:+g})'
    return cell


def table_of(records: List[Record], folder: str) -> str:
    """A row a recipe with its weights, a column a data set."""
    rows: Dict[Tuple[str, str], Dict[str, str]] = {}
    for record in records:
        path = os.path.relpath(f'{record["recipe"]}.py', folder)
        command = arguments_of(on_any(record, record['dataset']))
        key = (f'[{title_of(record)}]({path})', f'`{command}`')
        rows.setdefault(key, {})[record['dataset']] = cell_of(record)
    names = list(dict.fromkeys(record['dataset'] for record in records))
    heads = [f'{data_set(name).dataset_title} `{name}`' for name in names]
    lines = [['', '`python tools/train.py`', *heads]]
    lines += [['---'] * len(lines[0])]
    lines += [
        [*row, *(cells.get(name, '') for name in names)]
        for row, cells in rows.items()
    ]
    return ''.join(f'| {" | ".join(line)} |\n' for line in lines)


def example_of(records: List[Record]) -> str:
    """The commands of the number that takes most of them."""
    record = max(records, key=lambda record: len(commands_of(record)))
    what = f'{title_of(record)}, {data_set(record["dataset"]).dataset_title}'
    lines = '\n'.join([f'# {record["value"]:g}: {what}', *commands_of(record)])
    return f'<!-- needs: data -->\n```bash\n{lines}\n```\n'


def tables_of(records: List[Record], folder: str) -> List[str]:
    """All tables of a folder, each with an example."""
    tables: Dict[Tuple[str, str], List[Record]] = {}
    for record in records:
        key = (record['source'], record['table'])
        tables.setdefault(key, []).append(record)
    parts = []
    for (source, table), own in tables.items():
        title = f'## Table {table} ({source})'
        if table in published()['titles']:
            title += f': {published()["titles"][table]}'
        parts.append(f'{title}\n\n{table_of(own, folder)}\n{example_of(own)}')
    return parts


def weights_of(records: List[Record]) -> str:
    """Where the authors' files are that records start from."""
    files = dict.fromkeys(
        r['weights'] for r in records if isinstance(r.get('weights'), str)
    )
    urls = published()['weights']
    lines = [f'- `{file}`: <{urls[file]}>\n' for file in files]
    return '## Weights of the authors\n\n' + ''.join(lines) if files else ''


def notes_on(records: List[Record]) -> str:
    """What does not agree in print."""
    lines = [
        textwrap.fill(
            f'- {entry["id"]}: {entry["note"]}.', 79, subsequent_indent='  '
        )
        for entry in published()['inconsistencies']
        if any(concerns(entry['where'], record) for record in records)
    ]
    title = '## What to know of these numbers\n\n'
    return title + '\n'.join(lines) + '\n' if lines else ''


def concerns(where: Dict[str, Any], record: Record) -> bool:
    """Whether a record has the values asked for; of a list, any of them."""
    return all(
        record.get(key) in (wanted if isinstance(wanted, list) else [wanted])
        for key, wanted in where.items()
    )


def list_of(folder: str) -> str:
    """A list of a folder's recipes."""
    lines = ['| recipe | what it is | measured |', '| --- | --- | --- |']
    for recipe in recipes(f'{folder}/**/*.py'):
        path = recipe.removeprefix(f'{folder}/')
        what, measured = header_of(recipe)
        lines.append(f'| [{path}]({path}.py) | {what} | {measured} |')
    return '## Recipes\n\n' + '\n'.join(lines) + '\n'


def readme_of(folder: str) -> str:
    """The README of a folder, with the part that is written here renewed."""
    text = (CONFIGS / folder / 'README.md').read_text()
    before, mark, rest = text.partition(BEGIN)
    if not mark:
        return text
    own = []
    for record in published()['records']:
        is_there = record['recipe'].startswith(f'{folder}/')
        if record['source'] == POSTER:
            is_there = folder == 'idmm'
        own += [record] * is_there
    parts = [*tables_of(own, folder), weights_of(own), notes_on(own)]
    written = '\n'.join(filter(None, [*parts, list_of(folder)]))
    return f'{before}{BEGIN}\n{written}\n{END}{rest.partition(END)[2]}'


# ---- metafiles -------------------------------------------------------------


def result_of(recipe: str, name: str) -> Record:
    """One of the ``Results`` of a recipe: a data set."""
    task = TASKS[data_set(name).task]
    if recipe.startswith(UNLABELLED):
        task = 'Self-Supervised Learning'
    result = dict(Task=task, Dataset=data_set(name).dataset_title, Metrics={})
    keys = 'source table metric value delta std seeds weights options'.split()
    cells = [
        {key.capitalize(): record[key] for key in keys if key in record}
        for record in published()['records']
        if (record['recipe'], record['dataset']) == (recipe, name)
    ]
    return dict(result, Published=cells) if cells else result


def data_sets_of(recipe: str) -> List[str]:
    """Those that something is published of, or else the usual one."""
    names = dict.fromkeys(
        record['dataset']
        for record in published()['records']
        if record['recipe'] == recipe
    )
    path = CONFIGS / f'{recipe}.py'
    entry = find_data_entry(path)
    usual = entry.default if entry else read_config(path).dataset_name
    return list(names) or [usual]


def metafile_of(folder: str) -> str:
    """The metafile of a folder, an entry a recipe."""
    documents = {entry['folder']: entry for entry in published()['documents']}
    document = documents.get(folder, published()['documents'][0])
    paper = dict(Title=document['title'], URL=document['url'])
    collection = dict(
        Name=document['name'], Paper=paper, README=document['readme']
    )
    models = [
        {
            'Name': recipe,
            'In Collection': document['name'],
            'Config': f'configs/{recipe}.py',
            'Results': [result_of(recipe, n) for n in data_sets_of(recipe)],
            'Measured': header_of(recipe).measured,
        }
        for recipe in recipes(f'{folder}/**/*.py')
    ]
    parts = dict(Collections=[collection]) if folder in documents else {}
    return as_yaml(dict(parts, Models=models))


def as_yaml(content: Dict[str, Any]) -> str:
    """YAML in the order given; what holds nothing else is in one line."""
    return yaml.safe_dump(
        content,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=10_000,
    )


# ---- files -----------------------------------------------------------------


def cards() -> Dict[str, str]:
    """Everything that is written.

    Returns:
        dict[str, str]: Texts by their paths from the root.
    """
    files = {}
    folders = sorted({recipe.split('/')[0] for recipe in recipes()})
    metafiles = [f'configs/{folder}/metafile.yml' for folder in folders]
    for folder, metafile in zip(folders, metafiles):
        files[f'configs/{folder}/README.md'] = readme_of(folder)
        files[metafile] = metafile_of(folder)
    return {**files, 'model-index.yml': as_yaml(dict(Import=metafiles))}


def differences(files: Dict[str, str]) -> List[str]:
    """Paths of files that are not as they would be written."""
    return [
        path
        for path, text in files.items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text() != text
    ]


def main() -> None:
    """Write or check."""
    parser = argparse.ArgumentParser(
        description='Write the published numbers into READMEs and metafiles.'
    )
    parser.add_argument(
        '--check',
        action='store_true',
        help='write nothing, fail if a file is not up to date',
    )
    check = parser.parse_args().check
    with usage_errors_in_one_sentence():
        files = cards()
        wrong = differences(files)
        if wrong and check:
            raise UsageError(
                f'{len(wrong)} files are not as published.yml and the recipes '
                f'say, {wrong[0]} among them: run '
                'python tools/misc/write_cards.py.'
            )
    for path in wrong:
        with atomic_path(ROOT / path) as temporary:
            temporary.write_text(files[path])
    print(f'{len(files)} files are up to date')


if __name__ == '__main__':
    main()
