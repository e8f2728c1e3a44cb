"""Write ``configs/metafile.yml`` from ``configs/published.yml``."""

import argparse
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


def main() -> None:
    """Write the metafile."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    text = metafile(load_published(CONFIGS / 'published.yml'))
    METAFILE.write_text(text)
    print(f'{METAFILE} is written')


if __name__ == '__main__':
    main()
