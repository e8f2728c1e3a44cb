"""A folder of tar files, for any recipe of classification."""

import pytest
from mmengine.registry import DATASETS
from tiny_recipes import write_recipes
from tiny_shards import CLASSES, write_shards

from mmdrloc.datasets.folders.class_folders import describe
from mmdrloc.datasets.recipes import read_recipe
from mmdrloc.preflight.data import bad_data
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def folder(tmp_path):
    write_shards(tmp_path / 'pets')
    write_shards(tmp_path / 'pets', (2, 2), part='val')
    return tmp_path / 'pets'


def test_what_it_says(folder):
    said, notes = describe(folder)
    assert notes == []
    assert (said['num_classes'], said['small_images']) == (3, True)
    assert said['metainfo'] == dict(classes=CLASSES)
    for part in ('train', 'val'):
        dataset = DATASETS.build(said[f'{part}_dataset'])
        assert said[f'num_{part}'] == len(dataset)


def test_a_recipe_takes_it(tmp_path, folder):
    nets = write_recipes(tmp_path)
    cfg = read_recipe(nets / 'tiny.py', str(folder))
    assert cfg.model.head.num_classes == 3
    assert cfg.train_dataloader.sampler == dict(type='mmdrloc.ShardSampler')
    assert cfg.val_dataloader.sampler.type == 'DefaultSampler'
    assert bad_data(cfg, ('train', 'val')) == []


def test_imagenet():
    cfg = read_recipe('scratch_300e/swin-tiny', 'imagenet-1k-shards')
    assert cfg.train_dataloader.sampler == dict(type='mmdrloc.ShardSampler')
    assert cfg.train_dataloader.dataset.num_images == 1281167
    assert cfg.val_dataloader.dataset.data_prefix == 'val'
    assert cfg.model.head.num_classes == 1000
    (finding,) = bad_data(cfg, ['train'])
    assert 'there is no folder data/imagenet-shards/train' in finding
    assert 'make it with `python tools/dataset_converters/fold' in finding


def test_a_sampler_that_is_more_than_a_shuffle_stays(tmp_path, folder):
    nets = write_recipes(tmp_path)
    protocol = nets.parent / '_base_/protocols/classify.py'
    text = protocol.read_text().replace('DefaultSampler', 'RepeatAugSampler')
    protocol.write_text(text)
    cfg = read_recipe(nets / 'tiny.py', str(folder))
    assert cfg.train_dataloader.sampler.type == 'RepeatAugSampler'


@pytest.mark.parametrize('lacking', ['classes.txt', 'val'])
def test_what_is_missing_is_named(folder, lacking):
    (folder / lacking).rename(folder / 'other')
    with pytest.raises(UsageError, match=f'no.* {lacking}: looked for'):
        describe(folder)


def test_damage_is_found_before_training(tmp_path, folder):
    cfg = read_recipe(write_recipes(tmp_path) / 'tiny.py', str(folder))
    assert bad_data(cfg, ['train']) == []
    shard = folder / 'train/train-1.tar'
    content = shard.read_bytes()
    shard.unlink()
    (finding,) = bad_data(cfg, ['train'])
    assert 'train data: ' in finding and 'shards are missing' in finding
    shard.write_bytes(content[:3000])
    (finding,) = bad_data(cfg, ['train'])
    assert 'train-1.tar is cut off' in finding
    shard.write_bytes(content)
    assert bad_data(cfg, ['train']) == []


def test_a_label_of_no_class(folder, tmp_path):
    (folder / 'classes.txt').write_text('ant\nbee\n')
    cfg = read_recipe(write_recipes(tmp_path) / 'tiny.py', str(folder))
    (finding,) = bad_data(cfg, ['train'])
    assert 'labels from 0 to 2, expected are 0 to 1' in finding
