"""The backbone and nothing else, from plain and averaged checkpoints."""

import pytest
import torch

from mmdrloc.errors import UsageError
from mmdrloc.transfer import extract_backbone, write_checkpoint


def save(path, **more):
    state_dict = {
        'backbone.a': torch.ones(2),
        'head.fc.weight': torch.ones(2),
        'auxiliary_head.layers.0.weight': torch.ones(2),
    }
    torch.save(
        dict(
            meta=dict(epoch=3, seed=1, cfg='a = 1', dataset_meta={}),
            state_dict=state_dict,
            **more,
        ),
        path,
    )


def test_keeps_the_backbone_and_plain_values(tmp_path):
    save(tmp_path / 'a.pth')
    checkpoint, audit = extract_backbone(tmp_path / 'a.pth')
    write_checkpoint(checkpoint, tmp_path / 'deep/b.pth')
    written = torch.load(tmp_path / 'deep/b.pth', weights_only=True)
    assert list(written['state_dict']) == ['backbone.a']
    assert written['meta']['epoch'] == 3 and written['meta']['seed'] == 1
    assert 'cfg' not in written['meta']
    assert audit.loaded == ['backbone.a']
    assert audit.dropped == [
        'head.fc.weight',
        'auxiliary_head.layers.0.weight',
    ]
    assert [path.name for path in (tmp_path / 'deep').iterdir()] == ['b.pth']


def test_takes_the_average(tmp_path):
    raw = {'module.backbone.a': torch.zeros(2), 'steps': torch.tensor(5)}
    save(tmp_path / 'a.pth', ema_state_dict=raw)
    checkpoint, audit = extract_backbone(tmp_path / 'a.pth')
    assert checkpoint['state_dict']['backbone.a'].equal(torch.ones(2))
    assert checkpoint['meta']['averaged']
    assert 'ema_state_dict.module.backbone.a' in audit.dropped


def test_refuses_a_file_without_backbone(tmp_path):
    torch.save(dict(layers=torch.ones(2)), tmp_path / 'a.pth')
    with pytest.raises(UsageError, match=r'no backbone\.\* tensors'):
        extract_backbone(tmp_path / 'a.pth')
