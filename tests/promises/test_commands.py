"""Promise 9: each command and tool, started as a user starts it.

To its end, on tiny data; what trains also stopped in the middle.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from command_line import ROOT, TOOLS, Program
from interrupted import assert_equal

from mmdrloc.apis.cli import COMMANDS

WORKERS = ('--cfg-options', 'train_dataloader.num_workers=2')
RUN = ('classifier_drloc.py', 'run/epoch_1.pth')


def end(folder, *words):
    """Let a command come to its end; what it says."""
    program = Program(folder, *words)
    status, said = program.wait(), program.output()
    assert status == 0, said
    assert 'Traceback' not in said
    assert not program.left_behind()
    return said


# ---- to the end -------------------------------------------------------------

# What is typed after `mmdrloc`; files that are there afterwards; words that
# are printed.
ENDS = {
    'train': (
        ('classifier_drloc.py', '--work-dir', 'new', *WORKERS),
        ('new/epoch_1.pth', 'new/result.json'),
        'top-1 accuracy',
    ),
    'test': (
        (*RUN, '--out', 'said.pkl', '--show-dir', 'shown'),
        ('said.pkl', 'shown/ant/*.png', 'shown/confusion_matrix.png'),
        'accuracy/top1',
    ),
    'predict': (
        ('run', 'insects/val', '--out', 'new.html', '--show-dir', 'drawn'),
        ('new.html', 'drawn/**/*.png'),
        '%',
    ),
    'compare': (
        # A seed that is given twice is trained once.
        (RUN[0], '--seeds', 0, 0, 1, '--jobs', 3, '--work-dir', 'pairs'),
        ('pairs/report.md', 'pairs/classifier_drloc_seed1/epoch_1.pth'),
        '2 seeds',
    ),
    'show': (('classifier_drloc.py',), (), 'num_pairs'),
    'recipes': (('swin', 'drloc'), (), 'quickstart/swin-2stage_drloc'),
    'report': (('run', '--out', 'a.html'), ('a.html',), 'written'),
    'transfer': (
        (RUN[1], 'backbone.pth', '--config', 'detector.py'),
        ('backbone.pth',),
        'tensors',
    ),
    'publish': (
        ('run', 'published'),
        ('published/config.py', 'published/model.safetensors'),
        'written',
    ),
    'export': (
        ('run', 'a.onnx', '--size', 32, 32),
        ('a.onnx',),
        'difference',
    ),
    'doctor': ((), (), 'torch'),
}
LIGHT = ('recipes', 'show', 'report')


@pytest.mark.parametrize(
    'name',
    [
        pytest.param(name, marks=() if name in LIGHT else pytest.mark.slow)
        for name in ENDS
    ],
)
def test_a_command_comes_to_its_end(folder, run, name):
    words, made, expected = ENDS[name]
    assert expected in end(folder, 'mmdrloc', name, *words)
    for pattern in made:
        files = list(folder.glob(pattern))
        assert files and all(f.stat().st_size for f in files), pattern


def test_every_command_is_run():
    assert ENDS.keys() == COMMANDS.keys()


@pytest.mark.parametrize(
    'name',
    'train test compare report transfer publish export predict'.split(),
)
def test_a_script_is_a_command(folder, name):
    """It takes the same words."""
    expected = end(folder, 'mmdrloc', name, '--help')
    script = TOOLS / f'{name}.py'
    assert end(folder, sys.executable, script, '--help') == expected


# Converters are run by their own tests.
TOOL_ENDS = {
    'digits': (
        ('dataset_converters/digits.py', '--out', 'out'),
        'out/segmentation/annotations/validation/*.png',
    ),
    'draw': (
        ('analysis_tools/draw.py', 'pair-distances', 'run', '--out', 'a.png'),
        'a.png',
    ),
    'benchmark': (
        (
            *('analysis_tools/benchmark.py', 'step', RUN[0], '--rounds', 2),
            *('--batch-size', 2, '--image-size', 32, '--out', 'a.json'),
        ),
        'a.json',
    ),
    'draw_figures': (
        ('misc/draw_figures.py', '--out', 'out'),
        'out/pretraining_time.png',
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize('name', TOOL_ENDS)
def test_a_tool_comes_to_its_end(folder, run, name):
    words, made = TOOL_ENDS[name]
    end(folder, sys.executable, TOOLS / words[0], *words[1:])
    files = list(folder.glob(made))
    assert files and all(file.stat().st_size for file in files)


def test_cards_are_written(tmp_path):
    """What the tool writes is there."""
    for name in ('configs', 'tools', 'docs'):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / 'configs/metafile.yml').unlink()
    tool = tmp_path / 'tools/misc/write_cards.py'
    assert 'written' in end(tmp_path, sys.executable, tool)
    for name in ('configs/metafile.yml', 'docs/published.md'):
        assert (tmp_path / name).read_text() == (ROOT / name).read_text()


@pytest.mark.slow
def test_several_processes_train_and_test(folder):
    script = ('bash', TOOLS / 'dist_train.sh', 'classifier_drloc.py', 2)
    end(folder, *script, '--work-dir', 'w', *WORKERS)
    result = json.loads((folder / 'w/result.json').read_text())
    assert result['finished'] and result['global_batch'] == 8
    script = ('bash', TOOLS / 'dist_test.sh', 'classifier_drloc.py')
    said = end(folder, *script, 'w/epoch_1.pth', 2, '--work-dir', 'tested')
    assert f'{result["last"]["accuracy/top1"]["value"]:.4f}' in said


def test_slurm(tmp_path):
    """With a program in srun's place, which tells what it is to run."""
    srun = tmp_path / 'srun'
    srun.write_text('#!/usr/bin/env bash\nprintf "%s\\n" "$@"\n')
    srun.chmod(0o755)
    words = ['part', 'name', 'a b.py', 'work', '--amp', '--dataset', 'svhn']
    outcome = subprocess.run(
        ['bash', TOOLS / 'slurm_train.sh', *words],
        env={
            **os.environ,
            'PATH': f'{tmp_path}:{os.environ["PATH"]}',
            'GPUS': '16',
            'SRUN_ARGS': '--time=60 --qos=low',
        },
        text=True,
        capture_output=True,
    )
    assert outcome.returncode == 0, outcome.stderr
    said = outcome.stdout.splitlines()
    asked = '--partition=part --ntasks=16 --ntasks-per-node=8 --time=60'
    assert {*asked.split(), '--qos=low'} <= {*said}
    expected = [
        *('python', '-u', f'{TOOLS}/train.py', 'a b.py', '--work-dir'),
        *('work', '--launcher', 'slurm', *words[4:]),
    ]
    assert said[-len(expected) :] == expected


