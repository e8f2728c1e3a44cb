"""COCO's metric on files of any numbering."""

import json

import numpy as np
import pytest
import torch
from mmengine.registry import METRICS
from tiny_data import coco_content

pytest.importorskip('mmdet', reason='`make env` installs it')


def metric_of(content, folder, **options):
    path = folder / 'val.json'
    path.write_text(json.dumps(content))
    metric = METRICS.build(
        dict(
            type='mmdrloc.CocoMetric',
            ann_file=str(path),
            **{'metric': 'bbox', **options},
        )
    )
    metric.dataset_meta = dict(classes=('cat', 'dog'))
    return metric


def samples_of(content, labels):
    """Predictions: the objects of the categories that have labels."""
    samples = []
    for image in content['images']:
        own = [
            one
            for one in content['annotations']
            if one['image_id'] == image['id'] and one['category_id'] in labels
        ]
        boxes = np.array([a['bbox'] for a in own], np.float32).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        predicted = dict(
            bboxes=torch.tensor(boxes),
            scores=torch.ones(len(own)),
            labels=torch.tensor([labels[a['category_id']] for a in own]),
        )
        samples.append(
            dict(
                img_id=image['id'],
                ori_shape=(image['height'], image['width']),
                pred_instances=predicted,
            )
        )
    return samples


@pytest.mark.parametrize('first, crowds', [(1, True), (0, True), (1, False)])
def test_what_is_annotated_is_found(tmp_path, first, crowds):
    """pycocotools takes the id 0 for none, and fails without ``iscrowd``."""
    content = coco_content()
    for number, one in enumerate(content['annotations'], start=first):
        one['id'] = number
        if not crowds:
            del one['iscrowd']
    metric = metric_of(content, tmp_path)
    samples = samples_of(content, labels={1: 0, 2: 1})
    metric.process({}, samples)
    assert metric.evaluate(len(samples))['coco/bbox_mAP'] == 1


def test_precisions_of_categories_whose_ids_do_not_ascend(tmp_path):
    """Of two categories one alone is found."""
    content = coco_content()
    known = {1: 90, 2: 7}
    for kind in content['categories']:
        kind['id'] = known[kind['id']]
    for one in content['annotations']:
        one['category_id'] = known[one['category_id']]
    metric = metric_of(content, tmp_path, classwise=True)
    metric.process({}, samples_of(content, labels={90: 0}))
    found = metric.evaluate(len(content['images']))
    assert found['coco/bbox_cat_precision'] == 1
    assert found['coco/bbox_dog_precision'] == 0


def test_precisions_of_a_class_by_box_and_by_mask(tmp_path):
    """Boxes that are right, with masks that are empty."""
    content = coco_content()
    kinds = ['bbox', 'segm']
    metric = metric_of(content, tmp_path, classwise=True, metric=kinds)
    samples = samples_of(content, labels={1: 0, 2: 1})
    for sample in samples:
        number = len(sample['pred_instances']['scores'])
        empty = torch.zeros(number, *sample['ori_shape'], dtype=torch.bool)
        sample['pred_instances']['masks'] = empty
    metric.process({}, samples)
    found = metric.evaluate(len(samples))
    for value, kind in zip((1, 0), kinds):
        assert found[f'coco/{kind}_mAP'] == value
        assert found[f'coco/{kind}_cat_precision'] == value
        assert found[f'coco/{kind}_dog_precision'] == value
    assert metric.metrics == kinds


def test_a_file_without_annotations(tmp_path):
    """As of COCO's test-dev, whose predictions are sent to a server."""
    content = {k: v for k, v in coco_content().items() if k != 'annotations'}
    place = str(tmp_path / 'sent')
    metric = metric_of(
        content, tmp_path, format_only=True, outfile_prefix=place
    )
    samples = samples_of(coco_content(), labels={1: 0, 2: 1})
    metric.process({}, samples)
    metric.evaluate(len(samples))
    assert json.loads((tmp_path / 'sent.bbox.json').read_text())


def test_a_detector_that_finds_nothing_has_a_precision_of_0(tmp_path):
    content = coco_content()
    metric = metric_of(content, tmp_path)
    metric.process({}, samples_of(content, labels={}))
    found = metric.evaluate(len(content['images']))
    assert found['coco/bbox_mAP'] == found['coco/bbox_mAP_50'] == 0


def test_images_that_are_left_out_do_not_count(tmp_path):
    content = coco_content()
    metric = metric_of(content, tmp_path)
    samples = samples_of(content, labels={1: 0, 2: 1})[:2]
    metric.process({}, samples)
    assert metric.evaluate(len(samples))['coco/bbox_mAP'] == 1
