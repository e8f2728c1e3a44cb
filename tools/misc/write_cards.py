"""Write ``configs/metafile.yml`` and the tables of ``docs/published.md``.

Both are made of ``configs/published.yml``.
"""

import argparse
from pathlib import Path
from typing import Any, Dict, List

import yaml

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.recipe_list import Recipe, default_dataset, recipes
from mmdrloc.reporting.published import load_published
from mmdrloc.reporting.tables import markdown

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / 'configs'
METAFILE = CONFIGS / 'metafile.yml'
PAGE = ROOT / 'docs/published.md'
# Collections of the sources that are not DRLoc's.
OTHERS = {'IDMM poster': 'idmm', 'arXiv:2402.03752': 'mae'}
# What is between these lines is written here.
FIRST = '<!-- The tables: written by tools/misc/write_cards.py. -->\n'
LAST = '<!-- The end of the tables. -->\n'


def plain_records(
    recipe: Recipe, records: List[Dict[str, Any]]
) -> List[Dict[str, Any]]:
    """Those that need no options.

    On its default data, from the weights that its header names, first.
    """
    path = CONFIGS / f'{recipe.name}.py'
    usual, command = default_dataset(path), path.read_text()
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


def metafile(published: Dict[str, Any]) -> str:
    """The text of the metafile: a line for each collection and recipe."""
    collections = published['collections']
    models = []
    for recipe in recipes():
        own = [r for r in published['records'] if r['recipe'] == recipe.name]
        if own:
            collection = collections[OTHERS.get(own[0]['source'], 'drloc')]
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


def training_of(row: Dict[str, Any]) -> str:
    """What a row trains: a link to its recipe, options and start."""
    text = f'[{row["recipe"]}](../configs/{row["recipe"]}.py){options_of(row)}'
    start = row.get('weights')
    while isinstance(start, dict):
        data = '' if start['dataset'] == 'same' else f' on {start["dataset"]}'
        text += f', from {start["recipe"].split("/")[-1]}{data}'
        text += options_of(start)
        start = start.get('weights')
    return text + (f', from {start}' if start else '')


def options_of(run: Dict[str, Any]) -> str:
    """Options of a training, with the last part of their names."""
    options = run.get('options', {}).items()
    words = ', '.join(f'{key.split(".")[-1]}={v}' for key, v in options)
    return f' ({words})' if words else ''


def cells_of(row: Dict[str, Any]) -> List[str]:
    """Values of a row with their deviation and gain."""
    spread = f' ± {row["std"]}' if 'std' in row else ''
    gains = [f' ({gain:+})' for gain in row.get('gains', [])]
    gains = gains or [''] * len(row['values'])
    return [f'{v}{spread}{gain}' for v, gain in zip(row['values'], gains)]


def tables(published: Dict[str, Any]) -> str:
    """All tables in Markdown."""
    text = ''
    for table in published['tables']:
        source, name = table['source'], table['table']
        if len(name) > 3:  # the tables of the poster have no numbers
            text += f'## {source}: {name}\n\n'
        else:
            text += f'## Table {name}: {table["title"]}\n\n'
            text += f'{source.capitalize()}.\n\n'
        columns = [
            f'{CATALOG[name]["dataset_title"]} `{name}`'
            for name in table['datasets']
        ]
        columns = table.get('metrics', columns)
        rows = [[training_of(row), *cells_of(row)] for row in table['rows']]
        text += markdown(['', *columns], rows) + '\n\n'
    return text


def page(text: str, published: Dict[str, Any]) -> str:
    """The page with new tables."""
    before, _, rest = text.partition(FIRST)
    _, _, after = rest.partition(LAST)
    return before + FIRST + '\n' + tables(published) + LAST + after


def main() -> None:
    """Write both."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    published = load_published(CONFIGS / 'published.yml')
    METAFILE.write_text(metafile(published))
    PAGE.write_text(page(PAGE.read_text(), published))
    print(f'{METAFILE} and {PAGE} are written')


if __name__ == '__main__':
    main()
