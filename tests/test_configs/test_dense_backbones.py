"""The recipes of docs/dense_backbones.md, with weights from classifiers."""

import re
from pathlib import Path

import pytest
import torch
from golden import random_weights
from mmdet.testing import demo_mm_inputs
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmengine.structures import PixelData
from mmseg.structures import SegDataSample
from model_configs import build

from mmdrloc.transfer import audit_state_dict, to_origin
from mmdrloc.transfer.starting_weights import set_weights

ROOT = Path(__file__).parents[2]
TINY = dict(embed_dims=[8, 16, 24], depths=[1, 1, 1], num_heads=[1, 1, 1])


def recipe(backbone, name, folder):
    """The one of PVTv2-B0, or the page's, which stands on it."""
    file = ROOT / f'configs/{name}.py'
    if backbone == 'cvt-13':
        page = (ROOT / 'docs/dense_backbones.md').read_text()
        (text,) = (
            block
            for block in re.findall(r'```python\n(.*?)```', page, re.DOTALL)
            if file.name in block
        )
        text = text.replace("'./", f"'{file.parent}/")
        file = folder / 'config.py'
        file.write_text(text)
    return Config.fromfile(file)


def carry(classifier, folder, origin=None):
    """Write a classifier; its backbone's weights, by the dense one's names."""
    weights = random_weights(classifier)
    torch.save(dict(state_dict=weights), folder / 'trained.pth')
    if origin:
        return to_origin(weights, origin)[0]
    return {n: t for n, t in weights.items() if n.startswith('backbone.')}


def build_dense(config, scope, folder):
    """Build a model that starts from what was written, as by --weights."""
    init_default_scope(scope)
    config.work_dir = str(folder)
    set_weights(config, str(folder / 'trained.pth'))
    torch.manual_seed(0)
    model = MODELS.build(config.model)
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
    gradients = [p.grad for p in model.backbone.parameters()]
    assert all(gradient is not None for gradient in gradients)


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


def detector(backbone, folder):
    return recipe(backbone, 'coco/mask-rcnn_pvtv2-b0_1x', folder)


def segmentor(backbone, folder):
    config = recipe(backbone, 'ade20k/upernet_pvtv2-b0_160k', folder)
    # For the batch normalisation of 64 px images in one process.
    config.model.data_preprocessor.size = (64, 64)
    for head in ('decode_head', 'auxiliary_head'):
        config.model[head].update(channels=16, norm_cfg=dict(type='BN'))
    return config


HOSTS = pytest.mark.parametrize(
    'host, scope, data',
    [
        (detector, 'mmdet', detection_data),
        (segmentor, 'mmseg', segmentation_data),
    ],
    ids=['mask-rcnn', 'upernet'],
)


@pytest.mark.parametrize('variant', ['drloc', 'microsoft'])
@HOSTS
def test_cvt(host, scope, data, variant, tmp_path):
    name = dict(drloc='cvt-13', microsoft='cvt-13_microsoft')[variant]
    classifier = build(
        name, 3, **{'backbone.arch': TINY, 'head.in_channels': 24}
    )
    weights = carry(classifier, tmp_path)
    config = host('cvt-13', tmp_path)
    config.model.backbone.update(arch=TINY, variant=variant)
    if host is detector:
        config.model.neck.in_channels = TINY['embed_dims']
    else:
        config.model.decode_head.in_channels = TINY['embed_dims']
        config.model.auxiliary_head.in_channels = 24
    model = build_dense(config, scope, tmp_path)
    assert_carried(model.backbone, weights)
    assert_trains(model, data())


@HOSTS
def test_pvtv2(host, scope, data, tmp_path):
    weights = carry(build('pvtv2-b0', 3), tmp_path, 'pvtv2-features')
    model = build_dense(host('pvtv2-b0', tmp_path), scope, tmp_path)
    assert_carried(model.backbone, weights)
    assert_trains(model, data())


def test_pvtv2_gives_the_classifier_s_last_map(tmp_path):
    classifier = build('pvtv2-b0', 3)
    carry(classifier, tmp_path, 'pvtv2-features')
    classifier.load_state_dict(random_weights(classifier))
    model = build_dense(detector('pvtv2-b0', tmp_path), 'mmdet', tmp_path)
    image = torch.randn(1, 3, 70, 90)
    with torch.no_grad():
        (expected,) = classifier.eval().backbone(image)
        found = model.eval().backbone(image)[-1]
    torch.testing.assert_close(found, expected)
