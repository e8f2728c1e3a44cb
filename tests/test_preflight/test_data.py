"""What is wrong with data is said before training, with the file's name."""

import copy
import json
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from mmengine.config import Config
from mmengine.dataset import InfiniteSampler
from mmengine.fileio import LocalBackend, register_backend
from mmengine.registry import (
    DATASETS,
    MODELS,
    DefaultScope,
    init_default_scope,
)
from mmpretrain.datasets import CustomDataset
from mmpretrain.models.selfsup import MoCo, SimCLR
from PIL import Image
from scipy.io import savemat
from tiny_data import (
    HEIGHT,
    WIDTH,
    write_coco,
    write_labels,
    write_photo,
    write_seg,
)
from tiny_dense import library_config
from tiny_run import build_runner, write_config
from torch.utils.data import DataLoader

from mmdrloc.preflight.building import building_explained
from mmdrloc.preflight.data import ExplainedPipeline, bad_data
from mmdrloc.preflight.runner import (
    bad_samples,
    check_runner,
    lone_images,
    no_batches,
    other_classes,
    unfilled_queue,
)
from mmdrloc.utils.errors import UsageError

WIDTHS = ('in_channels', 'hid_channels', 'out_channels')


def check(cfg, phases=('train', 'val'), classes=2, ignored=(255,)):
    """Look at the files, then at the built datasets."""
    problems = bad_data(cfg, phases)
    if problems:
        return problems
    cfg = Config(dict(cfg.items(), model=None))
    cfg.merge_from_dict({f'{phase}_cfg': {} for phase in phases})
    with DefaultScope.overwrite_default_scope(cfg.default_scope):
        for phase in phases:
            node = copy.deepcopy(cfg[f'{phase}_dataloader'].dataset)
            try:
                with building_explained(cfg):
                    dataset = DATASETS.build(node)
            except UsageError as error:
                problems.append(str(error))
                continue
            problems += bad_samples(phase, dataset, classes, ignored)
    return problems


# ---- detection -----------------------------------------------------------


