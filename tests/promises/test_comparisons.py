"""Promise 7: comparisons are paired by seed; reports say what was run."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from mmengine.config import Config
from scipy import stats

from mmdrloc.utils.config_walk import at

ACCURACIES = dict(plain=[80.0, 70.0, 75.0], twin=[83.0, 71.0, 77.0])


def numbers_of(row):
    return [float(n) for n in re.findall(r'-?\d+\.\d+', row)]


@pytest.fixture
def records(folder, run):
    """Three seeds of two recipes, whose accuracies are known."""
    result = json.loads((run / 'result.json').read_text())
    for name, accuracies in ACCURACIES.items():
        for seed, accuracy in enumerate(accuracies):
            place = folder / f'runs/{name}_{seed}'
            shutil.copytree(run, place)
            said = json.loads(json.dumps(result))
            said['config'] = dict(name=name, path=f'{name}.py')
            said['seed'] = seed
            said['command'] = f'tools/train.py {name}.py --seed {seed}'
            baseline = None if name == 'plain' else 'plain'
            said['run'].update(recipe=name, baseline=baseline)
            [metric] = said['last']
            for entry in (said['last'], said['best']):
                entry[metric]['value'] = accuracy
            said['validations'][-1]['metrics'][metric] = accuracy
            (place / 'result.json').write_text(json.dumps(said))
    return folder / 'runs'


def test_paired_by_seed_with_an_interval(tool, folder, records):
    runs = sorted(records.iterdir())
    line = ('--out', 'a.md', '--baseline', 'plain')
    tool('report.py', *runs, *line).succeeds()
    page = (folder / 'a.md').read_text()
    differences = [
        twin - plain
        for plain, twin in zip(ACCURACIES['plain'], ACCURACIES['twin'])
    ]
    interval = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    expected = [2.0, interval.low, interval.high]
    rows = [numbers_of(line) for line in page.splitlines() if 'gain' in line]
    assert any(
        all(round(number, 2) in row for number in expected) for row in rows
    ), page


def test_a_report_says_what_was_run(tool, folder, run):
    tool('report.py', run, '--out', 'a.md').succeeds()
    tool('report.py', run, '--out', 'a.html').succeeds()
    result = json.loads((run / 'result.json').read_text())
    for name in ('a.md', 'a.html'):
        page = (folder / name).read_text()
        assert 'mmdrloc train' in page and 'classifier_drloc.py' in page
        [metric] = result['last']
        value = result['last'][metric]['value']
        assert f'{value:.2f}' in page or f'{value:.1f}' in page
    # It opens offline: nothing in it is elsewhere.
    assert not re.search(r'src="(?!data:)', (folder / 'a.html').read_text())


def test_the_record_of_a_run(run):
    """Other programs read it; its keys are a contract."""
    result = json.loads((run / 'result.json').read_text())
    keys = 'config seed git_revision versions dataset updates global_batch '
    keys += 'last best images_per_s wall_time_s finished command validations'
    assert {*keys.split()} <= result.keys()
    assert result['finished'] is True and result['seed'] == 0
    assert result['updates']['done'] == 3 and result['global_batch'] == 4
    assert '/insects' not in result['command']


@pytest.mark.slow
def test_a_comparison_is_made_once(tool, folder):
    """It is refused before it trains, and trained runs are kept."""
    line = ['compare.py', 'classifier.py', '--baseline', 'classifier_drloc.py']
    line += ['--seeds', '0', '--work-dir', 'pairs']
    wrong = ['--cfg-options', 'train_dataloader.dataset.data_root=nowhere']
    tool(*line, *wrong).refuses('nowhere')
    assert not (folder / 'pairs').exists()
    tool(*line, patience=500).succeeds()
    page = (folder / 'pairs/report.md').read_text()
    for name in ('classifier', 'classifier_drloc'):
        path = folder / f'pairs/{name}_seed0/result.json'
        result = json.loads(path.read_text())
        assert result['finished']
        assert Path(result['run']['recipe']).name == name
        assert name in page
    runs = [*folder.glob('pairs/*_seed0/*.*')]
    before = {path: path.read_bytes() for path in runs}
    assert 'done before' in tool(*line).succeeds()
    assert before == {path: path.read_bytes() for path in runs}
    other = ['--cfg-options', 'optim_wrapper.optimizer.lr=0.5']
    tool(*line, *other).refuses('lr 0.01, not 0.5', '--work-dir')


@pytest.mark.slow
def test_what_was_checked_is_trained(folder, shell, tools):
    """Also options that a command line could not write."""
    options = {
        'model.train_cfg.augments': [{'type': 'Mixup', 'alpha': 0.8}],
        'env_cfg.custom_note': 'my cats, dogs',
        'env_cfg.custom_number': '1',
        'env_cfg.custom_nothing': {},
    }
    weight = 'model.auxiliary_head.loss.loss_weight'
    rate = 'optim_wrapper.paramwise_cfg.custom_keys.auxiliary_head.lr_mult'
    of_the_loss = {weight: 0.25, rate: 2.0}
    call = (
        'from mmdrloc.apis import compare\n'
        "compare('classifier_drloc.py', [3], work_dir='pairs', "
        f'options={options | of_the_loss})'
    )
    outcome = shell('-c', call)
    assert outcome.returncode == 0, outcome.stdout
    for name in ('classifier', 'classifier_drloc'):
        cfg = Config.fromfile(f'pairs/{name}_seed3/{name}.py')
        for key, value in of_the_loss.items():
            assert at(cfg, key) == (value if 'drloc' in name else None)
        for key, value in options.items():
            assert at(cfg, key) == value, key
        result = json.loads(
            Path(f'pairs/{name}_seed3/result.json').read_text()
        )
        assert result['seed'] == 3
        assert Path(result['run']['recipe']).name == name
        assert result['config']['name'] == name
        first = result['run']['options'][0]
        assert first.startswith('model.train_cfg.augments=')
        # The command that is named does the same.
        words = shlex.split(result['command'])
        assert words[:2] == ['mmdrloc', 'train']
    outcome = shell(tools / 'train.py', *words[2:])
    assert 'finished' in outcome.stdout


@pytest.mark.slow
def test_the_second_head_of_a_segmentor(folder, shell):
    """An option of it is for both arms; one of the loss for one of them."""
    text = (folder / 'segmentor_drloc.py').read_text()
    (folder / 'two_drloc.py').write_text(text.replace('segmentor', 'two'))
    (folder / 'two.py').write_text(
        "_base_ = './segmentor.py'\n"
        'model = dict(auxiliary_head={{_base_.model.decode_head}})'
    )
    options = {
        'model.auxiliary_head.dropout_ratio': 0.2,
        'model.drloc_head.loss.loss_weight': 0.3,
    }
    call = (
        'from mmdrloc.apis import compare\n'
        "found = compare('two_drloc.py', [0], work_dir='pairs', "
        f'options={options})\n'
        'print(found)'
    )
    outcome = shell('-c', call)
    assert outcome.returncode == 0, outcome.stdout
    for name in ('two', 'two_drloc'):
        cfg = Config.fromfile(f'pairs/{name}_seed0/{name}.py')
        for key, value in options.items():
            is_there = 'drloc_head' not in key or 'drloc' in name
            assert at(cfg, key) == (value if is_there else None), key
    assert 'two_drloc against two' in outcome.stdout
