"""READMEs and metafiles: as written, complete, and their commands hold."""

import re
import runpy
import shlex
import sys
from collections import Counter

import pytest
import yaml
from recipe_configs import CONFIGS, PUBLISHED, RECORDS, ROOT, recipes, resolve

TOOL = ROOT / 'tools/misc/write_cards.py'
FOLDERS = sorted({recipe.split('/')[0] for recipe in recipes()})
METAFILES = {
    folder: yaml.safe_load((CONFIGS / folder / 'metafile.yml').read_text())
    for folder in FOLDERS
}
ENTRIES = {
    entry['Name']: entry
    for metafile in METAFILES.values()
    for entry in metafile['Models']
}
TABLES = ('scratch_100e', 'scratch_300e', 'finetune_100e', 'idmm')


def readme(folder):
    return (CONFIGS / folder / 'README.md').read_text()


@pytest.fixture
def tool():
    return runpy.run_path(str(TOOL))


def test_they_are_up_to_date(tool, monkeypatch, capsys):
    monkeypatch.setattr(sys, 'argv', [str(TOOL), '--check'])
    tool['main']()
    assert 'are up to date' in capsys.readouterr().out


def test_what_is_not_is_found(tool, monkeypatch):
    wrong = dict(tool['cards'](), **{'configs/idmm/metafile.yml': ''})
    monkeypatch.setitem(tool['main'].__globals__, 'cards', lambda: wrong)
    monkeypatch.setattr(sys, 'argv', [str(TOOL), '--check'])
    with pytest.raises(SystemExit, match='1 files are not .* configs/idmm/me'):
        tool['main']()


def test_only_what_is_between_the_marks_is_written(tool, monkeypatch):
    begin, end = tool['BEGIN'], tool['END']
    text = readme('scratch_300e')
    before, after = text.split(begin)[0], text.split(end)[1]
    assert tool['readme_of']('scratch_300e').startswith(before + begin)
    assert tool['readme_of']('scratch_300e').endswith(end + after)
    assert tool['readme_of']('quickstart') == readme('quickstart')


def test_a_header_without_measured_is_refused(tool, monkeypatch, tmp_path):
    globals_ = tool['header_of'].__wrapped__.__globals__
    monkeypatch.setitem(globals_, 'ROOT', tmp_path)
    configs = tmp_path / 'configs'
    configs.mkdir()
    (configs / 'net.py').write_text('# A net.\n#\n# Train: x\na = 1\n')
    with pytest.raises(Exception, match='net.py has no header'):
        tool['header_of']('net')
    (configs / 'old.py').write_text(
        '# A net\n# of two lines.\n#\n# Measured: 3 %\n#     so.\n# Note: x.\n'
    )
    assert tool['header_of']('old') == ('A net of two lines.', '3 % so')


# ---- metafiles -------------------------------------------------------------


def test_every_recipe_has_an_entry():
    assert sorted(ENTRIES) == recipes()
    for name, entry in ENTRIES.items():
        assert entry['Config'] == f'configs/{name}.py'
    imported = yaml.safe_load((ROOT / 'model-index.yml').read_text())['Import']
    assert imported == [f'configs/{folder}/metafile.yml' for folder in FOLDERS]
    collections = Counter(
        collection['Name']
        for metafile in METAFILES.values()
        for collection in metafile.get('Collections', [])
    )
    assert set(collections.values()) == {1}
    used = {entry['In Collection'] for entry in ENTRIES.values()}
    assert used == set(collections)


def test_every_record_is_a_result():
    def claims():
        for name, entry in ENTRIES.items():
            for result in entry['Results']:
                for cell in result.get('Published', []):
                    cell = {key.lower(): item for key, item in cell.items()}
                    yield repr((name, result['Dataset'], sorted(cell.items())))

    keys = 'source table metric value delta std seeds weights options'.split()
    expected = []
    for record in RECORDS:
        cell = {key: record[key] for key in keys if key in record}
        title = resolve(record['recipe'], record['dataset']).dataset_title
        expected.append(repr((record['recipe'], title, sorted(cell.items()))))
    assert Counter(claims()) == Counter(expected)


def test_tasks_are_those_of_the_configs():
    for name, entry in ENTRIES.items():
        [task] = {result['Task'] for result in entry['Results']}
        cfg = resolve(name)
        measures = 'Accuracy' in repr(cfg.get('val_evaluator'))
        unlabelled = cfg.task == 'classification' and not measures
        assert (task == 'Self-Supervised Learning') == unlabelled, name


# ---- READMEs ---------------------------------------------------------------


@pytest.mark.parametrize('folder', [*TABLES, 'official'])
def test_every_recipe_is_linked(folder):
    linked = re.findall(r'\(([^()]+)\.py\)', readme(folder))
    names = {name.removeprefix(f'{folder}/') for name in recipes()}
    here = {n for n in names if f'{folder}/{n}' in recipes()}
    assert here <= set(linked)


def rows():
    """(arguments of train.py, published value) of every cell."""
    for folder in TABLES:
        heads = []
        for line in readme(folder).splitlines():
            cells = [cell.strip() for cell in line.strip('|').split('|')]
            if cells[1:2] == ['`python tools/train.py`']:
                heads = [head.split('`')[1] for head in cells[2:]]
            elif heads and line.startswith('| ['):
                for name, value in zip(heads, cells[2:], strict=True):
                    command = cells[1].strip('`').replace('NAME', name)
                    if value:
                        yield shlex.split(command), float(value.split()[0])
            elif not line.startswith('|'):
                heads = []


def test_every_number_has_its_command():
    """Of the records that have tables there, and of no other ones."""
    found = Counter()
    for words, value in rows():
        recipe, options = words[0], words[1:]
        known = dict(zip(options[::2], options[1::2], strict=True))
        weights = known.get('--weights', '')
        found[recipe, known['--dataset'], weights, value] += 1
    expected = Counter()
    for record in RECORDS:
        if 'model' in record:
            weights = record.get('weights', '')
            if isinstance(weights, dict):
                name = weights['recipe'].split('/')[-1]
                weights = f'work_dirs/{name}_{weights["dataset"]}'
            recipe = f'configs/{record["recipe"]}.py'
            expected[recipe, record['dataset'], weights, record['value']] += 1
    assert found == expected


def test_no_note_is_lost():
    text = ''.join(map(readme, TABLES))
    for entry in PUBLISHED['inconsistencies']:
        assert f'- {entry["id"]}: ' in text
