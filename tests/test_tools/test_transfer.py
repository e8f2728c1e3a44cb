"""tools/transfer.py on checkpoints of others, good and bad."""

import pytest
import torch
import torchvision
from command_line import run

CONFIG = """
default_scope = 'mmpretrain'
model = dict(backbone=dict(type='ResNet', depth=18))
"""


@pytest.fixture
def resnet(tmp_path):
    """A checkpoint of torchvision's, as it is published."""
    weights = torchvision.models.resnet18(num_classes=3).state_dict()
    torch.save(weights, tmp_path / 'resnet.pth')
    (tmp_path / 'config.py').write_text(CONFIG)
    return weights


def test_a_backbone_for_a_config(resnet, tmp_path):
    outcome = run(
        'transfer.py',
        'resnet.pth',
        'b.pth',
        '--config',
        'config.py',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert 'format resnet-torchvision' in outcome.stdout
    assert '120 tensors written to b.pth' in outcome.stdout
    written = torch.load(tmp_path / 'b.pth', weights_only=True)['state_dict']
    assert written['backbone.conv1.weight'].equal(resnet['conv1.weight'])
