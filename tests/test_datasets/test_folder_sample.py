"""Some of the images in class folders, always the same ones."""

import pytest
from mmpretrain.datasets import KFoldDataset
from tiny_data import write_photo

from mmdrloc.datasets.folder_sample import FolderSample


@pytest.fixture
def photos(tmp_path):
    """Three classes with ten photos each."""
    for name in ('ant', 'bee', 'cow'):
        for number in range(10):
            write_photo(tmp_path / name / f'{number}.jpg')
    return str(tmp_path)


def paths_of(dataset):
    return [dataset.get_data_info(i)['img_path'] for i in range(len(dataset))]


def test_it_is_a_fold(photos):
    sample = FolderSample(num_images=3, seed=0, data_root=photos)
    fold = KFoldDataset(
        dict(type='CustomDataset', data_root=photos),
        fold=0,
        num_splits=10,
        test_mode=True,
        seed=0,
    )
    assert len(sample) == 3
    assert paths_of(sample) == paths_of(fold)


def test_another_seed_draws_others(photos):
    draws = [
        FolderSample(num_images=5, seed=seed, data_root=photos)
        for seed in (0, 0, 1)
    ]
    first, again, other = map(paths_of, draws)
    assert first == again != other
    assert len(set(first)) == 5
    # Of a sample the classes are those of all images.
    assert draws[0].CLASSES == ('ant', 'bee', 'cow')


def test_samples_one_after_the_other_share_nothing(photos):
    both, first, rest = (
        FolderSample(seed=0, data_root=photos, **part)
        for part in (
            dict(num_images=9),
            dict(num_images=5),
            dict(num_images=4, skip=5),
        )
    )
    assert paths_of(first) + paths_of(rest) == paths_of(both)
