"""Write what ``configs/published.yml`` says where OpenMMLab has it.

Into the ``metafile.yml`` of every folder of recipes and ``model-index.yml``;
between two marks of READMEs; and after ``# Published:`` in recipes.
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
PUBLISHED: Dict[str, Any] = yaml.safe_load(
    (CONFIGS / 'published.yml').read_text()
)
RECORDS: List[Record] = PUBLISHED['records']
TITLES: Dict[str, str] = PUBLISHED['titles']


def title_of_data(name: str) -> str:
    """What a dataset is called."""
    return CATALOG[name]['dataset_title']


def recipes(folder: str) -> List[str]:
    """Names of the recipes of a folder."""
    return sorted(
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in (CONFIGS / folder).rglob('*.py')
    )


@cache
def text_of(path: Path) -> str:
    """The text of a file, nothing if it is not there."""
    return path.read_text() if path.is_file() else ''


@cache
def default_dataset(path: Path) -> str:
    """The dataset that a config or one of its bases names."""
    text = text_of(path)
    named = re.search(r"^dataset_name = '(.+)'", text, re.M)
    if named:
        return named[1]
    bases = re.match(r'(?:#.*\n)*_base_ = (.*?\n\]\n|.*\n)', text, re.S)
    for base in re.findall(r"'(\.[^':]+\.py)'", bases[1] if bases else ''):
        found = default_dataset((path.parent / base).resolve())
        if found:
            return found
    return ''


# ---- tables of READMEs ------------------------------------------------------


def command_of(run: Record) -> List[str]:
    """A run's commands, after those of the runs that it starts from."""
    weights = run.get('weights')
    earlier = command_of(weights) if isinstance(weights, dict) else []
    words = ['python', 'tools/train.py', f'configs/{run["recipe"]}.py']
    words += ['--dataset', run['dataset']]
    if isinstance(weights, dict):
        name = Path(weights['recipe']).name
        weights = f'work_dirs/{name}_{weights["dataset"]}'
    words += ['--weights', weights] if weights else []
    options = run.get('options', {}).items()
    words += ['--cfg-options'] * bool(options)
    words += [f'{key}={value}' for key, value in options]
    lines = textwrap.wrap(
        # An option and its value stay in one line.
        re.sub(r'(--\S+) ', '\\1\xa0', shlex.join(words)),
        75,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [*earlier, ' \\\n    '.join(lines).replace('\xa0', ' ')]


def title_of(record: Record) -> str:
    """What was trained, in words."""
    parts = [TITLES[record['model']]]
    if 'start' in record:
        start = TITLES[record['start']]
        if record['pretrained_on'] not in ('own', 'nothing'):
            start += f' on {title_of_data(record["pretrained_on"])}'
        return ', '.join([*parts, start, f'{record["epochs"]} epochs'])
    parts.append(TITLES[record['method']])
    swept = ('num_pairs', 'loss_weight', 'hidden_channels')
    parts += [TITLES[k].format(record[k]) for k in swept if k in record]
    return ', '.join(parts)


def cell_of(record: Record) -> str:
    """The published value."""
    forms = dict(value='{:g}', std='± {:g}', delta='({:+g})')
    texts = (forms[key].format(record[key]) for key in forms if key in record)
    return ' '.join(texts)


def table_of(records: List[Record], folder: str) -> str:
    """A row a training, a column a dataset, and the commands of one cell."""
    names = list(dict.fromkeys(record['dataset'] for record in records))
    rows: Dict[str, Dict[str, str]] = {}
    for record in records:
        path = os.path.relpath(f'{record["recipe"]}.py', folder)
        row = rows.setdefault(f'[{title_of(record)}]({path})', {})
        row[record['dataset']] = cell_of(record)
    lines = [['', *(f'{title_of_data(n)} `{n}`' for n in names)]]
    lines += [['---'] * len(lines[0])]
    lines += [
        [row, *(cells.get(name, '') for name in names)]
        for row, cells in rows.items()
    ]
    table = ''.join(f'| {" | ".join(line)} |\n' for line in lines)
    longest = max(records, key=lambda r: (len(command_of(r)), 'delta' in r))
    what = f'{title_of(longest)}, {title_of_data(longest["dataset"])}'
    commands = '\n'.join(command_of(longest))
    return (
        f'{table}\n<!-- needs: data -->\n```bash\n'
        f'# {longest["value"]:g}: {what}\n{commands}\n```\n'
    )


def concerns(where: Dict[str, Any], record: Record) -> bool:
    """Whether a record has the values asked for; of a list, any of them."""
    return all(
        record.get(key) in (wanted if isinstance(wanted, list) else [wanted])
        for key, wanted in where.items()
    )


def written_for(folder: str) -> str:
    """The tables of a folder, where its weights are, and what is odd."""
    records = [
        record
        for record in RECORDS
        if folder
        == ('idmm' if record['source'] == POSTER else home_of(record))
    ]
    tables: Dict[Tuple[str, str], List[Record]] = {}
    for record in records:
        key = (record['source'], record['table'])
        tables.setdefault(key, []).append(record)
    parts = []
    for (source, table), own in tables.items():
        title = f'## "{table}" ({source})'
        if table in TITLES:
            title = f'## Table {table} ({source}): {TITLES[table]}'
        parts.append(f'{title}\n\n{table_of(own, folder)}')
    used = [record.get('weights') for record in records]
    lists = {
        'Weights of the authors': [
            f'- `{file}` is <{url}>'
            for file, url in PUBLISHED['weights'].items()
            if file in used
        ],
        'What to know of these numbers': [
            textwrap.fill(
                f'- {entry["id"]}: {entry["note"]}.',
                79,
                subsequent_indent='  ',
            )
            for entry in PUBLISHED['inconsistencies']
            if any(concerns(entry['where'], record) for record in records)
        ],
    }
    for title, lines in lists.items():
        if lines:
            parts.append('\n'.join([f'## {title}\n', *lines, '']))
    return '\n'.join(parts)


def home_of(record: Record) -> str:
    """The folder of a record's recipe."""
    return record['recipe'].split('/')[0]


def readme_of(folder: str) -> str:
    """The README of a folder, with the part that is written here renewed."""
    text = text_of(CONFIGS / folder / 'README.md')
    before, mark, rest = text.partition(BEGIN)
    if not mark:
        return text
    after = rest.partition(END)[2]
    return f'{before}{BEGIN}\n{written_for(folder)}\n{END}{after}'


# ---- metafiles and headers --------------------------------------------------


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


def result_of(recipe: str, name: str) -> Record:
    """One of the ``Results`` of a recipe: a dataset."""
    task = TASKS[CATALOG[name]['task']]
    if UNLABELLED.match(recipe):
        task = 'Self-Supervised Learning'
    result = InOneLine(Task=task, Dataset=title_of_data(name), Metrics={})
    keys = 'source table metric value delta std seeds weights options'.split()
    cells = [
        {key.capitalize(): record[key] for key in keys if key in record}
        for record in RECORDS
        if (record['recipe'], record['dataset']) == (recipe, name)
    ]
    return InOneLine(result, Published=cells) if cells else result


def model_of(recipe: str, collection: str) -> Record:
    """The entry of a recipe in its metafile."""
    path = CONFIGS / f'{recipe}.py'
    names = [r['dataset'] for r in RECORDS if r['recipe'] == recipe]
    names = list(dict.fromkeys(names)) or [default_dataset(path)]
    entry = {
        'Name': recipe,
        'In Collection': collection,
        'Config': f'configs/{recipe}.py',
        'Results': [result_of(recipe, name) for name in names],
    }
    measured = re.search(
        r'^# Measured: (.*(?:\n#  +.*)*)', text_of(path), re.M
    )
    if measured:
        text = re.sub(r'\n#\s+', ' ', measured[1])
        entry['Measured'] = text.removesuffix('.')
    return entry


def metafile_of(folder: str) -> str:
    """The metafile of a folder, an entry a recipe."""
    collections = PUBLISHED['collections']
    collection = collections.get(folder, collections['quickstart'])
    models = [model_of(name, collection['Name']) for name in recipes(folder)]
    parts = dict(Collections=[collection]) if folder in collections else {}
    return as_yaml(dict(parts, Models=models))


def value_of(record: Record) -> str:
    """A published value with what it is of."""
    words = [f'{record["value"]:g}']
    words += [record['metric']] if 'metric' in record else []
    words += [f'on {title_of_data(record["dataset"])}']
    if 'start' in record:
        words += [f'from {TITLES[record["start"]]}']
    elif 'pretrained_on' in record:
        words += [f'from {title_of_data(record["pretrained_on"])}']
    return ' '.join(words)


def recipe_of(recipe: str) -> str:
    """A recipe, with the published values of its header renewed."""
    path = CONFIGS / f'{recipe}.py'
    usual = default_dataset(path)
    own = [
        record
        for record in RECORDS
        if record['recipe'] == recipe and 'options' not in record
    ]
    # That of its default data first.
    own.sort(key=lambda record: record['dataset'] != usual)
    values = list(dict.fromkeys(map(value_of, own)))
    line = ', '.join(values[:3]) + ('; all: README.md' if values[3:] else '')
    line = textwrap.fill(
        f'# Published: {line}', 79, subsequent_indent='#     '
    )
    text = re.sub(r'# Published: .*\n(#  +.*\n)*', '', text_of(path))
    if not values:
        return text
    head = re.match(r'(?:#.*\n)*?(?=# (Measured|Time): |[^#])', text)[0]
    return f'{head}{line}\n{text[len(head) :]}'


def cards() -> Dict[Path, str]:
    """Everything that is written, by its file."""
    files = {}
    folders = sorted(
        path.name for path in CONFIGS.glob('[!_]*') if path.is_dir()
    )
    for folder in folders:
        files[CONFIGS / folder / 'README.md'] = readme_of(folder)
        files[CONFIGS / folder / 'metafile.yml'] = metafile_of(folder)
        for recipe in recipes(folder):
            files[CONFIGS / f'{recipe}.py'] = recipe_of(recipe)
    index = [f'configs/{folder}/metafile.yml' for folder in folders]
    return {**files, ROOT / 'model-index.yml': as_yaml(dict(Import=index))}


def main() -> None:
    """Write or check."""
    parser = argparse.ArgumentParser(
        description='Write published values into READMEs, metafiles, headers.'
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
                f'say, {wrong[0].relative_to(ROOT)} among them: run '
                'python tools/misc/write_cards.py.'
            )
    for path in wrong:
        with atomic_path(path) as temporary:
            temporary.write_text(files[path])
    print(f'{len(files)} files are up to date')


if __name__ == '__main__':
    main()
