"""COCO's metric on files of any numbering."""

import json

import numpy as np
import pytest
import torch
from mmengine.registry import METRICS
from tiny_data import coco_content

pytest.importorskip('mmdet', reason='`make env` installs it')


@pytest.mark.parametrize('first, crowds', [(1, True), (0, True), (1, False)])
def test_what_is_annotated_is_found(tmp_path, first, crowds):
    """pycocotools takes the id 0 for none, and fails without ``iscrowd``."""
    content = coco_content()
    for number, one in enumerate(content['annotations'], start=first):
        one['id'] = number
        if not crowds:
            del one['iscrowd']
    path = tmp_path / 'val.json'
    path.write_text(json.dumps(content))
    metric = METRICS.build(
        dict(type='mmdrloc.CocoMetric', ann_file=str(path), metric='bbox')
    )
    metric.dataset_meta = dict(classes=('cat', 'dog'))
    samples = []
    for image in content['images']:
        own = [
            a for a in content['annotations'] if a['image_id'] == image['id']
        ]
        boxes = np.array([a['bbox'] for a in own], np.float32)
        boxes[:, 2:] += boxes[:, :2]
        predicted = dict(
            bboxes=torch.tensor(boxes),
            scores=torch.ones(len(own)),
            labels=torch.tensor([a['category_id'] - 1 for a in own]),
        )
        samples.append(
            dict(
                img_id=image['id'],
                ori_shape=(image['height'], image['width']),
                pred_instances=predicted,
            )
        )
    metric.process({}, samples)
    assert metric.evaluate(len(samples))['coco/bbox_mAP'] == 1
