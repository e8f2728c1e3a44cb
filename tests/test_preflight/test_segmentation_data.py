"""What is wrong with a segmentation set is said before training."""

import numpy as np
import pytest
from PIL import Image
from tiny_data import HEIGHT, WIDTH, write_labels, write_photo, write_seg

from mmdrloc.preflight import label_maps, segmentation_data
from mmdrloc.preflight.data import bad_data


@pytest.fixture
def cfg(tmp_path):
    return write_seg(tmp_path)


def check(cfg, phases=('train', 'val')):
    return bad_data(cfg, phases)


def labels(value, dtype=np.uint8, shape=(HEIGHT, WIDTH)):
    return np.full(shape, value, dtype)


def test_nothing_to_say(cfg, capsys):
    assert check(cfg) == []
    assert capsys.readouterr().err == ''


def write_rgb(path):
    write_labels(path, labels(0, shape=(HEIGHT, WIDTH, 3)))


def write_jpeg(path):
    Image.fromarray(labels(0)).save(path, 'JPEG')


FAULTS = {
    'missing': (lambda path: path.unlink(), '0.jpg, is missing'),
    'empty': (lambda path: path.write_bytes(b''), '0.png is empty'),
    'damaged': (lambda path: path.write_bytes(b'x'), '0.png is damaged'),
    'in colors': (write_rgb, 'is a picture with colors (RGB)'),
    'with alpha': (
        lambda path: Image.new('LA', (WIDTH, HEIGHT)).save(path),
        'with colors (LA)',
    ),
    'lossy': (write_jpeg, 'is a JPEG'),
    'another size': (
        lambda path: write_labels(path, labels(0, shape=(WIDTH, HEIGHT))),
        'has 30 x 40 pixels, and ',
    ),
    'beyond the classes': (
        lambda path: write_labels(path, labels(2)),
        'has the values 2, expected are 0 to 1 and 255',
    ),
    '16 bits': (
        lambda path: write_labels(path, labels(300, np.uint16)),
        'has the values 300',
    ),
}


@pytest.mark.parametrize('fault', FAULTS)
def test_one_fault_one_sentence(cfg, tmp_path, fault):
    spoil, said = FAULTS[fault]
    spoil(tmp_path / 'ann/train/0.png')
    [finding] = check(cfg)
    assert said in finding, finding
    assert finding.startswith('train data: ') and finding.endswith('.')
    assert 'ann/train/0.png' in finding


def test_good_forms(cfg, tmp_path):
    path = tmp_path / 'ann/train'
    write_labels(path / '0.png', labels(1, np.uint16))
    Image.fromarray(labels(1)).convert('P').save(path / '1.png')
    Image.new('1', (WIDTH, HEIGHT), 1).save(path / '2.png')
    assert check(cfg) == []


def test_nothing_but_ignored(cfg, tmp_path):
    for path in (tmp_path / 'ann/train').iterdir():
        write_labels(path, labels(255))
    [finding] = check(cfg)
    assert 'in none of 4 label maps is a pixel of any class' in finding


def test_zero_is_no_class(cfg, tmp_path):
    dataset = cfg.train_dataloader.dataset
    dataset.reduce_zero_label = True
    write_labels(tmp_path / 'ann/train/0.png', labels(2))
    assert check(cfg, ['train']) == []
    write_labels(tmp_path / 'ann/train/0.png', labels(3))
    [finding] = check(cfg, ['train'])
    assert 'the values 3, expected are 1 to 2' in finding


@pytest.mark.parametrize('reduced', [True, False])
def test_zero_is_said_once(cfg, reduced):
    dataset = cfg.train_dataloader.dataset
    dataset.reduce_zero_label = not reduced
    dataset.pipeline[1].reduce_zero_label = reduced
    assert 'in the data set alone' in check(cfg, ['train'])[0]


