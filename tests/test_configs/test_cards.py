"""Metafile, headers and READMEs are as records and recipes say."""

import os
import re

from modelindex.load_model_index import load
from recipe_configs import CONFIGS, RECORDS, ROOT, recipes


def test_the_command_of_a_header_is_of_its_recipe():
    for name in recipes():
        text = (CONFIGS / f'{name}.py').read_text()
        for command in re.findall(r'^# Train: (.*)$', text, re.M):
            assert name in command or command.endswith('\\'), name


def test_openmmlab_reads_what_is_published():
    index = load(str(ROOT / 'model-index.yml'))
    index.build_models_with_collections()
    collections = {item.name for item in index.collections}
    known = {(r['recipe'], r['value']) for r in RECORDS}
    for model in index.models:
        assert (ROOT / model.config).is_file()
        assert model.in_collection in collections
        assert model.results
        for result in model.results:
            assert result.task and result.dataset and result.metrics
            assert {(model.name, v) for v in result.metrics.values()} <= known
    names = [model.name for model in index.models]
    assert names == sorted({record['recipe'] for record in RECORDS})


def test_readmes_have_every_published_value():
    """In a row of its recipe, where there are rows."""
    for record in RECORDS:
        home = record['recipe'].split('/')[0]
        if record['source'] == 'IDMM poster':
            home = 'idmm'
        elif not (CONFIGS / home / 'README.md').is_file():
            home = 'scratch_100e'
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
