"""Promise 4: twins start from equal weights and see equal batches."""

import pytest
import torch
from interrupted import assert_equal

OWN_HEAD = ('auxiliary_head.', 'drloc_head.')


@pytest.fixture
def seen(tool):
    """Train, and give what the training began with, saw and became."""

    def train(recipe, *options):
        work_dir = recipe + ''.join(filter(str.isalnum, ''.join(options)))
        line = (f'seen_{recipe}.py', '--work-dir', work_dir)
        if options:
            line += ('--cfg-options', *options)
        tool('train.py', *line).succeeds()
        return torch.load(f'{work_dir}/witness.pt', weights_only=True)

    return train


def of_host(weights):
    return {
        name: tensor
        for name, tensor in weights.items()
        if not name.startswith(OWN_HEAD)
    }


@pytest.mark.parametrize('task', ['classifier', 'detector', 'segmentor'])
def test_equal_start_and_equal_batches(seen, task):
    plain, twin = seen(task), seen(f'{task}_drloc')
    assert of_host(twin['start']).keys() < twin['start'].keys()
    assert_equal(plain['start'], of_host(twin['start']))
    assert len(plain['batches']) > 1
    assert not plain['batches'][0].equal(plain['batches'][1])
    for ours, theirs in zip(plain['batches'], twin['batches'], strict=True):
        assert ours.equal(theirs)
    # And the method does something.
    assert any(
        not tensor.equal(twin['end'][name])
        for name, tensor in plain['end'].items()
    )


def test_another_seed_is_another_training(seen):
    first = seen('classifier')
    second = seen('classifier', 'randomness.seed=1')
    assert not first['batches'][0].equal(second['batches'][0])
    name = 'head.fc.weight'
    assert not first['start'][name].equal(second['start'][name])


def test_a_weight_of_zero_is_the_plain_training(seen):
    plain = seen('classifier')
    zero = seen(
        'classifier_drloc', 'model.auxiliary_head.loss.loss_weight=0.0'
    )
    assert_equal(plain['end'], of_host(zero['end']))
