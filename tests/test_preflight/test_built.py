"""Data sets and models that do not fit each other are refused."""

from types import SimpleNamespace

import pytest
import torch
from mmengine.runner.base_loop import BaseLoop
from tiny_run import build_runner, write_config

from mmdrloc.models import IDMM
from mmdrloc.preflight import check_runner
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


def findings_of(config, **options):
    runner = build_runner(config, **options)
    runner._train_loop = runner.build_train_loop(runner._train_loop)
    runner._val_loop = runner.build_val_loop(runner._val_loop)
    return check_runner(runner)


def test_fitting_runner(config):
    assert findings_of(config) == []


def test_num_classes_of_the_head(config):
    [finding] = findings_of(config, model__head__num_classes=7)
    assert finding.startswith(
        'model.head has num_classes=7, the train data has 3 classes (class0, '
        'class1, class2): set num_classes=3'
    )


def test_num_classes_of_batch_augments(config):
    augments = dict(augments=dict(type='Mixup', alpha=0.8))
    [finding] = findings_of(
        config, model__train_cfg=augments, data_preprocessor__num_classes=1000
    )
    assert 'model.data_preprocessor has num_classes=1000' in finding
    assert findings_of(config, data_preprocessor__num_classes=1000) == []


def test_other_classes_in_validation(config, tmp_path):
    (tmp_path / 'data/val/class2').rename(tmp_path / 'data/val/klass2')
    [finding] = findings_of(config)
    assert 'the validation data (class0, class1, klass2)' in finding


@pytest.mark.parametrize('metainfo', [None, dict(classes=['a', 'b', 'c'])])
def test_label_out_of_range(config, tmp_path, metainfo):
    for split in ('train', 'val'):
        (tmp_path / f'data/{split}.txt').write_text('class0/0.png 3\n')
    options = {}
    for split in ('train', 'val'):
        options[f'{split}_dataloader__dataset__ann_file'] = f'{split}.txt'
        options[f'{split}_dataloader__dataset__metainfo'] = metainfo
    findings = findings_of(config, **options)
    assert len(findings) == 2
    assert 'labels from 3 to 3, expected are 0 to 2' in findings[0]


def test_the_hook_refuses_before_training(config):
    runner = build_runner(
        config,
        model__head__num_classes=7,
        custom_hooks=[dict(type='mmdrloc.PreflightHook')],
    )
    with pytest.raises(UsageError, match='num_classes=7'):
        runner.train()
    assert runner.iter == 0


# ---- detectors and segmentors --------------------------------------------


class Tree(torch.nn.Module):
    """A model of named parts, of which some count classes."""

    def __init__(self, num_classes=None, **parts):
        super().__init__()
        if num_classes is not None:
            self.num_classes = num_classes
        for name, part in parts.items():
            self.add_module(name, part)


class Loader:
    """A phase's data."""

    def __init__(self, dataset):
        self.dataset = dataset


class Dataset(list):
    """Two images and what a data set says of itself."""

    def __init__(self, classes, **attributes):
        super().__init__([0, 1])
        self.metainfo = dict(classes=classes)
        vars(self).update(attributes)


def refusals(model, dataset):

    loop = type('Loop', (BaseLoop,), dict(run=None))(None, Loader(dataset))
    return check_runner(
        SimpleNamespace(
            model=model, _train_loop=loop, _val_loop=None, _test_loop=None
        )
    )


def test_every_head_of_a_cascade_and_no_rpn():
    heads = torch.nn.ModuleList([Tree(2), Tree(80)])
    model = Tree(
        backbone=Tree(1000),
        rpn_head=Tree(1),
        roi_head=Tree(bbox_head=heads, mask_head=Tree(80)),
    )
    findings = refusals(model, Dataset(['a', 'b']))
    assert [f.split(' has')[0] for f in findings] == [
        'model.roi_head.bbox_head.1',
        'model.roi_head.mask_head',
    ]


def test_misspelt_class_in_coco():
    dataset = Dataset(['cat', 'dgo'], cat_ids=[1], ann_file='train.json')
    [finding] = refusals(Tree(bbox_head=Tree(2)), dataset)
    assert 'train.json has 1 of the 2 classes' in finding


def test_segmentor_says_that_zero_is_no_class():
    dataset = Dataset(['background', 'a', 'b'], reduce_zero_label=True)
    model = Tree(decode_head=Tree(2), auxiliary_head=Tree(2))
    findings = refusals(model, dataset)
    assert len(findings) == 2
    assert 'without the class of label 0' in findings[0]


def test_empty_data_set():
    dataset = Dataset(['a'])
    dataset.clear()
    [finding] = refusals(Tree(bbox_head=Tree(1)), dataset)
    assert 'the train data set (Dataset) holds no image' in finding


def test_idmm_counts_images_and_not_classes():
    model = object.__new__(IDMM)
    torch.nn.Module.__init__(model)
    model.head = Tree(2)
    dataset = Dataset(['a', 'b', 'c'])
    assert refusals(model, dataset) == []
    dataset.append(2)
    [finding] = refusals(model, dataset)
    assert 'has 3 images, each a class of its own' in finding
