"""Learning rates and weight decay of protocols and recipes."""

from pathlib import Path

import pytest
import torch
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import PARAM_SCHEDULERS, init_default_scope
from model_configs import build
from timm.scheduler import CosineLRScheduler

CONFIGS = Path(__file__).parents[2] / 'configs'
EPOCH_LENGTH = 3


def load(name):
    """A recipe by its folder and name, else a protocol."""
    for folder in ('', '_base_/protocols', '_base_/schedules'):
        path = CONFIGS / folder / f'{name}.py'
        if path.is_file():
            return Config.fromfile(path)
    raise FileNotFoundError(name)


def course(name, key):
    """A value of the weight and of the bias, at each update."""
    init_default_scope('mmpretrain')
    cfg = load(name)
    wrapper = build_optim_wrapper(torch.nn.Linear(1, 1), cfg.optim_wrapper)
    schedulers = [
        PARAM_SCHEDULERS.build(
            {'end': cfg.train_cfg.max_epochs, **part},
            default_args=dict(optimizer=wrapper, epoch_length=EPOCH_LENGTH),
        )
        for part in cfg.param_scheduler
    ]
    values = []
    for step in range(1, cfg.train_cfg.max_epochs * EPOCH_LENGTH + 1):
        groups = wrapper.optimizer.param_groups
        values.append((groups[0][key], groups[-1][key]))
        wrapper.step()
        for scheduler in schedulers:
            if not scheduler.by_epoch or step % EPOCH_LENGTH == 0:
                scheduler.step()
    return values


def learning_rates(name):
    """The rate of each update, as a Runner sets it."""
    return [weight for weight, _ in course(name, 'lr')]


@pytest.mark.parametrize(
    'name, epochs, warmup, peak',
    [
        ('scratch_100e', 100, 20, 1e-3),
        ('scratch_300e', 300, 20, 1e-3),
        ('finetune_100e', 100, 10, 5e-4),
    ],
)
def test_warmup_then_a_whole_cosine(name, epochs, warmup, peak):
    rates = learning_rates(name)
    assert len(rates) == epochs * EPOCH_LENGTH
    assert rates[0] == pytest.approx(peak * 1e-3)
    assert max(rates) == pytest.approx(peak)
    # The warm-up's last update and the cosine's first epoch.
    at_peak = [i for i, rate in enumerate(rates) if rate > peak * (1 - 1e-6)]
    start = warmup * EPOCH_LENGTH
    assert at_peak == list(range(start - 1, start + EPOCH_LENGTH))
    middle = (epochs + warmup) // 2 * EPOCH_LENGTH
    assert rates[middle] == pytest.approx((peak + 1e-5) / 2)
    assert rates[-1] == pytest.approx(1e-5, rel=0.05)


@pytest.mark.parametrize(
    'name, epochs, warmup, peak, last',
    [
        ('idmm/finetune/deit-tiny_200e', 200, 2, 5e-4, 0),
        ('idmm/finetune/pvtv2-b0_200e', 200, 10, 1e-3, 0),
        ('idmm/finetune/deit-tiny_448px', 100, 2, 5e-5, 0),
        ('idmm/finetune/pvtv2-b0_448px', 100, 10, 5e-5, 0),
        ('idmm/pretrain/dino_deit-tiny', 800, 10, 5e-4, 1e-6),
    ],
)
def test_warmup_of_idmm_and_dino(name, epochs, warmup, peak, last):
    rates = learning_rates(name)
    assert len(rates) == epochs * EPOCH_LENGTH
    assert rates.index(max(rates)) == warmup * EPOCH_LENGTH - 1
    assert max(rates) == pytest.approx(peak)
    middle = (epochs + warmup) // 2 * EPOCH_LENGTH
    assert rates[middle] == pytest.approx((peak + last) / 2, rel=1e-3)
    assert rates[-1] == pytest.approx(last, abs=peak * 1e-4)


