"""Promise 8: what is published opens in other libraries, without this one."""

import re

import pytest
import torch
from safetensors.torch import load_file

WITHOUT = 'import sys; sys.modules["mmdrloc"] = None\n'
OWN_HEAD = ('auxiliary_head.', 'drloc_head.')


@pytest.fixture
def published(tool):
    """Train a recipe, and publish it in a folder of its name."""

    def publish(recipe, *options):
        line = (f'{recipe}.py', '--work-dir', f'run_{recipe}')
        tool('train.py', *line).succeeds()
        line = (f'{recipe}.py', f'run_{recipe}/epoch_1.pth', f'out_{recipe}')
        tool('publish.py', *line, *options).succeeds()

    return publish


def assert_complete(folder, recipe):
    """All tensors but the head of the method, and no word of this package."""
    trained = torch.load(
        folder / f'run_{recipe}/epoch_1.pth', weights_only=False
    )['state_dict']
    kept = {n for n in trained if not n.startswith(OWN_HEAD)}
    weights = load_file(folder / f'out_{recipe}/model.safetensors')
    assert kept == set(weights) and kept < set(trained)
    for name, tensor in weights.items():
        assert tensor.equal(trained[name]), name
    config = (folder / f'out_{recipe}/config.py').read_text()
    assert 'mmdrloc' not in config
    assert str(folder) not in config


def test_opened_by_mmpretrain_mmdet_and_mmseg(published, folder, shell):
    """By the code on each page, in one process that has no mmdrloc."""
    code = f'import os\n{WITHOUT}'
    for recipe in ('classifier_drloc', 'detector_drloc', 'segmentor_drloc'):
        published(recipe)
        assert_complete(folder, recipe)
        place = folder / f'out_{recipe}'
        page = (place / 'README.md').read_text()
        photo = folder / 'maps/images/val/0.jpg'
        (place / 'photo.jpg').write_bytes(photo.read_bytes())
        [first, *_] = re.findall(r'```python\n(.*?)```', page, re.S)
        code += f'os.chdir({str(place)!r})\n{first}\n'
        library = re.search(r'^(?:from|import) (mm\w+)', first, re.M)[1]
        code += f'print({library!r}, "opened", flush=True)\n'
    outcome = shell('-c', code)
    assert outcome.returncode == 0, outcome.stdout
    for library in ('mmpretrain', 'mmdet', 'mmseg'):
        assert f'{library} opened' in outcome.stdout


RESNET = """
_base_ = './classifier.py'
model = dict(
    backbone=dict(_delete_=True, type='mmpretrain.ResNet', depth=18),
    head=dict(in_channels=512))
"""
OPEN_BOTH = """
import timm, torch
from mmengine.config import Config
from mmpretrain import get_model
from safetensors.torch import load_file
cfg = Config.fromfile('out_resnet/config.py')
ours = get_model(cfg)
ours.load_state_dict(load_file('out_resnet/model.safetensors'))
theirs = timm.create_model('local-dir:out_resnet/timm', pretrained=True)
images = torch.randn(2, 3, 32, 32)
with torch.no_grad():
    expected = ours.eval()(images, mode='tensor')
    found = theirs.eval()(images)
assert expected.std() > 1e-3
torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4)
print('the same')
"""


def test_opened_by_timm(published, folder, shell):
    (folder / 'resnet.py').write_text(RESNET)
    published('resnet', '--timm', 'resnet18')
    outcome = shell('-c', WITHOUT + OPEN_BOTH)
    assert outcome.returncode == 0, outcome.stdout
    assert 'the same' in outcome.stdout


def test_what_is_there_stays(tool, folder, run):
    line = ('classifier_drloc.py', 'run/epoch_1.pth')
    tool('publish.py', *line, 'out').succeeds()
    tool('publish.py', *line, 'out').refuses('out')
    tool('publish.py', 'classifier.py', 'none.pth', 'new').refuses('none.pth')
    assert not (folder / 'new').exists()
