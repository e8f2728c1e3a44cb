"""Wrong input to the command lines: one sentence, and nothing is lost.

Each case is the least that once ended in a traceback, in silence or in the
loss of a file. ``docs/robustness.md`` has the table of all that is tried.
"""

import json
import os
import shutil

import pytest
import torch
from in_process import main, refusal
from tiny_run import write_config

from mmdrloc.reporting.runs import load_runs

RUN = 'work_dirs/tiny'
LAST = f'{RUN}/epoch_1.pth'
EXAMPLE = 'example.py'  # what a case writes
CHANGED = 'changed.pth'
LONGER = ('--cfg-options', 'train_cfg.max_epochs=2')


@pytest.fixture(scope='module')
def trained(tmp_path_factory):
    """Data, a config, and what a training of one epoch left."""
    folder = tmp_path_factory.mktemp('trained')
    config = write_config(folder)
    text = config.read_text().replace(str(folder / 'data'), 'data')
    config.write_text(text.replace('max_epochs=2', 'max_epochs=1'))
    with pytest.MonkeyPatch.context() as monkeypatch:
        main('train.py', 'tiny.py', monkeypatch=monkeypatch, cwd=folder)
    return folder


@pytest.fixture
def folder(trained, tmp_path):
    shutil.copytree(trained, tmp_path, dirs_exist_ok=True)
    return tmp_path


def config(text):
    return lambda folder: (folder / EXAMPLE).write_text(text)


def checkpoint(change):
    """Write a checkpoint in which something is another."""

    def write(folder):
        content = torch.load(folder / LAST, weights_only=False)
        change(content)
        torch.save(content, folder / CHANGED)

    return write


def group(**values):
    def change(content):
        content['optimizer']['param_groups'][0].update(values)

    return checkpoint(change)


def meta(**values):
    return checkpoint(lambda content: content['meta'].update(values))


def without_momentum(content):
    del content['optimizer']['param_groups'][0]['momentum']


def without_weights(content):
    for tensor in content['state_dict'].values():
        tensor.zero_()


def classes_in_another_order(content):
    content['meta']['dataset_meta']['classes'] = ('class2', 'class0', 'class1')


def record(change):
    def write(folder):
        path = folder / RUN / 'result.json'
        result = json.loads(path.read_text())
        change(result)
        path.write_text(json.dumps(result))

    return write


def nothing(folder):
    pass


def resume(*more):
    return 'train.py', 'tiny.py', '--resume', CHANGED, '--work-dir', 'w', *more


def carry(*more):
    return 'transfer.py', LAST, 'out.pth', *more


def report(*more):
    return 'report.py', RUN, '--out', *more


