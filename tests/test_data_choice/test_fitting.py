"""What of a recipe has to follow from the data."""

import pytest
from tiny_recipes import without_masks, write_recipes
from tiny_recipes import write_objects as write

from mmdrloc.errors import UsageError
from mmdrloc.recipes import read_recipe


@pytest.fixture
def nets(tmp_path):
    return write_recipes(tmp_path)


def masks_loaded(cfg):
    return [
        cfg[f'{phase}_dataloader'].dataset.pipeline[1].with_mask
        for phase in ('train', 'val', 'test')
    ]


def test_objects_with_masks(nets, tmp_path, capfd):
    cfg = read_recipe(nets / 'mask-rcnn.py', str(write(tmp_path / 'pets')))
    head = cfg.model.roi_head
    assert head.bbox_head.num_classes == head.mask_head.num_classes == 2
    assert cfg.val_evaluator.metric == ['bbox', 'segm']
    assert cfg.val_evaluator.ann_file == cfg.val_ann_file
    assert masks_loaded(cfg) == [True] * 3
    assert capfd.readouterr().err == ''


def test_objects_with_boxes_only(nets, tmp_path, capfd):
    content = without_masks()
    folder = write(tmp_path / 'pets', train=content, val=content)
    cfg = read_recipe(nets / 'mask-rcnn.py', str(folder))
    assert cfg.model.roi_head.bbox_head.num_classes == 2
    assert cfg.model.roi_head.mask_head is None
    assert cfg.model.roi_head.mask_roi_extractor is None
    assert cfg.val_evaluator.metric == cfg.test_evaluator.metric == 'bbox'
    assert masks_loaded(cfg) == [False] * 3
    assert 'the mask head is left out.' in capfd.readouterr().err


def test_a_network_that_is_nothing_without_masks(nets, tmp_path):
    recipe = nets / 'mask-rcnn.py'
    recipe.write_text(recipe.read_text().replace('roi_head', 'mask_head'))
    content = without_masks()
    folder = write(tmp_path / 'pets', train=content, val=content)
    with pytest.raises(UsageError, match='and MaskRCNN learns masks: choose'):
        read_recipe(recipe, str(folder))


def test_boxes_for_a_detector_without_masks(nets, tmp_path, capfd):
    protocol = nets.parent / '_base_/protocols/detect.py'
    text = protocol.read_text().replace('with_mask=True', 'with_mask=False')
    protocol.write_text(text.replace("['bbox', 'segm']", "'bbox'"))
    content = without_masks()
    folder = write(tmp_path / 'pets', train=content, val=content)
    read_recipe(nets / 'mask-rcnn.py', str(folder))
    assert capfd.readouterr().err == ''


@pytest.mark.parametrize('number,topk', [(2, (1,)), (5, (1,)), (6, (1, 5))])
def test_best_five(nets, number, topk):
    file = nets.parent / '_base_/datasets/nuts.py'
    file.write_text(f'{file.read_text()}num_classes = {number}\n')
    cfg = read_recipe(nets / 'tiny.py', 'nuts')
    assert tuple(cfg.val_evaluator.topk) == topk