def test_dino_decays_weights_more_and_more_and_biases_never():
    weights, biases = zip(
        *course('idmm/pretrain/dino_deit-tiny', 'weight_decay')
    )
    assert weights[0] == 0.04
    assert weights[400 * EPOCH_LENGTH] == pytest.approx(0.22)
    assert weights[-1] == pytest.approx(0.4, rel=1e-4)
    assert sorted(weights) == list(weights)
    assert set(biases) == {0.0}


def test_the_official_code_stops_in_the_middle_of_its_cosine():
    rates = learning_rates('official_101e')
    assert len(rates) == 101 * EPOCH_LENGTH
    assert rates[0] == pytest.approx(1e-6)
    # Behind the warm-up the cosine has already begun.
    assert rates[20 * EPOCH_LENGTH] == pytest.approx(9.892e-4, rel=1e-4)
    assert rates[-1] == pytest.approx(7.5e-4, rel=0.01)


def test_t2t_is_scheduled_as_by_its_authors():
    rates = learning_rates('t2t_310e')
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.AdamW([parameter], lr=5e-4)
    timm = CosineLRScheduler(
        optimizer, 300, lr_min=1e-5, warmup_t=10, warmup_lr_init=1e-6
    )
    assert len(rates) == 310 * EPOCH_LENGTH
    for step, rate in enumerate(rates):
        assert rate == pytest.approx(optimizer.param_groups[0]['lr'])
        if (step + 1) % EPOCH_LENGTH == 0:
            timm.step((step + 1) // EPOCH_LENGTH)
    cfg = load('t2t_310e')
    assert cfg.optim_wrapper.clip_grad is None
    assert cfg.auto_scale_lr.base_batch_size == 512
    (ema,) = cfg.custom_hooks
    assert 1 - ema.momentum == pytest.approx(0.99996, abs=1e-9)


def decay_of(recipe):
    """Weight decay of each parameter, and the parameters, by name."""
    model = build(recipe)
    wrapper = build_optim_wrapper(model, load(recipe).optim_wrapper)
    names = [n for n, p in model.named_parameters() if p.requires_grad]
    groups = wrapper.optimizer.param_groups
    return {
        name: group['weight_decay']
        for name, group in zip(names, groups, strict=True)
    }, dict(model.named_parameters())


@pytest.mark.parametrize(
    'recipe',
    [
        'scratch_100e/vit-b16_drloc',
        'scratch_100e/t2t-vit-14_drloc',
        'scratch_100e/swin-tiny_drloc',
        'scratch_100e/cvt-13_drloc',
        'scratch_100e/resnet-50_drloc',
        'finetune_100e/t2t-vit-14_drloc',
        'finetune_100e/swin-tiny_drloc',
        'finetune_100e/resnet-50_drloc',
    ],
)
def test_matrices_are_decayed_alone(recipe):
    decays, parameters = decay_of(recipe)
    for name, decay in decays.items():
        exempt = (
            parameters[name].ndim == 1
            or name.endswith(('cls_token', 'pos_embed'))
            or name.endswith('relative_position_bias_table')
        )
        assert decay == (0 if exempt else 0.05), name
    assert decays['auxiliary_head.mlps.0.layers.0.weight'] == 0.05


def test_the_official_code_decays_tokens_positions_and_norms_of_cvt():
    decays, _ = decay_of('official/vit-b16')
    assert decays['backbone.cls_token'] == 0.05
    assert decays['backbone.pos_embed'] == 0.05
    assert decays['backbone.ln1.weight'] == 0
    decays, parameters = decay_of('official/cvt-13')
    for name, decay in decays.items():
        decayed = parameters[name].ndim > 1 or '.norm' in name
        assert decay == (0.05 if decayed else 0), name
    assert sum('.norm' in name for name in decays) == 2 * (3 + 2 * 13)


@pytest.mark.parametrize('name', ['scratch_100e', 'official_101e'])
def test_the_rest_of_the_recipe(name):
    cfg = load(name)
    assert cfg.auto_scale_lr.base_batch_size == 1024
    assert cfg.optim_wrapper.clip_grad == dict(max_norm=5.0)
    optimizer = cfg.optim_wrapper.optimizer
    assert (optimizer.betas, optimizer.eps) == ((0.9, 0.999), 1e-8)
    assert optimizer.weight_decay == 0.05
