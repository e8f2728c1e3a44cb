"""Parquet files of images as class folders."""

import io
import json

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


def test_parts_classes_and_images(folder, tmp_path):
    out = tmp_path / 'out'
    tool = 'dataset_converters/parquet_to_folders.py'
    done = run(tool, folder, 'out', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    there = {str(p.relative_to(out)) for p in out.rglob('*') if p.is_file()}
    assert there == {
        'train/cat/0000001.png',
        'train/_dog/0000002.png',
        'train/_dog/0000003.png',
        'train/cat/0000004.jpg',
        'val/_dog/0000001.png',
        'val/cat/0000002.png',
    }
    for name, shade in (('train/cat/0000001', 10), ('val/cat/0000002', 60)):
        assert (out / f'{name}.png').read_bytes() == photo(shade)


def test_formats_that_a_training_does_not_read(tmp_path):
    content = photo(40, 'GIF')
    write(tmp_path / 'set/train.parquet', [content, photo(10)], [0, 1])
    parquet_to_folders(tmp_path / 'set', tmp_path / 'out')
    with Image.open(tmp_path / 'out/train/cat/0000001.png') as image:
        assert image.format == 'PNG' and image.getpixel((0, 0)) == (40, 0, 0)


def test_photos_that_are_turned(tmp_path):
    buffer, turned = io.BytesIO(), Image.Exif()
    turned[0x0112] = 6
    Image.new('RGB', (40, 30)).save(buffer, 'AVIF', exif=turned)
    write(tmp_path / 'set/train.parquet', [buffer.getvalue()], [0])
    parquet_to_folders(tmp_path / 'set', tmp_path / 'out')
    with Image.open(tmp_path / 'out/train/cat/0000001.png') as image:
        assert image.size == (30, 40)


def test_several_data_sets(folder, tmp_path):
    write(folder / 'small/train-0.parquet', [photo(10)], [0])
    with pytest.raises(UsageError, match='several datasets .*set.*small'):
        parquet_to_folders(folder, tmp_path / 'out')


def test_parts_that_number_classes_differently(folder, tmp_path):
    """As where a part was written alone, and lacks a class."""
    write(folder / 'data/test.parquet', [photo(10)], [0], NAMES[1:])
    with pytest.raises(UsageError, match='number the names of label'):
        parquet_to_folders(folder, tmp_path / 'out')


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
    ('file', 'image', 'label', 'options', 'words'),
    [
        ('all', b'', 0, {}, 'does not say what it is for'),
        ('test', b'', 0, {}, 'has no file train'),
        ('train', b'x', 0, {}, 'train, image 1, holds no image'),
        ('train', None, 0, {}, 'train, image 1, holds no image'),
        ('train', b'', 0, dict(image='img'), 'columns image, label, and not'),
        ('train', photo(10), -1, {}, 'the label -1, which has no name'),
        ('train', photo(10), 0, dict(label='image'), 'image has several'),
    ],
)
def test_what_cannot_be_used(tmp_path, file, image, label, options, words):
    write(tmp_path / f'set/{file}.parquet', [image], [label])
    with pytest.raises(UsageError, match=words):
        parquet_to_folders(tmp_path / 'set', tmp_path / 'out', **options)
    assert not (tmp_path / 'out').exists()


def test_damage_and_what_is_there(folder, tmp_path):
    with pytest.raises(UsageError, match='is there already'):
        parquet_to_folders(folder, folder)
    (folder / 'data/train-2.parquet').write_bytes(b'PAR1')
    with pytest.raises(UsageError, match='damaged or no parquet'):
        parquet_to_folders(folder, tmp_path / 'out')


def test_photos_of_several_pictures_and_no_label(tmp_path):
    """Some phones write MPO, which is JPEG with more behind it."""
    one = io.BytesIO()
    frames = [Image.new('RGB', (80, 80), (n, 0, 0)) for n in (10, 20)]
    frames[0].save(one, 'MPO', save_all=True, append_images=frames[1:])
    path = tmp_path / 'set/train.parquet'
    write(path, [one.getvalue(), photo(1)], ['cat', 'dog'], names=None)
    parquet_to_folders(path.parent, tmp_path / 'out')
    assert (tmp_path / 'out/train/cat/0000001.jpg').is_file()
    write(path, [photo(1), photo(2)], ['cat', None], names=None)
    with pytest.raises(UsageError, match='label None'):
        parquet_to_folders(path.parent, tmp_path / 'other')
