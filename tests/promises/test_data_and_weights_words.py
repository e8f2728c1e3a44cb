"""Promise 6: data and weights are one word each."""

import functools
import json
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch

SHORT = {
    'swin-2stage_drloc': ['train_cfg.max_epochs=1'],
    'mask-rcnn_swin-2stage': [
        'train_cfg.max_epochs=1',
        'train_cfg.val_interval=1',
    ],
    'upernet_swin-2stage': [
        'train_cfg.max_iters=2',
        'train_cfg.val_interval=2',
    ],
}


@pytest.mark.parametrize(
    'recipe, data, classes, images',
    [
        ('swin-2stage_drloc', 'insects', ['ant', 'bee', 'cow'], 12),
        ('mask-rcnn_swin-2stage', 'objects', ['cat', 'dog'], 4),
        ('upernet_swin-2stage', 'maps', ['cat', 'dog'], 4),
    ],
)
def test_a_folder_of_images(tool, folder, recipe, data, classes, images):
    """The classes, their number and the metric follow from the folder."""
    line = (f'quickstart/{recipe}', '--dataset', data, '--work-dir', 'w')
    options = ('--cfg-options', *SHORT[recipe], 'param_scheduler=[]')
    tool('train.py', *line, *options).succeeds()
    result = json.loads((folder / 'w/result.json').read_text())
    assert result['finished']
    assert result['dataset']['classes'] == len(classes)
    assert result['dataset']['train_images'] == images
    checkpoint = torch.load(next(folder.glob('w/*.pth')), weights_only=False)
    assert list(checkpoint['meta']['dataset_meta']['classes']) == classes
    # The folder comes back with the config that lies in the run.
    [config] = (folder / 'w').glob('*.py')
    tool('train.py', config, '--work-dir', 'again', '--check').succeeds()


@pytest.mark.parametrize('method', ['mae', 'idmm', 'simclr'])
def test_images_without_labels(tool, folder, method):
    """A pre-training takes images in any folders; few are labelled."""
    source = folder / 'insects/train'
    shutil.copytree(source / 'bee', folder / 'more/2025/june')
    shutil.copyfile(source / 'ant/0.png', folder / 'more/ant.png')
    recipe = f'evidence/{method}_vit-4layers'
    line = (recipe, '--dataset', 'more', '--epochs', 1, '--work-dir', 'w')
    options = ('--cfg-options', 'train_dataloader.batch_size=2')
    tool('train.py', *line, *options).succeeds()
    images = json.loads((folder / 'w/result.json').read_text())['dataset']
    assert images['train_images'] == 4  # of 5, a fifth is held out
    line = ('evidence/vit-4layers', '--dataset', 'insects', '--weights', 'w')
    options = (
        '--cfg-options',
        f'model.backbone.with_cls_token={method == "mae"}',
    )
    tool('train.py', *line, '--check', *options).succeeds()


@pytest.mark.parametrize('recipe', ['supcon_vit-4layers', 'vit-4layers'])
def test_what_needs_labels(tool, folder, recipe):
    shutil.copytree(folder / 'insects/train/bee', folder / 'more')
    line = (f'evidence/{recipe}', '--dataset', 'more', '--check')
    tool('train.py', *line).refuses('0 class folders')


def test_a_name(tool, folder):
    """Whose data are not there; the message says how to get them."""
    line = ('quickstart/swin-2stage', '--dataset', 'cifar10', '--check')
    tool('train.py', *line).refuses('cifar10')


def test_a_file_that_names_a_set(tool, folder, tools):
    path = tools.parent / 'configs/_base_/datasets/cifar100.py'
    line = ('quickstart/swin-2stage', '--dataset', path, '--check')
    tool('train.py', *line).refuses('cifar100')


@pytest.fixture
def address(folder):
    """This folder, on a server."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *_: None
    with ThreadingHTTPServer(('127.0.0.1', 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f'http://127.0.0.1:{server.server_port}'
        server.shutdown()


@pytest.mark.parametrize('kind', ['file', 'run', 'address'])
def test_weights(tool, folder, run, address, kind):
    """A checkpoint, the folder of a run or an address: the same start."""
    source = dict(
        file='run/epoch_1.pth', run='run', address=f'{address}/run/epoch_1.pth'
    )[kind]
    line = ('seen_classifier.py', '--weights', source, '--work-dir', 'w')
    tool('train.py', *line).succeeds()
    start = torch.load('w/witness.pt', weights_only=True)['start']
    trained = torch.load('run/epoch_1.pth', weights_only=False)['state_dict']
    backbone = [name for name in start if name.startswith('backbone.')]
    assert backbone
    for name in backbone:
        assert start[name].equal(trained[name]), name
    result = json.loads((folder / 'w/result.json').read_text())
    assert result['run']['weights']


def test_an_address_where_nothing_is(tool, address):
    line = ('classifier.py', '--weights', f'{address}/none.pth')
    tool('train.py', *line).refuses('none.pth')
