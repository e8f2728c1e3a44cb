"""A training step on a GPU that is not there: see ``pretend_gpu``."""

from types import SimpleNamespace

import model_configs
import old_torch
import pytest
import tiny_classifier
import tiny_dense
import torch
from mmengine.logging import MessageHub
from mmengine.optim import OptimWrapper
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.structures import DataSample
from pretend_gpu import PERMITTED, Misplaced, Waits, pretend_gpu

from mmdrloc.engine.hooks.dino_gradients_hook import DINOGradientsHook
from mmdrloc.models.host import DRLocHost
from mmdrloc.models.losses import DRLocL1Loss

# What brings the batch over.
BATCH = {'cast_data', 'forward'}
VIT = dict(
    type='mmpretrain.VisionTransformer',
    arch=dict(embed_dims=8, num_layers=2, num_heads=2, feedforward_channels=8),
    img_size=24,
    patch_size=6,
)
HEAD = dict(
    type='mmdrloc.DRLocHead', source='layers.1', in_channels=8, num_pairs=4
)
PROJECTION = dict(
    type='mmpretrain.NonLinearNeck',
    in_channels=8,
    hid_channels=8,
    out_channels=4,
    with_avg_pool=False,
    norm_cfg=dict(type='BN1d'),
)
MAE = dict(
    type='mmdrloc.LightMAE',
    backbone=dict(VIT, type='mmdrloc.LightMAEViT'),
    neck=dict(
        type='mmdrloc.LightMAEDecoder',
        num_patches=16,
        patch_size=6,
        embed_dim=8,
        decoder_embed_dim=8,
        decoder_depth=1,
        decoder_num_heads=2,
    ),
    head=dict(
        type='mmdrloc.LightMAEHead',
        patch_size=6,
        loss=dict(type='mmpretrain.PixelReconstructionLoss', criterion='L2'),
    ),
)
DINO = dict(
    type='mmdrloc.DINO',
    backbone=VIT,
    neck=dict(
        type='mmdrloc.DINONeck',
        in_channels=8,
        num_prototypes=8,
        hid_channels=8,
        bottleneck_channels=4,
    ),
)
SUPCON = dict(type='mmdrloc.SupCon', backbone=VIT, neck=PROJECTION)
IDMM = dict(
    type='mmdrloc.DRLocIDMM',
    backbone=VIT,
    num_views=(1, 2),
    head=dict(
        type='mmpretrain.LinearClsHead',
        num_classes=12,
        in_channels=8,
        loss=dict(type='mmpretrain.LabelSmoothLoss', label_smooth_val=0.1),
    ),
    auxiliary_head=HEAD,
)


@pytest.fixture(autouse=True)
def training():
    """What a runner says to those whose momentum follows a schedule."""
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    MessageHub.get_current_instance().update_info('max_iters', 10)


def optimizer_of(model, **options):
    """AdamW, the gradients measured before each update as in a training."""
    # torch 2.1 knows meta tensors one at a time alone.
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=1e-3, foreach=not old_torch.IS_OLD
    )
    return OptimWrapper(optimizer, **options)


def images():
    samples = []
    for index in range(4):
        sample = DataSample(metainfo=dict(sample_idx=index))
        samples.append(sample.set_gt_label(index % 2))
    return dict(inputs=torch.zeros(4, 3, 24, 24), data_samples=samples)


def crops():
    return dict(images(), inputs=[images()['inputs'] for _ in range(3)])


def places(gpu):
    return {name for _, name in gpu.met}


# ---- models


@pytest.mark.parametrize('loss', ['L1', 'CrossEntropy', 'Gaussian'])
def test_classifier(loss):
    model = tiny_classifier.build([dict(type='Mixup', alpha=0.8)])
    model.auxiliary_head = MODELS.build(
        dict(
            model_head(),
            loss=dict(type=f'mmdrloc.DRLoc{loss}Loss'),
        )
    )
    with pretend_gpu(model) as gpu:
        log = model.train_step(images(), optimizer_of(model))
    assert all(value.is_meta for value in log.values())
    assert places(gpu) == BATCH | {'mix'}


def model_head():
    return dict(
        type='mmdrloc.DRLocHead',
        source=['stages.1'],
        in_channels=16,
        grid_size=(3, 3),
    )


@pytest.mark.parametrize(
    'name, width, changes',
    [
        (
            'swin-tiny',
            32,
            {
                'backbone.arch': dict(
                    embed_dims=8, depths=[1, 1, 2], num_heads=[1, 1, 2]
                ),
                'backbone.out_indices': (2,),
            },
        ),
        (
            'cvt-13',
            24,
            {
                'backbone.arch': dict(
                    embed_dims=[8, 16, 24],
                    depths=[1, 1, 2],
                    num_heads=[1, 2, 3],
                )
            },
        ),
        (
            't2t-vit-14',
            24,
            {
                'backbone.embed_dims': 24,
                'backbone.num_layers': 2,
                'backbone.t2t_cfg': dict(token_dims=8),
                'backbone.layer_cfgs': dict(
                    num_heads=3, feedforward_channels=72
                ),
            },
        ),
        (
            'vit-b16',
            24,
            {
                'backbone.arch': dict(
                    embed_dims=24,
                    num_layers=2,
                    num_heads=3,
                    feedforward_channels=96,
                )
            },
        ),
    ],
)
def test_backbones_of_ours(name, width, changes):
    """Some take other ways on a GPU: Swin's windows and DRLoc's MLP."""
    model = model_configs.build(
        name, 5, **changes, **{'head.in_channels': width}
    )
    with pretend_gpu(model, permitted={}):
        wrapper = optimizer_of(model)
        inputs = torch.zeros(2, 3, 224, 224, device='cuda')
        labels = torch.zeros(2, device='cuda', dtype=torch.long)
        logits = model.head(model.extract_feat(inputs))
        loss = torch.nn.functional.cross_entropy(logits, labels)
        wrapper.update_params(loss)
    trained = [p for p in model.parameters() if p.requires_grad]
    assert trained and all(p in wrapper.optimizer.state for p in trained)


