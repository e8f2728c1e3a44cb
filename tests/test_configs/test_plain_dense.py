"""Plain transformers in Mask R-CNN, Cascade Mask R-CNN and UperNet."""

from pathlib import Path

import pytest
import tiny_dense
import torch
from golden import random_weights
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from tiny_dense import NARROWER, batch, build, cut_down

from mmdrloc.checkpoints.transfer import audit_state_dict
from mmdrloc.checkpoints.transfer.starting_weights import set_weights
from mmdrloc.utils.errors import UsageError

CONFIGS = Path(__file__).parents[2] / 'configs'
NETWORKS = (
    'vit-b16',
    'deit-tiny',
    'deit-base',
    'vit-light',
    't2t-vit-7',
    't2t-vit-14',
)
HOSTS = {
    'mask-rcnn': 'coco/mask-rcnn_{}_1x.py',
    'cascade-mask-rcnn': 'coco/cascade-mask-rcnn_{}_1x.py',
    'upernet': 'ade20k/upernet_{}_160k.py',
}
DRLOC = {
    'MaskRCNN': 'mmdrloc.DRLocMaskRCNN',
    'CascadeRCNN': 'mmdrloc.DRLocCascadeRCNN',
    'EncoderDecoder': 'mmdrloc.DRLocEncoderDecoder',
}
every_network = pytest.mark.parametrize('network', NETWORKS)
every_host = pytest.mark.parametrize('host', HOSTS)


def load(host, network):
    return Config.fromfile(CONFIGS / HOSTS[host].format(network))


def load_narrow(host, network):
    """A recipe, of a few layers and channels."""
    cfg = load(host, network)
    backbone = cfg.model.backbone
    layers = dict(num_heads=2, feedforward_channels=32)
    if 'T2T' in backbone.type:
        size = dict(
            embed_dims=NARROWER[cfg.maps[0]],
            num_layers=4,
            t2t_cfg=dict(token_dims=8),
            layer_cfgs=layers,
        )
    else:
        arch = dict(embed_dims=NARROWER[cfg.maps[0]], num_layers=4, **layers)
        size = dict(arch=arch)
    size.update(out_indices=(0, 1, 2, 3), window_size=3)
    cut_down(cfg.model, dict(backbone, **size))
    return cfg


def carry(cfg, folder):
    """Have the model start from a classifier's weights, as by --weights."""
    backbone = {
        key: value
        for key, value in cfg.model.backbone.items()
        if key not in ('window_size', 'out_indices', 'init_cfg')
    }
    is_t2t = 'T2T' in backbone['type']
    backbone['type'] = (
        'mmdrloc.PerformerT2TViT' if is_t2t else 'VisionTransformer'
    )
    init_default_scope('mmpretrain')
    classifier = MODELS.build(dict(type='ImageClassifier', backbone=backbone))
    # Of both signs.
    weights = {n: t - 0.6 for n, t in random_weights(classifier).items()}
    torch.save(dict(state_dict=weights), folder / 'trained.pth')
    cfg.work_dir = str(folder / 'work')
    set_weights(cfg, str(folder / 'trained.pth'))
    return {n.partition('.')[2]: t for n, t in weights.items()}


@every_network
@every_host
def test_carried_weights_train_a_step(host, network, tmp_path):
    cfg = load_narrow(host, network)
    assert cfg.model.backbone.init_cfg == dict(
        type='Pretrained', prefix='backbone.'
    )
    # What is dropped is not trained.
    cfg.model.backbone.drop_path_rate = 0.0
    weights = carry(cfg, tmp_path)
    model = build(cfg.model, cfg.default_scope)
    audit = audit_state_dict(model.backbone.state_dict(), weights)
    assert audit.loaded and not audit.faults and not audit.expected_missing
    optimizer = build_optim_wrapper(model, cfg.optim_wrapper)
    before = {n: p.clone() for n, p in model.named_parameters()}
    data = batch(model, cfg.default_scope)
    loss, _ = model.parse_losses(model(**data, mode='loss'))
    assert loss.isfinite()
    optimizer.update_params(loss)
    same = [
        name
        for name, parameter in model.backbone.named_parameters()
        if parameter.requires_grad
        and parameter.equal(before[f'backbone.{name}'])
    ]
    assert not same


