"""Write what ``configs/published.yml`` says into READMEs and metafiles.

Of a README, what stands between two marks; the ``metafile.yml`` of every
folder of recipes, and ``model-index.yml``.
"""

import argparse
import os
import re
import shlex
import textwrap
from functools import cache
from pathlib import Path
from typing import Any, Dict, List, Tuple

import yaml

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.recipes import read_config
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_path

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
# Recipes that train without labels.
UNLABELLED = re.compile(r'idmm/pretrain/|.*/(idmm|mae)_')

Record = Dict[str, Any]


@cache
def published() -> Dict[str, Any]:
    """The content of ``published.yml``; see there."""
    return yaml.safe_load((CONFIGS / 'published.yml').read_text())


@cache
def data_title(name: str) -> str:
    """What a dataset is called in tables."""
    return CATALOG[name]['dataset_title']


def recipes(pattern: str = '[!_]*/**/*.py') -> List[str]:
    """Names of recipes; without a pattern all."""
    return sorted(
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in CONFIGS.glob(pattern)
    )


def text_of(path: str) -> str:
    """Of a file of the project, nothing if it is not there."""
    return (ROOT / path).read_text() if (ROOT / path).is_file() else ''


@cache
def header_of(recipe: str) -> Tuple[str, str]:
    """What a recipe's header says it is, and what was measured of it."""
    text = text_of(f'configs/{recipe}.py')
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
    return ' '.join(what.split()), ' '.join(measured[1].split())


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
    command = f'python tools/train.py {arguments_of(run)}'
    # An option and its value stay in one line.
    whole = re.sub(r'(--\S+) ', '\\1\xa0', command)
    lines = textwrap.wrap(
        whole, 75, break_long_words=False, break_on_hyphens=False
    )
    return [*earlier, ' \\\n    '.join(lines).replace('\xa0', ' ')]


def on_any(run: Record, dataset: str) -> Record:
    """A run with NAME in place of a data set, wherever it is used."""
    run = dict(run)
    if run['dataset'] == dataset:
        run['dataset'] = 'NAME'
    if isinstance(run.get('weights'), dict):
        run['weights'] = on_any(run['weights'], dataset)
    return run


def title_of(record: Record) -> str:
    """What was trained, in words."""
    titles = published()['titles']
    parts = [titles[record['model']]]
    if 'start' in record:
        start = titles[record['start']]
        if record['pretrained_on'] not in ('own', 'nothing'):
            start += f' on {data_title(record["pretrained_on"])}'
        return ', '.join([*parts, start, f'{record["epochs"]} epochs'])
    parts.append(titles[record['method']])
    swept = ('num_pairs', 'loss_weight', 'hidden_channels')
    parts += [titles[k].format(record[k]) for k in swept if k in record]
    return ', '.join(parts)


def cell_of(record: Record) -> str:
    """The published value."""
    forms = dict(value='{:g}', std='± {:g}', delta='({:+g})')
    texts = (forms[key].format(record[key]) for key in forms if key in record)
    return ' '.join(texts)


def table_of(records: List[Record], folder: str) -> str:
    """A row a recipe with its weights, a column a data set."""
    names = list(dict.fromkeys(record['dataset'] for record in records))
    heads = [f'{data_title(name)} `{name}`' for name in names]
    rows: Dict[Tuple[str, str], Dict[str, str]] = {}
    for record in records:
        path = os.path.relpath(f'{record["recipe"]}.py', folder)
        run = on_any(record, record['dataset']) if names[1:] else record
        key = (f'[{title_of(record)}]({path})', f'`{arguments_of(run)}`')
        rows.setdefault(key, {})[record['dataset']] = cell_of(record)
    lines = [['', '`python tools/train.py`', *heads]]
    lines += [['---'] * len(lines[0])]
    lines += [
        [*row, *(cells.get(name, '') for name in names)]
        for row, cells in rows.items()
    ]
    return ''.join(f'| {" | ".join(line)} |\n' for line in lines)


def example_of(records: List[Record]) -> str:
    """The commands of a number that takes most of them."""
    record = max(records, key=lambda r: (len(commands_of(r)), 'delta' in r))
    what = f'{title_of(record)}, {data_title(record["dataset"])}'
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
        title = f'## "{table}" ({source})'
        if table in published()['titles']:
            words = published()['titles'][table]
            title = f'## Table {table} ({source}): {words}'
        parts.append(f'{title}\n\n{table_of(own, folder)}')
        if len({record['dataset'] for record in own}) > 1:
            parts.append(example_of(own))
    return parts


def weights_of(records: List[Record]) -> List[str]:
    """Where the authors' files are that records start from."""
    used = [record.get('weights') for record in records]
    return [
        f'- `{file}` is <{url}>'
        for file, url in published()['weights'].items()
        if file in used
    ]


