"""A dataset is put into a loaded config, ours or anyone's."""

import copy
from pathlib import Path
from types import SimpleNamespace

import mmpretrain
import numpy as np
import pytest
from command_line import TOOLS
from mmengine.config import Config
from mmengine.registry import DATASETS, init_default_scope
from mmpretrain.models import ImageClassifier
from PIL import Image
from tiny_dense import library_config
from tiny_recipes import (
    DESCRIPTION,
    without_masks,
    write_classes,
    write_maps,
    write_objects,
    write_recipes,
)

from mmdrloc.datasets.catalog import CATALOG, described
from mmdrloc.datasets.use_dataset import use_dataset
from mmdrloc.preflight.runner import other_classes
from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import UsageError

PHASES = ('train', 'val', 'test')
CONFIGS = TOOLS.parent / 'configs'


@pytest.fixture
def nets(tmp_path):
    return write_recipes(tmp_path)


@pytest.fixture
def tiny(nets):
    return Config.fromfile(nets / 'tiny.py')


@pytest.fixture
def boxes(tmp_path):
    """A folder of objects that have boxes alone."""
    content = without_masks()
    return str(write_objects(tmp_path / 'pets', train=content, val=content))


def describe(
    file: Path, task='classification', kind='mmpretrain.CustomDataset'
):
    text = DESCRIPTION.format(task=task, name='own', classes=3, kind=kind)
    file.write_text(text)
    return file


def datasets_of(cfg):
    return [cfg[f'{phase}_dataloader'].dataset for phase in PHASES]


def test_by_name(tiny):
    before = copy.deepcopy(tiny.to_dict())
    notes = use_dataset(tiny, 'cifar100')
    assert 'cifar100' in notes[0] and '100 classes' in notes[0]
    assert tiny.model.head.num_classes == 100
    assert tiny.data_preprocessor.num_classes == 100
    assert [d.split for d in datasets_of(tiny)] == ['train', 'test', 'test']
    # Images in memory and files alike; the rest of the pipeline stays.
    for phase in PHASES:
        loader = tiny[f'{phase}_dataloader']
        then = before[f'{phase}_dataloader']
        assert loader.dataset.pipeline[0].type == 'mmdrloc.LoadImage'
        assert loader.dataset.pipeline[1:] == then['dataset']['pipeline'][1:]
        then.pop('dataset')
        assert {**then, 'dataset': loader.dataset} == loader
    assert described(tiny)['num_train'] == 50000
    # The table of datasets is as it was.
    assert 'pipeline' not in CATALOG['cifar100']['train_dataset']


def test_by_file(tiny, tmp_path):
    file = describe(tmp_path / "my 'own'.py")
    use_dataset(tiny, str(file))
    assert tiny.model.head.num_classes == 3
    assert datasets_of(tiny)[0].ann_file == 'train.json'
    assert described(tiny)['dataset_path'] == str(file)
    assert described(tiny)['dataset_name'] == 'own'


@pytest.mark.parametrize('classes', [['bee', 'cat', 'ant'], ['bee', 'ant']])
def test_a_folder_in_the_order_of_a_training(tiny, tmp_path, classes):
    """Which may have come from a config that lists the classes."""
    photos = write_classes(tmp_path / 'photos', dict(ant=6, bee=5))
    use_dataset(tiny, str(photos), classes)
    for dataset in datasets_of(tiny):
        assert [*dataset.metainfo.classes] == classes
    assert tiny.model.head.num_classes == len(classes)


def test_by_folder(tiny, tmp_path):
    photos = dict(ant=6, bee=5, c=6, d=6, e=6)
    photos = write_classes(tmp_path / 'my photos', photos)
    notes = use_dataset(tiny, str(photos))
    assert any('5 of 29 images' in note for note in notes)
    assert tiny.dataset_name == 'my-photos'
    assert tiny.model.head.num_classes == 5
    # There is no best five of five.
    assert tiny.val_evaluator.topk == tiny.test_evaluator.topk == (1,)
    # From one to another: nothing is left of the first.
    use_dataset(tiny, 'pets')
    assert described(tiny)['num_train'] == 3680
    assert 'dataset_path' not in tiny


