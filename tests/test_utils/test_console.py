"""What a run shows and what its log file has."""

import io
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import tiny_mae
import torch
from command_line import TOOLS, run
from mmengine.logging import MMLogger
from mmengine.optim import build_optim_wrapper
from mmseg.evaluation import IoUMetric
from tiny_run import write_config, write_twin

from mmdrloc.utils.console import known_warnings_ignored, quiet

NOISE = (
    'Hooks will be executed',
    'System environment',
    'Config:',
    'FileClient',
    'Epoch(train)',
    'Saving checkpoint',
)
VALIDATION = [
    f'{phase}_{part}'
    for phase in ('val', 'test')
    for part in ('dataloader', 'cfg', 'evaluator')
]


def test_a_run_says_what_concerns_the_user(tmp_path):
    twin = write_twin(tmp_path)
    outcome = run('train.py', twin, '--work-dir', 'work', cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stderr == ''
    assert not any(noise in outcome.stdout for noise in NOISE)
    assert '\x1b' not in outcome.stdout
    for said in (
        'tiny_drloc on ',
        '12 training images',
        'epoch 2/2, iteration 6/6: loss ',
        'top-1 accuracy',
        'Checkpoint: work/epoch_2.pth',
        f'Report: python {TOOLS}/report.py work --out work/report.html',
    ):
        assert said in outcome.stdout
    [log] = (tmp_path / 'work').glob('*/*.log')
    # Nothing is lost: the log has what is shown and what is not.
    text = log.read_text()
    for noise in NOISE:
        assert noise in text
    assert 'Name of parameter - Initialization information' in text


def typed(folder, command, *words):
    """Run a command as installed; what it says."""
    line = [Path(sys.executable).parent / command, *words]
    return subprocess.run(
        [*map(str, line)],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout


def test_what_a_command_names_next_can_be_typed(tmp_path):
    """It was called as installed, in a folder that is no checkout."""
    folder = 'my runs/first'
    line = ['mmdrloc', 'train', write_config(tmp_path), '--epochs', '1']
    said = typed(tmp_path, *line, '--work-dir', folder)
    assert ': 1 epoch, seed 0.' in said
    [after] = [x for x in said.splitlines() if x.startswith('Report: ')]
    words = shlex.split(after.removeprefix('Report: '))
    assert words[:3] == ['mmdrloc', 'report', folder]
    typed(tmp_path, *words)
    assert (tmp_path / folder / 'report.html').is_file()


def test_a_training_without_validation_is_started_from(tmp_path):
    """It has no metric to report: most pre-trainings are so."""
    nothing = [f'{key}=None' for key in VALIDATION]
    line = ['mmdrloc', 'train', write_config(tmp_path), '--work-dir', 'first']
    line += ['--epochs', '1', '--cfg-options', *nothing]
    for found in ('Start from it: ', 'mmdrloc train RECIPE'):  # finished
        said = typed(tmp_path, *line)
        [after] = [x for x in said.splitlines() if x.startswith(found)]
        words = shlex.split(after.removeprefix('Start from it: '))
        assert words == ['mmdrloc', 'train', 'RECIPE', '--weights', 'first']
    (tmp_path / 'next.py').write_text("_base_ = './tiny.py'\n")
    typed(tmp_path, 'mmdrloc', 'train', 'next.py', *words[3:], '--epochs', '1')


def test_a_pre_training_that_validates_is_started_from_too(tmp_path):
    """Its metric, the loss of a masked auto-encoder, is no outcome."""
    line = ['mmdrloc', 'train', tiny_mae.write_pretraining(tmp_path)]
    for found in ('Start from it: ', 'mmdrloc train RECIPE'):  # finished
        said = typed(tmp_path, *line, '--work-dir', 'first', '--epochs', '1')
        assert found in said and '--weights first' in said


@pytest.fixture
def logger(tmp_path):
    name = tmp_path.name  # instances are kept by name
    logger = MMLogger.get_instance(name, log_file=str(tmp_path / 'run.log'))
    quiet(logger)
    return logger


@pytest.mark.parametrize('place', ['site-packages', 'dist-packages'])
def test_the_console_has_less_than_the_log(logger, tmp_path, place):
    console = io.StringIO()
    logger.handlers[0].setStream(console)
    logger.warning('the learning rate is odd')
    logger.warning('"FileClient" will be deprecated in future')
    library = compile(
        "logger.info('chatter')", f'/{place}/mmdet/apis.py', 'exec'
    )
    exec(library, dict(logger=logger))
    assert console.getvalue() == 'warning: the learning rate is odd\n'
    text = (tmp_path / 'run.log').read_text()
    for said in ('odd', 'FileClient', 'chatter'):
        assert said in text


def test_parts_that_are_not_trained_are_no_news(logger):
    console = io.StringIO()
    logger.handlers[0].setStream(console)
    model = torch.nn.Linear(1, 1)
    model.weight.requires_grad_(False)
    paramwise = dict(bias_lr_mult=2)
    wrapper = dict(optimizer=dict(type='SGD', lr=1), paramwise_cfg=paramwise)
    build_optim_wrapper(model, wrapper)
    assert console.getvalue() == ''


def test_a_test_shows_the_iou_of_each_class(logger):
    console = io.StringIO()
    logger.handlers[0].setStream(console)
    quiet(logger, tables=True)
    metric = IoUMetric()
    metric.dataset_meta = dict(classes=('ant', 'bee'))
    labels = dict(data=torch.tensor([[[0, 1]]]))
    metric.process([], [dict(pred_sem_seg=labels, gt_sem_seg=labels)])
    metric.evaluate(1)
    for name in ('ant', 'bee'):
        assert f' {name} ' in console.getvalue()


def test_warnings_that_concern_the_user_stay(recwarn):
    with known_warnings_ignored():
        warnings.simplefilter('always', UserWarning, append=True)
        warnings.warn('old', DeprecationWarning, stacklevel=1)
        warnings.warn('no boxes in it', stacklevel=1)
    assert [str(one.message) for one in recwarn] == ['no boxes in it']
