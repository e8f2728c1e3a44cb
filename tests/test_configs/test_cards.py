"""Metafiles, headers and READMEs are as records and recipes say."""

import os
import runpy
from collections import Counter

from modelindex.load_model_index import load
from recipe_configs import CONFIGS, RECORDS, ROOT, recipes

TOOL = ROOT / 'tools/misc/write_cards.py'


def test_they_are_up_to_date():
    for path, text in runpy.run_path(str(TOOL))['cards']().items():
        assert path.read_text() == text, f'run {TOOL}: {path}'


def test_openmmlab_reads_every_recipe_and_every_record():
    index = load(str(ROOT / 'model-index.yml'))
    index.build_models_with_collections()
    collections = {item.name for item in index.collections}
    found = Counter()
    for model in index.models:
        assert (ROOT / model.config).is_file()
        assert model.in_collection in collections
        for result in model.results:
            assert result.task and result.dataset
            found.update((model.name, v) for v in result.metrics.values())
    assert sorted(model.name for model in index.models) == recipes()
    assert found == Counter((r['recipe'], r['value']) for r in RECORDS)


def test_readmes_have_every_published_value():
    """In a row of its recipe, where there are rows."""
    for record in RECORDS:
        poster = record['source'] == 'IDMM poster'
        home = 'idmm' if poster else record['recipe'].split('/')[0]
        text = (CONFIGS / home / 'README.md').read_text()
        path = os.path.relpath(f'{record["recipe"]}.py', home)
        name = f'({path})', f'configs/{record["recipe"]}.py'
        rows = [
            row
            for row in text.splitlines()
            if row.startswith('|') and any(n in row for n in name)
        ]
        value = f'{record["value"]:g}'
        assert any(value in row for row in rows or [text]), record
