"""What a loader gives at a place depends on the seed and the place alone."""

import random
from unittest import mock

import numpy as np
import pytest
import torch
from mmdet.datasets.samplers import AspectRatioBatchSampler
from mmengine.dataset import DefaultSampler, InfiniteSampler
from mmpretrain.datasets.samplers import RepeatAugSampler
from torch.utils.data import DataLoader

from mmdrloc.engine.data_order import ResumableBatchSampler, seed_sample


class Images(torch.utils.data.Dataset):
    """Ten samples: their index, and a draw from each generator."""

    def __len__(self):
        return 10

    def get_data_info(self, index):
        return dict(width=1, height=1 + index % 3)

    def __getitem__(self, index):
        return (
            index,
            random.random(),
            np.random.rand(),
            torch.rand(()).item(),
        )


def build(
    sampler=DefaultSampler,
    seed=5,
    endless=False,
    rank=0,
    world=1,
    batch=3,
    wrapped=None,
    drop_last=False,
    **options,
):
    """A loader as MMEngine would build it on one of several processes."""
    data = Images()
    path = f'{sampler.__module__}.get_dist_info'
    with mock.patch(path, return_value=(rank, world)):
        order = sampler(data, shuffle=True, seed=seed)
    batches = ResumableBatchSampler(order, batch, endless, drop_last, wrapped)
    return DataLoader(data, collate_fn=list, batch_sampler=batches, **options)


def draw(loader, turn=0, start=0, most=None, rank=0, world=1):
    loader.batch_sampler.begin(turn, start, loader.batch_sampler.sampler.seed)
    if hasattr(loader.batch_sampler.sampler, 'set_epoch'):
        loader.batch_sampler.sampler.set_epoch(turn)
    batches = []
    path = 'mmdrloc.engine.data_order.get_dist_info'
    with mock.patch(path, return_value=(rank, world)):
        for batch in loader:
            batches.append(batch)
            if len(batches) == most:
                break
    return batches


def test_the_state_before_and_the_workers_change_nothing():
    expected = draw(build())
    torch.manual_seed(3)
    np.random.seed(3)
    random.seed(3)
    assert draw(build()) == expected
    loader = build(num_workers=2, persistent_workers=True)
    assert draw(loader) == expected
    # Again, by workers that have drawn and know no other epoch's number.
    assert draw(loader, turn=1) == draw(build(), turn=1)
    assert len(loader) == 4 and len(expected) == 4


def test_draws_differ_between_samples_generators_epochs_and_seeds():
    loaders = [build(), build(), build(seed=6)]
    draws = [
        number
        for loader, turn in zip(loaders, (0, 1, 0), strict=True)
        for batch in draw(loader, turn=turn)
        for sample in batch
        for number in sample[1:]
    ]
    assert len(set(draws)) == 3 * 10 * 3


def test_repeated_images_are_augmented_differently():
    batches = draw(build(RepeatAugSampler))
    samples = [sample for batch in batches for sample in batch]
    assert len({index for index, *_ in samples}) == 4
    assert len({number for _, number, *_ in samples}) == 10


@pytest.mark.parametrize(
    'options',
    [
        dict(),
        dict(drop_last=True),
        dict(num_workers=2),
        dict(wrapped=dict(type=AspectRatioBatchSampler)),
    ],
)
def test_begins_at_any_batch(options):
    whole = draw(build(**options), turn=2)
    for start in range(len(whole) + 1):
        assert draw(build(**options), turn=2, start=start) == whole[start:]


@pytest.mark.parametrize('sampler', [DefaultSampler, InfiniteSampler])
@pytest.mark.parametrize('workers', [0, 2])
def test_without_end(sampler, workers):
    def begin(start, most):
        loader = build(sampler, endless=True, num_workers=workers)
        iter(loader)  # as MMEngine's loop does before the training
        return draw(loader, start=start, most=most)

    whole = begin(0, 14)
    assert len(whole) == 14
    for start in (1, 4, 9):
        assert begin(start, 14 - start) == whole[start:]
    endless = build(sampler, endless=True, batch=11, drop_last=True)
    assert sampler is InfiniteSampler or draw(endless) == []
    one, two = (
        [i for batch in whole[n : n + 4] for i, *_ in batch] for n in (0, 4)
    )
    if sampler is DefaultSampler:
        assert sorted(one) == sorted(two) == [*range(10)]
        assert one != two


@pytest.mark.parametrize('world', [2, 5])
def test_any_number_of_processes_gives_the_same_samples(world):
    one = {sample for batch in draw(build()) for sample in batch}
    several = [
        {
            sample
            for batch in draw(
                build(rank=rank, world=world, batch=2), rank=rank, world=world
            )
            for sample in batch
        }
        for rank in range(world)
    ]
    assert set.union(*several) == one


def test_generators_do_not_draw_the_same():
    """NumPy's and torch's are of one kind: they need two seeds."""
    seed_sample(5, 0, 3)
    one = np.random.randint(2**31, size=20).tolist()
    assert not {*one} & {*torch.randint(2**31, (20,)).tolist()}
