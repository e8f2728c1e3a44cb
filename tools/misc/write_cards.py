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


def plain_records(
    recipe: Recipe, records: List[Dict[str, Any]]
) -> List[Dict[str, Any]]:
    """Those that need no options, as the recipe's header has them.

    On its default data, from the weights that its command names, first.
    """
    usual = default_dataset(CONFIGS / f'{recipe.name}.py')
    command = command_of(recipe)[0]
    return sorted(
        (record for record in records if 'options' not in record),
        key=lambda one: (one['dataset'] != usual, not starts(one, command)),
    )


def starts(record: Dict[str, Any], command: str) -> bool:
    """Whether a command starts from the weights of a record."""
    weights = record.get('weights')
    if isinstance(weights, dict):
        run = weights['recipe'].split('/')[-1]
        weights = f'work_dirs/{run}_{weights["dataset"]}'
    return weights in command if weights else '--weights' not in command


def command_of(recipe: Recipe) -> re.Match[str]:
    """The command in the header of a recipe."""
    text = text_of(recipe)
    command = re.search(r'^# Train: (?:.*\\\n)*.*\n', text, re.M)
    assert command, f'{recipe.name} has no command in its header'
    return command


def text_of(recipe: Recipe) -> str:
    """A recipe without what is published."""
    text = (CONFIGS / f'{recipe.name}.py').read_text()
    return re.sub(r'# Published: .*\n', '', text)


def entry_of(
    recipe: Recipe, collection: str, records: List[Dict[str, Any]]
) -> Dict[str, Any]:
    """A recipe with its unchanged value, on its own data if there is one."""
    plain = plain_records(recipe, records)
    first = plain[0]
    keys = 'dataset', 'table', 'weights'
    # Who reads a metafile takes plain metrics for measured ones.
    metrics = {
        f'{record.get("metric", "Top 1 Accuracy")} (published)': record[
            'value'
        ]
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


def words_of(record: Dict[str, Any]) -> str:
    """A published value, on what, and from what it was trained."""
    title = CATALOG[record['dataset']]['dataset_title']
    words = [f'{record["value"]:g}', record.get('metric', 'top-1')]
    words += ['on', title]
    origin = record.get('pretrained_on')
    if 'start' in record:
        words += ['from', record['start']]
        if origin == 'own':
            words += ['on the same images']
        elif origin in CATALOG:
            words += ['on', CATALOG[origin]['dataset_title']]
    elif origin:
        words += ['from', CATALOG[origin]['dataset_title']]
        words += ['with DRLoc'] * (record.get('method') == 'drloc')
    return ' '.join(words)


def with_header(recipe: Recipe, records: List[Dict[str, Any]]) -> str:
    """The text of a recipe, what is published renewed in its header."""
    text = text_of(recipe)
    line = '# Published:'
    # As many values as fit into the line.
    for words in map(words_of, plain_records(recipe, records)):
        if words not in line and len(f'{line} {words},') < 79:
            line += f' {words},'
    if line.endswith(':'):
        return text
    end = command_of(recipe).end()
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
    text = (
        '# Published values of the papers: none was reproduced here.\n'
        '# Written by tools/misc/write_cards.py.\n'
    )
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
