"""Parquet files of images as class folders."""

import io
import json

import numpy as np
import pytest
from command_line import run
from parquet_to_folders import parquet_to_folders
from PIL import Image

from mmdrloc.utils.errors import UsageError

pa = pytest.importorskip('pyarrow', reason='`make env` installs pyarrow')
parquet = pytest.importorskip('pyarrow.parquet')

NAMES = ['cat', '../dog']


def photo(shade, kind='PNG'):
    buffer = io.BytesIO()
    Image.new('RGB', (80, 80), (shade, 0, 0)).save(buffer, kind)
    return buffer.getvalue()


def write(path, images, labels, names=NAMES, image='image'):
    """A file as `datasets` writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table(
        {
            image: [dict(bytes=content, path=None) for content in images],
            'label': labels,
        }
    )
    if names is not None:
        features = dict(label=dict(names=names, _type='ClassLabel'))
        said = json.dumps(dict(info=dict(features=features)))
        table = table.replace_schema_metadata({'huggingface': said})
    parquet.write_table(table, path, row_group_size=2)


@pytest.fixture
def folder(tmp_path):
    data = tmp_path / 'set/data'
    images = [photo(shade) for shade in (10, 20, 30)]
    write(data / 'train-00000-of-00002.parquet', images, [0, 1, 1])
    write(data / 'train-00001-of-00002.parquet', [photo(40, 'JPEG')], [0])
    write(data / 'validation-00000.parquet', [photo(50), photo(60)], [1, 0])
    return tmp_path / 'set'


def shades(place):
    return {
        path.suffix: int(np.asarray(Image.open(path))[0, 0, 0])
        for path in place.iterdir()
    }


def test_parts_classes_and_images(folder, tmp_path):
    out = tmp_path / 'out'
    assert parquet_to_folders(folder, out) == dict(train=4, val=2)
    there = {str(p.relative_to(out)) for p in out.rglob('*') if p.is_file()}
    assert there == {
        'train/cat/0000001.png',
        'train/_dog/0000002.png',
        'train/_dog/0000003.png',
        'train/cat/0000004.jpg',
        'val/_dog/0000001.png',
        'val/cat/0000002.png',
    }
    content = (out / 'train/cat/0000001.png').read_bytes()
    assert content == photo(10)
    assert shades(out / 'val/cat') == {'.png': 60}


def test_labels_that_are_names(tmp_path):
    write(
        tmp_path / 'set/train.parquet',
        [photo(10), photo(20)],
        ['a', 'b/c'],
        names=None,
        image='img',
    )
    parquet_to_folders(tmp_path / 'set', tmp_path / 'out', image='img')
    names = sorted(p.name for p in (tmp_path / 'out/train').iterdir())
    assert names == ['a', 'b_c']


@pytest.mark.parametrize(
    ('file', 'images', 'options', 'words'),
    [
        ('all.parquet', [b''], {}, 'does not say what it is for'),
        ('test.parquet', [b''], {}, 'has no file train'),
        ('train.parquet', [b'x'], {}, 'train, image 1, holds no image'),
        ('train.parquet', [None], {}, 'train, image 1, holds no image'),
        (
            'train.parquet',
            [b''],
            dict(image='img'),
            'columns image, label, and not img',
        ),
    ],
)
def test_what_cannot_be_used(tmp_path, file, images, options, words):
    write(tmp_path / 'set' / file, images, [0] * len(images))
    with pytest.raises(UsageError, match=words):
        parquet_to_folders(tmp_path / 'set', tmp_path / 'out', **options)
    assert not (tmp_path / 'out').exists()


def test_a_label_without_a_name(tmp_path):
    write(tmp_path / 'set/train.parquet', [photo(10)], [-1])
    with pytest.raises(UsageError, match='the label -1, which has no name'):
        parquet_to_folders(tmp_path / 'set', tmp_path / 'out')


def test_damage_and_what_is_there(folder, tmp_path):
    with pytest.raises(UsageError, match='is there already'):
        parquet_to_folders(folder, folder)
    (folder / 'train-2.parquet').write_bytes(b'PAR1')
    with pytest.raises(UsageError, match='damaged or no parquet'):
        parquet_to_folders(folder, tmp_path / 'out')


def test_the_command(folder, tmp_path):
    tool = 'dataset_converters/parquet_to_folders.py'
    done = run(tool, folder, 'out', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / 'out/train').rglob('*.*'))) == 4
