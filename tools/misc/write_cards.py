"""Write ``configs/metafile.yml`` from ``configs/published.yml``.

It has the recipes of which something is published.
"""

import argparse
from pathlib import Path
from typing import Any, Dict, List

import yaml

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.recipe_list import Recipe, default_dataset, recipes
from mmdrloc.reporting.published import load_published

CONFIGS = Path(__file__).resolve().parents[2] / 'configs'
METAFILE = CONFIGS / 'metafile.yml'


def results_of(recipe: Recipe, records: List[Dict[str, Any]]) -> str:
    """The value of a recipe as it stands, on its own data if there is one."""
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
    line = yaml.dump(
        [result], default_flow_style=True, width=10**6, sort_keys=False
    )
    return f'  Results: {line}'


def metafile() -> str:
    """The text of the metafile."""
    published = load_published(CONFIGS / 'published.yml')
    collections = published['collections']
    text = yaml.dump(
        dict(Collections=[*collections.values()]), sort_keys=False
    )
    text += 'Models:\n'
    for recipe in recipes():
        own = [r for r in published['records'] if r['recipe'] == recipe.name]
        if not own:
            continue
        folder = recipe.name.split('/')[0]
        collection = collections.get(folder, collections['drloc'])
        text += f'- Name: {recipe.name}\n'
        text += f'  In Collection: {collection["Name"]}\n'
        text += f'  Config: configs/{recipe.name}.py\n'
        text += results_of(recipe, own)
    return text


def main() -> None:
    """Write the file if it differs."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    text = metafile()
    if not METAFILE.is_file() or METAFILE.read_text() != text:
        METAFILE.write_text(text)
        print(f'{METAFILE} is written')


if __name__ == '__main__':
    main()
