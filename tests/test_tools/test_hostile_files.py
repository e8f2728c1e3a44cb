"""No file runs anything, through whichever entrance it comes."""

import json
import pickle

import pytest
import torch
from hostile import CHECKPOINTS, Hostile, zip_file
from in_process import main, refusal
from tiny_run import write_config

from mmdrloc.checkpoints.reading import load_checkpoint


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


@pytest.fixture
def marker(tmp_path):
    yield tmp_path / 'made'
    assert not (tmp_path / 'made').exists()


def lines(config, path):
    """Every command line that reads a checkpoint."""
    options = '--cfg-options'
    start = f'model.backbone.init_cfg.checkpoint={path}'
    yield 'test.py', config, path
    yield 'train.py', config, '--resume', path
    yield 'train.py', config, options, f'load_from={path}'
    yield 'train.py', config, options, f'load_from={path}', 'resume=True'
    for kind in (
        'Pretrained',
        'mmengine.Pretrained',
        'mmengine.model.PretrainedInit',
    ):
        kind = f'model.backbone.init_cfg.type={kind}'
        yield 'train.py', config, options, kind, start
    yield 'train.py', config, options, f'model.pretrained={path}'
    yield 'transfer.py', path, 'out.pth'
    yield 'publish.py', config, path, 'out'
    draw = 'analysis_tools/draw.py'
    yield draw, 'predictions', config, path, '--out', 'a.png'


@pytest.mark.parametrize('write', CHECKPOINTS, ids=lambda w: w.__name__)
def test_hostile_checkpoint(config, tmp_path, monkeypatch, marker, write):
    path = tmp_path / 'weights.safetensors'
    write(path, marker)
    for line in lines(config, path):
        message = refusal(*line, monkeypatch=monkeypatch, cwd=tmp_path)
        assert 'weights.safetensors' in message


def test_hostile_checkpoint_that_is_resumed_by_itself(
    config, tmp_path, monkeypatch, marker
):
    work_dir = tmp_path / 'work_dirs/tiny'
    work_dir.mkdir(parents=True)
    zip_file(work_dir / 'epoch_1.pth', marker)
    (work_dir / 'last_checkpoint').write_text(str(work_dir / 'epoch_1.pth'))
    for line in (['--cfg-options', 'resume=True'], ['--resume']):
        message = refusal(
            'train.py', config, *line, monkeypatch=monkeypatch, cwd=tmp_path
        )
        assert 'epoch_1.pth' in message and '--trust' in message


def test_program_in_the_meta(config, tmp_path, monkeypatch, marker):
    options = ['--cfg-options', 'train_cfg.max_epochs=1']
    main('train.py', config, *options, monkeypatch=monkeypatch, cwd=tmp_path)
    path = tmp_path / 'work_dirs/tiny/epoch_1.pth'
    checkpoint = load_checkpoint(path)
    checkpoint['meta']['config'] = f'import os\nos.mkdir({str(marker)!r})\n'
    torch.save(checkpoint, path)
    line = ['--resume', path, '--work-dir', 'other']
    main('train.py', config, *line, monkeypatch=monkeypatch, cwd=tmp_path)
    assert (tmp_path / 'other/epoch_2.pth').exists()


@pytest.mark.parametrize('name', ['ann.pkl', 'ann.pickle', 'ann.yaml'])
def test_hostile_annotations(config, tmp_path, monkeypatch, marker, name):
    if name.endswith('yaml'):
        content = f'!!python/object/apply:os.mkdir ["{marker}"]'.encode()
    else:
        content = pickle.dumps(Hostile(marker))
    (tmp_path / name).write_bytes(content)
    message = refusal(
        'train.py',
        config,
        '--cfg-options',
        'train_dataloader.dataset.type=BaseDataset',
        f'train_dataloader.dataset.ann_file={tmp_path / name}',
        'train_dataloader.dataset._scope_=mmpretrain',
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    assert 'data' in message


def test_hostile_config_in_yaml(tmp_path, monkeypatch, marker):
    (tmp_path / 'a.yaml').write_text(
        f'a: !!python/object/apply:os.mkdir ["{marker}"]'
    )
    (tmp_path / 'b.py').write_text("_base_ = 'a.yaml'")
    for name in ('a.yaml', 'b.py'):
        message = refusal(
            'train.py', name, monkeypatch=monkeypatch, cwd=tmp_path
        )
        assert f'cannot read the config {name}' in message


def test_trusted_file(config, tmp_path, monkeypatch):
    """One that holds more than weights loads wherever it is trusted."""
    options = ['--cfg-options', 'train_cfg.max_epochs=1']
    main('train.py', config, *options, monkeypatch=monkeypatch, cwd=tmp_path)
    checkpoint = load_checkpoint(tmp_path / 'work_dirs/tiny/epoch_1.pth')
    path = tmp_path / 'trusted.pth'
    marker = tmp_path / 'made'
    for number, line in enumerate(
        [
            ['test.py', config, path],
            ['train.py', config, '--work-dir', 'w1', '--resume', path],
            ['train.py', config, '--cfg-options', f'load_from={path}'],
            [
                'train.py',
                config,
                '--cfg-options',
                'model.backbone.init_cfg.type=Pretrained',
                f'model.backbone.init_cfg.checkpoint={path}',
                'model.backbone.init_cfg.prefix=backbone',
            ],
            ['transfer.py', path, 'out.pth'],
            ['publish.py', config, path, 'out'],
        ]
    ):
        checkpoint['extra'] = Hostile(marker)
        torch.save(checkpoint, path)
        name, *rest = line
        if '--cfg-options' in rest:
            rest.insert(1, '--trust')
            rest += ['train_cfg.max_epochs=1', f'work_dir=w{number}']
        else:
            rest.append('--trust')
        main(name, *rest, monkeypatch=monkeypatch, cwd=tmp_path)
        assert marker.exists()
        marker.rmdir()
    assert json.loads((tmp_path / 'w3/result.json').read_text())['finished']
