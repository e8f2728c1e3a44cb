"""CvT, PVTv2 and ResNet in dense recipes, with weights from classifiers."""

from pathlib import Path

import pytest
import torch
from golden import random_weights
from mmdet.testing import demo_mm_inputs
from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.registry import MODELS, init_default_scope
from mmengine.structures import PixelData
from mmseg.structures import SegDataSample
from model_configs import build

from mmdrloc.checkpoints.transfer import audit_state_dict, to_origin
from mmdrloc.checkpoints.transfer.starting_weights import set_weights

CONFIGS = Path(__file__).parents[2] / 'configs'
HOSTS = {
    'mask-rcnn': 'coco/mask-rcnn_{}_1x.py',
    'cascade-mask-rcnn': 'coco/cascade-mask-rcnn_{}_1x.py',
    'upernet': 'ade20k/upernet_{}_160k.py',
}
every_host = pytest.mark.parametrize('host', HOSTS)
TINY = dict(embed_dims=[8, 16, 24], depths=[1, 1, 1], num_heads=[1, 1, 1])


def carry(classifier, folder, origin=None):
    """Write a classifier; its backbone's weights, by the dense one's names."""
    weights = random_weights(classifier)
    torch.save(dict(state_dict=weights), folder / 'trained.pth')
    if origin:
        return to_origin(weights, origin)[0]
    return {n: t for n, t in weights.items() if n.startswith('backbone.')}


def build_dense(config, folder):
    """Build a model that starts from what was written, as by --weights."""
    init_default_scope(config.default_scope)
    config.work_dir = str(folder)
    set_weights(config, str(folder / 'trained.pth'))
    torch.manual_seed(0)
    model = revert_sync_batchnorm(MODELS.build(config.model))
    model.init_weights()
    return model


def assert_carried(backbone, weights):
    audit = audit_state_dict(
        backbone.state_dict(),
        {name.partition('.')[2]: t for name, t in weights.items()},
    )
    assert audit.loaded and not audit.faults


def assert_trains(model, data):
    data = model.data_preprocessor(data, training=True)
    loss, _ = model.parse_losses(model(**data, mode='loss'))
    loss.backward()
    assert torch.isfinite(loss)
    for parameter in model.backbone.parameters():
        assert parameter.grad is not None or not parameter.requires_grad


def detection_data():
    return demo_mm_inputs(
        2, [(3, 64, 64)] * 2, num_items=[1, 1], num_classes=80, with_mask=True
    )


def segmentation_data():
    sample = SegDataSample(
        gt_sem_seg=PixelData(data=torch.randint(0, 19, (1, 64, 64)))
    )
    image = torch.randint(0, 256, (3, 64, 64), dtype=torch.uint8)
    return dict(inputs=[image] * 2, data_samples=[sample] * 2)


def load(host, backbone):
    """A recipe; of segmentors for 64 px images in one process."""
    config = Config.fromfile(CONFIGS / HOSTS[host].format(backbone))
    if host == 'upernet':
        config.model.data_preprocessor.size = (64, 64)
        for head in ('decode_head', 'auxiliary_head'):
            config.model[head].update(channels=16, norm_cfg=dict(type='BN'))
    return config


def data_of(config):
    detects = config.default_scope == 'mmdet'
    return detection_data() if detects else segmentation_data()


@pytest.mark.parametrize('variant', ['drloc', 'microsoft'])
@every_host
def test_cvt(host, variant, tmp_path):
    name = dict(drloc='cvt-13', microsoft='cvt-13_microsoft')[variant]
    classifier = build(
        name, 3, **{'backbone.arch': TINY, 'head.in_channels': 24}
    )
    weights = carry(classifier, tmp_path)
    config = load(host, 'cvt-13')
    config.model.backbone.update(arch=TINY, variant=variant)
    if host != 'upernet':
        config.model.neck.in_channels = TINY['embed_dims']
    else:
        config.model.decode_head.in_channels = TINY['embed_dims']
        config.model.auxiliary_head.in_channels = 24
    model = build_dense(config, tmp_path)
    assert_carried(model.backbone, weights)
    assert_trains(model, data_of(config))


@every_host
def test_pvtv2(host, tmp_path):
    weights = carry(build('pvtv2-b0', 3), tmp_path, 'pvtv2-features')
    config = load(host, 'pvtv2-b0')
    model = build_dense(config, tmp_path)
    assert_carried(model.backbone, weights)
    assert_trains(model, data_of(config))


@every_host
def test_resnet(host, tmp_path):
    weights = carry(build('resnet-50', 3), tmp_path)
    config = load(host, 'resnet-50')
    model = build_dense(config, tmp_path)
    assert_carried(model.backbone, weights)
    assert_trains(model, data_of(config))


def test_pvtv2_gives_the_classifier_s_last_map(tmp_path):
    classifier = build('pvtv2-b0', 3)
    carry(classifier, tmp_path, 'pvtv2-features')
    classifier.load_state_dict(random_weights(classifier))
    model = build_dense(load('mask-rcnn', 'pvtv2-b0'), tmp_path)
    image = torch.randn(1, 3, 70, 90)
    with torch.no_grad():
        (expected,) = classifier.eval().backbone(image)
        found = model.eval().backbone(image)[-1]
    torch.testing.assert_close(found, expected)
