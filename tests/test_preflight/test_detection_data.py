"""What is wrong with a detection set is said before training."""

import json

import pytest
from PIL import Image
from tiny_data import HEIGHT, WIDTH, write_coco, write_photo

from mmdrloc.preflight import coco_file
from mmdrloc.preflight.data import bad_data
from mmdrloc.preflight.masks import _length


@pytest.fixture
def cfg(tmp_path):
    return write_coco(tmp_path)


def check(cfg, phases=('train', 'val')):
    return bad_data(cfg, phases)


def change(cfg, edit, split='train'):
    """Edit the annotations of a split."""
    path = f'{cfg.train_dataloader.dataset.data_root}/{split}.json'
    with open(path) as file:
        content = json.load(file)
    content = edit(content) or content
    with open(path, 'w') as file:
        json.dump(content, file)


def first(part, **values):
    def edit(content):
        for key, value in values.items():
            if value is Ellipsis:
                del content[part][0][key]
            else:
                content[part][0][key] = value

    return edit


def every(part, **values):
    def edit(content):
        for entry in content[part]:
            entry.update(values)

    return edit


def repeat(part, **values):
    def edit(content):
        content[part].append(dict(content[part][0], **values))

    return edit


def boxes(*box):
    return first('annotations', bbox=list(box))


def mask(value):
    return first('annotations', segmentation=value)


def runs(counts, size=(HEIGHT, WIDTH)):
    return mask(dict(size=list(size), counts=counts))


NAN = float('nan')
FAULTS = {
    'not a dict': (lambda c: [c], 'is not in COCO format'),
    'no categories': (lambda c: c.pop('categories') and None, 'categories'),
    'images of another type': (
        lambda c: c.update(images={}),
        'no list of dicts',
    ),
    'entries of another type': (
        lambda c: c['annotations'].append(3),
        'no list of dicts',
    ),
    'no file name': (first('images', file_name=...), 'no `file_name`'),
    'no width': (first('images', width=...), 'no `width`'),
    'width as text': (first('images', width='40'), "that cannot be ('40')"),
    'height of zero': (first('images', height=0), '`height`'),
    'no box': (first('annotations', bbox=...), 'no `bbox`'),
    'no area': (first('annotations', area=...), 'no `area`'),
    'image twice': (repeat('images'), 'images share the id 0'),
    'annotation twice': (repeat('annotations'), 'share the id 1'),
    'category twice': (repeat('categories', name='cow'), 'share the id'),
    'name twice': (repeat('categories', id=9), 'share the name cat'),
    'unknown image': (first('annotations', image_id=77), 'image_id that none'),
    'unknown category': (
        first('annotations', category_id=77),
        'category_id that none',
    ),
    'class of metainfo absent': (
        first('categories', name='cta'),
        'has 1 of the 2 classes in metainfo: cat are not',
    ),
    'other order': (
        lambda c: c['categories'].reverse(),
        "in the file's order",
    ),
    'nothing annotated': (lambda c: c.update(annotations=[]), 'no annotation'),
    'crowds only': (every('annotations', iscrowd=1), 'crowds only'),
    'all ignored': (every('annotations', ignore=1), 'no annotation'),
    'all filtered out': (
        every('images', width=5, height=5),
        'holds no image after filtering',
    ),
    'three numbers': (boxes(1, 2, 3), '`bbox` that cannot be ([1, 2, 3])'),
    'words': (boxes(1, 2, 3, '4'), '`bbox` that cannot be'),
    'crowd as text': (first('annotations', iscrowd='0'), 'neither 0 nor 1'),
    'NaN': (boxes(1, 2, NAN, 4), 'NaN or infinity'),
    'infinite': (boxes(1, 2, float('inf'), 4), 'NaN or infinity'),
    'negative': (boxes(9, 9, -4, 4), 'negative width or height'),
    'no width of a box': (boxes(1, 2, 0, 4), 'thinner than one pixel'),
    'parts of the image': (boxes(0.1, 0.2, 0.5, 0.5), 'thinner than one'),
    'zero area': (first('annotations', area=0), 'have no area'),
    'outside': (boxes(WIDTH + 5, 2, 9, 4), 'outside their image'),
    'before': (boxes(-20, 2, 9, 4), 'outside their image'),
    'two points': (mask([[1, 1, 2, 2]]), 'fewer than three points'),
    'odd': (mask([[1, 1, 2, 2, 3, 3, 4]]), 'odd count'),
    'empty': (mask([]), 'missing or empty'),
    'no mask': (first('annotations', segmentation=...), 'missing or empty'),
    'NaN in a polygon': (mask([[1, 1, 2, 2, 3, NAN]]), 'NaN or infinity in'),
    'far away': (mask([[1, 1, 2, 2, 1e9, 3]]), 'far beyond its image'),
    'no polygons': (mask([1, 1, 2, 2, 3, 3]), 'no list of polygons'),
    'neither': (mask(dict(size=[3, 3])), 'neither'),
    'runs of another size': (runs([9], (3, 3)), 'another size'),
    'runs too short': (runs([9]), 'broken run lengths'),
    'runs that break off': (runs('PPY'), 'broken run lengths'),
}


