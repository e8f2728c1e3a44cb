"""What is told of predictions: classes, a page, a table, files left out."""

import csv
import re
import shutil
from base64 import b64decode
from io import BytesIO

import mmcv
import numpy as np
import pytest
import tiny_mae
import torch
from mmcv.transforms import LoadImageFromFile
from mmengine.config import Config
from mmpretrain.registry import TRANSFORMS
from PIL import Image
from published_models import leave_checkpoint, tiny_classifier

from mmdrloc import apis
from mmdrloc.apis import prediction, prediction_page
from mmdrloc.checkpoints.load import load_trained
from mmdrloc.models.building import build_model
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.images import problem_with

NAMES = ('cat', 'dog', 'owl')


@pytest.fixture
def photos(tmp_path, monkeypatch):
    """Two photos of a cat, and files that are none."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / 'photos/cat'
    folder.mkdir(parents=True)
    pixels = np.random.default_rng(0).integers(0, 255, (400, 600, 3), np.uint8)
    for name in ('a.jpg', 'b.jpg'):
        Image.fromarray(pixels).save(folder / name)
    (folder / 'bad.jpg').write_bytes(b'no photo')
    (folder / 'cut.jpg').write_bytes((folder / 'a.jpg').read_bytes()[:3000])
    (folder / '._a.jpg').write_bytes(b'of macOS')
    return 'photos'


def classified(image, *scores):
    scores = np.array(scores)
    result = dict(pred_scores=scores, pred_class=NAMES[scores.argmax()])
    return prediction._prediction(result, image, NAMES)


def detected(image):
    boxes = [[1.0, 2.0, 30.0, 40.0], [5.0, 6.0, 7.0, 8.0], [0, 0, 1, 1]]
    result = dict(bboxes=boxes, labels=[1, 1, 0], scores=[0.5, 0.8, 0.1])
    return prediction._prediction(result, image, NAMES)


def segmented(image):
    result = dict(map=np.array([[0, 2], [2, 2]]))
    return prediction._prediction(result, image, NAMES)


def rows(*seen):
    prediction_page.write_table(seen, prediction.Path('a.csv'))
    with open('a.csv', newline='') as file:
        return [*csv.reader(file)]


def test_files_that_cannot_be_read_are_told_and_left_out(
    tmp_path, photos, capsys
):
    config, checkpoint = tiny_classifier(tmp_path)
    model = config.filename
    seen = apis.predict(model, photos, checkpoint)
    assert [one.name for one in seen] == [
        'photos/cat/a.jpg',
        'photos/cat/b.jpg',
    ]
    said = capsys.readouterr().err
    for name in ('bad.jpg', 'cut.jpg'):
        assert f'left out: photos/cat/{name}' in said
    with pytest.raises(UsageError, match='nothing was predicted: .*bad.jpg'):
        apis.predict(model, 'photos/cat/bad.jpg', checkpoint)
    with pytest.raises(UsageError, match='there is no image none.jpg'):
        apis.predict(model, ['photos', 'none.jpg'], checkpoint)
    with pytest.raises(UsageError, match='no image was given'):
        apis.predict(model, [], checkpoint, show_dir='drawn')


def test_drawings_in_the_home_folder(tmp_path, photos, monkeypatch):
    """As a notebook writes it, and a shell leaves --show-dir=~/drawn."""
    monkeypatch.setenv('HOME', str(tmp_path / 'home'))
    config, checkpoint = tiny_classifier(tmp_path)
    place = dict(show_dir='~/drawn')
    apis.predict(config.filename, 'photos/cat/a.jpg', checkpoint, **place)
    assert (tmp_path / 'home/drawn/a.jpg.png').is_file()


def test_kinds_that_nobody_reads_are_told_too(tmp_path):
    folder = tmp_path / 'photos'
    folder.mkdir()
    Image.new('RGB', (9, 9)).save(folder / 'good.tif')
    Image.new('RGB', (9, 9)).save(folder / 'moving.gif')
    kept, left_out = prediction._found(folder, None)
    assert kept == [str(folder / 'good.tif')]
    assert left_out == [f'1 file of .gif in {folder}']
    (folder / 'good.tif').unlink()
    with pytest.raises(UsageError, match=r'only 1 file of \.gif .*convert'):
        prediction._found(folder, None)
    Image.new('F', (9, 9)).save(folder / 'float.tif')
    assert 'read by OpenCV' in problem_with(str(folder / 'float.tif'))


def test_earlier_drawings_are_no_photos(photos):
    shutil.copytree('photos/cat', 'photos/drawn/cat')
    wanted = [f'photos/cat/{name}.jpg' for name in ('a', 'b', 'bad', 'cut')]
    kept, _ = prediction._found(photos, 'photos/drawn')
    assert kept == wanted
    # Drawings beside the photos, or above them, leave no photo out.
    for place in ('photos', '.'):
        kept, _ = prediction._found('photos/cat', place)
        assert kept == wanted
    # Among them they would be photos of the next call.
    with pytest.raises(UsageError, match='another folder'):
        prediction._found('photos/cat', 'photos/../photos/cat')


def test_drawings_of_one_name_are_apart(tmp_path):
    files = [str(tmp_path / name / 'IMG.jpg') for name in ('cat', 'dog')]
    places = prediction._places(files, tmp_path / 'drawn')
    assert places == [str(tmp_path / f'drawn/{n}') for n in ('cat', 'dog')]


def test_tables(photos):
    assert rows(classified('photos/cat/a.jpg', 0.2, 0.7, 0.1)) == [
        ['image', 'class', 'score'],
        ['photos/cat/a.jpg', 'dog', '0.7'],
    ]
    assert rows(detected('a.png')) == [
        ['image', 'class', 'score', 'left', 'top', 'right', 'bottom'],
        ['a.png', 'dog', '0.8', '5.0', '6.0', '7.0', '8.0'],
        ['a.png', 'dog', '0.5', '1.0', '2.0', '30.0', '40.0'],
    ]
    # Of each class the best box is told.
    assert detected('a.png')['classes'] == {'dog': 0.8}
    # Whatever was found, the columns are those of a detector.
    nothing = dict(bboxes=[], labels=[], scores=[])
    empty = prediction._prediction(nothing, 'none.png', NAMES)
    assert rows(empty) == [
        ['image', 'class', 'score', 'left', 'top', 'right', 'bottom'],
        ['none.png', '', '', '', '', '', ''],
    ]
    assert len(rows(empty, detected('a.png'))) == 4
    assert rows(segmented('a.png')) == [
        ['image', 'class', 'area'],
        ['a.png', 'owl', '0.75'],
        ['a.png', 'cat', '0.25'],
    ]


def test_a_folder_that_is_no_class_contradicts_nothing():
    folders = dict(cat='cat', new=None)
    for folder, truth in folders.items():
        one = classified(f'photos/{folder}/a.jpg', 0.6, 0.3, 0.1)
        assert one['truth'] == truth


def test_a_page_is_small_and_begins_with_what_is_wrong(photos, tmp_path):
    right = classified('photos/cat/a.jpg', 0.6, 0.3, 0.1)
    wrong = classified('photos/cat/b.jpg', 0.2, 0.7, 0.1)
    assert right['truth'] == wrong['truth'] == 'cat'
    small = [prediction_page.thumbnail(one['image']) for one in (right, wrong)]
    assert max(map(len, small)) < 30_000  # of noise
    out = tmp_path / 'a.html'
    prediction_page.write_gallery(
        [right, wrong], small, ['<x> is bad'], out, 'T'
    )
    page = out.read_text()
    assert page.index('b.jpg') < page.index('a.jpg')
    assert page.count('class="wrong"') == 1 and '1 of 2' in page
    assert '<b>dog</b>' in page and '<b>cat</b>' in page
    assert re.findall(r'width:([\d.]+%)"', page)[:2] == ['70.0%', '20.0%']
    assert '&lt;x&gt; is bad' in page and '<x>' not in page
    assert not re.search(r'src="(?!data:)', page)


@pytest.mark.parametrize('mode', ['RGB', 'L', 'I;16', 'RGBA', 'P'])
def test_a_picture_shows_what_is_predicted(tmp_path, mode):
    file = str(tmp_path / 'a.png')
    grey = np.tile(np.arange(0, 256, 8, dtype=np.uint8), (9, 1))
    image = Image.fromarray(grey).convert(mode.removesuffix(';16'))
    if mode == 'I;16':
        image = Image.fromarray(grey.astype(np.uint16) * 256)
    image.save(file)
    picture = b64decode(prediction_page.thumbnail(file))
    shown = np.asarray(Image.open(BytesIO(picture)).convert('L'), int)
    assert abs(shown - mmcv.imread(file, 'grayscale')).max() < 16


def test_a_picture_of_more_pixels_than_pillow_reads(tmp_path, monkeypatch):
    file = tmp_path / 'a.png'
    Image.new('L', (140, 130)).save(file)
    monkeypatch.setattr(Image, 'MAX_IMAGE_PIXELS', 1000)
    assert problem_with(str(file)) is None
    assert len(prediction_page.thumbnail(str(file))) < 3_000


def test_scores_that_are_not_finite():
    with pytest.raises(UsageError, match='are not finite'):
        classified('a.jpg', float('nan'), float('nan'), float('nan'))


def test_a_page_counts_boxes(photos, tmp_path):
    pixels = np.zeros((600, 900, 3), np.uint8)
    out = tmp_path / 'a.html'
    picture = prediction_page.thumbnail(pixels)
    prediction_page.write_gallery([detected('a.png')], [picture], [], out, 'T')
    assert '<b>dog × 2</b>' in out.read_text()


@pytest.mark.parametrize(
    'pixels',
    [
        np.zeros((9, 9, 3), np.uint16),
        np.zeros((9, 9, 3), float),
        np.zeros((9, 9, 4), np.uint8),
        np.zeros((9, 9), np.uint8),
        np.zeros((0, 9, 3), np.uint8),
    ],
)
def test_pixels_of_another_kind(pixels):
    with pytest.raises(UsageError, match='pixels are uint8 of shape'):
        prediction._found([pixels], None)


@pytest.mark.parametrize(
    'image', [None, Image.new('RGB', (9, 9)), torch.zeros(1, 3, 9, 9)]
)
def test_images_of_another_kind(image):
    with pytest.raises(UsageError, match='an image is a file, a folder, or'):
        prediction._found(image, None)


def test_a_page_that_cannot_be_written(photos, tmp_path):
    """It is told before the predictions, not after."""
    config, checkpoint = tiny_classifier(tmp_path)
    (tmp_path / 'page.html').mkdir()
    line = (config.filename, photos, checkpoint)
    with pytest.raises(IsADirectoryError):
        apis.predict(*line, out='page.html', show_dir='drawn')
    assert not [*tmp_path.glob('drawn/*')]


@TRANSFORMS.register_module()
class LoadWithOwnCode(LoadImageFromFile):
    def transform(self, results):
        image = mmcv.imread(results['img_path'], self.color_type)
        shape = dict.fromkeys(['img_shape', 'ori_shape'], image.shape[:2])
        return dict(results, img=image, **shape)


@pytest.mark.parametrize(
    'step', ['LoadImageFromFile', 'mmdrloc.LoadImage', 'LoadWithOwnCode']
)
def test_files_are_read_as_in_the_test(tmp_path, photos, step):
    config, _ = tiny_classifier(tmp_path)
    config.model.backbone.in_channels = 1
    config.data_preprocessor = dict(num_classes=3)
    config.test_dataloader.dataset.pipeline[0] = dict(
        type=step, color_type='grayscale'
    )
    config.dump('grey.py')
    checkpoint = leave_checkpoint(config, tmp_path, dict(classes=NAMES))
    apis.publish('grey.py', checkpoint, folder='published')
    model = load_trained(config, checkpoint).model
    grey = mmcv.imread('photos/cat/a.jpg', 'grayscale')
    [wanted] = model(torch.tensor(grey)[None, None].float()).softmax(-1)
    for place, weights in (('grey.py', checkpoint), ('published', None)):
        [seen] = apis.predict(place, 'photos/cat/a.jpg', weights)
        torch.testing.assert_close(torch.tensor(seen['pred_scores']), wanted)


def test_a_config_that_does_not_say_how_images_are_prepared(tmp_path, photos):
    config, checkpoint = tiny_classifier(tmp_path)
    dataset = config.test_dataloader.dataset
    config.test_dataloader.dataset = dict(
        type='ConcatDataset', datasets=[dataset]
    )
    config.dump('two.py')
    with pytest.raises(UsageError, match='says how an image is prepared'):
        apis.predict('two.py', photos, checkpoint)


def test_a_device_that_is_not_there(tmp_path, photos):
    config, checkpoint = tiny_classifier(tmp_path)
    with pytest.raises(UsageError, match='device gpuu cannot be used'):
        apis.predict(config.filename, photos, checkpoint, device='gpuu')


@pytest.mark.parametrize('command', [apis.predict, apis.publish])
def test_a_pretraining_predicts_nothing(tmp_path, photos, command):
    config = tiny_mae.write_pretraining(tmp_path)
    model = build_model(Config.fromfile(config))
    torch.save(dict(state_dict=model.state_dict()), 'mae.pth')
    words = (
        dict(folder='a') if command is apis.publish else dict(images=photos)
    )
    with pytest.raises(UsageError, match='is LightMAE.*fine-tune'):
        command(config, checkpoint='mae.pth', **words)
