"""Write metafiles and headers of recipes from ``configs/published.yml``.

Into the ``metafile.yml`` of every folder of recipes, ``model-index.yml``, and
after ``# Published:`` in recipes.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any, Dict

import yaml

from mmdrloc.datasets.catalog import CATALOG

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / 'configs'
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
RECORDS = PUBLISHED['records']
TITLES = PUBLISHED['titles']


def data_of(name: str) -> str:
    """What a dataset is called."""
    return CATALOG[name]['dataset_title']


def default_dataset(path: Path) -> str:
    """The dataset that a config or one of its bases names."""
    text = path.read_text()
    named = re.search(r"^dataset_name = '(.+)'", text, re.M)
    bases = re.findall(r"'(\.[^':]+\.py)'", text)
    found = (default_dataset((path.parent / base).resolve()) for base in bases)
    return named[1] if named else next(filter(None, found), '')


def cell_name(record: Record) -> str:
    """Of what a value is, and what it needs besides its recipe."""
    start = record.get('weights')
    if isinstance(start, dict):
        start = f'{start["recipe"]} on {start["dataset"]}'
    words = [
        record.get('metric', 'Top 1 Accuracy'),
        f'Table {record["table"]}',
    ]
    words += [f'from {start}'] if start else []
    words += [
        f'{key.split(".")[-1]}={value}'
        for key, value in record.get('options', {}).items()
    ]
    return ', '.join(words)


def model_of(recipe: str, collection: str, text: str) -> str:
    """The entry of a recipe in its metafile."""
    usual = default_dataset(CONFIGS / f'{recipe}.py')
    found: Dict[str, Record] = {}
    for record in RECORDS:
        if record['recipe'] == recipe:
            cells = found.setdefault(record['dataset'], {})
            cells[cell_name(record)] = record['value']
    metadata = {'Training Data': data_of(usual)}
    measured = re.search(r'^# Measured: (.*(?:\n#  +.*)*)', text, re.M)
    if measured:
        metadata['Measured'] = re.sub(r'\n#\s+', ' ', measured[1])
    results = [
        dict(
            Task='Self-Supervised Learning'
            if UNLABELLED.match(recipe)
            else TASKS[CATALOG[name]['task']],
            Dataset=data_of(name),
            Metrics=cells,
        )
        for name, cells in (found or {usual: {}}).items()
    ]
    return f"""\
- Name: {recipe}
  In Collection: {collection}
  Metadata: {json.dumps(metadata, ensure_ascii=False)}
  Config: configs/{recipe}.py
  Results: {json.dumps(results, ensure_ascii=False)}
"""


def recipe_of(recipe: str, text: str) -> str:
    """A recipe, with the published values of its header renewed."""
    text = re.sub(r'# Published: .*\n', '', text)
    usual = default_dataset(CONFIGS / f'{recipe}.py')
    own = [r for r in RECORDS if r['recipe'] == recipe and 'options' not in r]
    # That of its default data first; as many as fit into the line.
    own.sort(key=lambda record: record['dataset'] != usual)
    line = '# Published:'
    for record in own:
        words = [f'{record["value"]:g}', record.get('metric', '')]
        words += [f'on {data_of(record["dataset"])}']
        if 'start' in record:
            words += [f'from {TITLES[record["start"]]}']
        elif 'pretrained_on' in record:
            words += [f'from {data_of(record["pretrained_on"])}']
        value = ' '.join(filter(None, words))
        if value not in line and len(line) + len(value) < 78:
            line += ' ' + value + ','
    if not own:
        return text
    head = re.match(r'(?:#.*\n)*?(?=# Measured: |[^#])', text)[0]
    return f'{head}{line[:-1]}\n{text[len(head) :]}'


def cards() -> Dict[Path, str]:
    """Everything that is written, by its file."""
    files = {}
    folders = sorted(p.name for p in CONFIGS.glob('[!_]*') if p.is_dir())
    collections = PUBLISHED['collections']
    for folder in folders:
        collection = collections.get(folder)
        parts = dict(Collections=[collection]) if collection else {}
        meta = yaml.dump(parts, sort_keys=False) if parts else ''
        meta += 'Models:\n'
        name = (collection or collections['quickstart'])['Name']
        for path in sorted((CONFIGS / folder).rglob('*.py')):
            recipe = path.relative_to(CONFIGS).with_suffix('').as_posix()
            files[path] = recipe_of(recipe, path.read_text())
            meta += model_of(recipe, name, files[path])
        files[CONFIGS / folder / 'metafile.yml'] = meta
    index = [f'- configs/{folder}/metafile.yml\n' for folder in folders]
    files[ROOT / 'model-index.yml'] = 'Import:\n' + ''.join(index)
    return files


def main() -> None:
    """Write what differs."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for path, text in cards().items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f'{path.relative_to(ROOT)} is written')


if __name__ == '__main__':
    main()
