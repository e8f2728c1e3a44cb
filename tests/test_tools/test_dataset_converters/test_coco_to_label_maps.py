"""Instances in COCO's format as label maps."""

import json

import cv2
import numpy as np
import pytest
from coco_to_label_maps import write_label_maps
from command_line import run
from PIL import Image

from mmdrloc.utils.errors import UsageError


def square(left, top, side, category):
    right, bottom = left + side, top + side
    return dict(
        id=category,
        image_id=7,
        category_id=category,
        bbox=[left, top, side, side],
        iscrowd=0,
        segmentation=[[left, top, right, top, right, bottom, left, bottom]],
    )


@pytest.fixture
def instances(tmp_path):
    """A small square of category 5 on a large one of category 20."""
    (tmp_path / 'photos').mkdir()
    Image.new('RGB', (40, 30)).save(tmp_path / 'photos/a.jpg')
    content = dict(
        images=[dict(id=7, file_name='a.jpg', width=40, height=30)],
        # The large one comes last: order must not matter.
        annotations=[square(10, 10, 4, 5), square(6, 6, 16, 20)],
        categories=[dict(id=20, name='b'), dict(id=5, name='a')],
    )
    path = tmp_path / 'instances.json'
    path.write_text(json.dumps(content))
    return path


def test_small_instances_are_on_top(instances, tmp_path):
    out = tmp_path / 'out/train'
    assert write_label_maps(instances, tmp_path / 'photos', out) == 1
    drawn = cv2.imread(str(out / 'annotations/a.png'), cv2.IMREAD_GRAYSCALE)
    expected = np.zeros((30, 40), np.uint8)
    expected[6:22, 6:22] = 2
    expected[10:14, 10:14] = 1
    # pycocotools' polygons include their far edge or not.
    assert (drawn != expected).mean() < 0.05
    assert drawn[12, 12] == 1 and drawn[8, 8] == 2 and drawn[0, 0] == 0
    assert (out / 'images/a.jpg').is_file()


def test_other_categories_are_background(instances, tmp_path):
    out = tmp_path / 'out'
    tool = 'dataset_converters/coco_to_label_maps.py'
    line = (instances, tmp_path / 'photos', 'out', '--categories', 'b')
    done = run(tool, *line, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    drawn = cv2.imread(str(out / 'annotations/a.png'), cv2.IMREAD_GRAYSCALE)
    assert drawn[8, 8] == 1
    # The small square of the other category hides the large one.
    assert drawn[12, 12] == 0
    with pytest.raises(
        UsageError, match='no c: give --categories out of a, b'
    ):
        write_label_maps(
            instances, tmp_path / 'photos', tmp_path / 'val', ['b', 'c']
        )


def test_what_is_there_stays(instances, tmp_path):
    with pytest.raises(UsageError, match='is there already'):
        write_label_maps(instances, tmp_path / 'photos', tmp_path / 'photos')


def test_boxes_alone(instances, tmp_path):
    content = json.loads(instances.read_text())
    content['annotations'][0]['segmentation'] = []
    instances.write_text(json.dumps(content))
    with pytest.raises(UsageError, match='boxes without masks'):
        write_label_maps(instances, tmp_path / 'photos', tmp_path / 'out')


@pytest.mark.parametrize(
    'edit,words',
    [
        (lambda c: c.pop('categories'), 'categories 5, 20, and no such'),
        (lambda c: c['categories'].pop(), 'categories 5, and no such'),
        (lambda c: c['images'][0].pop('height'), 'a.jpg .* drawn .*height'),
        (lambda c: c['annotations'][0].update(segmentation=[[1]]), 'a.jpg'),
        (
            lambda c: c['annotations'][0].update(
                segmentation=dict(size=[30, 40], counts=[100, 30])
            ),
            'a.jpg .*run lengths',
        ),
        (lambda c: c['images'].append(c['images'][0]), 'two images of one id'),
        (lambda c: c['images'][0].update(width=41), 'a.jpg is loaded as 40'),
        (lambda c: c['images'][0].pop('file_name'), 'images without a file'),
        (lambda c: c['annotations'].clear(), 'no objects'),
        (lambda c: c['categories'][0].update(name='a'), 'of one name'),
        # Where ids are text in one place alone, all maps would be empty.
        (lambda c: c['images'][0].update(id='7'), 'images 7, and no images'),
    ],
)
def test_objects_that_cannot_be_drawn(instances, tmp_path, edit, words):
    content = json.loads(instances.read_text())
    edit(content)
    instances.write_text(json.dumps(content))
    with pytest.raises(UsageError, match=f'instances.json.*{words}'):
        write_label_maps(instances, tmp_path / 'photos', tmp_path / 'out')


def test_nothing_half_written_is_left(instances, tmp_path):
    (tmp_path / 'photos/a.jpg').unlink()
    with pytest.raises(UsageError, match='a.jpg is missing'):
        write_label_maps(instances, tmp_path / 'photos', tmp_path / 'out/x')
    assert not list((tmp_path / 'out').iterdir())


def test_two_images_of_one_name(instances, tmp_path):
    content = json.loads(instances.read_text())
    other = dict(content['images'][0], id=8, file_name='other/a.jpg')
    content['images'].append(other)
    instances.write_text(json.dumps(content))
    (tmp_path / 'photos/other').mkdir()
    Image.new('RGB', (40, 30)).save(tmp_path / 'photos/other/a.jpg')
    with pytest.raises(UsageError, match='two images called a'):
        write_label_maps(instances, tmp_path / 'photos', tmp_path / 'out')
