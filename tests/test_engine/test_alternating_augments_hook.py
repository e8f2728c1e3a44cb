"""Mixup in even epochs, CutMix in odd ones, however a training counts."""

import pytest
import torch
from mmengine.config import Config
from mmengine.runner import Runner
from mmpretrain.models.utils.batch_augments import Mixup
from tiny_run import build_runner, write_config

from mmdrloc.apis.testing import set_tta
from mmdrloc.models import FoldedCutMix
from mmdrloc.utils.errors import UsageError

AUGMENTS = [
    dict(type='mmpretrain.Mixup', alpha=0.5),
    dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
]
HOOK = dict(type='mmdrloc.AlternatingAugmentsHook', augments=AUGMENTS)
BY_ITERATION = dict(_delete_=True, by_epoch=False, max_iters=9)


@pytest.mark.parametrize('length', [dict(max_epochs=3), BY_ITERATION])
def test_each_epoch_has_one(tmp_path, length, monkeypatch):
    mixed = []
    for kind in (Mixup, FoldedCutMix):

        def mix(self, images, scores, kind=kind, own=kind.mix):
            images, soft = own(self, images, scores)
            mixed.append((kind, not torch.equal(soft, scores)))
            return images, soft

        monkeypatch.setattr(kind, 'mix', mix)
    sampler = 'InfiniteSampler' if length is BY_ITERATION else 'DefaultSampler'
    runner = build_runner(
        write_config(tmp_path),
        custom_hooks=[HOOK],
        train_cfg=length,
        train_dataloader__sampler__type=sampler,
        model__head__loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    )
    runner.train()
    turns = (*[Mixup] * 3, *[FoldedCutMix] * 3, *[Mixup] * 3)
    assert [kind for kind, _ in mixed] == [*turns]
    assert {kind for kind, changed in mixed if changed} == {*turns}


def test_the_models_own_are_not_replaced(tmp_path):
    runner = build_runner(
        write_config(tmp_path),
        custom_hooks=[HOOK],
        model__train_cfg=dict(augments=AUGMENTS[:1]),
    )
    with pytest.raises(UsageError, match='train_cfg'):
        runner.train()


def test_it_leaves_a_test_alone(tmp_path):
    """That of a run with test-time augmentation has another model."""
    cfg = Config.fromfile(write_config(tmp_path))
    load, pack = cfg.test_dataloader.dataset.pipeline
    flips = [dict(type='RandomFlip', prob=prob) for prob in (0.0, 1.0)]
    views = dict(type='TestTimeAug', transforms=[flips, [pack]])
    cfg.update(
        work_dir=str(tmp_path),
        custom_hooks=[HOOK],
        tta_model=dict(type='AverageClsScoreTTA'),
        tta_pipeline=[load, views],
    )
    set_tta(cfg)
    assert 'accuracy/top1' in Runner.from_cfg(cfg).test()
