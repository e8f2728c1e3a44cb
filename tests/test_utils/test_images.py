"""Faults of image files."""

import mmcv
import pytest
from PIL import Image

from mmdrloc.utils.images import problem_with

SIZE = 40, 30


@pytest.mark.parametrize('orientation', [1, 4, 5, 6])
@pytest.mark.parametrize('suffix', ['jpg', 'png', 'webp', 'tif', 'bmp'])
def test_the_size_is_that_of_the_image_as_loaded(
    tmp_path, suffix, orientation
):
    """Which formats are turned upright depends on OpenCV's version."""
    file = str(tmp_path / f'a.{suffix}')
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new('RGB', SIZE).save(file, exif=exif)
    loaded = mmcv.imread(file).shape[1::-1]
    assert problem_with(file, loaded) is None
    assert 'the annotations say' in problem_with(file, loaded[::-1])
    if suffix == 'jpg':
        assert loaded == (SIZE if orientation < 5 else SIZE[::-1])
