"""Missing and damaged images are found among good ones."""

import fake_datasets as fake
import pytest
from PIL import Image

from mmdrloc.preflight import images


def check(*paths):
    return images.find_bad_images([str(path) for path in paths], 'test')


@pytest.fixture
def good(tmp_path):
    path = tmp_path / 'good.jpg'
    fake.write_image(path)
    return path


def test_good_ones(good, tmp_path):
    longer = tmp_path / 'longer.jpg'
    longer.write_bytes(good.read_bytes() + b'written by a camera')
    Image.new('L', (5, 5)).save(tmp_path / 'a.png')
    assert check(good, longer, tmp_path / 'a.png', good) == []


def test_bad_ones_are_named(good, tmp_path):
    whole = good.read_bytes()
    Image.new('RGB', (50, 50)).save(tmp_path / 'whole.png')
    contents = {
        'text.jpg': b'not an image',
        'cut.jpg': whole[: len(whole) // 2],
        'cut.png': (tmp_path / 'whole.png').read_bytes()[:-20],
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    paths = [tmp_path / name for name in contents]
    problems = check(good, *paths, tmp_path / 'none.jpg', good)
    assert len(problems) == 4
    for path, problem in zip(paths, problems):
        assert problem.startswith(f'{path} is damaged')
    assert problems[-1] == f'{tmp_path / "none.jpg"} is missing'


def test_large_sets_are_looked_at_here_and_there(monkeypatch):
    monkeypatch.setattr(images, 'MOST_CHECKED', 3)
    missing = check(*(f'{number}.jpg' for number in range(9)))
    assert missing == [f'{number}.jpg is missing' for number in (0, 4, 8)]
