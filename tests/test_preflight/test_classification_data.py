"""What is wrong with a classification set is said before training."""

import json

import numpy as np
import pytest
from mmengine.config import Config
from PIL import Image
from tiny_run import write_config

from mmdrloc.preflight import classification_data, remembered
from mmdrloc.preflight.data import bad_data


@pytest.fixture
def cfg(tmp_path):
    return Config.fromfile(write_config(tmp_path))


def check(cfg, phases=('train', 'val')):
    return bad_data(cfg, phases)


def listed(cfg, tmp_path, text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    (tmp_path / 'data/list.txt').write_bytes(content)
    cfg.train_dataloader.dataset.update(
        ann_file='list.txt',
        metainfo=dict(classes=['class0', 'class1', 'class2']),
        **options,
    )


# ---- lists ---------------------------------------------------------------


@pytest.mark.parametrize(
    'line',
    ['class0/0.png', 'class0/0.png cat', 'class0/0.png 1.5', '3', ' ', 'a,0'],
)
def test_lines_that_are_no_path_and_label(cfg, tmp_path, line):
    listed(cfg, tmp_path, f'class0/0.png 0\n{line}\nclass1/0.png 1\n')
    [finding] = check(cfg)
    assert 'list.txt, line 2: ' in finding
    assert 'is no path and label: write' in finding


@pytest.mark.parametrize('label', [-1, 3])
def test_labels_of_no_class(cfg, tmp_path, label):
    listed(cfg, tmp_path, f'class0/0.png {label}\nclass0/1.png 0\n')
    [finding] = check(cfg)
    assert 'expected are 0 to 2' in finding


def test_many_bad_lines_are_counted(cfg, tmp_path):
    listed(cfg, tmp_path, 'a\n' * 8)
    findings = check(cfg)
    assert len(findings) == 6
    assert 'has 3 more such lines' in findings[-1]


def test_no_text(cfg, tmp_path):
    listed(cfg, tmp_path, b'\xff\xfe\x00 1')
    [finding] = check(cfg)
    assert 'no text in UTF-8' in finding


def test_a_list_without_labels(cfg, tmp_path):
    text = 'class0/0.png\n\nclass0/1.png\n'
    listed(cfg, tmp_path, text, data_prefix='train', with_label=False)
    [finding] = check(cfg, ['train'])
    assert 'line 2 is empty' in finding


def test_two_labels_of_one_image(cfg, tmp_path):
    text = 'train/class0/0.png 0\ntrain/class0/0.png 1\n'
    listed(cfg, tmp_path, text, data_prefix='')
    assert 'class0/0.png have two labels' in check(cfg)[0]


def test_a_class_without_an_image_is_mentioned(cfg, tmp_path, capsys):
    text = 'class0/0.png 0\nclass1/0.png 1\n'
    listed(cfg, tmp_path, text)
    assert check(cfg) == []
    said = capsys.readouterr().err
    assert '1 of the 3 classes have no image to train on (class2)' in said


def test_labels_that_are_no_numbers(cfg, tmp_path):
    """In MMEngine's own format."""
    content = dict(
        metainfo=dict(classes=['class0', 'class1', 'class2']),
        data_list=[
            dict(img_path='class0/0.png', gt_label=0),
            dict(img_path='class0/1.png', gt_label='class1'),
            dict(img_path='class0/2.png', gt_label=None),
        ],
    )
    (tmp_path / 'data/list.json').write_text(json.dumps(content))
    cfg.train_dataloader.dataset = dict(
        type='BaseDataset',
        data_root=str(tmp_path / 'data'),
        ann_file='list.json',
        data_prefix='train',
        pipeline=[],
    )
    [finding] = check(cfg)
    assert "2 of 3 labels are no whole numbers ('class1', None)" in finding


# ---- folders -------------------------------------------------------------


def test_a_class_folder_without_images(cfg, tmp_path):
    for image in (tmp_path / 'data/train/class1').iterdir():
        image.rename(image.with_suffix('.txt'))
    [finding] = check(cfg)
    assert '1 of the 3 class folders (class1)' in finding


def test_two_classes_of_one_name(cfg, tmp_path, capsys):
    for split in ('train', 'val'):
        dataset = cfg[f'{split}_dataloader'].dataset
        dataset.metainfo = dict(classes=['cat', 'dog', 'cat'])
    check(cfg)
    said = capsys.readouterr().err
    assert said.count('note: ') == 2
    assert 'classes of the same name (cat)' in said


def test_the_same_folder_to_train_and_to_test(cfg, capsys):
    cfg.val_dataloader.dataset.data_prefix = 'train'
    assert check(cfg) == []
    assert '12 images of the val data' in capsys.readouterr().err


# ---- images --------------------------------------------------------------


def test_images_that_cannot_be_read(cfg, tmp_path):
    folder = tmp_path / 'data/train/class0'
    pixels = np.random.default_rng(0).integers(0, 255, (9, 9, 3), np.uint8)
    image = Image.fromarray(pixels)
    (folder / '0.png').write_bytes(b'')
    (folder / '1.png').write_bytes((folder / '2.png').read_bytes()[:-300])
    image.save(folder / '2.png', 'BMP')
    (folder / '2.png').write_bytes((folder / '2.png').read_bytes()[:-30])
    text = '\n'.join(check(cfg))
    for said in ('0.png is empty', '1.png is damaged', '2.png is damaged'):
        assert said in text


def test_files_that_may_not_be_read(cfg, monkeypatch):
    def denied(path):
        raise PermissionError(13, 'Permission denied', path)

    monkeypatch.setattr('mmdrloc.preflight.images.Image.open', denied)
    assert '.png cannot be read (Permission denied)' in check(cfg)[0]


def test_good_forms(cfg, tmp_path, capsys):
    folder = tmp_path / 'data/train/class0'
    image = Image.new('CMYK', (9, 9))
    image.save(folder / '0.png', 'JPEG')
    Image.new('L', (9, 9)).save(folder / '1.png')
    Image.new('RGBA', (9, 9)).save(folder / '2.png')
    (folder / 'notes.txt').write_text('no image')
    assert check(cfg) == []
    assert capsys.readouterr().err == ''


def test_what_is_lost_is_mentioned(cfg, tmp_path, capsys):
    folder = tmp_path / 'data/train/class0'
    Image.fromarray(np.full((9, 9), 999, np.uint16)).save(folder / '0.png')
    frames = [Image.new('L', (9, 9), color) for color in (1, 200)]
    frames[0].save(
        folder / '1.png', save_all=True, append_images=frames[1:], format='PNG'
    )
    assert check(cfg) == []
    assert '2 images have more than 8 bits' in capsys.readouterr().err


# ---- remembered ----------------------------------------------------------


def test_good_images_are_read_once(cfg, tmp_path, monkeypatch):
    assert check(cfg) == []
    with monkeypatch.context() as patch:
        patch.setattr(classification_data, 'find_bad_images', None)
        assert check(cfg) == []
    (tmp_path / 'data/train/class0/0.png').write_bytes(b'x')
    assert len(check(cfg)) == 1
    # What is bad is never remembered.
    assert len(check(cfg)) == 1


def test_another_version_of_the_checks_reads_again(cfg, monkeypatch):
    assert check(cfg) == []
    monkeypatch.setattr(remembered, 'VERSION', 0)
    monkeypatch.setattr(
        classification_data, 'find_bad_images', lambda *args: ['seen']
    )
    assert len(check(cfg)) == 2
