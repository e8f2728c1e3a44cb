"""What happens to the gradients between backward pass and update."""

import pytest
import torch
from mmengine.registry import MODELS
from mmpretrain.models import ImageClassifier
from tiny_run import build_runner, write_config
from torch import nn

from mmdrloc.utils.errors import UsageError


class Neck(nn.Module):
    def __init__(self):
        super().__init__()
        self.prototypes = nn.Parameter(torch.ones(3, 4))


@MODELS.register_module(force=True)
class Steep(ImageClassifier):
    """Each element of each parameter has the same gradient."""

    steepness = 100.0

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.backbone, self.neck = nn.Linear(4, 4, bias=False), Neck()
        self.head = None
        self.moves = []

    def loss(self, inputs, data_samples):
        parts = self.backbone.weight, self.neck.prototypes
        self.moves.append([part.detach().clone() for part in parts])
        return dict(loss=self.steepness * sum(part.sum() for part in parts))


def moved(tmp_path, monkeypatch, steepness, **options):
    """How far each of 6 updates with rate 1 moves both parameters."""
    monkeypatch.setattr(Steep, 'steepness', steepness)
    runner = build_runner(
        write_config(tmp_path),
        model__type='mmdrloc.Steep',
        optim_wrapper__optimizer__lr=1.0,
        custom_hooks=[dict(type='mmdrloc.DINOGradientsHook')],
        val_cfg=None,
        val_dataloader=None,
        val_evaluator=None,
        **options,
    )
    runner.train()
    steps = runner.model.moves
    last = runner.model.backbone.weight, runner.model.neck.prototypes
    return [
        [(new - old).norm().item() for new, old in zip(after, before)]
        for before, after in zip(steps, [*steps[1:], last])
    ]


BY_ITERATION = dict(
    train_cfg=dict(_delete_=True, by_epoch=False, max_iters=6),
    train_dataloader__sampler__type='InfiniteSampler',
)


def test_a_batch_in_parts_is_refused(tmp_path, monkeypatch):
    """Whose parts would each move the teacher."""
    parts = dict(optim_wrapper__accumulative_counts=2)
    with pytest.raises(UsageError, match='accumulative_counts=1'):
        moved(tmp_path, monkeypatch, 100.0, **parts)


@pytest.mark.parametrize('options', [{}, BY_ITERATION])
def test_each_is_clipped_on_its_own(tmp_path, monkeypatch, options):
    """And the prototypes stay in the first epoch, of 3 iterations."""
    steps = moved(tmp_path, monkeypatch, 100.0, **options)
    for step in steps[:3]:
        assert step == pytest.approx([3.0, 0.0], rel=1e-4)
    for step in steps[3:]:
        assert step == pytest.approx([3.0, 3.0], rel=1e-4)
    short = moved(tmp_path / 'short', monkeypatch, 0.1)
    assert short[3] == pytest.approx([0.1 * 16**0.5, 0.1 * 12**0.5])