def test_each_image_is_a_class_of_idmm(tmp_path):
    photos = write_classes(tmp_path / 'mine', dict(ant=9, bee=9))
    cfg = Config.fromfile(CONFIGS / 'idmm/idmm_vit-narrow_16px.py')
    use_dataset(cfg, str(photos))
    images = described(cfg)['num_train']
    assert cfg.model.head.num_classes == images > 10


def test_images_without_labels_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    write_classes(tmp_path / 'mine', dict(ant=9))
    cfg = Config.fromfile(CONFIGS / 'mae/mae_vit-light-narrow.py')
    use_dataset(cfg, '~/mine')
    assert described(cfg)['num_train'] == 7


def test_a_folder_of_ones_own_comes_before_a_name(tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_classes(tmp_path / 'photos', dict(ant=6, bee=5))
    use_dataset(tiny, 'photos')
    assert tiny.model.head.num_classes == 2


def test_small_images_are_tested_as_a_whole(tiny):
    tiny.small_test_pipeline = [dict(type='LoadImageFromFile'), dict(type='A')]
    tiny.large_test_pipeline = [dict(type='LoadImageFromFile'), dict(type='B')]
    for name, kind in (('svhn', 'A'), ('pets', 'B')):
        use_dataset(tiny, name)
        train, *others = datasets_of(tiny)
        assert train.pipeline[1].type == 'Resize'
        assert [d.pipeline[1].type for d in others] == [kind, kind]


def test_wrappers_stay(tiny):
    inner = tiny.train_dataloader.dataset
    tiny.train_dataloader.dataset = dict(
        type='RepeatDataset',
        times=3,
        dataset=dict(
            type='ConcatDataset', datasets=[inner, copy.deepcopy(inner)]
        ),
    )
    tiny.val_dataloader.dataset = dict(
        type='KFoldDataset', fold=0, dataset=tiny.val_dataloader.dataset
    )
    notes = use_dataset(tiny, 'pets')
    train, val = tiny.train_dataloader.dataset, tiny.val_dataloader.dataset
    assert (train.type, train.times) == ('RepeatDataset', 3)
    assert train.dataset.type == 'mmpretrain.OxfordIIITPet'
    assert train.dataset.pipeline[-1].type == 'PackInputs'
    assert any('ConcatDataset' in note for note in notes)
    assert (val.type, val.dataset.split) == ('KFoldDataset', 'test')


@pytest.mark.parametrize(
    'loader', ['mmseg.LoadSingleRSImageFromFile', 'OwnLoadImageFromFile']
)
def test_other_loaders_stay(tiny, loader):
    load = dict(type=loader)
    tiny.val_dataloader.dataset.pipeline[0] = load
    before = tiny.data_preprocessor.get('to_rgb')
    use_dataset(tiny, 'pets')
    [first, *rest] = [step.type for step in datasets_of(tiny)[1].pipeline]
    assert first == load['type']
    assert not any(kind.startswith('Load') for kind in rest)
    assert tiny.data_preprocessor.get('to_rgb') == before


def test_a_part_to_validate_stays_a_part(tiny):
    tiny.train_dataloader.dataset.indices = 10
    tiny.val_dataloader.dataset.indices = list(range(0, 10000, 5))
    notes = use_dataset(tiny, 'cifar100')
    train, val, test = datasets_of(tiny)
    assert 'indices' not in train and 'indices' not in test
    assert [note for note in notes if 'indices' in note] == [
        "train_dataloader: all images, without the `indices` of the config's "
        'data.'
    ]
    assert val.indices == list(range(0, 10000, 5))
    use_dataset(tiny, 'pets')
    assert datasets_of(tiny)[1].indices == list(range(3669))
    tiny.val_dataloader.dataset.indices = []
    notes = use_dataset(tiny, 'cifar100')
    assert any('val_dataloader: all images' in note for note in notes)


# ---- detection

MASKS = CONFIGS / 'coco_mini/mask-rcnn_swin-mini.py'


def masks_loaded(cfg):
    return [
        step.with_mask
        for dataset in datasets_of(cfg)
        for step in dataset.pipeline
        if step.type.endswith('LoadAnnotations')
    ]


def test_objects_with_masks(tmp_path):
    cfg = Config.fromfile(MASKS)
    folder = write_objects(tmp_path / 'pets')
    use_dataset(cfg, str(folder))
    head = cfg.model.roi_head
    assert head.bbox_head.num_classes == head.mask_head.num_classes == 2
    assert cfg.val_evaluator.metric == ['bbox', 'segm']
    file = folder / 'annotations/instances_val.json'
    assert cfg.val_evaluator.ann_file == str(file)
    assert masks_loaded(cfg) == [True] * 3
    for dataset in datasets_of(cfg):  # upstream's tools take no list
        assert dataset.metainfo.classes == ('cat', 'dog')


def test_objects_with_boxes_only(boxes):
    cfg = Config.fromfile(MASKS)
    notes = use_dataset(cfg, boxes)
    assert cfg.model.roi_head.bbox_head.num_classes == 2
    assert cfg.model.roi_head.mask_head is None
    for judge in (cfg.val_evaluator, cfg.test_evaluator):
        assert judge.metric == ['bbox']
        assert judge.type == 'mmdrloc.CocoMetric'
    assert masks_loaded(cfg) == [False] * 3
    assert any('no masks are learnt.' in note for note in notes)


def test_a_trained_detector_needs_all_of_its_classes(boxes):
    cfg = Config.fromfile(MASKS)
    use_dataset(cfg, boxes, classes=('cat', 'dog'))
    with pytest.raises(UsageError, match='has 2 classes.*trained with 3'):
        use_dataset(cfg, boxes, classes=('cat', 'dog', 'cow'))


def test_metrics_of_other_data(boxes):
    cfg = library_config(
        'mmdet', 'cityscapes/mask-rcnn_r50_fpn_1x_cityscapes.py'
    )
    notes = use_dataset(cfg, boxes)
    [judge] = cfg.val_evaluator
    assert judge.type == 'mmdrloc.CocoMetric' and judge.metric == ['bbox']
    assert boxes in judge.ann_file
    assert any('in place of CityScapesMetric' in note for note in notes)


def test_a_detector_that_cannot_do_without_masks(boxes):
    cfg = library_config('mmdet', 'solo/solo_r50_fpn_1x_coco.py')
    with pytest.raises(UsageError, match='boxes and no masks, which SOLO'):
        use_dataset(cfg, boxes)


@pytest.mark.parametrize(
    'file',
    [
        'faster_rcnn/faster-rcnn_r50_fpn_1x_coco.py',
        'cascade_rcnn/cascade-mask-rcnn_r50_fpn_1x_coco.py',
        'yolox/yolox_tiny_8xb8-300e_coco.py',
        'pascal_voc/retinanet_r50_fpn_1x_voc0712.py',
        'mask2former/mask2former_r50_8xb2-lsj-50e_coco.py',
        'dino/dino-4scale_r50_8xb2-12e_coco.py',
    ],
)
def test_stock_detectors(file, tmp_path):
    cfg = library_config('mmdet', file)
    use_dataset(cfg, str(write_objects(tmp_path / 'pets')))
    numbers = {
        node[key]
        for place, node in dicts_in(cfg.model)
        for key in ('num_classes', 'num_things_classes')
        if key in node and 'rpn' not in place
    }
    assert numbers == {2}
    for _, node in dicts_in(cfg.model):
        weights = node.get('class_weight')
        assert not isinstance(weights, list) or len(weights) == 3
    assert str(tmp_path) in cfg.val_evaluator.ann_file
    for phase in PHASES:
        inner = cfg[f'{phase}_dataloader'].dataset
        while 'dataset' in inner:
            inner = inner.dataset
        assert inner.type == 'mmdet.CocoDataset'
        assert inner.data_root == str(tmp_path / 'pets')
        assert inner.pipeline


# ---- segmentation


@pytest.mark.parametrize(
    'file',
    [
        'upernet/upernet_r50_4xb4-80k_ade20k-512x512.py',
        'pspnet/pspnet_r50-d8_4xb2-40k_cityscapes-512x1024.py',
        'mask2former/mask2former_r50_8xb2-160k_ade20k-512x512.py',
    ],
)
def test_stock_segmentors(file, tmp_path):
    cfg = library_config('mmseg', file)
    use_dataset(cfg, str(write_maps(tmp_path / 'sea')))
    assert cfg.model.decode_head.num_classes == 2
    assert cfg.val_evaluator.type.endswith('IoUMetric')
    for place, node in dicts_in(cfg.model):
        if place.endswith('loss_cls'):  # "no object" is weighed too
            assert node.class_weight == [1.0, 1.0, 0.1]
    for dataset in datasets_of(cfg):
        assert dataset.type == 'mmseg.BaseSegDataset'
        load = [s for s in dataset.pipeline if s.type == 'LoadAnnotations']
        assert not any(step.get('reduce_zero_label') for step in load)


def test_weights_of_classes(nets):
    cfg = Config.fromfile(nets / 'upernet.py')
    head = cfg.model.decode_head
    head.loss_decode = dict(type='CrossEntropyLoss', class_weight=[1, 2])
    cfg.model.data_preprocessor = dict(seg_pad_val=0)
    use_dataset(cfg, 'camvid')
    assert head.loss_decode.class_weight is None and head.num_classes == 11
    assert cfg.model.data_preprocessor.seg_pad_val == 255
    use_dataset(cfg, 'coco_mini_seg')
    assert head.loss_decode.class_weight == [1.0, 7.0]
    assert cfg.model.data_preprocessor.seg_pad_val == 0
    # Weights in place of weights: the padding is the config's.
    cfg.model.data_preprocessor.seg_pad_val = 255
    use_dataset(cfg, 'coco_mini_seg')
    assert cfg.model.data_preprocessor.seg_pad_val == 255


# ---- classification


@pytest.mark.parametrize(
    'file',
    [
        'resnet/resnet18_8xb16_cifar10.py',
        'swin_transformer/swin-tiny_16xb64_in1k.py',
        'deit/deit-tiny_4xb256_in1k.py',
    ],
)
def test_stock_classifiers(file, tmp_path):
    configs = Path(mmpretrain.__file__).parent / '.mim/configs'
    cfg = Config.fromfile(configs / file)
    folder = write_classes(tmp_path / 'pets', dict(ant=2, bee=2, cow=2))
    use_dataset(cfg, str(folder))
    assert cfg.model.head.num_classes == cfg.data_preprocessor.num_classes == 3
    for dataset in datasets_of(cfg):
        assert dataset.type == 'mmdrloc.ClassFolders'
        kinds = [step.type.split('.')[-1] for step in dataset.pipeline]
        assert kinds[0] == 'LoadImage' and kinds[-1] == 'PackInputs'
        assert sum(kind.startswith('LoadImage') for kind in kinds) == 1


def test_a_backbone_that_classifies(tmp_path):
    """mmpretrain's VGG has its classes there."""
    configs = Path(mmpretrain.__file__).parent / '.mim/configs'
    cfg = Config.fromfile(configs / 'vgg/vgg11_8xb32_in1k.py')
    init_default_scope('mmpretrain')
    use_dataset(cfg, str(write_classes(tmp_path, dict(ant=2, bee=2, cow=2))))
    assert cfg.model.backbone.num_classes == 3
    model = ImageClassifier(cfg.model.backbone, head=cfg.model.head)
    data = SimpleNamespace(metainfo=dict(classes=['ant', 'bee']))
    [problem] = other_classes('train', data, model)
    assert 'model.backbone has num_classes=3' in problem


def test_photos_of_all_kinds(tmp_path):
    """Small, narrow, grey, transparent and of 16 bits; two uneven classes."""
    noise = np.random.default_rng(0).integers
    photos = [
        noise(0, 256, (3, 3, 3), np.uint8),
        noise(0, 256, (300, 20, 3), np.uint8),
        noise(0, 256, (40, 30), np.uint8),
        noise(0, 256, (40, 30, 4), np.uint8),
        noise(0, 65536, (40, 30), np.uint16),
    ]
    write_classes(tmp_path, dict(bee=40, cat=1), size=(20, 20))
    for number, photo in enumerate(photos):
        Image.fromarray(photo).save(tmp_path / f'bee/kind_{number}.png')
        Image.fromarray(photo).save(tmp_path / f'bee/kind_{number}.tif')
    cfg = Config.fromfile(CONFIGS / 'photos/swin-mini.py')
    use_dataset(cfg, str(tmp_path))
    init_default_scope('mmpretrain')
    train, val, _ = map(DATASETS.build, datasets_of(cfg))
    assert len(train) + len(val) == 51
    for sample in (*train, *val):
        assert sample['inputs'].shape == (3, 64, 64)
    dark = [np.asarray(sample['inputs']).max() for sample in train]
    assert min(dark) > 50  # not cut to the lower 8 bits, nor to 0


def test_colours_of_a_config_whose_images_lay_in_memory(tmp_path):
    """CIFAR is RGB there; what is loaded from files is BGR."""
    configs = Path(mmpretrain.__file__).parent / '.mim/configs'
    cfg = Config.fromfile(configs / 'resnet/resnet18_8xb16_cifar10.py')
    assert cfg.data_preprocessor.to_rgb is False
    use_dataset(cfg, str(write_classes(tmp_path, dict(ant=6, bee=6))))
    assert cfg.data_preprocessor.to_rgb is True


def test_colours_that_a_model_itself_has(tiny):
    tiny.val_dataloader.dataset.pipeline = [dict(type='PackInputs')]
    tiny.model.data_preprocessor = tiny.pop('data_preprocessor')
    use_dataset(tiny, 'pets')
    assert tiny.model.data_preprocessor.to_rgb is True


def test_weights_of_as_many_classes_stay(tiny, tmp_path):
    tiny.model.head.update(num_classes=3)
    tiny.model.head.loss = dict(type='FocalLoss', num_classes=3)
    tiny.model.head.loss.class_weight = [1.0, 2.0, 3.0]
    use_dataset(tiny, str(describe(tmp_path / 'data.py')))
    assert tiny.model.head.loss.class_weight == [1.0, 2.0, 3.0]


def test_classes_named_by_a_file(tiny, tmp_path):
    """As MMEngine reads them."""
    (tmp_path / 'classes.txt').write_text('ant\nbee\ncow')
    file = describe(tmp_path / 'data.py')
    classes = f"metainfo=dict(classes='{tmp_path}/classes.txt'), type"
    file.write_text(file.read_text().replace('type', classes))
    use_dataset(tiny, str(file))
    for dataset in datasets_of(tiny):
        assert dataset.metainfo.classes == f'{tmp_path}/classes.txt'


def test_images_that_are_not_counted_are_no_classes(tmp_path):
    file = describe(tmp_path / 'data.py')
    file.write_text(file.read_text().replace('num_train = ', ''))
    cfg = Config.fromfile(CONFIGS / 'idmm/idmm_vit-narrow_16px.py')
    with pytest.raises(UsageError, match='does not say its num_train'):
        use_dataset(cfg, str(file))


def test_a_folder_called_like_a_data_set(tiny, tmp_path):
    """No command makes it."""
    use_dataset(tiny, str(write_classes(tmp_path / 'flowers', dict(a=6, b=6))))
    assert 'data_made_by' not in described(tiny)
