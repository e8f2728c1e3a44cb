"""A resumed run equals one that was never interrupted, bit by bit."""

import pytest
import torch
from interrupted import DRAWING, assert_equal, assert_resumed_equals, train
from mmengine.config import Config
from mmengine.hooks import Hook
from mmengine.registry import HOOKS
from tiny_run import write_config

BATCH_NORM = """
model = dict(
    type='ImageClassifier',
    backbone=dict(type='ResNet_CIFAR', depth=18, base_channels=8,
                  stem_channels=8, out_indices=(3, )),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(type='LinearClsHead', num_classes=3, in_channels=64))
custom_hooks = [
    dict(type='PreciseBNHook', num_samples=8, priority='ABOVE_NORMAL')]
"""
EPOCHS = """
param_scheduler = [
    dict(type='LinearLR', start_factor=0.1, by_epoch=False, end=2),
    dict(type='ReduceOnPlateauLR', monitor='accuracy/top1', patience=1)]
custom_hooks = [
    dict(type='EMAHook', momentum=0.1),
    dict(type='EarlyStoppingHook', monitor='accuracy/top1', patience=9),
    dict(type='mmdrloc.DRLocWeightHook', warmup_epochs=1)]
train_cfg = dict(by_epoch=True, max_epochs=3)
default_hooks.update(checkpoint=dict(
    type='CheckpointHook', interval=1, save_best='accuracy/top1'))
"""
ITERATIONS = """
train_cfg = dict(
    type='IterBasedTrainLoop', max_iters=8, val_interval=3)
default_hooks.update(checkpoint=dict(
    type='CheckpointHook', interval=4, by_epoch=False))
"""


@HOOKS.register_module()
class DyingHook(Hook):
    """Dies in the validation after the second epoch."""

    dies = True

    def before_val_epoch(self, runner):
        if self.dies and runner.epoch == 2:
            raise KeyboardInterrupt


def read(folder, *texts):
    config = write_config(folder)
    with config.open('a') as file:
        file.write(''.join(texts))
    return Config.fromfile(config)


def test_anywhere_in_an_epoch(tmp_path):
    cfg = read(tmp_path, DRAWING, EPOCHS)
    whole = None
    # Within an epoch, at the end of one before anything else is done, and
    # after two validations.
    for cut_after in (2, 3, 8):
        whole = assert_resumed_equals(cfg, tmp_path, cut_after, whole)
    assert whole.iterations == 9 and len(whole.validations) == 3
    assert len(whole.averages) == 1 and len(whole.rates) == 2
    weights = [step[-1]['drloc_weight'] for step in whole.steps]
    assert weights == [0.0] * 3 + [0.5] * 3 + [0.25] * 3


def test_a_validation_that_was_missed_is_made_up_for(tmp_path):
    cfg = read(tmp_path, DRAWING, EPOCHS)
    whole = train(cfg, tmp_path / 'whole')
    cfg.custom_hooks.append(dict(type='DyingHook'))
    with pytest.raises(KeyboardInterrupt):
        train(cfg, tmp_path / 'part')
    DyingHook.dies = False
    resumed = train(cfg, tmp_path / 'part', resume=tmp_path / 'part')
    assert len(whole.validations) == 3
    for name in ('validations', 'best', 'rates', 'waited', 'weights'):
        assert_equal(getattr(resumed, name), getattr(whole, name))


@pytest.mark.parametrize('sampler', ['DefaultSampler', 'InfiniteSampler'])
def test_iterations(tmp_path, sampler):
    cfg = read(tmp_path, DRAWING, ITERATIONS)
    cfg.train_dataloader.sampler.type = sampler
    whole = None
    # At a validation and the end of the images, and between two.
    for cut_after in (3, 5):
        whole = assert_resumed_equals(cfg, tmp_path, cut_after, whole)
    assert [entry['iter'] for entry in whole.validations] == [3, 6, 8]


@pytest.mark.parametrize('cut_after', [3, 5])
def test_within_an_accumulation(tmp_path, cut_after):
    cfg = read(tmp_path, DRAWING)
    cfg.optim_wrapper.accumulative_counts = 4
    assert_resumed_equals(cfg, tmp_path, cut_after)


def test_a_run_that_drew_its_seed(tmp_path):
    cfg = read(tmp_path, DRAWING, 'randomness = dict(seed=None)\n')
    begun = train(cfg, tmp_path / 'part', cut_after=2)
    resumed = train(cfg, tmp_path / 'part', resume=tmp_path / 'part/cut.pth')
    seed = torch.load(tmp_path / 'part/cut.pth', weights_only=False)['meta'][
        'seed'
    ]
    cfg.randomness.seed = seed
    whole = train(cfg, tmp_path / 'whole')
    assert_equal(begun.steps, whole.steps[:2])
    assert_equal(resumed.steps, whole.steps[2:])


def test_a_schedule_that_keeps_a_function(tmp_path):
    schedule = dict(type='OneCycleLR', eta_max=0.1, total_steps=9)
    cfg = read(tmp_path, DRAWING)
    cfg.param_scheduler = [dict(schedule, by_epoch=False)]
    assert_resumed_equals(cfg, tmp_path, 2)
    torch.load(tmp_path / 'moved_after_2/cut.pth', weights_only=True)


def test_statistics_of_batch_norm(tmp_path):
    """mmpretrain's hook asks the loader for its batch size, and draws on."""
    assert_resumed_equals(read(tmp_path, BATCH_NORM), tmp_path, 4)


def test_self_distillation(tmp_path):
    """Two random views of each image, and a teacher that follows."""
    view = [
        dict(type='RandomResizedCrop', scale=24),
        dict(type='RandomFlip', prob=0.5),
    ]
    cfg = read(tmp_path, DRAWING)
    for key in ('val_dataloader', 'val_cfg', 'val_evaluator'):
        cfg[key] = None
    cfg.train_dataloader.dataset.pipeline = [
        dict(type='LoadImageFromFile'),
        dict(type='MultiView', num_views=2, transforms=[view]),
        dict(type='PackInputs'),
    ]
    cfg.model = dict(
        type='mmdrloc.DINO',
        backbone=cfg.model.backbone,
        neck=dict(
            type='mmdrloc.DINONeck',
            in_channels=16,
            num_prototypes=12,
            hid_channels=8,
            bottleneck_channels=6,
        ),
        data_preprocessor=dict(type='SelfSupDataPreprocessor'),
    )
    assert_resumed_equals(cfg, tmp_path, 4)
