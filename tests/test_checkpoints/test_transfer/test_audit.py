"""Every tensor is counted once, under what became of it."""

import torch

from mmdrloc.checkpoints.transfer import audit_state_dict


def test_each_kind():
    model = {
        'same': torch.ones(2),
        'norm0.weight': torch.ones(2),
        'lost': torch.ones(2),
        'grown': torch.ones(3),
        'changed': torch.zeros(2),
    }
    checkpoint = {
        'same': torch.ones(2),
        'grown': torch.ones(2),
        'changed': torch.ones(2),
        'stranger': torch.ones(2),
    }
    audit = audit_state_dict(model, checkpoint, ['norm0.'])
    assert audit.loaded == ['same']
    assert audit.expected_missing == ['norm0.weight']
    assert audit.missing == ['lost']
    assert audit.unexpected == ['stranger']
    assert audit.mismatched == ['grown']
    assert audit.different == ['changed']
    assert sum(len(names) for names in audit.faults.values()) == 4


def test_without_fault():
    audit = audit_state_dict({'a': torch.ones(2)}, {'a': torch.ones(2)})
    assert not audit.faults


def test_half_precision_source_is_equal_after_loading():
    half = torch.tensor([0.1], dtype=torch.float16)
    assert not audit_state_dict({'a': half.float()}, {'a': half}).faults


def test_table_counts_by_part():
    tensor = torch.ones(1)
    names = ['backbone.a', 'backbone.b', 'head.a']
    table = audit_state_dict(dict.fromkeys(names, tensor), {}).table()
    rows = [line.split() for line in table.splitlines()]
    assert rows[1:] == [['2', 'backbone', 'missing'], ['1', 'head', 'missing']]
