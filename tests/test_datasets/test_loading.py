"""One first step for files and for images in memory."""

import fake_datasets as fake
import numpy as np
import pytest
from mmengine.registry import TRANSFORMS

from mmdrloc.utils.errors import UsageError


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


def test_gray_images_in_memory_stay_upright(load):
    image = np.arange(6, dtype=np.uint8).reshape(2, 3)
    loaded = load(dict(img=image.copy()))
    assert loaded['img'].tolist() == image.tolist()
    assert loaded['img_shape'] == (2, 3)


def test_an_image_loaded_before_stays_as_it_is(load):
    """As mmpretrain's inferencers hand it over: BGR, with its shapes."""
    image = np.uint8([[fake.RED[::-1]]])
    loaded = load(dict(img=image, img_shape=(1, 1), ori_shape=(1, 1)))
    assert loaded['img'].tolist() == image.tolist()


@pytest.mark.parametrize('content', [b'', b'not an image'])
def test_the_path_of_a_bad_image_is_named(load, tmp_path, content):
    path = tmp_path / 'a.jpg'
    path.write_bytes(content)
    with pytest.raises(UsageError, match=str(path)):
        load(dict(img_path=str(path)))