CASES = {
    # A config is a program, and may end it.
    'exit': (
        ('train.py', EXAMPLE),
        config("_base_ = 'tiny.py'\nexit(0)"),
        'SystemExit',
    ),
    'work folder is a file': (
        ('test.py', 'tiny.py', LAST, '--work-dir', 'tiny.py'),
        nothing,
        'File exists',
    ),
    'nothing to measure': (
        ('train.py', EXAMPLE, '--check'),
        config("_base_ = 'tiny.py'\nval_evaluator = dict(topk=[])"),
        'val_evaluator.topk is empty',
    ),
    'nothing to draw with': (
        (
            'analysis_tools/draw.py',
            'predictions',
            'tiny.py',
            LAST,
            '--out',
            'a.png',
        ),
        nothing,
        "no attribute 'visualizer'",
    ),
    'gradients of another method': (
        (
            'analysis_tools/draw.py',
            'row-gradients',
            'tiny.py',
            LAST,
            '--trust',
            '--out',
            'a.png',
        ),
        nothing,
        'tiny.py is no IDMM',
    ),
    # Passed in silence: a checkpoint that says what cannot be.
    'past the end': (
        resume(*LONGER),
        meta(epoch=9, iter=27),
        'has done epoch 9, and the config ends with 2',
    ),
    'iteration is true': (resume(*LONGER), meta(iter=True), 'the iter'),
    'seed is a text': (resume(*LONGER), meta(seed='a'), 'the seed'),
    'negative rate': (resume(*LONGER), group(lr=-1.0), 'the lr'),
    'rate is a text': (resume(*LONGER), group(lr='a'), 'the lr'),
    'no momentum': (
        resume(*LONGER),
        checkpoint(without_momentum),
        'no momentum',
    ),
    'zeros': (
        ('test.py', 'tiny.py', CHANGED, '--work-dir', 'w'),
        checkpoint(without_weights),
        'zeros alone',
    ),
    'order of the classes': (
        ('test.py', 'tiny.py', CHANGED, '--work-dir', 'w'),
        checkpoint(classes_in_another_order),
        'in another order',
    ),
    # Ended in a wall, some of them after the work was done.
    'predictions into a folder': (
        ('test.py', 'tiny.py', LAST, '--out', 'a.pkl'),
        lambda folder: (folder / 'a.pkl').mkdir(),
        'Is a directory',
    ),
    'predictions over the checkpoint': (
        ('test.py', 'tiny.py', 'a.pkl', '--out', 'a.pkl'),
        lambda folder: shutil.copy(folder / LAST, folder / 'a.pkl'),
        'the checkpoint itself',
    ),
    'carried into a folder': (
        ('transfer.py', LAST, 'data.pth'),
        lambda folder: (folder / 'data.pth').mkdir(),
        'Is a directory',
    ),
    'carried over a config': (
        ('transfer.py', LAST, 'tiny.py'),
        nothing,
        'must end with .pth',
    ),
    'audit over the checkpoint': (
        carry('--audit-json', LAST),
        nothing,
        'is a checkpoint',
    ),
    'carried for no network': (
        carry('--config', EXAMPLE),
        config('a = 1'),
        'has no `model`',
    ),
    'carried for an unknown network': (
        carry('--config', EXAMPLE),
        config("model = dict(backbone=dict(type='Nope'))"),
        'cannot be built: KeyError',
    ),
    'carried for a number': (
        carry('--config', EXAMPLE),
        config('model = dict(backbone=3)'),
        'has no backbone',
    ),
    'carried without a backbone': (
        ('transfer.py', 'head.pth', 'out.pth', '--origin', 'openmmlab'),
        lambda folder: torch.save(
            {'head.fc.weight': torch.ones(2)}, folder / 'head.pth'
        ),
        'no tensor of a backbone',
    ),
    'report into a folder': (
        report('data.md'),
        lambda folder: (folder / 'data.md').mkdir(),
        'Is a directory',
    ),
    'report over a record': (
        report(f'{RUN}/result.json'),
        nothing,
        'is the record of one run',
    ),
    'report of no kind': (
        report('report.txt'),
        nothing,
        'ends with .md or .html',
    ),
    'half a letter': (
        report('a.html'),
        record(lambda result: result['config'].update(name='\ud800')),
        'config.name is not a text',
    ),
    'half a letter as a title': (
        report('a.html', '--title', '\ud800'),
        nothing,
        'is no text',
    ),
    'published over the config': (
        ('publish.py', 'tiny.py', LAST, 'tiny.py'),
        nothing,
        'is there already: give another folder',
    ),
    'published over the run': (
        ('publish.py', 'tiny.py', LAST, RUN),
        nothing,
        'is there already: give another folder',
    ),
    'published without a network': (
        ('publish.py', EXAMPLE, LAST, 'out'),
        config('a = 1'),
        'has no `model`',
    ),
}


@pytest.mark.parametrize('name', CASES)
def test_one_sentence_and_nothing_lost(name, folder, monkeypatch):
    line, prepare, words = CASES[name]
    prepare(folder)
    before = contents(folder)
    message = refusal(*line, monkeypatch=monkeypatch, cwd=folder)
    assert words in message
    after = contents(folder)
    assert before.items() <= after.items()


def contents(folder):
    """All files and what is in them; a lock tells whose it is."""
    return {
        path: path.read_bytes()
        for path in folder.rglob('*')
        if path.is_file() and path.name != '.lock'
    }


@pytest.mark.parametrize(
    'values,words',
    [
        (dict(RANK='', WORLD_SIZE=''), 'needs RANK, WORLD_SIZE'),
        (dict(RANK='a'), 'RANK=a in the environment is no number'),
        (dict(RANK='2'), 'RANK=2 in the environment is none of 2 processes'),
        (dict(WORLD_SIZE='-1'), 'WORLD_SIZE=-1'),
        (dict(MASTER_PORT='x'), 'MASTER_PORT=x'),
    ],
)
def test_environment_of_no_launcher(folder, monkeypatch, values, words):
    usual = dict(RANK='0', WORLD_SIZE='2', MASTER_ADDR='localhost')
    for name, value in {**usual, 'MASTER_PORT': '29500', **values}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr('mmdrloc.apis.cli.PATIENCE_S', 0)
    message = refusal(
        'test.py',
        'tiny.py',
        LAST,
        '--launcher',
        'pytorch',
        monkeypatch=monkeypatch,
        cwd=folder,
    )
    assert words in message


def test_a_run_given_twice_counts_once(folder):
    (folder / 'link').symlink_to(RUN)
    assert len(load_runs([folder / RUN, folder / 'link'])) == 1


def test_a_report_waits_for_no_pipe(folder, monkeypatch):
    [path] = (folder / RUN).glob('*/vis_data/scalars.json')
    path.unlink()
    os.mkfifo(path)
    line = report('a.md')
    main(*line, monkeypatch=monkeypatch, cwd=folder)
    assert (folder / 'a.md').exists()