def test_what_is_ignored_is_said_by_the_loss_and_the_metric(cfg, tmp_path):
    for split in ('train', 'val'):
        path = tmp_path / f'ann/{split}'
        for name in '0123':
            write_labels(path / f'{name}.png', labels(0) + [0, 2] * 20)
    assert len(check(cfg)) == 8
    cfg.model.decode_head.ignore_index = 2
    assert {f.split()[0] for f in check(cfg)} == {'val'}
    cfg.val_evaluator.ignore_index = 2
    assert check(cfg) == []
    cfg.model.auxiliary_head = dict(num_classes=2, ignore_index=2)
    assert check(cfg) == []


def test_some_of_a_label_map_s_own_classes(cfg):
    """mmseg renumbers the labels of a subset of the data set's classes."""
    values = label_maps.LabelValues(1, {255}, False, {0: 255, 1: 0})
    assert values.meaning[[0, 1, 7]].tolist() == [255, 0, 7]


def test_names_that_do_not_belong_together(cfg, tmp_path):
    (tmp_path / 'img/train/3.jpg').rename(tmp_path / 'img/train/3.jpeg')
    [finding] = check(cfg)
    assert '1 label maps have no image *.jpg' in finding
    assert 'ann/train/3.png' in finding


def test_another_suffix(cfg):
    cfg.train_dataloader.dataset.img_suffix = '.png'
    [finding] = check(cfg)
    assert 'ends in .png (img_suffix), there are .jpg' in finding
    cfg.train_dataloader.dataset.img_suffix = '.jpg'
    cfg.train_dataloader.dataset.seg_map_suffix = '_labels.png'
    findings = check(cfg)
    assert '0_labels.png, the label map of' in findings[0]


def test_lists(cfg, tmp_path):
    dataset = cfg.train_dataloader.dataset
    dataset.ann_file = 'train.txt'
    (tmp_path / 'train.txt').write_text('0\n1\n')
    assert check(cfg) == []
    (tmp_path / 'train.txt').write_text('0\nnone\n')
    [finding] = check(cfg)
    assert 'none.jpg is missing' in finding
    (tmp_path / 'train.txt').write_text('')
    [finding] = check(cfg)
    assert 'train.txt names no image' in finding


def test_indices(cfg, tmp_path):
    cfg.train_dataloader.dataset.indices = 2
    (tmp_path / 'ann/train/3.png').unlink()
    assert check(cfg) == []
    cfg.train_dataloader.dataset.indices = 0
    assert '`indices` leave no image' in check(cfg)[0]


def test_many_are_counted(cfg, tmp_path):
    for name in '456789':
        write_photo(tmp_path / f'img/train/{name}.jpg')
    findings = check(cfg)
    assert len(findings) == 6
    assert '1 more images or label maps' in findings[-1]


def test_good_data_are_read_once(cfg, tmp_path, monkeypatch):
    assert check(cfg) == []
    with monkeypatch.context() as patch:
        patch.setattr(segmentation_data, 'find_problems', None)
        assert check(cfg) == []
    write_labels(tmp_path / 'ann/train/0.png', labels(2))
    assert len(check(cfg)) == 1
    write_labels(tmp_path / 'ann/train/0.png', labels(1))
    cfg.model.decode_head.ignore_index = 0
    assert len(check(cfg)) == 3


def test_of_many_label_maps_some_are_decoded(cfg, tmp_path, monkeypatch):
    monkeypatch.setattr(segmentation_data, 'MOST_DECODED', 2)
    for name in '12':
        write_labels(tmp_path / f'ann/train/{name}.png', labels(2))
    assert check(cfg) == []
    write_labels(tmp_path / 'ann/train/3.png', labels(2))
    assert len(check(cfg)) == 1


def test_the_whole_of_it_may_be_skipped(cfg, tmp_path):
    (tmp_path / 'ann/train/0.png').unlink()
    assert bad_data(cfg, ['train'], skip_content=True) == []
    cfg.train_dataloader.dataset.data_root = 'nowhere'
    assert len(bad_data(cfg, ['train'], skip_content=True)) == 2
