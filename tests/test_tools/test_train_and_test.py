"""The command lines, as a user meets them."""

import json
import pickle

import pytest
import torch
from command_line import assert_refused, run
from mmengine.config import Config
from tiny_run import write_config


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


@pytest.mark.slow
def test_train_resume_test(config, tmp_path):
    outcome = run('train.py', config, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    work_dir = tmp_path / 'work_dirs/tiny'
    first = json.loads((work_dir / 'result.json').read_text())
    assert first['finished'] and first['updates']['done'] == 6

    assert_refused(run('train.py', config, cwd=tmp_path), 'holds a run')
    outcome = run('train.py', config, '--resume', cwd=tmp_path)
    assert outcome.returncode == 0
    assert 'finished already' in outcome.stdout
    assert json.loads((work_dir / 'result.json').read_text()) == first

    outcome = run(
        'train.py',
        config,
        '--resume',
        '--cfg-options',
        'train_cfg.max_epochs=3',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    text = (work_dir / 'result.json').read_text()
    assert len(json.loads(text)['validations']) == 3

    outcome = run(
        'train.py',
        config,
        '--resume',
        work_dir,
        '--cfg-options',
        'train_cfg.max_epochs=3',
        'optim_wrapper.optimizer.lr=1',
        cwd=tmp_path,
    )
    assert_refused(
        outcome,
        'begun with other settings',
        'optimizer.lr: then 0.1, now 1',
    )

    outcome = run(
        'test.py',
        config,
        work_dir / 'epoch_3.pth',
        '--out',
        'out.pkl',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert 'accuracy/top1' in outcome.stdout + outcome.stderr
    predictions = pickle.loads((tmp_path / 'out.pkl').read_bytes())
    assert len(predictions) == 12
    assert (work_dir / 'result.json').read_text() == text


@pytest.mark.slow
def test_starting_anew_costs_nothing_until_it_can(config, tmp_path):
    work_dir = tmp_path / 'work_dirs/tiny'
    work_dir.mkdir(parents=True)
    (work_dir / 'epoch_7.pth').touch()
    line = ('train.py', config, '--overwrite', '--cfg-options')
    outcome = run(*line, 'model.head.num_classes=7', cwd=tmp_path)
    assert_refused(outcome, 'num_classes=7')
    assert (work_dir / 'epoch_7.pth').exists()
    outcome = run(*line, 'train_cfg.max_epochs=1', cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert [p.name for p in work_dir.glob('*.pth')] == ['epoch_1.pth']


def test_several_faults_in_one_message(config, tmp_path):
    outcome = run(
        'train.py',
        config,
        '--cfg-options',
        'train_dataloader.dataset.data_root=nowhere',
        'model.backbone.init_cfg.type=Pretrained',
        'model.backbone.init_cfg.checkpoint=none.pth',
        cwd=tmp_path,
    )
    assert_refused(outcome, '2 things', 'nowhere/train', 'none.pth')


def test_data_that_are_not_read_beforehand(config, tmp_path):
    # Not among the first ones, which are tried in any case.
    last = sorted((tmp_path / 'data/train').glob('*/*.png'))[-1]
    last.write_bytes(b'broken')
    outcome = run('train.py', config, '--check', cwd=tmp_path)
    assert_refused(outcome, f'{last.parent.name}/{last.name} is damaged')
    outcome = run(
        'train.py', config, '--check', '--skip-data-check', cwd=tmp_path
    )
    assert outcome.returncode == 0, outcome.stderr
    assert 'Checked' in outcome.stdout


def test_num_classes_that_do_not_fit(config, tmp_path):
    outcome = run(
        'train.py',
        config,
        '--cfg-options',
        'model.head.num_classes=7',
        cwd=tmp_path,
    )
    assert_refused(outcome, 'model.head has num_classes=7', 'has 3 classes')


def test_folders_that_do_not_fit_the_classes(config, tmp_path):
    outcome = run(
        'train.py',
        config,
        '--cfg-options',
        'train_dataloader.dataset.metainfo.classes=[a,b]',
        cwd=tmp_path,
    )
    assert_refused(outcome, 'the data set (CustomDataset) cannot be built')


def test_nothing_to_resume(config, tmp_path):
    outcome = run('train.py', config, '--resume', cwd=tmp_path)
    assert_refused(outcome, 'nothing to resume in work_dirs/tiny')


@pytest.mark.parametrize(
    'line,words',
    [
        (['none.pth'], 'there is no checkpoint none.pth'),
        (['hostile.pth'], 'repeat with --trust'),
        (['fine.pth', '--tta'], '--tta needs `tta_model`'),
    ],
)
def test_test_with_bad_input(config, tmp_path, line, words):
    torch.save(dict(run=print), tmp_path / 'hostile.pth')
    torch.save(dict(state_dict={'a': torch.ones(1)}), tmp_path / 'fine.pth')
    assert_refused(run('test.py', config, *line, cwd=tmp_path), words)


@pytest.mark.parametrize('tool', ['train.py', 'test.py', 'transfer.py'])
def test_help(tool, tmp_path):
    outcome = run(tool, '--help', cwd=tmp_path)
    assert outcome.returncode == 0 and 'examples:' in outcome.stdout


@pytest.mark.slow
def test_two_processes(config, tmp_path):
    outcome = run(
        'dist_train.sh',
        config,
        2,
        '--cfg-options',
        'train_cfg.max_epochs=1',
        cwd=tmp_path,
        command=['bash'],
    )
    assert outcome.returncode == 0, outcome.stderr
    result = json.loads((tmp_path / 'work_dirs/tiny/result.json').read_text())
    assert result['global_batch'] == 8
    checkpoint = 'work_dirs/tiny/epoch_1.pth'
    outcome = run(
        'dist_test.sh', config, checkpoint, 2, cwd=tmp_path, command=['bash']
    )
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.slow
def test_two_processes_report_a_fault_once(config, tmp_path):
    outcome = run(
        'dist_train.sh',
        config,
        2,
        '--cfg-options',
        'model.head.num_classes=7',
        cwd=tmp_path,
        command=['bash'],
    )
    assert outcome.returncode == 1
    assert outcome.stderr.count('error: model.head has num_classes=7') == 1


@pytest.mark.slow
def test_tta_of_a_classifier(config, tmp_path):
    cfg = Config.fromfile(config)
    transforms = [
        [dict(type='RandomFlip', prob=p) for p in (0.0, 1.0)],
        [dict(type='PackInputs')],
    ]
    cfg.tta_model = dict(type='AverageClsScoreTTA')
    cfg.tta_pipeline = [
        dict(type='LoadImageFromFile'),
        dict(type='TestTimeAug', transforms=transforms),
    ]
    cfg.dump(tmp_path / 'tta.py')
    assert run('train.py', config, cwd=tmp_path).returncode == 0
    outcome = run(
        'test.py',
        'tta.py',
        'work_dirs/tiny/epoch_2.pth',
        '--tta',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr


def test_check_trains_nothing(config, tmp_path):
    outcome = run('train.py', config, '--check', cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert 'this training can begin' in outcome.stdout
    assert 'Updates: 3 an epoch, 6 in all' in outcome.stdout
    work_dir = tmp_path / 'work_dirs/tiny'
    assert not list(work_dir.glob('*.pth'))
    assert not (work_dir / 'result.json').exists()


def test_a_training_that_diverges(config, tmp_path):
    outcome = run(
        'train.py',
        config,
        '--cfg-options',
        'optim_wrapper.optimizer.lr=1e30',
        cwd=tmp_path,
    )
    assert_refused(outcome, 'not finite in iteration 2 of 6: loss', '.png')
    work_dir = tmp_path / 'work_dirs/tiny'
    assert not list(work_dir.glob('*.pth'))
    assert not (work_dir / 'last_checkpoint').exists()
    result = json.loads((work_dir / 'result.json').read_text())
    assert not result['finished'] and result['stopped']['iteration'] == 2
