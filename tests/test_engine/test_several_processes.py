"""One, two and four processes are the same training; so is a resumed one."""

import json

import pytest
import torch
from interrupted import DRAWING, assert_equal
from several_processes import train
from tiny_run import write_config

pytestmark = pytest.mark.slow
LOSSES = ('loss', 'loss_cls', 'loss_drloc')
SIZES = (1, 2, 4)


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('several'))


@pytest.fixture(scope='module')
def logs(config):
    return {
        size: train(config, size, 2, config.parent / f'of_{size}')
        for size in SIZES
    }


def assert_close(one, other):
    """Equal but for the order of sums."""
    states = [
        torch.load(path, weights_only=False)['state_dict']
        for path in (one, other)
    ]
    for name, tensor in states[0].items():
        torch.testing.assert_close(
            tensor, states[1][name], atol=1e-5, rtol=1e-4
        )


def steps(log):
    return [entry for entry in log if 'lr' in entry]


@pytest.mark.parametrize('size', SIZES[1:])
def test_the_weights_are_those_of_one_process(config, logs, size):
    assert_close(*(config.parent / f'of_{n}/epoch_2.pth' for n in (1, size)))


@pytest.mark.parametrize('size', SIZES[1:])
def test_no_image_is_counted_twice(logs, size):
    metrics = [
        [e['accuracy/top1'] for e in logs[n] if 'accuracy/top1' in e]
        for n in (1, size)
    ]
    assert len(metrics[0]) == 2 and metrics[0] == metrics[1]


@pytest.mark.parametrize('size', SIZES)
def test_the_images_of_an_update_are_counted(logs, config, size):
    path = config.parent / f'of_{size}/result.json'
    assert json.loads(path.read_text())['global_batch'] == 4


@pytest.mark.parametrize('before,after', [(4, 2), (1, 4)])
def test_resume_on_another_number(logs, config, before, after):
    work_dir = config.parent / f'from_{before}_to_{after}'
    begun = config.parent / f'of_{before}/epoch_1.pth'
    train(config, after, 2, work_dir, resume=begun)
    assert_close(work_dir / 'epoch_2.pth', config.parent / 'of_1/epoch_2.pth')


@pytest.fixture(scope='module')
def drawing(tmp_path_factory):
    """A config in which everything draws, and saves after two batches."""
    config = write_config(tmp_path_factory.mktemp('drawing'))
    with config.open('a') as file:
        file.write(DRAWING)
        file.write("custom_hooks = [dict(type='mmdrloc.WitnessHook')]\n")
    return config


def test_resumed_within_an_epoch_is_equal_bit_by_bit(drawing):
    folders = [drawing.parent / name for name in ('whole', 'part')]
    whole = train(drawing, 2, 2, folders[0])
    part = train(drawing, 2, 2, folders[1], resume=folders[0] / 'cut.pth')
    losses = [
        [[entry[name] for name in LOSSES] for entry in steps(log)]
        for log in (whole, part)
    ]
    assert len(losses[0]) == 6 and losses[0][2:] == losses[1]
    states = [
        torch.load(folder / 'epoch_2.pth', weights_only=False)
        for folder in folders
    ]
    for part in ('state_dict', 'optimizer'):
        assert_equal(states[0][part], states[1][part])
    draws = [
        [
            (folder / f'draws_{rank}.txt').read_text().splitlines()
            for rank in range(2)
        ]
        for folder in folders
    ]
    for rank in range(2):
        assert draws[0][rank][2:] == draws[1][rank]
    # The processes do not draw the same, nor do two steps.
    assert len({line for lines in draws[0] for line in lines}) == 12


def test_resumed_within_an_accumulation(tmp_path):
    """An epoch of three iterations, and updates of two."""
    config = write_config(tmp_path)
    with config.open('a') as file:
        file.write(DRAWING + 'optim_wrapper.update(accumulative_counts=2)\n')
    whole, part = tmp_path / 'whole', tmp_path / 'part'
    train(config, 2, 2, whole)
    train(config, 2, 2, part, resume=whole / 'epoch_1.pth')
    states = [
        torch.load(folder / 'epoch_2.pth', weights_only=False)
        for folder in (whole, part)
    ]
    for name in ('state_dict', 'optimizer'):
        assert_equal(states[0][name], states[1][name])