@pytest.fixture
def coco(tmp_path):
    return write_coco(tmp_path)


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
    'images of another type': lambda c: c.update(images={}),
    'no width': first('images', width=...),
    'no area': first('annotations', area=...),
    'image twice': repeat('images'),
    'category twice': repeat('categories', name='cow'),
    'class of metainfo absent': first('categories', name='cta'),
    'other order': lambda c: c['categories'].reverse(),
    'crowds only': every('annotations', iscrowd=1),
    'all filtered out': every('images', width=5, height=5),
    'words': boxes(1, 2, 3, '4'),
    'NaN': boxes(1, 2, NAN, 4),
    'no width of a box': boxes(1, 2, 0, 4),
    'zero area': first('annotations', area=0),
    'outside': boxes(WIDTH + 5, 2, 9, 4),
    'outside on the left': boxes(-9, 2, 9, 4),
    'odd': mask([[1, 1, 2, 2, 3, 3, 4]]),
    'empty': mask([]),
    'far away': mask([[1, 1, 2, 2, 1000000000.0, 3]]),
    'far away on the left': mask([[1, 1, 2, 2, -1000000000.0, 3]]),
    'runs of another size': runs([9], (3, 3)),
    'runs of nothing': runs([]),
    'runs that end early': runs([7, 5, 100]),
    'one flat polygon': mask([1, 1, 2, 2, 3, 3]),
    'points in a polygon': mask([[[1, 1], [2, 2], [3, 3]]]),
    'corners': every('annotations', bbox=[WIDTH // 2, 1, WIDTH - 1, 9]),
}


@pytest.mark.parametrize('fault', FAULTS)
def test_a_fault_of_annotations_is_one_sentence(coco, fault):
    change(coco, FAULTS[fault])
    [problem] = check(coco, ['train'])
    assert 'train.json' in problem or 'train_dataloader' in problem


def test_good_annotations(coco):
    assert check(coco) == []
    # Without masks they may be broken; images may be without objects.
    coco.train_dataloader.dataset.pipeline[1].with_mask = False
    change(coco, mask([]))
    change(coco, lambda c: c.update(annotations=c['annotations'][:2]))
    assert check(coco) == []
    # A box may reach over an edge: mmdet cuts it.
    change(coco, boxes(-3, 2, 9, 4))
    assert check(coco) == []


def test_classes_of_a_coco_file(coco, tmp_path):
    """Without metainfo mmdet takes its own 80 names; it may name a file."""
    dataset = coco.train_dataloader.dataset
    names = dataset.pop('metainfo')['classes']
    [problem] = check(coco, ['train'])
    assert 'metainfo has the classes (person, bicycle' in problem
    (tmp_path / 'classes.txt').write_text('\n'.join(names))
    dataset.metainfo = dict(classes=str(tmp_path / 'classes.txt'))
    assert check(coco, ['train']) == []


def test_run_lengths(coco):
    from pycocotools import mask as api

    counts = [7, 5, 100, 1, HEIGHT * WIDTH - 113]
    whole = dict(size=[HEIGHT, WIDTH], counts=counts)
    packed = api.frPyObjects(whole, HEIGHT, WIDTH)['counts'].decode()
    for good in (counts, packed):
        change(coco, runs(good))
        assert check(coco) == []


def test_few_of_many_without_area_are_left_out(coco):
    """As in COCO's own files: mmdet leaves them out."""

    def edit(content):
        some = content['annotations'][0]
        content['annotations'] += [
            dict(some, id=number) for number in range(100, 1200)
        ]
        some['bbox'] = [1, 1, 0, 5]

    change(coco, edit)
    assert check(coco) == []


@pytest.mark.parametrize(
    'values',
    [
        dict(segmentation=[]),
        dict(segmentation=[[1, 1, 2, 2, 1e9, 3]]),
        dict(segmentation=None, ignore=1),
        dict(area=None),
    ],
)
def test_one_of_many_that_mmdet_cannot_read(coco, values):
    def edit(content):
        some = content['annotations'][0]
        content['annotations'] += [
            dict(some, id=number) for number in range(100, 1200)
        ]
        some.update(values)

    change(coco, edit, 'val')
    [problem] = check(coco)
    assert '1 of 1108 objects have no' in problem
    assert 'area' in values or 'that can be drawn' in problem


def test_a_metric_of_more_images(coco):
    coco.val_dataloader.dataset.indices = 2
    file = f'{coco.val_dataloader.dataset.data_root}/val.json'
    coco.val_evaluator = dict(type='CocoMetric', ann_file=file)
    [problem] = check(coco)
    assert 'cut by `indices`' in problem and 'mmdrloc.CocoMetric' in problem
    coco.val_evaluator.type = 'mmdrloc.CocoMetric'
    assert check(coco) == []


def test_images_of_detection(coco, tmp_path):
    write_photo(tmp_path / 'train/0.jpg', (HEIGHT, WIDTH))
    (tmp_path / 'train/1.jpg').write_bytes(b'broken')
    (tmp_path / 'train/2.jpg').unlink()
    (tmp_path / 'train/3.jpg').unlink()
    (tmp_path / 'train/3.jpg').symlink_to('nothing.jpg')
    said = '30 x 40 pixels', 'damaged', 'is missing', 'is missing'
    problems = check(coco)
    assert len(problems) == 4
    for number, words in enumerate(said):
        assert f'train/{number}.jpg' in problems[number]
        assert words in problems[number]


def test_photos_are_turned_upright_as_mmcv_does(coco, tmp_path):
    turned = Image.Exif()
    turned[0x0112] = 6
    path = tmp_path / 'train/0.jpg'
    write_photo(path, (HEIGHT, WIDTH), exif=turned)
    assert check(coco) == []
    write_photo(path, exif=turned)
    assert len(check(coco)) == 1


def test_the_evaluator_reads_the_same_annotations(coco, tmp_path):
    path = tmp_path / 'val.json'
    coco.val_evaluator = dict(type='CocoMetric', ann_file=str(path))
    assert check(coco) == []
    coco.val_evaluator.ann_file = str(tmp_path / 'train.json')
    [problem] = check(coco)
    assert f'the metric reads {tmp_path}/train.json' in problem
    # That of several datasets may be a file of all.
    both = dict(type='ConcatDataset', datasets=[coco.val_dataloader.dataset])
    coco.val_dataloader.dataset = both
    assert bad_data(coco, ['val']) == []


class Mapped(LocalBackend):
    """Has the files of /store somewhere else, as a cluster's storage."""

    def __init__(self, place):
        self.place = place

    def get_local_path(self, path):
        return super().get_local_path(path.replace('/store', self.place))


def test_data_on_a_storage_with_a_client_of_its_own(coco, tmp_path):
    register_backend('mapped', Mapped, force=True)
    dataset = coco.train_dataloader.dataset
    dataset.data_root = '/store'
    assert 'no folder /store' in check(coco, ['train'])[0]
    dataset.backend_args = dict(backend='mapped', place=str(tmp_path))
    assert check(coco, ['train']) == []


def test_a_list_to_predict_needs_no_answers(coco):
    coco.test_dataloader = coco.val_dataloader
    change(coco, lambda c: c.pop('annotations') and None, 'val')
    assert len(bad_data(coco, ['test'])) == 1
    coco.test_evaluator = dict(type='CocoMetric', format_only=True)
    assert bad_data(coco, ['test']) == []


def test_panoptic_files_have_a_reader_of_their_own(coco):
    part = dict(id=1, category_id=1, bbox=[1, 1, 2, 2], area=4, iscrowd=0)
    one = dict(image_id=1, file_name='1.png', segments_info=[part])
    change(coco, lambda c: c.update(annotations=[one]))
    coco.train_dataloader.dataset.type = 'CocoPanopticDataset'
    assert bad_data(coco, ['train']) == []


def test_captions_have_a_reader_of_their_own(coco):
    change(coco, lambda c: c.update(annotations=[dict(id=1, caption='a cat')]))
    coco.train_dataloader.dataset.type = 'CocoCaptionDataset'
    assert bad_data(coco, ['train']) == []


XML = """<annotation><size><width>40</width><height>30</height></size>
<object><name>cat</name><bndbox><xmin>{}</xmin><ymin>2</ymin>
<xmax>20</xmax><ymax>15</ymax></bndbox></object></annotation>"""


def test_other_formats(coco, tmp_path):
    for number in range(2):
        write_photo(tmp_path / f'JPEGImages/{number}.jpg')
        path = tmp_path / f'Annotations/{number}.xml'
        path.parent.mkdir(exist_ok=True)
        path.write_text(XML.format(3))
    (tmp_path / 'list.txt').write_text('0\n1\n')
    coco.train_dataloader.dataset = dict(
        type='XMLDataset',
        data_root=str(tmp_path),
        ann_file='list.txt',
        data_prefix=dict(sub_data_root=''),
        metainfo=dict(classes=('cat', 'dog')),
        pipeline=[],
    )
    assert check(coco, ['train']) == []
    write_photo(tmp_path / 'JPEGImages/1.jpg', (50, 50))
    assert '50 x 50' in check(coco, ['train'])[0]
    path.write_text('<annotation>')
    assert 'XMLDataset' in check(coco, ['train'])[0]


# ---- segmentation --------------------------------------------------------


@pytest.fixture
def seg(tmp_path):
    return write_seg(tmp_path)


def labels(value):
    return np.full((HEIGHT, WIDTH), value, np.uint8)


def test_what_is_ignored_is_no_fault(seg, tmp_path):
    write_labels(tmp_path / 'ann/train/0.png', labels(7))
    assert check(seg, ['train'], ignored=(255, 7)) == []


def test_a_judge_that_ignores_nothing(seg, tmp_path):
    write_labels(tmp_path / 'ann/train/0.png', labels(7))
    [problem] = check(seg, ['train'], ignored=(255, None))
    assert 'has the labels 7, expected are 0 to 1 and 255' in problem


def test_zero_may_be_no_class(seg, tmp_path):
    seg.train_dataloader.dataset.reduce_zero_label = True
    write_labels(tmp_path / 'ann/train/0.png', labels(2))
    assert check(seg, ['train']) == []
    write_labels(tmp_path / 'ann/train/0.png', labels(3))
    [problem] = check(seg, ['train'])
    assert 'labels 2' in problem and 'reduce_zero_label=True' in problem


def test_two_classes_written_as_0_and_255(seg, tmp_path):
    """255 is ignored: nothing but background would be learnt."""
    half = labels(0)
    half[:10] = 255
    for path in (tmp_path / 'ann/train').iterdir():
        write_labels(path, half)
    [problem] = check(seg, ['train'])
    assert '0 and 255' in problem and 'write 1' in problem
    # One that shows an object is enough.
    write_labels(path, labels(1))
    assert check(seg, ['train']) == []
    # Of one class there is no other value.
    write_labels(path, half)
    seg.train_dataloader.dataset.metainfo = dict(classes=['cat'])
    assert check(seg, ['train'], classes=1) == []


def test_label_maps_of_16_bits(seg, tmp_path):
    path = tmp_path / 'ann/train/0.png'
    Image.fromarray(labels(0).astype(np.uint16) + 257).save(path)
    [problem] = check(seg, ['train'])
    assert 'values up to 257' in problem
    Image.fromarray(labels(0).astype(np.uint16) + 1).save(path)
    assert check(seg, ['train']) == []


def test_suffixes_that_fit_no_file(seg):
    seg.train_dataloader.dataset.seg_map_suffix = '_labels.png'
    assert '0_labels.png' in check(seg, ['train'])[0]
    seg.train_dataloader.dataset.img_suffix = '.png'
    assert 'holds no image' in check(seg, ['train'])[0]


# ---- classification ------------------------------------------------------


@pytest.fixture
def cfg(tmp_path):
    return Config.fromfile(write_config(tmp_path))


def listed(cfg, tmp_path, text):
    (tmp_path / 'data/list.txt').write_text(text)
    cfg.train_dataloader.dataset.update(
        ann_file='list.txt',
        metainfo=dict(classes=['class0', 'class1', 'class2']),
    )


@pytest.mark.parametrize(
    'line',
    ['class0/0.png', 'class0/0.png cat', '3', ' ', 'class0/0.png 3'],
)
def test_lines_that_are_no_path_and_label(cfg, tmp_path, line):
    listed(cfg, tmp_path, f'class0/0.png 0\n{line}\nclass1/0.png 1\n')
    [problem] = check(cfg, classes=3)
    assert 'list.txt' in problem or 'labels from 0 to 3' in problem


def rename(data):
    (data / 'train/class2').rename(data / 'train/klass2')


def test_an_image_that_a_transform_leaves_out():
    """As those do that find no object in it: MMEngine takes another one."""
    steps = [lambda data: None, lambda data: dict(data, size=2)]
    assert ExplainedPipeline(steps)(dict(img_path='a.jpg')) is None


def test_classes_that_are_no_names_of_folders(cfg):
    metainfo = dict(classes=['cat', 'dog', 'hen'])
    cfg.train_dataloader.dataset.metainfo = metainfo
    assert check(cfg, ['train'], classes=3) == []


def test_a_sample_without_an_image_of_a_class(cfg):
    """Its folder has some."""
    dataset = dict(cfg.train_dataloader.dataset, type='mmdrloc.FolderSample')
    cfg.train_dataloader.dataset = dict(dataset, num_images=1)
    assert check(cfg, ['train'], classes=3) == []


def test_one_class_alone(tmp_path):
    cfg = Config.fromfile(write_config(tmp_path, classes=1))
    [problem] = check(cfg, classes=1)
    assert 'train data' in problem and 'one class alone' in problem
    # Where nothing counts classes, folders mean nothing.
    assert check(cfg, ['train'], classes=None) == []


def test_images_in_memory_have_no_path(tmp_path):
    """By which those with several labels are told."""
    images = np.zeros((32, 32, 3, 4), np.uint8)
    digits = [[n] for n in range(4)]
    savemat(tmp_path / 'train_32x32.mat', dict(X=images, y=digits))
    dataset = DATASETS.build(
        dict(type='mmdrloc.SVHN', data_root=str(tmp_path))
    )
    assert bad_samples('train', dataset, 10, ()) == []


def test_several_labels_of_an_image(tmp_path):
    """They are those of no folder."""

    @DATASETS.register_module(name='Several', force=True)
    class Several(CustomDataset):
        def load_data_list(self):
            images = super().load_data_list()
            labels = [[0, 2], [1], []]
            return [
                dict(one, gt_label=labels[number % 3])
                for number, one in enumerate(images)
            ]

    cfg = Config.fromfile(write_config(tmp_path))
    cfg.train_dataloader.dataset.type = 'Several'
    assert check(cfg, ['train'], classes=3) == []


def test_data_that_are_elsewhere(cfg, tmp_path, monkeypatch):
    """In the home folder, or where only the dataset can look."""
    monkeypatch.setenv('HOME', str(tmp_path))
    for root in ('~/data', 's3://bucket/data'):
        cfg.train_dataloader.dataset.data_root = root
        assert bad_data(cfg, ['train']) == []


def test_wrapped_and_downloaded_data_sets(cfg):
    missing = dict(type='CustomDataset', data_root='nowhere')
    both = dict(type='ConcatDataset', datasets=[missing, missing])
    cfg.train_dataloader.dataset = dict(type='RepeatDataset', dataset=both)
    assert 'no folder nowhere' in bad_data(cfg, ['train'])[0]
    cifar = dict(type='CIFAR10', data_prefix='nowhere')
    cfg.train_dataloader.dataset = cifar
    assert bad_data(cfg, ['train']) == []
    cifar['download'] = False
    cfg.train_dataloader.dataset = cifar
    assert len(bad_data(cfg, ['train'])) == 1


# ---- data and model ------------------------------------------------------


def refused(tmp_path, **options):
    runner = build_runner(tmp_path / 'tiny.py', **options)
    assert runner.train_loop and runner.val_loop  # which builds them
    try:
        check_runner(runner)
    except UsageError as error:
        return str(error)
    return None


def test_data_and_model_fit(cfg, tmp_path):
    assert refused(tmp_path) is None
    assert refused(tmp_path, data_preprocessor__num_classes=1000) is None


@pytest.mark.parametrize(
    'library,name',
    [
        ('mmdet', 'htc/htc_r50_fpn_1x_coco.py'),
        ('mmdet', 'panoptic_fpn/panoptic-fpn_r50_fpn_1x_coco.py'),
        ('mmseg', 'stdc/stdc1_4xb12-80k_cityscapes-512x1024.py'),
    ],
)
def test_heads_with_classes_of_their_own(library, name):
    """Stuff, things alone, edges: as these libraries have them."""
    cfg = library_config(library, name)
    import_module(f'{library}.models')
    import_module(f'{library}.datasets')
    init_default_scope(library)
    model = MODELS.build(cfg.model)
    kind = DATASETS.get(f'{library}.{cfg.train_dataloader.dataset.type}')
    data = SimpleNamespace(metainfo=kind.METAINFO)
    assert other_classes('train', data, model) == []
    data.metainfo = {'classes': ('one', 'two')}
    assert other_classes('train', data, model)


def test_classes_of_the_validation_in_another_order(cfg, tmp_path):
    runner = build_runner(tmp_path / 'tiny.py')
    assert runner.train_loop and runner.val_loop
    for loader, names in (
        (runner.train_dataloader, 'abc'),
        (runner.val_dataloader, 'bac'),
    ):
        loader.dataset._metainfo['classes'] = tuple(names)
        loader.dataset.folder_to_idx = {}
    with pytest.raises(UsageError, match='labels would mean different'):
        check_runner(runner)


def test_a_classifier_of_timm_has_no_head():
    init_default_scope('mmpretrain')
    data = SimpleNamespace(metainfo={'classes': ('one', 'two')})
    for count, said in ((2, 0), (None, 1)):
        kind = dict(type='mmpretrain.TimmClassifier', model_name='resnet10t')
        model = MODELS.build(dict(kind, num_classes=count) if count else kind)
        found = other_classes('train', data, model)
        assert len(found) == said
    assert 'model.model has num_classes=1000' in found[0]


def test_images_of_a_pre_training(cfg, tmp_path):
    """They are looked at, too: IDMM has a check of its own for the classes."""
    photo = tmp_path / 'data/train/class0/0.png'
    photo.write_bytes(photo.read_bytes()[:100])
    runner = build_runner(tmp_path / 'tiny.py')
    assert runner.train_loop
    runner.model.check_datasets = lambda datasets: []
    with pytest.raises(UsageError, match='class0/0.png'):
        check_runner(runner)


def test_data_and_model_do_not_fit(cfg, tmp_path):
    said = refused(tmp_path, model__head__num_classes=7)
    assert 'model.head has num_classes=7' in said
    said = refused(tmp_path, model__head__num_classes=2)
    assert 'model.head has num_classes=2' in said and 'labels' not in said
    said = refused(
        tmp_path,
        model__train_cfg=dict(augments=dict(type='Mixup', alpha=0.8)),
        data_preprocessor__num_classes=1000,
    )
    assert 'model.data_preprocessor has num_classes=1000' in said
    runner = build_runner(
        tmp_path / 'tiny.py',
        train_dataloader__batch_size=13,
        train_dataloader__drop_last=True,
    )
    assert 'one batch of 13' in no_batches(runner.train_dataloader)[0]
    rename(tmp_path / 'data')
    assert 'klass2' in refused(tmp_path)


@pytest.mark.parametrize(
    'batch, drop_last, lone',
    [(1, True, True), (5, False, True), (5, True, False), (4, False, False)],
)
def test_images_are_compared_with_others(batch, drop_last, lone):
    """SimCLR's loss of one image is 0, and would train nothing."""
    model = SimCLR(
        dict(type='LeNet5'),
        dict(type='NonLinearNeck', **dict.fromkeys(WIDTHS, 8)),
        dict(type='ContrastiveHead', loss=dict(type='CrossEntropyLoss')),
    )
    loader = DataLoader(range(11), batch_size=batch, drop_last=drop_last)
    assert bool(lone_images(model, loader)) == lone
    endless = DataLoader(
        range(11), batch_size=batch, sampler=InfiniteSampler(range(11))
    )
    assert bool(lone_images(model, endless)) == (batch == 1)


@pytest.mark.parametrize(
    'batch, drop_last, said',
    [
        (1, False, ''),
        (6, True, 'set it to 18'),  # 20 negatives
        (4, True, ''),
        (4, False, 'drop_last=True'),  # 11 images
        (25, True, 'set it to 25'),
        (20, False, 'lower its batch_size'),
    ],
)
def test_a_queue_of_negatives_takes_whole_batches(batch, drop_last, said):
    loader = DataLoader(range(11), batch_size=batch, drop_last=drop_last)
    model = MoCo(
        dict(type='LeNet5'),
        dict(type='MoCoV2Neck', **dict.fromkeys(WIDTHS, 8)),
        dict(type='ContrastiveHead', loss=dict(type='CrossEntropyLoss')),
        queue_len=20,
        feat_dim=8,
    )
    found = unfilled_queue(model, loader)
    assert bool(found) == bool(said) and said in ''.join(found)
    endless = DataLoader(
        range(11), batch_size=batch, sampler=InfiniteSampler(range(11))
    )
    assert bool(unfilled_queue(model, endless)) == ('set it to' in said)
    if not said:
        return
    # mmpretrain's own queue ends the training.
    with pytest.raises(AssertionError):
        for images in loader or [range(batch)]:
            model._dequeue_and_enqueue(torch.ones(len(images), 8))
