"""Promise 2 of detectors, segmentors and several processes.

Killed within an epoch and while a checkpoint is written, they go on by the
same command to the same weights.
"""

import json
import shutil
import signal
from pathlib import Path

import pytest
import torch
from command_line import ROOT, TOOLS, Program
from interrupted import assert_equal

HERE = Path(__file__).parent
# Of recipes that are shipped, with something more that draws.
RECIPE = """
_base_ = '{}.py'
model = dict(backbone=dict(drop_path_rate=0.2))
custom_imports = dict(imports=['training_moments'])
custom_hooks = [dict(type='Moments')]
default_hooks = dict(checkpoint=dict(interval={}))
train_dataloader = dict(batch_size={}, num_workers=0)
"""
QUICKSTART = f'{ROOT}/configs/quickstart/'
RECIPES = {
    'detector': (f'{QUICKSTART}mask-rcnn_swin-2stage_dense-drloc', 1, 2),
    'segmentor': (f'{QUICKSTART}upernet_swin-2stage_dense-drloc', 2, 2),
    'processes': ('classifier_drloc', 1, 2),
}
LINES = {
    'detector': ('--dataset', 'objects', '--epochs', 2),
    'segmentor': ('--dataset', 'maps', '--iters', 6),
    'processes': ('--epochs', 3),
}
# Within the second epoch; then while the last checkpoint is written.
MOMENTS = {
    'detector': ('killed after 3', 'killed before epoch_2.pth'),
    'segmentor': ('killed after 3', 'killed before iter_6.pth'),
    'processes': ('killed after 3', 'killed before epoch_3.pth'),
}
WORKERS = ('--cfg-options', 'train_dataloader.num_workers=2')


@pytest.fixture
def place(folder):
    """A folder with the three recipes."""
    for name, (base, interval, batch) in RECIPES.items():
        text = RECIPE.format(base, interval, batch)
        (folder / f'{name}.py').write_text(text)
    shutil.copy(HERE / 'training_moments.py', folder)
    return folder


@pytest.fixture(scope='module')
def references():
    """What undisturbed trainings come to, by the name of the recipe."""
    return {}


def end_of(work_dir: Path) -> dict:
    """The tensors of the last checkpoint of a finished run."""
    assert json.loads((work_dir / 'result.json').read_text())['finished']
    last = Path((work_dir / 'last_checkpoint').read_text())
    state = torch.load(work_dir / last.name, weights_only=False)
    return {key: state[key] for key in ('state_dict', 'optimizer')}


def line_of(name, workers, work_dir):
    more = WORKERS if workers else ()
    return (f'{name}.py', *LINES[name], '--work-dir', work_dir, *more)


@pytest.mark.parametrize(
    'workers', [0, pytest.param(2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize('name', ['detector', 'segmentor'])
def test_dense_models(tool, place, references, name, workers):
    """With workers too, it comes to what one process comes to alone."""
    if name not in references:
        tool('train.py', *line_of(name, 0, 'whole')).succeeds()
        references[name] = end_of(place / 'whole')
    line = line_of(name, workers, 'w')
    for moment in MOMENTS[name]:
        (place / 'moment.txt').write_text(moment)
        outcome = tool('train.py', *line)
        assert outcome.status == -signal.SIGKILL, outcome.said
        assert not (place / 'moment.txt').exists()
    said = tool('train.py', *line).succeeds()
    assert 'creating index' not in said  # nor other prints of libraries
    assert 'from iteration' in said
    assert_equal(end_of(place / 'w'), references[name])


@pytest.mark.slow
@pytest.mark.parametrize('workers', [0, 2])
def test_two_processes(place, references, workers):
    """One of them is killed, and its launcher ends the other one."""

    def train(work_dir, workers=0):
        recipe, *more = line_of('processes', workers, work_dir)
        begun = (place / work_dir / 'epoch_1.pth').exists()
        script = ('bash', TOOLS / 'dist_train.sh')
        program = Program(place, *script, recipe, 2, *more)
        status = program.wait()
        assert not program.left_behind(patience=10 if status else 0)
        said = program.output()
        assert 'Traceback' not in said
        assert ('was ended by SIGKILL' in said) == (status > 0)
        assert ('from iteration' in said) == begun
        return status

    if not references.get('processes'):
        assert train('whole') == 0
        references['processes'] = end_of(place / 'whole')
    for moment in MOMENTS['processes']:
        (place / 'moment.txt').write_text(moment)
        assert train('w', workers) == 128 + signal.SIGKILL
        assert not (place / 'moment.txt').exists()
    assert train('w', workers) == 0
    assert_equal(end_of(place / 'w'), references['processes'])
