"""A data set of photos in tar files."""

import os

import pytest
from mmengine.registry import DATASETS, init_default_scope
from tiny_shards import CLASSES, photo, write_shard, write_shards
from torch.utils.data import DataLoader

from mmdrloc.datasets import tar_index
from mmdrloc.utils.errors import UsageError

LOAD = [dict(type='mmdrloc.LoadImage')]


@pytest.fixture
def root(tmp_path):
    write_shards(tmp_path)
    init_default_scope('mmpretrain')
    return tmp_path


def build(root, **options):
    options = dict(data_prefix='train', data_root=str(root)) | options
    return DATASETS.build(dict(type='mmdrloc.TarShards', **options))


def test_photos_labels_and_names(root, tmp_path):
    dataset = build(root, pipeline=LOAD)
    assert dataset.shard_sizes == [5, 3, 4] and len(dataset) == 12
    assert dataset.metainfo['classes'] == CLASSES
    assert dataset.get_gt_labels().tolist() == [n % 3 for n in range(12)]
    for number in (0, 4, 5, 11):
        (tmp_path / 'a.png').write_bytes(photo(number))
        loaded = build(root, pipeline=[])[number]
        assert os.path.basename(loaded['img_path']) == f'{number:03}.png'
        expected = dict(img_path=str(tmp_path / 'a.png'))
        pixels = dataset.pipeline.transforms[0](expected)['img']
        assert (dataset[number]['img'] == pixels).all()


def test_shards_of_others_lie_in_one_folder_without_names(root):
    (root / 'classes.txt').unlink()
    write_shards(root / 'more', (2,), part='train')
    (root / 'more/train/train-0.tar').rename(root / 'train/val-0.tar')
    some = dict(data_root=str(root / 'train'), data_prefix='')
    train = build(root, **some, shards='train-*.tar')
    val = build(root, **some, shards='val-*.tar')
    assert (len(train), len(val)) == (12, 2)
    assert train.CLASSES is None


def test_names_of_classes_are_compared(root):
    assert build(root, metainfo=dict(classes=CLASSES)).CLASSES == CLASSES
    with pytest.raises(UsageError, match=r'\(wasp and bee\)'):
        build(root, metainfo=dict(classes=['ant', 'wasp', 'cow']))
    with pytest.raises(UsageError, match=r'\(4 and 3 of them\)'):
        build(root, metainfo=dict(classes=[*CLASSES, 'dog']))


def test_images_are_counted(root):
    assert len(build(root, num_images=12)) == 12
    with pytest.raises(UsageError, match='hold 12 images where 1,200 are'):
        build(root, num_images=1200)


@pytest.mark.parametrize('workers', [0, 2])
def test_a_shard_cut_off_while_training_is_said_in_a_sentence(root, workers):
    dataset = build(root, pipeline=LOAD)
    tar_index._opened.cache_clear()
    os.truncate(root / 'train/train-1.tar', 3000)
    loader = DataLoader(dataset, num_workers=workers, collate_fn=list)
    with pytest.raises(UsageError) as error:
        list(loader)
    said = str(error.value)
    assert said.startswith('the shard ') and '\n' not in said
    assert 'train-1.tar ends before 006.png does' in said


def test_a_damaged_photo_is_named(root):
    files = {'a.png': b'no photo', 'a.cls': b'0'}
    write_shard(root / 'train/train-3.tar', files)
    with pytest.raises(UsageError, match='train-3.tar//a.png cannot be read'):
        build(root, pipeline=LOAD)[12]