# ---- stopped in the middle --------------------------------------------------

RECIPE = """
_base_ = './{}.py'
custom_imports = dict(imports=['training_moments'])
custom_hooks = [dict(type='Moments')]
train_cfg = dict(max_epochs=3)
train_dataloader = dict(batch_size=1)
"""
# Where its trainings are, of the twin and of the baseline.
PLACES = {
    'train': {'slow_drloc': 'w'},
    'compare': {
        'slow_drloc': 'w/slow_drloc_seed0',
        'slow': 'w/slow_seed0',
    },
    'dist': {'processes': 'w'},
}
PAIR = ('slow_drloc.py', '--baseline', 'slow.py', '--seeds', 0)
STOPPED = {
    'train': ('mmdrloc', 'train', 'slow_drloc.py'),
    'compare': ('mmdrloc', 'compare', *PAIR),
    'compare two at a time': ('mmdrloc', 'compare', *PAIR, '--jobs', 2),
    'dist': ('bash', TOOLS / 'dist_train.sh', 'slow_drloc.py', 2),
}


@pytest.fixture
def slow(folder):
    """A folder with recipes that a file makes slow."""
    for name in ('classifier', 'classifier_drloc'):
        path = folder / f'{name.replace("classifier", "slow")}.py'
        path.write_text(RECIPE.format(name))
    shutil.copy(Path(__file__).with_name('training_moments.py'), folder)
    return folder


@pytest.fixture(scope='module')
def references():
    """Weights of undisturbed trainings."""
    return {}


@pytest.fixture
def reference(references, slow, tool):
    """Train a recipe undisturbed, once."""

    def train(recipe):
        if recipe not in references:
            place = f'whole_{recipe}'
            if recipe == 'processes':
                end(slow, *STOPPED['dist'], '--work-dir', place)
            else:
                line = (f'{recipe}.py', '--work-dir', place, '--seed', 0)
                tool('train.py', *line).succeeds()
            references[recipe] = weights_of(slow / place)
        return references[recipe]

    return train


def weights_of(work_dir):
    assert json.loads((work_dir / 'result.json').read_text())['finished']
    state = torch.load(work_dir / 'epoch_3.pth', weights_only=False)
    return state['state_dict']


def stop(program, signum):
    """As a terminal's Ctrl-C, which all get, or as `kill`."""
    if signum == signal.SIGINT:
        os.killpg(program.process.pid, signum)
    else:
        os.kill(program.process.pid, signum)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('name', 'signum', 'workers'),
    [
        ('train', signal.SIGINT, 2),
        ('train', signal.SIGTERM, 0),
        ('compare', signal.SIGINT, 0),
        ('compare two at a time', signal.SIGTERM, 2),
        ('dist', signal.SIGINT, 2),
        ('dist', signal.SIGTERM, 0),
    ],
)
def test_stopped_it_goes_on(slow, reference, name, signum, workers):
    """Within seconds, nothing stays behind; the same command ends it."""
    words = (*STOPPED[name], '--work-dir', 'w', *(WORKERS if workers else ()))
    (slow / 'moment.txt').write_text('slow')
    program = Program(slow, *words)
    program.wait_for(lambda: list((slow / 'w').rglob('epoch_1.pth')))
    stop(program, signum)
    try:
        assert program.wait(30) == 128 + signum, program.output()
        assert 'Traceback' not in program.output()
        assert not program.left_behind(patience=10), program.output()
    finally:
        program.kill()
    (slow / 'moment.txt').unlink()
    said = end(slow, *words)
    said += ''.join(log.read_text() for log in slow.glob('w/logs/*.txt'))
    assert 'from iteration' in said
    for recipe, place in PLACES[name.split()[0]].items():
        assert_equal(weights_of(slow / place), reference(recipe))