@pytest.mark.parametrize(
    'config, met',
    [
        (IDMM, {'cast_data', 'mix'}),
        (DINO, {'cast_data', 'read'}),
        (SUPCON, {'cast_data'}),
    ],
    ids=['idmm', 'dino', 'supcon'],
)
def test_self_supervision_by_crops(config, met):
    model = MODELS.build(
        dict(
            config,
            data_preprocessor=dict(type='mmpretrain.SelfSupDataPreprocessor'),
        )
    )
    model.init_weights()
    with pretend_gpu(model) as gpu:
        wrapper = optimizer_of(model)
        if config is DINO:
            DINOGradientsHook().before_train(
                SimpleNamespace(model=model, epoch=0, optim_wrapper=wrapper)
            )
        for _ in range(2):  # the teacher begins as a copy
            log = model.train_step(crops(), wrapper)
    assert log['loss'].is_meta
    assert places(gpu) == met


def test_masked_auto_encoder():
    model = MODELS.build(
        dict(
            MAE,
            data_preprocessor=dict(type='mmpretrain.SelfSupDataPreprocessor'),
        )
    )
    model.init_weights()
    with pretend_gpu(model) as gpu:
        log = model.train_step(images(), optimizer_of(model))
    assert log['loss'].is_meta
    assert places(gpu) == {'cast_data'}


@pytest.mark.parametrize(
    'name, scope, file',
    [
        ('DRLocMaskRCNN', 'mmdet', 'mask-rcnn_r50_fpn'),
        ('DRLocEncoderDecoder', 'mmseg', 'upernet_swin'),
    ],
)
@pytest.mark.parametrize('pool', [None, 'avg2x2'])
def test_dense_hosts(name, scope, file, pool, monkeypatch):
    """Without the library's losses, which wait by design (masks, matching)."""
    model = tiny_dense.library_config(scope, f'_base_/models/{file}.py').model
    if scope == 'mmdet':
        model.neck.in_channels = [96, 192, 384, 768]
    tiny_dense.cut_down(model)
    model.type = f'mmdrloc.{name}'
    model.drloc_head = dict(HEAD, source='stages.1', in_channels=16, pool=pool)
    model = tiny_dense.build(model, scope)
    classes = type(model).__mro__
    library = next(
        c for c in classes[classes.index(DRLocHost) :] if 'loss' in vars(c)
    )
    monkeypatch.setattr(
        library,
        'loss',
        lambda self, inputs, samples: dict(
            loss_library=[m.mean() for m in self.extract_feat(inputs)]
        ),
    )
    data = tiny_dense.batch(model, scope)
    with pretend_gpu(model, permitted={}):
        wrapper = optimizer_of(model)
        inputs = data['inputs'].to('cuda', non_blocking=True)
        losses = model(inputs, data['data_samples'], mode='loss')
        total, log = model.parse_losses(losses)
        wrapper.update_params(total)
    assert log['loss_drloc'].is_meta and total.is_meta


# ---- what the tests find


def plant_item(loss):
    return loss * (1 if loss.item() else 0)


def plant_host_tensor(loss):
    return loss * torch.ones(1)


@pytest.mark.parametrize(
    'fault, error', [(plant_item, Waits), (plant_host_tensor, Misplaced)]
)
def test_a_planted_fault_is_found(fault, error, monkeypatch):
    forward = DRLocL1Loss.forward
    monkeypatch.setattr(
        DRLocL1Loss, 'forward', lambda *args: fault(forward(*args))
    )
    model = tiny_classifier.build()
    with pretend_gpu(model), pytest.raises(error):
        model.train_step(images(), optimizer_of(model))


def test_each_permitted_place_is_needed():
    """One that upstream mends or renames leaves the list."""
    model = tiny_classifier.build(
        [dict(type='Mixup', alpha=0.8), dict(type='CutMix', alpha=1.0)]
    )
    with pretend_gpu(model) as gpu:
        for augment in model.data_preprocessor.batch_augments.augments[:2]:
            model.data_preprocessor.batch_augments = augment
            wrapper = optimizer_of(model, clip_grad=dict(max_norm=1.0))
            model.train_step(images(), wrapper)
    # The teacher's count is in the test of DINO.
    assert places(gpu) == {name for _, name in PERMITTED} - {'read'}
