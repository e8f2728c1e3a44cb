"""The arms of the experiment: they differ in what is asked, and they run."""

import fake_datasets as fake
import pytest
import torch
import torch.nn.functional as F
from mmengine.config import Config
from mmengine.runner import Runner
from mmpretrain.registry import MODELS
from recipe_configs import recipes, resolve

from mmdrloc.preflight import check_config
from mmdrloc.utils.errors import refuse

PLAIN = 'evidence/vit-4layers'
BLIND = f'{PLAIN}_no-positions'
SWIN = 'evidence/swin-4layers'
L1 = dict(type='mmdrloc.DRLocL1Loss')
# Twin: its baseline, where its tokens are, what it loses.
ARMS = {
    f'{PLAIN}_drloc': (PLAIN, 'layers.3', L1),
    f'{PLAIN}_drloc-signed': (PLAIN, 'layers.3', dict(L1, signed=True)),
    f'{PLAIN}_drloc-placebo': (
        PLAIN,
        'layers.3',
        dict(type='mmdrloc.DRLocPlaceboLoss', signed=True),
    ),
    f'{PLAIN}_drloc-scrambled': (
        PLAIN,
        'layers.3',
        dict(type='mmdrloc.DRLocScrambledLoss', signed=True),
    ),
    f'{BLIND}_drloc-signed': (BLIND, 'layers.3', dict(L1, signed=True)),
    f'{SWIN}_drloc': (SWIN, 'stages.1', L1),
    f'{SWIN}_drloc-signed': (SWIN, 'stages.1', dict(L1, signed=True)),
    f'{SWIN}_drloc-scrambled': (
        SWIN,
        'stages.1',
        dict(type='mmdrloc.DRLocScrambledLoss', signed=True),
    ),
}
OTHERS = [
    f'evidence/{name}'
    for name in ('resnet-mini', 'mae_vit-4layers', 'idmm_vit-4layers')
]


def test_every_recipe_is_an_arm():
    assert [name for name in recipes() if 'evidence/' in name] == sorted(
        [PLAIN, BLIND, SWIN, *ARMS, *OTHERS]
    )


@pytest.mark.parametrize('name', ARMS)
def test_arms_differ_in_the_question_alone(name):
    baseline, source, loss = ARMS[name]
    plain = resolve(baseline).to_dict()
    plain['model'].pop('type')
    arm = resolve(name).to_dict()
    head = arm['model'].pop('auxiliary_head')
    assert arm['model'].pop('type') == 'mmdrloc.DRLocClassifier'
    assert arm == plain
    assert head == dict(
        type='mmdrloc.DRLocHead',
        source=source,
        in_channels=96,
        loss=dict(loss, loss_weight=0.5),
    )


@pytest.mark.parametrize(
    'dataset, count',
    [
        ('cifar10-5k', 2000),
        ('cifar10-5k-heldout', 2000),
        ('digits', 400),
        ('photos', None),
    ],
)
def test_validated_is_on_a_part_spread_over_all_classes(dataset, count):
    cfg = resolve(PLAIN, dataset)
    indices = cfg.val_dataloader.dataset.indices
    assert 'indices' not in cfg.test_dataloader.dataset
    if count is None:  # nobody knows how many there are
        assert indices is None
        return
    assert len(indices) == count
    step = cfg.num_val // count
    assert indices == list(range(0, cfg.num_val, step))


def test_settings_are_chosen_on_photos_that_no_run_sees():
    cfg = resolve(PLAIN, 'cifar10-5k-heldout')
    train, val = (cfg[f'{key}_dataset'] for key in ('train', 'val'))
    assert train == resolve(PLAIN, 'cifar10-5k').train_dataset
    assert val.data_prefix == train.data_prefix == 'train'
    assert (val.seed, val.skip) == (train.seed, train.num_images)
    assert val.num_images == cfg.num_val


@pytest.mark.parametrize('name', ARMS)
def test_an_arm_trains(name, tmp_path, monkeypatch):
    cfg = Config(resolve(name, 'cifar10-500').to_dict())
    fake.write_set(cfg.dataset_name, tmp_path / 'set', monkeypatch)
    for phase in ('train', 'val'):
        loader = cfg[f'{phase}_dataloader']
        loader.batch_size = 2
        loader.dataset.update(data_root=str(tmp_path / 'set'), indices=2)
    cfg.train_cfg.update(max_iters=2, val_interval=2)
    cfg.param_scheduler = []
    cfg.test_dataloader = cfg.test_evaluator = cfg.test_cfg = None
    cfg.default_hooks.checkpoint = None
    cfg.work_dir, cfg.experiment_name = str(tmp_path / 'work'), tmp_path.name
    refuse(check_config(cfg, ('train', 'val')))
    runner = Runner.from_cfg(cfg)
    runner.train()
    assert runner.iter == 2
    scalars = runner.message_hub.log_scalars
    assert scalars['train/drloc_skill'].current() < 0.5
    assert 0 <= scalars['val/accuracy/top1'].current() <= 100


def test_without_position_embeddings_the_rest_is_the_same():
    """The other class with positions, and our weights, says the same."""
    backbone = resolve(PLAIN).model.backbone
    blind = resolve(f'{PLAIN}_no-positions').model.backbone
    torch.manual_seed(0)
    ours = MODELS.build(backbone)
    ours.init_weights()
    other = MODELS.build(dict(blind, use_abs_pos_emb=True))
    state = ours.state_dict()
    for layer in range(backbone.arch.num_layers):
        query, _, value = state.pop(f'layers.{layer}.attn.qkv.bias').chunk(3)
        # What is added to all keys changes no attention.
        state[f'layers.{layer}.attn.q_bias'] = query
        state[f'layers.{layer}.attn.v_bias'] = value
    other.load_state_dict(state)
    images = torch.rand(2, 3, 32, 32)
    torch.testing.assert_close(other(images), ours(images))


def test_without_position_embeddings_patches_are_a_bag():
    blind = MODELS.build(resolve(f'{PLAIN}_no-positions').model.backbone)
    images = torch.rand(1, 3, 32, 32)
    patches = F.unfold(images, 4, stride=4)
    mixed = F.fold(patches[..., torch.randperm(64)], 32, 4, stride=4)
    torch.testing.assert_close(blind(mixed), blind(images))


@pytest.mark.parametrize('method', ['mae', 'idmm'])
def test_what_goes_before_trains_the_same_network(method):
    backbone = resolve(PLAIN).model.backbone
    before = resolve(f'evidence/{method}_vit-4layers', 'cifar10-5k')
    assert before.model.backbone.arch == backbone.arch
    assert before.model.backbone.patch_size == backbone.patch_size