def test_nothing_to_say(cfg, capsys):
    assert check(cfg) == []
    assert capsys.readouterr().err == ''


@pytest.mark.parametrize('fault', FAULTS)
def test_one_fault_one_sentence(cfg, fault):
    edit, said = FAULTS[fault]
    change(cfg, edit)
    findings = check(cfg)
    text = '\n'.join(findings)
    assert said in text, text
    assert text.startswith('train data: ' if '.json' in text else 'the train')
    if fault != 'all filtered out':
        assert len(findings) == 1 and 'train.json' in text
    assert ': ' in text.split('.json')[-1] and text.endswith('.')


@pytest.mark.parametrize(
    'content', [b'', b'{"images": [', b'\xff\xfe', b'[' * 100_000]
)
def test_no_json(cfg, tmp_path, content):
    (tmp_path / 'train.json').write_bytes(content)
    [finding] = check(cfg)
    assert 'train.json is no JSON' in finding and 'copy it again' in finding


def test_several_faults_at_once(cfg):
    change(cfg, boxes(9, 9, -4, 4))
    change(cfg, mask([]))
    change(cfg, lambda c: c['annotations'][1].update(area=0))
    assert len(check(cfg)) == 3


def test_without_masks_they_may_be_broken(cfg):
    cfg.train_dataloader.dataset.pipeline[1].with_mask = False
    change(cfg, mask([]))
    assert check(cfg) == []


def test_good_run_lengths(cfg):
    from pycocotools import mask as api

    counts = [7, 5, 100, 1, HEIGHT * WIDTH - 113]
    packed = api.frPyObjects(
        dict(size=[HEIGHT, WIDTH], counts=counts), HEIGHT, WIDTH
    )
    packed = packed['counts'].decode()
    assert _length(packed) == HEIGHT * WIDTH
    change(cfg, runs(counts))
    assert check(cfg) == []
    change(cfg, runs(packed))
    assert check(cfg) == []


def test_images_without_objects_are_good(cfg):
    def edit(content):
        content['annotations'] = content['annotations'][:2]

    change(cfg, edit)
    assert check(cfg) == []


def test_a_box_beyond_its_image_is_mentioned(cfg, capsys):
    change(cfg, boxes(30, 20, 20, 20))
    assert check(cfg) == []
    assert 'reach beyond their image (id 1)' in capsys.readouterr().err


def test_few_of_many_without_area_are_mentioned(cfg, capsys):
    """As in COCO's own files: mmdet leaves them out."""

    def edit(content):
        some = content['annotations'][0]
        content['annotations'] += [
            dict(some, id=number) for number in range(100, 1200)
        ]
        some['bbox'] = [1, 1, 0, 5]

    change(cfg, edit)
    assert check(cfg) == []
    assert '1 of 1108 objects have no area' in capsys.readouterr().err


# ---- images --------------------------------------------------------------