def notes_on(records: List[Record]) -> List[str]:
    """What does not agree in print."""
    return [
        textwrap.fill(
            f'- {entry["id"]}: {entry["note"]}.', 79, subsequent_indent='  '
        )
        for entry in published()['inconsistencies']
        if any(concerns(entry['where'], record) for record in records)
    ]


def concerns(where: Dict[str, Any], record: Record) -> bool:
    """Whether a record has the values asked for; of a list, any of them."""
    return all(
        record.get(key) in (wanted if isinstance(wanted, list) else [wanted])
        for key, wanted in where.items()
    )


def list_of(folder: str) -> List[str]:
    """A list of a folder's recipes."""
    lines = ['| recipe | what it is | measured |', '| --- | --- | --- |']
    for recipe in recipes(f'{folder}/**/*.py'):
        path = recipe.removeprefix(f'{folder}/')
        what, measured = header_of(recipe)
        lines.append(f'| [{path}]({path}.py) | {what} | {measured} |')
    return lines


def readme_of(folder: str) -> str:
    """The README of a folder, with the part that is written here renewed."""
    text = text_of(f'configs/{folder}/README.md')
    before, mark, rest = text.partition(BEGIN)
    if not mark:
        return text
    own = []
    for record in published()['records']:
        place = record['recipe'].split('/')[0]
        place = 'idmm' if record['source'] == POSTER else place
        own += [record] * (place == folder)
    lists = {
        'Weights of the authors': weights_of(own),
        'What to know of these numbers': notes_on(own),
        'Recipes': list_of(folder),
    }
    parts = tables_of(own, folder)
    for title, lines in lists.items():
        if lines:
            parts.append('\n'.join([f'## {title}\n', *lines, '']))
    written = '\n'.join(parts)
    return f'{before}{BEGIN}\n{written}\n{END}{rest.partition(END)[2]}'


def result_of(recipe: str, name: str) -> Record:
    """One of the ``Results`` of a recipe: a data set."""
    task = TASKS[CATALOG[name]['task']]
    if UNLABELLED.match(recipe):
        task = 'Self-Supervised Learning'
    result = dict(Task=task, Dataset=data_title(name), Metrics={})
    keys = 'source table metric value delta std seeds weights options'.split()
    cells = [
        {key.capitalize(): record[key] for key in keys if key in record}
        for record in published()['records']
        if (record['recipe'], record['dataset']) == (recipe, name)
    ]
    return InOneLine(result, Published=cells) if cells else InOneLine(result)


def data_sets_of(recipe: str) -> List[str]:
    """Those that something is published of, or else the usual one."""
    records = published()['records']
    names = [r['dataset'] for r in records if r['recipe'] == recipe]
    path = CONFIGS / f'{recipe}.py'
    return list(dict.fromkeys(names)) or [read_config(path).dataset_name]


def metafile_of(folder: str) -> str:
    """The metafile of a folder, an entry a recipe."""
    collections = published()['collections']
    collection = collections.get(folder, collections['quickstart'])
    models = [
        {
            'Name': recipe,
            'In Collection': collection['Name'],
            'Config': f'configs/{recipe}.py',
            'Results': [result_of(recipe, n) for n in data_sets_of(recipe)],
            'Measured': header_of(recipe)[1],
        }
        for recipe in recipes(f'{folder}/**/*.py')
    ]
    parts = dict(Collections=[collection]) if folder in collections else {}
    return as_yaml(dict(parts, Models=models))


class InOneLine(dict):
    """Of a file in YAML."""


class Dumper(yaml.SafeDumper):
    """Knows what to write in one line."""


Dumper.add_representer(
    InOneLine,
    lambda dumper, value: dumper.represent_mapping(
        'tag:yaml.org,2002:map', value, flow_style=True
    ),
)


def as_yaml(content: Dict[str, Any]) -> str:
    """YAML in the order given."""
    options = dict(sort_keys=False, allow_unicode=True, width=10_000)
    return yaml.dump(content, Dumper=Dumper, **options)


def cards() -> Dict[str, str]:
    """Everything that is written, by its path from the root."""
    files = {}
    folders = sorted({recipe.split('/')[0] for recipe in recipes()})
    metafiles = [f'configs/{folder}/metafile.yml' for folder in folders]
    for folder, metafile in zip(folders, metafiles):
        files[f'configs/{folder}/README.md'] = readme_of(folder)
        files[metafile] = metafile_of(folder)
    return {**files, 'model-index.yml': as_yaml(dict(Import=metafiles))}


def main() -> None:
    """Write or check."""
    parser = argparse.ArgumentParser(
        description='Write the published numbers into READMEs and metafiles.'
    )
    parser.add_argument(
        '--check', action='store_true', help='fail where it would write'
    )
    check = parser.parse_args().check
    with usage_errors_in_one_sentence():
        files = cards()
        wrong = [path for path in files if text_of(path) != files[path]]
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
