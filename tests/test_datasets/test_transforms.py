"""One first step for files and images in memory; levels of RandAugment."""

import fake_datasets as fake
import numpy as np
import pytest
from mmengine.registry import TRANSFORMS, init_default_scope


@pytest.fixture
def load():
    return TRANSFORMS.build(dict(type='mmdrloc.LoadImage'))


def test_file_and_memory_give_bgr(load, tmp_path):
    fake.write_image(tmp_path / 'a.jpg')
    from_file = load(dict(img_path=str(tmp_path / 'a.jpg')))
    from_memory = load(dict(img=np.uint8([[fake.RED]])))
    assert from_file['img_shape'] == (30, 40)
    assert from_memory['ori_shape'] == (1, 1)
    assert from_memory['img'].tolist() == [[list(fake.RED[::-1])]]
    # JPEG is not exact.
    assert np.allclose(from_file['img'], fake.RED[::-1], atol=3)
    # As mmpretrain's inferencers hand it over: BGR, with its shapes.
    again = load(dict(from_memory))
    assert again['img'].tolist() == from_memory['img'].tolist()


def test_gray_images_in_memory_stay_upright(load):
    image = np.arange(6, dtype=np.uint8).reshape(2, 3)
    loaded = load(dict(img=image.copy()))
    assert loaded['img'].tolist() == image.tolist()
    assert loaded['img_shape'] == (2, 3)


def brightened(count, prob, **options):
    """What becomes of grey images: level k makes 100 + 10 k of 100."""
    init_default_scope('mmpretrain')
    np.random.seed(0)
    brighter = dict(
        type='mmpretrain.Brightness',
        magnitude_range=(0, 0.9),
        random_negative_prob=0.0,
        prob=prob,
    )
    augment = TRANSFORMS.build(
        dict(type='mmdrloc.LevelRandAugment', policies=[brighter], **options)
    )
    gray = np.full((4, 4, 3), 100, np.uint8)
    return np.array(
        [augment(dict(img=gray))['img'][0, 0, 0] for _ in range(count)]
    )


def test_nine_levels_are_as_likely():
    found = brightened(4500, 1.0, num_policies=1)
    levels, counts = np.unique(found, return_counts=True)
    assert levels == pytest.approx(range(110, 200, 10), abs=1)
    assert abs(counts - 500).max() < 90


def test_an_image_stays_as_it_is_one_time_in_four():
    found = brightened(2000, 0.5)
    assert (found == 100).mean() == pytest.approx(0.25, abs=0.04)
    # Two operations, each with a level of its own: 1.1 x 1.2 is 132.
    assert 132 in found
