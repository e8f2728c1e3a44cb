"""Write the metafile and what is published into headers of recipes.

From ``configs/published.yml``; ``configs/metafile.yml`` has the recipes that
are in it.
"""

import argparse
import re
from pathlib import Path
from typing import Any, Dict, List

import yaml

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.recipe_list import Recipe, default_dataset, recipes
from mmdrloc.reporting.published import load_published

CONFIGS = Path(__file__).resolve().parents[2] / 'configs'
METAFILE = CONFIGS / 'metafile.yml'


def entry_of(
    recipe: Recipe, collection: str, records: List[Dict[str, Any]]
) -> Dict[str, Any]:
    """A recipe with its unchanged value, on its own data if there is one."""
    usual = default_dataset(CONFIGS / f'{recipe.name}.py')
    plain = [record for record in records if 'options' not in record]
    first = next((r for r in plain if r['dataset'] == usual), plain[0])
    keys = 'dataset', 'table', 'weights'
    metrics = {
        record.get('metric', 'Top 1 Accuracy'): record['value']
        for record in plain
        if all(record.get(key) == first.get(key) for key in keys)
    }
    result = dict(
        Task=recipe.task,
        Dataset=CATALOG[first['dataset']]['dataset_title'],
        Metrics=metrics,
    )
    return {
        'Name': recipe.name,
        'In Collection': collection,
        'Config': f'configs/{recipe.name}.py',
        'Results': [result],
    }


def with_header(recipe: Recipe, records: List[Dict[str, Any]]) -> str:
    """The text of a recipe, what is published renewed in its header."""
    path = CONFIGS / f'{recipe.name}.py'
    text = re.sub(r'# Published: .*\n', '', path.read_text())
    plain = [record for record in records if 'options' not in record]
    # That of its default data first; as many as fit into the line.
    usual = default_dataset(path)
    line = '# Published:'
    for record in sorted(plain, key=lambda one: one['dataset'] != usual):
        title = CATALOG[record['dataset']]['dataset_title']
        words = [f'{record["value"]:g}', record.get('metric', 'top-1')]
        words += ['on', title]
        if 'start' in record:
            words += ['from', record['start']]
        elif 'pretrained_on' in record:
            origin = CATALOG[record['pretrained_on']]['dataset_title']
            words += ['from', origin]
            words += ['with DRLoc'] * (record.get('method') == 'drloc')
        value = f' {" ".join(words)},'
        if value not in line and len(line + value) < 79:
            line += value
    if not plain:
        return text
    command = re.search(r'^# Train: (?:.*\\\n)*.*\n', text, re.M)
    assert command, f'{path} has no command in its header'
    end = command.end()
    return f'{text[:end]}{line[:-1]}\n{text[end:]}'


def metafile(published: Dict[str, Any]) -> str:
    """The text of the metafile: a line for each collection and recipe."""
    collections = published['collections']
    models = []
    for recipe in recipes():
        own = [r for r in published['records'] if r['recipe'] == recipe.name]
        if own:
            folder = recipe.name.split('/')[0]
            collection = collections.get(folder, collections['drloc'])
            models.append(entry_of(recipe, collection['Name'], own))
    text = ''
    for title, parts in (
        ('Collections', collections.values()),
        ('Models', models),
    ):
        text += f'{title}:\n'
        for part in parts:
            line = yaml.dump(
                part, default_flow_style=True, width=10**6, sort_keys=False
            )
            text += f'- {line}'
    return text


def cards() -> Dict[Path, str]:
    """Everything that is written, by its file."""
    published = load_published(CONFIGS / 'published.yml')
    files = {METAFILE: metafile(published)}
    for recipe in recipes():
        own = [r for r in published['records'] if r['recipe'] == recipe.name]
        files[CONFIGS / f'{recipe.name}.py'] = with_header(recipe, own)
    return files


def main() -> None:
    """Write the files that differ."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for path, text in cards().items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(f'{path} is written')


if __name__ == '__main__':
    main()
