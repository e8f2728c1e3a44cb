import pytest
from mmengine.registry import METRICS, init_default_scope
from mmpretrain.structures import DataSample


def sample(masked, visible):
    return DataSample(loss_masked=masked, loss_visible=visible).to_dict()


def test_images_count_equally_whatever_their_batch():
    init_default_scope('mmpretrain')
    metric = METRICS.build(dict(type='mmdrloc.ReconstructionLoss'))
    metric.process(None, [sample(1.0, 0.1), sample(2.0, 0.2)])
    metric.process(None, [sample(6.0, 0.3)])
    metrics = metric.evaluate(size=3)
    assert metrics == pytest.approx(
        {
            'reconstruction/loss_masked': 3.0,
            'reconstruction/loss_visible': 0.2,
            'reconstruction/loss': 3.2,
        }
    )
