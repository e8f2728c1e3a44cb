"""Mixup in even epochs, CutMix in odd ones, however a training counts."""

import pytest
from mmengine.hooks import Hook
from mmpretrain.models.utils.batch_augments import Mixup
from tiny_run import build_runner, write_config

from mmdrloc.models import FoldedCutMix
from mmdrloc.utils.errors import UsageError

AUGMENTS = [
    dict(type='mmpretrain.Mixup', alpha=0.5),
    dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
]
HOOK = dict(type='mmdrloc.AlternatingAugmentsHook', augments=AUGMENTS)
BY_ITERATION = dict(_delete_=True, by_epoch=False, max_iters=9)


class Witness(Hook):
    """Notes what each batch was mixed by."""

    priority = 'LOWEST'
    kinds = ()

    def before_train_iter(self, runner, **_):
        augment = runner.model.data_preprocessor.batch_augments
        self.kinds += (type(augment),)


@pytest.mark.parametrize('length', [dict(max_epochs=3), BY_ITERATION])
def test_each_epoch_has_one(tmp_path, length):
    sampler = 'InfiniteSampler' if length is BY_ITERATION else 'DefaultSampler'
    runner = build_runner(
        write_config(tmp_path),
        custom_hooks=[HOOK],
        train_cfg=length,
        train_dataloader__sampler__type=sampler,
        model__head__loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    )
    witness = Witness()
    runner.register_hook(witness)
    runner.train()
    assert witness.kinds == (*[Mixup] * 3, *[FoldedCutMix] * 3, *[Mixup] * 3)


def test_the_models_own_are_not_replaced(tmp_path):
    runner = build_runner(
        write_config(tmp_path),
        custom_hooks=[HOOK],
        model__train_cfg=dict(augments=AUGMENTS[:1]),
    )
    with pytest.raises(UsageError, match='train_cfg'):
        runner.train()
