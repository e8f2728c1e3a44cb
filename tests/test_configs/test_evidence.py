"""The arms of the experiment: they differ in what is asked, and they run."""

import fake_datasets as fake
import pytest
from mmengine.config import Config
from mmengine.runner import Runner
from recipe_configs import recipes, resolve

from mmdrloc.checks import check_config, refuse

PLAIN = 'evidence/vit-4layers'
LOSSES = {
    f'{PLAIN}_drloc': dict(type='mmdrloc.DRLocL1Loss'),
    f'{PLAIN}_drloc-signed': dict(type='mmdrloc.DRLocL1Loss', signed=True),
    f'{PLAIN}_drloc-placebo': dict(
        type='mmdrloc.DRLocPlaceboLoss', signed=True
    ),
}


def test_arms_differ_in_the_question_alone():
    assert [name for name in recipes() if 'evidence/' in name] == sorted(
        [PLAIN, *LOSSES]
    )
    plain = resolve(PLAIN).to_dict()
    plain['model'].pop('type')
    for name, loss in LOSSES.items():
        arm = resolve(name).to_dict()
        head = arm['model'].pop('auxiliary_head')
        assert arm['model'].pop('type') == 'mmdrloc.DRLocClassifier'
        assert arm == plain
        assert head == dict(
            type='mmdrloc.DRLocHead',
            source='layers.3',
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


@pytest.mark.parametrize('name', LOSSES)
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
