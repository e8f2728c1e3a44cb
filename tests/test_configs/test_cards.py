"""READMEs, metafiles and headers are as records and recipes say."""

import runpy
import sys
from collections import Counter

import pytest
import yaml
from recipe_configs import CONFIGS, PUBLISHED, RECORDS, ROOT, recipes

TOOL = ROOT / 'tools/misc/write_cards.py'


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.setattr(sys, 'argv', [str(TOOL), '--check'])
    return runpy.run_path(str(TOOL))


def test_they_are_up_to_date(tool, capsys):
    tool['main']()
    assert 'are up to date' in capsys.readouterr().out


def test_what_is_not_is_found(tool, monkeypatch):
    file = CONFIGS / 'idmm/metafile.yml'
    wrong = {**tool['cards'](), file: ''}
    monkeypatch.setitem(tool['main'].__globals__, 'cards', lambda: wrong)
    with pytest.raises(SystemExit, match='idmm/metafile.yml'):
        tool['main']()


def test_metafiles_have_every_recipe_and_every_record():
    index = yaml.safe_load((ROOT / 'model-index.yml').read_text())
    models = [
        model
        for file in index['Import']
        for model in yaml.safe_load((ROOT / file).read_text())['Models']
    ]
    assert sorted(model['Name'] for model in models) == recipes()
    found = Counter(
        (model['Name'], cell['Table'], cell['Value'])
        for model in models
        for result in model['Results']
        for cell in result.get('Published', ())
    )
    assert found == Counter(
        (record['recipe'], record['table'], record['value'])
        for record in RECORDS
    )


def test_every_note_concerns_a_record(tool):
    for entry in PUBLISHED['inconsistencies']:
        assert any(tool['concerns'](entry['where'], r) for r in RECORDS), entry
