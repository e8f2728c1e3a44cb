"""Mixup in even epochs, CutMix in odd ones, also after a resume."""

from types import SimpleNamespace

import pytest
from mmpretrain.models import ClsDataPreprocessor
from mmpretrain.models.utils.batch_augments import Mixup

from mmdrloc.engine.hooks import AlternatingAugmentsHook
from mmdrloc.models import FoldedCutMix
from mmdrloc.utils.errors import UsageError

AUGMENTS = [
    dict(type='mmpretrain.Mixup', alpha=0.5),
    dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
]


def make_runner(batch_augments=None, epoch=0):
    preprocessor = ClsDataPreprocessor(
        num_classes=3, batch_augments=batch_augments
    )
    return SimpleNamespace(
        model=SimpleNamespace(data_preprocessor=preprocessor), epoch=epoch
    )


def test_each_epoch_has_one():
    hook, runner = AlternatingAugmentsHook(AUGMENTS), make_runner()
    hook.before_run(runner)
    preprocessor = runner.model.data_preprocessor
    assert preprocessor.batch_augments is not None
    for epoch, kind in [(0, Mixup), (1, FoldedCutMix), (6, Mixup)]:
        runner.epoch = epoch
        hook.before_train_epoch(runner)
        assert type(preprocessor.batch_augments) is kind


def test_the_models_own_are_not_replaced():
    runner = make_runner(dict(augments=AUGMENTS[:1]))
    with pytest.raises(UsageError, match='train_cfg'):
        AlternatingAugmentsHook(AUGMENTS).before_run(runner)
