"""Twins under a Runner: same start, same batches, same random layers."""

from pathlib import Path

import pytest
import torch
from digits import write_digits
from mmengine.config import Config
from mmengine.hooks import Hook

from mmdrloc.engine.runner import ResumableRunner

CONFIGS = Path(__file__).parents[2] / 'configs/quickstart'


class Witness(Hook):
    """Keeps the start of the host and every batch as the model sees it."""

    def before_train(self, runner):
        self.start = {
            name: tensor.clone()
            for name, tensor in runner.model.state_dict().items()
            if not name.startswith('auxiliary_head')
        }
        self.inputs = []
        self.random_states = []
        runner.model.backbone.register_forward_pre_hook(
            lambda module, inputs: self.inputs.append(inputs[0].clone())
        )

    def after_train_iter(self, runner, *args, **kwargs):
        self.random_states.append(torch.get_rng_state())


def train(name, root, work_dir, loss_weight=None):
    """Train a classifier for five steps with augmentation and drop path."""
    cfg = Config.fromfile(CONFIGS / f'{name}.py')
    cfg.work_dir, cfg.experiment_name = str(work_dir), work_dir.name
    cfg.model.backbone.drop_path_rate = 0.3
    cfg.train_dataloader.batch_size = 4
    cfg.train_dataloader.dataset.update(
        data_root=str(root / 'classification'), indices=20
    )
    cfg.train_dataloader.dataset.pipeline[1:1] = [
        dict(type='mmpretrain.RandomFlip', prob=0.5, direction='horizontal'),
        dict(type='mmpretrain.ColorJitter', brightness=0.5),
    ]
    for phase in ('val', 'test'):
        for part in ('dataloader', 'evaluator', 'cfg'):
            cfg[f'{phase}_{part}'] = None
    cfg.train_cfg = dict(by_epoch=True, max_epochs=1)
    if loss_weight is not None:
        cfg.model.auxiliary_head.loss.loss_weight = loss_weight
    runner = ResumableRunner.from_cfg(cfg)
    witness = Witness()
    runner.register_hook(witness)
    runner.train()
    return witness, runner.model.state_dict()


@pytest.fixture(scope='module')
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp('data') / 'digits'
    write_digits(root, num_variants=1, num_train_scenes=1, num_val_scenes=1)
    return root


def test_twins_start_equal_and_see_the_same(data, tmp_path):
    plain, _ = train('swin-2stage', data, tmp_path / 'plain')
    twin, _ = train('swin-2stage_drloc', data, tmp_path / 'twin')
    assert plain.start.keys() == twin.start.keys()
    for name, tensor in plain.start.items():
        assert torch.equal(tensor, twin.start[name]), name
    assert len(plain.inputs) == 5
    assert not torch.equal(plain.inputs[0], plain.inputs[1])
    for ours, theirs in zip(plain.inputs, twin.inputs, strict=True):
        assert torch.equal(ours, theirs)
    for ours, theirs in zip(
        plain.random_states, twin.random_states, strict=True
    ):
        assert torch.equal(ours, theirs)


def test_training_at_weight_zero_is_the_plain_training(data, tmp_path):
    _, plain = train('swin-2stage', data, tmp_path / 'plain')
    _, zero = train('swin-2stage_drloc', data, tmp_path / 'zero', 0.0)
    for name, tensor in plain.items():
        assert torch.equal(tensor, zero[name]), name
