"""What of a recipe has to follow from the data."""

import pytest
from command_line import TOOLS
from mmengine.config import Config
from tiny_recipes import without_masks, write_objects, write_recipes

from mmdrloc.datasets.folders import fit_to_data
from mmdrloc.datasets.recipes import read_recipe


@pytest.mark.parametrize('number,topk', [(2, (1,)), (5, (1,)), (6, (1, 5))])
def test_best_five(tmp_path, number, topk):
    nets = write_recipes(tmp_path)
    file = nets.parent / '_base_/datasets/nuts.py'
    file.write_text(f'{file.read_text()}num_classes = {number}\n')
    cfg = read_recipe(nets / 'tiny.py', 'nuts')
    assert tuple(cfg.val_evaluator.topk) == topk
    assert tuple(cfg.test_evaluator.topk) == topk


def test_wherever_it_is_asked_for():
    evaluator = [dict(type='F1'), dict(type='Accuracy', topk=[3, 5])]
    cfg = Config(
        dict(
            num_classes=3,
            model=dict(head=dict(topk=(1, 5))),
            val_evaluator=evaluator,
            test_evaluator=dict(type='Accuracy', topk=1),
        )
    )
    fit_to_data(cfg)
    assert cfg.model.head.topk == cfg.val_evaluator[1].topk == (1,)
    assert cfg.test_evaluator.topk == 1


MASKS = TOOLS.parent / 'configs/coco_mini/mask-rcnn_swin-mini.py'


def masks_loaded(cfg):
    return [
        step.with_mask
        for phase in ('train', 'val', 'test')
        for step in cfg[f'{phase}_dataloader'].dataset.pipeline
        if step.type.endswith('LoadAnnotations')
    ]


@pytest.fixture
def boxes(tmp_path):
    """A folder of objects that have boxes alone."""
    content = without_masks()
    return str(write_objects(tmp_path / 'pets', train=content, val=content))


def test_objects_with_masks(tmp_path, capfd):
    cfg = read_recipe(MASKS, str(write_objects(tmp_path / 'pets')))
    head = cfg.model.roi_head
    assert head.bbox_head.num_classes == head.mask_head.num_classes == 2
    assert cfg.val_evaluator.metric == ['bbox', 'segm']
    assert cfg.val_evaluator.ann_file == cfg.val_ann_file
    assert masks_loaded(cfg) == [True] * 3
    assert capfd.readouterr().err == ''


def test_objects_with_boxes_only(boxes, capfd):
    cfg = read_recipe(MASKS, boxes)
    assert cfg.model.roi_head.bbox_head.num_classes == 2
    assert cfg.model.roi_head.mask_head is None
    assert cfg.val_evaluator.metric == cfg.test_evaluator.metric == ['bbox']
    assert masks_loaded(cfg) == [False] * 3
    assert 'no masks are learnt.' in capfd.readouterr().err


def test_boxes_for_a_detector_without_masks(boxes, tmp_path, capfd):
    recipe = write_recipes(tmp_path) / 'faster-rcnn.py'
    assert read_recipe(recipe, boxes).num_classes == 2
    assert capfd.readouterr().err == ''
