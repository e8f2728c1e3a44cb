"""An order that reads few shards at a time, of any number of processes."""

from unittest import mock

import pytest
from mmengine.dataset import ConcatDataset
from tiny_shards import write_shards
from torch.utils.data import DataLoader

from mmdrloc.datasets.shard_sampler import ShardSampler
from mmdrloc.datasets.tar_shards import TarShards
from mmdrloc.engine.resumable_loader import resumable
from mmdrloc.utils.errors import UsageError

SIZES = [40, 25, 31, 40, 7, 38, 40, 22]
TOTAL = sum(SIZES)
SHARD_OF = [number for number, size in enumerate(SIZES) for _ in range(size)]


class Images:
    """Shards of these sizes, and images that are their own number."""

    shard_sizes = SIZES

    def __len__(self):
        return TOTAL

    def __getitem__(self, index):
        return index


def build(rank=0, world=1, seed=3, epoch=0, **options):
    path = 'mmengine.dataset.sampler.get_dist_info'
    with mock.patch(path, return_value=(rank, world)):
        sampler = ShardSampler(Images(), seed=seed, **options)
    sampler.set_epoch(epoch)
    return sampler


@pytest.mark.parametrize('runs', [1, 2, 8, 64, 500])
def test_each_image_once(runs):
    assert sorted(build(runs=runs)) == list(range(TOTAL))


def test_the_order_follows_from_seed_and_epoch():
    orders = {
        tuple(build(seed=seed, epoch=epoch))
        for seed, epoch in ((3, 0), (3, 1), (4, 0), (3, 0))
    }
    assert len(orders) == 3
    assert list(build(shuffle=False)) == list(range(TOTAL))


@pytest.mark.parametrize('runs', [1, 3, 8, 64])
def test_few_shards_are_read_at_a_time(runs):
    order = list(build(runs=runs))
    for at in range(0, TOTAL, runs):
        assert len({SHARD_OF[n] for n in order[at : at + runs]}) <= runs
    # A shard that is begun is read to its end: no run comes back to it.
    for run in range(runs):
        read = [SHARD_OF[n] for n in order[: TOTAL - TOTAL % runs][run::runs]]
        changes = sum(a != b for a, b in zip(read, read[1:]))
        assert changes == len(set(read)) - 1


@pytest.mark.parametrize('world', [2, 4, 8, 3])
def test_processes_share_one_order(world):
    """Also such that do not divide the runs."""
    alone = list(build(runs=8))
    parts = [list(build(rank, world, runs=8)) for rank in range(world)]
    assert len({len(part) for part in parts}) == 1
    together = [n for turn in zip(*parts) for n in turn]
    assert together[:TOTAL] == alone
    assert together[TOTAL:] == alone[: len(together) - TOTAL]


@pytest.mark.parametrize('world', [2, 4, 8])
def test_shards_are_divided_over_processes(world):
    parts = [
        list(build(rank, world, runs=8, round_up=False))
        for rank in range(world)
    ]
    assert sorted(n for part in parts for n in part) == list(range(TOTAL))
    readers = [
        sum(any(SHARD_OF[n] == shard for n in part) for part in parts)
        for shard in range(len(SIZES))
    ]
    # A shard at a cut has two readers, or three if it is cut twice.
    assert sum(readers) <= len(SIZES) + 8 - 1
    assert max(readers) <= 3


def draw(rank, turn=0, start=0, **options):
    """The batches of one of two processes."""
    loader = DataLoader(
        Images(),
        batch_size=5,
        sampler=build(rank, 2, runs=8),
        collate_fn=list,
        **options,
    )
    ours = resumable(loader, 3, False)
    ours.batch_sampler.begin(turn, start)
    ours.sampler.set_epoch(turn)
    path = 'mmdrloc.engine.resumable_loader.get_dist_info'
    with mock.patch(path, return_value=(rank, 2)):
        return list(ours)


def test_two_processes_with_two_workers():
    batches = [draw(rank, num_workers=2) for rank in (0, 1)]
    drawn = [n for part in batches for batch in part for n in batch]
    assert len(drawn) == TOTAL + TOTAL % 2
    assert set(drawn) == set(range(TOTAL))
    # Workers change nothing, and any batch can be the first one.
    assert batches == [draw(0), draw(1)]
    whole = draw(0, turn=4)
    for start in (1, 7, len(whole) - 1):
        assert draw(0, turn=4, start=start) == whole[start:]
    assert whole != batches[0]


def test_what_it_cannot_order(tmp_path):
    write_shards(tmp_path)
    options = dict(data_root=str(tmp_path), data_prefix='train')
    assert len(list(ShardSampler(TarShards(**options), seed=0))) == 12
    lazy = TarShards(**options, lazy_init=True)
    assert len(list(ShardSampler(lazy, seed=0))) == 12
    some = TarShards(**options, indices=7)
    both = ConcatDataset([TarShards(**options)])
    for dataset in (some, both):
        with pytest.raises(UsageError, match='needs whole shards'):
            iter(ShardSampler(dataset, seed=0))
    with pytest.raises(UsageError, match='runs=0: give at least 1'):
        ShardSampler(TarShards(**options), seed=0, runs=0)
