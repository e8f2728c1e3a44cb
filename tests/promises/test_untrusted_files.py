"""Promise 1: nothing that a file contains is executed without --trust."""

import json
import pickle
from contextlib import suppress

import pytest
import torch
from hostile import CHECKPOINTS, Hostile, zip_file

from mmdrloc.apis.showing import show
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def marker(folder):
    """What must never be made."""
    yield folder / 'made'
    assert not (folder / 'made').exists()


@pytest.mark.parametrize('write', CHECKPOINTS, ids=lambda w: w.__name__)
def test_a_form_is_dangerous(tmp_path, write):
    """By torch alone it is executed."""
    write(tmp_path / 'hostile.pth', tmp_path / 'made')
    with suppress(Exception):  # then it holds no weights
        torch.load(tmp_path / 'hostile.pth', weights_only=False)
    assert (tmp_path / 'made').exists()


@pytest.mark.parametrize('suffix', ['pth', 'safetensors'])
@pytest.mark.parametrize('write', CHECKPOINTS, ids=lambda w: w.__name__)
def test_every_form_of_a_checkpoint(tool, folder, marker, write, suffix):
    path = folder / f'hostile.{suffix}'
    write(path, marker)
    tool('transfer.py', path, 'out.pth').refuses(path.name)


OPTIONS = '--cfg-options'
INIT = f'{OPTIONS} model.backbone.init_cfg.checkpoint=bad.pth '
INIT += 'model.backbone.init_cfg.type='
ENTRANCES = {
    'weights': 'train.py classifier.py --weights bad.pth',
    'resume': 'train.py classifier.py --resume bad.pth',
    'load_from': f'train.py classifier.py {OPTIONS} load_from=bad.pth',
    'load_from and resume': (
        f'train.py classifier.py {OPTIONS} load_from=bad.pth resume=True'
    ),
    'init_cfg': f'train.py classifier.py {INIT}Pretrained',
    'init_cfg by its scope': f'train.py detector.py {INIT}mmengine.Pretrained',
    'init_cfg by its import': (
        f'train.py segmentor.py {INIT}mmengine.model.PretrainedInit'
    ),
    'test': 'test.py classifier.py bad.pth',
    'publish': 'publish.py classifier.py bad.pth out',
}


@pytest.mark.parametrize('name', ENTRANCES)
def test_every_entrance(tool, folder, marker, name):
    zip_file(folder / 'bad.pth', marker)
    tool(*ENTRANCES[name].split()).refuses('bad.pth')


def test_a_published_folder_of_somebody_else(tool, folder, marker, run):
    line = ('classifier_drloc.py', 'run/epoch_1.pth', 'out')
    tool('publish.py', *line).succeeds()
    [path] = (folder / 'out').glob('*.safetensors')
    zip_file(path, marker)
    (folder / 'predict.py').write_text(
        'from mmdrloc.apis import predict\n'
        'from mmdrloc.utils.errors import UsageError\n'
        'try:\n'
        '    predict("out", "insects/val/ant/0.png", device="cpu")\n'
        'except UsageError as error:\n'
        '    print("refused", error)\n'
    )
    said = tool(folder / 'predict.py').succeeds()
    assert 'refused' in said and 'safetensors' in said


def test_a_work_folder_with_another_checkpoint(tool, folder, marker, run):
    """It is gone on with by itself, and that executes nothing either."""
    zip_file(folder / 'run/epoch_1.pth', marker)
    line = ('classifier_drloc.py', '--work-dir', 'run', '--resume')
    longer = ('--cfg-options', 'train_cfg.max_epochs=2')
    outcome = tool('train.py', *line, *longer)
    assert outcome.status == 1 and 'Traceback' not in outcome.said
    assert 'epoch_1.pth' in outcome.said


def test_a_program_in_the_meta(tool, folder, marker, run):
    """Checkpoints carry their config as text, which is a program."""
    content = torch.load('run/epoch_1.pth', weights_only=False)
    for name in ('cfg', 'config'):
        content['meta'][name] = f'import os\nos.mkdir({str(marker)!r})\n'
    torch.save(content, folder / 'other.pth')
    line = ['classifier_drloc.py', '--work-dir', 'w', '--cfg-options']
    options = ['load_from=other.pth', 'train_cfg.max_epochs=2']
    tool('train.py', *line, *options).succeeds()
    assert (folder / 'w/epoch_2.pth').exists()


@pytest.mark.parametrize('name', ['ann.pkl', 'ann.pickle', 'ann.yaml'])
def test_annotations(tool, folder, marker, name):
    if name.endswith('yaml'):
        content = f'!!python/object/apply:os.mkdir ["{marker}"]'.encode()
    else:
        content = pickle.dumps(Hostile(marker))
    (folder / name).write_bytes(content)
    tool(
        'train.py',
        'classifier.py',
        '--cfg-options',
        'train_dataloader.dataset.type=BaseDataset',
        f'train_dataloader.dataset.ann_file={folder / name}',
        'train_dataloader.dataset._scope_=mmpretrain',
    ).refuses('no plain YAML' if name.endswith('yaml') else 'is a pickle')


def test_a_config_in_yaml(tool, folder, marker):
    (folder / 'a.yaml').write_text(
        f'a: !!python/object/apply:os.mkdir ["{marker}"]'
    )
    (folder / 'b.py').write_text("_base_ = 'a.yaml'")
    for name in ('a.yaml', 'b.py'):
        tool('train.py', name).refuses(name)
        tool('analysis_tools/benchmark.py', 'step', name).refuses(name)
        with pytest.raises(UsageError, match=name):
            show(name)
    with pytest.raises(UsageError, match='a.yaml'):
        show('quickstart/swin-2stage', 'a.yaml')


def test_a_record_with_a_program(tool, folder, marker, run):
    """A report of somebody's runs shows their words and runs none."""
    path = folder / 'run/result.json'
    result = json.loads(path.read_text())
    words = '<script>alert(1)</script>'
    result['dataset']['name'] = words
    path.write_text(json.dumps(result))
    tool('report.py', 'run', '--out', 'a.html').succeeds()
    assert words not in (folder / 'a.html').read_text()


@pytest.mark.parametrize('command', ['train', 'test', 'transfer'])
def test_what_is_trusted(tool, folder, command, run):
    """With --trust it loads, and what it contains is executed."""
    content = torch.load('run/epoch_1.pth', weights_only=False)
    content['extra'] = Hostile(folder / 'made')
    torch.save(content, folder / 'own.pth')
    lines = dict(
        train=['classifier_drloc.py', '--weights', 'own.pth'],
        test=['classifier_drloc.py', 'own.pth'],
        transfer=['own.pth', 'out.pth'],
    )
    tool(f'{command}.py', *lines[command], '--trust').succeeds()
    assert (folder / 'made').is_dir()