def test_bad_images(cfg, tmp_path):
    write_photo(tmp_path / 'train/0.jpg', (HEIGHT, WIDTH))
    (tmp_path / 'train/1.jpg').write_bytes(b'broken')
    (tmp_path / 'train/2.jpg').unlink()
    findings = check(cfg)
    assert len(findings) == 3
    for name, said in zip(
        '012',
        ('30 x 40 pixels, and the annotations say 40 x 30', 'damaged', 'miss'),
    ):
        assert f'train/{name}.jpg' in findings[int(name)]
        assert said in findings[int(name)]


def test_photos_are_turned_upright_as_mmcv_does(cfg, tmp_path):
    turned = Image.Exif()
    turned[0x0112] = 6
    path = tmp_path / 'train/0.jpg'
    write_photo(path, (HEIGHT, WIDTH), exif=turned)
    import mmcv

    assert mmcv.imread(str(path)).shape == (HEIGHT, WIDTH, 3)
    assert check(cfg) == []
    write_photo(path, exif=turned)
    assert len(check(cfg)) == 1


def test_indices(cfg, tmp_path):
    (tmp_path / 'train/3.jpg').unlink()
    dataset = cfg.train_dataloader.dataset
    for indices in (3, [0, 1], -4):
        dataset.indices = indices
        assert len(check(cfg)) == (indices == -4)
    dataset.indices = 0
    assert '`indices`' in check(cfg)[0]


def test_the_same_photos_to_train_and_to_test(cfg, capsys):
    cfg.val_dataloader.dataset.data_prefix.img = 'train/'
    assert check(cfg) == []
    assert '4 images of the val data are trained on' in capsys.readouterr().err


def test_a_list_to_predict_needs_no_answers(cfg):
    cfg.test_dataloader = cfg.val_dataloader
    change(cfg, lambda c: c.pop('annotations') and None, 'val')
    assert len(check(cfg, ['test'])) == 1
    cfg.test_evaluator = dict(type='CocoMetric', format_only=True)
    assert check(cfg, ['test']) == []


def test_the_evaluator_reads_the_same_annotations(cfg, tmp_path):
    cfg.val_evaluator = dict(type='CocoMetric', ann_file='none.json')
    assert 'there is no file none.json' in check(cfg)[0]
    cfg.val_evaluator.ann_file = str(tmp_path / 'val.json')
    assert check(cfg) == []
    # The same content.
    cfg.val_evaluator.ann_file = str(tmp_path / 'train.json')
    assert check(cfg) == []
    change(cfg, boxes(1, 2, 3, 4))
    [finding] = check(cfg)
    assert 'val_evaluator.ann_file is' in finding


# ---- remembered ----------------------------------------------------------


def test_good_data_are_read_once(cfg, tmp_path, monkeypatch):
    assert check(cfg) == []
    with monkeypatch.context() as patch:
        patch.setattr(coco_file.json, 'loads', None)
        assert check(cfg) == []
    (tmp_path / 'train/0.jpg').write_bytes(b'broken')
    assert '0.jpg is damaged' in check(cfg)[0]
    write_photo(tmp_path / 'train/0.jpg')
    change(cfg, boxes(9, 9, -4, 4))
    assert 'negative' in check(cfg)[0]


def test_a_spoilt_record_is_no_record(cfg, tmp_path, monkeypatch):
    caches = tmp_path / 'caches'
    monkeypatch.setenv('XDG_CACHE_HOME', str(caches))
    assert check(cfg) == []
    for record in (caches / 'mmdrloc/checked').iterdir():
        record.write_bytes(b'\xff\x00')
    assert check(cfg) == []
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'train.json'))
    assert check(cfg) == []


def test_another_process_of_the_machine_reads(cfg, tmp_path, monkeypatch):
    (tmp_path / 'train/1.jpg').write_bytes(b'broken')
    monkeypatch.setenv('LOCAL_RANK', '1')
    assert check(cfg) == []
    monkeypatch.setenv('LOCAL_RANK', '0')
    assert len(check(cfg)) == 1