@every_network
@every_host
def test_drloc_on_a_grid_that_is_not_square(
    host, network, tmp_path, monkeypatch
):
    """Each image by its own cells, and the loss reaches the first layer."""
    monkeypatch.setattr(tiny_dense, 'SHAPES', [(3, 64, 96), (3, 48, 56)])
    cfg = load_narrow(host, network)
    if host == 'upernet':
        cfg.model.data_preprocessor.size = (64, 96)
    source = 'norm' if network.startswith('t2t') else 'layers.3'
    cfg.model.update(
        type=DRLOC[cfg.model.type],
        drloc_head=dict(
            type='mmdrloc.DRLocHead',
            source=source,
            in_channels=NARROWER[cfg.maps[0]],
            hidden_channels=12,
        ),
    )
    carry(cfg, tmp_path)
    model = build(cfg.model, cfg.default_scope)
    seen = []
    loss = model.drloc_head.loss
    monkeypatch.setattr(
        model.drloc_head,
        'loss',
        lambda grids, valid_sizes: (
            seen.append((grids[0].shape[2:], valid_sizes[0].tolist()))
            or loss(grids, valid_sizes=valid_sizes)
        ),
    )
    losses = model(**batch(model, cfg.default_scope), mode='loss')
    if network == 'vit-light':
        assert seen == [((22, 32), [[22, 32], [16, 18]])]
    else:
        assert seen == [((4, 6), [[4, 6], [3, 3]])]
    losses['loss_drloc'].backward()
    embed = getattr(model.backbone, model.backbone.parts[0])
    assert all(
        p.grad is not None for p in embed.parameters() if p.requires_grad
    )


def test_a_layer_within_windows_is_no_source():
    cfg = load_narrow('mask-rcnn', 'vit-b16')
    cfg.model.backbone.out_indices = (1, 3)
    cfg.model.update(
        type='mmdrloc.DRLocMaskRCNN',
        neck=dict(
            type='FPN', in_channels=[64] * 2, num_outs=5, out_channels=16
        ),
        drloc_head=dict(
            type='mmdrloc.DRLocHead', source='layers.0', in_channels=64
        ),
    )
    cfg.model.backbone.init_cfg = None
    model = build(cfg.model, 'mmdet')
    with pytest.raises(UsageError, match='9 cells of an image that has 6x6'):
        model(**batch(model, 'mmdet'), mode='loss')


@every_network
@every_host
def test_learning_rates_fall_towards_the_image(host, network):
    """From the heads, 1, by one factor a layer to the patches."""
    cfg = load(host, network)
    rate = cfg.optim_wrapper.paramwise_cfg.layer_decay_rate
    cut = load_narrow(host, network)
    cut.model.backbone.init_cfg = None
    model = build(cut.model, cut.default_scope)
    optimizer = build_optim_wrapper(model, cfg.optim_wrapper).optimizer
    base = cfg.optim_wrapper.optimizer
    scales = {}
    for group in optimizer.param_groups:
        name = group['param_name']
        scales[name] = group['lr'] / base.lr
        is_small = group['params'][0].ndim == 1 and host == 'upernet'
        if 'ln' in name or 'cls_token' in name or is_small:
            assert group['weight_decay'] == 0
    trained = [n for n, p in model.named_parameters() if p.requires_grad]
    assert sorted(scales) == sorted(trained)
    embed, layers, norm = model.backbone.parts
    depths = {f'{embed}.': 5, 'cls_token': 5, 'pos_embed': 5, f'{norm}.': 0}
    depths.update({f'{layers}.{i}.': 4 - i for i in range(4)})
    for name, scale in scales.items():
        inside = name.partition('.')[2]
        expected = 0
        if name.startswith('backbone.'):
            (expected,) = (
                depth for n, depth in depths.items() if inside.startswith(n)
            )
        assert scale == pytest.approx(rate**expected), name
