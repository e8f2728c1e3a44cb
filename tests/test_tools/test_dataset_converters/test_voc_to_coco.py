"""Datasets of Pascal VOC as COCO's."""

import json

import pytest
from command_line import run
from PIL import Image
from voc_to_coco import voc_to_coco

from mmdrloc.datasets.folders import coco
from mmdrloc.utils.errors import UsageError

OBJECT = """<object><name>{}</name><difficult>{}</difficult><bndbox>
<xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox>
<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part></object>"""


def write(folder, name, *objects, size=(40, 30)):
    for place in ('Annotations', 'JPEGImages', 'ImageSets/Main'):
        (folder / place).mkdir(parents=True, exist_ok=True)
    Image.new('RGB', (40, 30)).save(folder / f'JPEGImages/{name}.jpg')
    inside = ''.join(OBJECT.format(*values) for values in objects)
    (folder / f'Annotations/{name}.xml').write_text(
        f'<annotation><size><width>{size[0]}</width><height>{size[1]}'
        f'</height></size>{inside}</annotation>'
    )


@pytest.fixture
def voc(tmp_path):
    folder = tmp_path / 'voc'
    write(folder, 'a', ('dog', 0, 1, 1, 40, 30), ('cat', 1, 11, 6, 20, 10))
    write(folder, 'b', ('dog', 0, 0, 0, 99, 12.5), size=(0, 0))
    write(folder, 'c')
    lists = folder / 'ImageSets/Main'
    (lists / 'train.txt').write_text('a\nc\n')
    (lists / 'val.txt').write_text('b\n')
    (lists / 'test.txt').write_text('')
    return folder


def read(out, part):
    return json.loads((out / f'annotations/instances_{part}.json').read_text())


def test_boxes_classes_and_images(voc, tmp_path):
    out = tmp_path / 'out'
    done = run('dataset_converters/voc_to_coco.py', voc, 'out', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    train, val = read(out, 'train'), read(out, 'val')
    names = [dict(id=1, name='cat'), dict(id=2, name='dog')]
    assert train['categories'] == val['categories'] == names
    # From 1 and with the last pixel there; from 0 and without it here.
    assert [(a['bbox'], a['category_id']) for a in train['annotations']] == [
        ([0, 0, 40, 30], 2),
        ([10, 5, 10, 5], 1),
    ]
    assert [a['iscrowd'] for a in train['annotations']] == [0, 1]
    # Cut off at the border, of an image whose size was not written down.
    assert val['annotations'][0]['bbox'] == [0, 0, 40, 12.5]
    assert val['images'] == [
        dict(id=1, file_name='b.jpg', width=40, height=30)
    ]
    images = sorted(path.name for path in (out / 'train').iterdir())
    assert images == ['a.jpg', 'c.jpg']
    # A recipe takes it.
    data, _ = coco.describe(out)
    assert data['train_dataset']['metainfo']['classes'] == ['cat', 'dog']
    assert (data['num_train'], data['num_val']) == (2, 1)
    assert not data['has_masks']


BOMB = (
    '<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y SYSTEM "file:///etc/passwd">]>'
    '<annotation>&y;</annotation>'
)
BOX = '<object><name>dog</name><bndbox><xmin>{}</xmin><ymin>1</ymin>'
END = '<xmax>5</xmax><ymax>5</ymax></bndbox></object>'


@pytest.mark.parametrize(
    ('file', 'text', 'words'),
    [
        ('Annotations/a.xml', BOMB, 'a.xml .* cannot be used'),
        ('Annotations/a.xml', f'<a>{BOX.format("x")}{END}</a>', "'x'"),
        ('Annotations/a.xml', f'<a>{BOX.format(9)}{END}</a>', 'outside'),
        ('Annotations/a.xml', f'<a>{BOX.format("nan")}{END}</a>', 'empty'),
        ('Annotations/a.xml', '<a><object/></a>', 'has no name'),
        ('ImageSets/Main/train.txt', 'd', 'd.xml .* cannot be used'),
        ('ImageSets/Main/train.txt', '../a', 'has paths'),
        ('ImageSets/Main/train.txt', 'a  1\nc -1', 'the list of a class'),
        ('ImageSets/Main/train.txt', 'a\nc\na', 'has a twice'),
        ('ImageSets/Main/val.txt', '\n', 'val.txt is empty'),
    ],
)
def test_what_cannot_be_used(voc, tmp_path, file, text, words):
    (voc / file).write_text(text)
    with pytest.raises(UsageError, match=words):
        voc_to_coco(voc, tmp_path / 'out')
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize(
    'file', ['JPEGImages/a.jpg', 'ImageSets/Main/val.txt']
)
def test_a_missing_file(voc, tmp_path, file):
    (voc / file).unlink()
    with pytest.raises(UsageError, match=file.split('/')[0]):
        voc_to_coco(voc, tmp_path / 'out')


def test_names_that_begin_alike(tmp_path):
    folder = tmp_path / 'voc'
    for name, right in (('frame', 20), ('frame.1', 30), ('frame.2', 25)):
        write(folder, name, ('dog', 0, 11, 11, right, 20))
    lists = folder / 'ImageSets/Main'
    (lists / 'train.txt').write_text('frame\n')
    (lists / 'val.txt').write_text('frame.1\nframe.2\n')
    voc_to_coco(folder, tmp_path / 'out')
    [image] = read(tmp_path / 'out', 'train')['images']
    assert image['file_name'] == 'frame.jpg'
    Image.new('RGB', (40, 30)).save(folder / 'JPEGImages/frame.png')
    with pytest.raises(UsageError, match='2 images of this name'):
        voc_to_coco(folder, tmp_path / 'other')


def test_photos_that_are_turned_and_names_with_spaces(tmp_path):
    """The annotations are of the upright photo, as it is loaded."""
    folder = tmp_path / 'voc'
    write(folder, 'IMG 1', ('dog', 0, 11, 21, 20, 38), size=(30, 40))
    turned = Image.Exif()
    turned[0x0112] = 6
    path = folder / 'JPEGImages/IMG 1.jpg'
    Image.new('RGB', (40, 30)).save(path, exif=turned)
    lists = folder / 'ImageSets/Main'
    (lists / 'train.txt').write_text('IMG 1\n', 'utf-8-sig')
    (lists / 'val.txt').write_text('IMG 1\n')
    voc_to_coco(folder, tmp_path / 'out')
    content = read(tmp_path / 'out', 'train')
    [image], [one] = content['images'], content['annotations']
    assert (image['width'], image['height']) == (30, 40)
    assert one['bbox'] == [10, 20, 10, 18]
    # Boxes of the photo as it lies in the file would be beside the objects.
    xml = folder / 'Annotations/IMG 1.xml'
    said = xml.read_text()
    swapped = said.replace('>30<', '>wide<', 1).replace('>40<', '>30<', 1)
    xml.write_text(swapped.replace('>wide<', '>40<'))
    with pytest.raises(UsageError, match='of 40 x 30 .* upright, as 30 x 40'):
        voc_to_coco(folder, tmp_path / 'other')
    # One that is not turned: some sets have the size the other way round.
    Image.new('RGB', (30, 40)).save(path)
    voc_to_coco(folder, tmp_path / 'other')
