"""Runs configs of long schedules for two epochs of one step."""

import math
from pathlib import Path
from typing import Optional

import torch
from mmengine.config import Config
from mmengine.hooks import Hook
from mmengine.registry import init_default_scope
from mmengine.runner import Runner

from mmdrloc.checkpoints.backbone import build_backbone
from mmdrloc.preflight import check_config
from mmdrloc.utils.errors import refuse


class TwoEpochs(Hook):
    """Stops after two epochs of a long schedule, keeps what was measured."""

    metrics: Optional[dict] = None

    def after_train_epoch(self, runner):
        runner.train_loop.stop_training = runner.epoch == 1

    def after_val_epoch(self, runner, metrics=None):
        self.metrics = metrics


def write_weights(cfg: Config, path: Path) -> None:
    """Write what the backbone is to start from."""
    init_default_scope('mmpretrain')
    weights = build_backbone(cfg).state_dict()
    torch.save(
        dict(state_dict={f'backbone.{n}': t for n, t in weights.items()}), path
    )


def shrink(cfg: Config, root: Path) -> None:
    """Two images an epoch, two epochs until the first evaluation."""
    for key in ('train_dataloader', 'val_dataloader'):
        if cfg[key] is None:
            continue
        cfg[key].update(batch_size=2, num_workers=0, persistent_workers=False)
        cfg[key].dataset.update(data_root=str(root), indices=2)
    cfg.train_cfg.val_interval = 2
    cfg.test_dataloader = cfg.test_evaluator = cfg.test_cfg = None
    cfg.default_hooks.checkpoint = None


def run_two_epochs(cfg: Config, root: Path, folder: Path) -> Runner:
    """Check and train, and evaluate where the config does.

    Args:
        cfg (Config): Is changed.
        root (Path): Of its data.
        folder (Path): For what the run writes.

    Returns:
        Runner: After two steps with finite losses.
    """
    shrink(cfg, root)
    cfg.work_dir, cfg.experiment_name = str(folder / 'work'), folder.name
    evaluates = cfg.val_dataloader is not None
    refuse(check_config(cfg, ('train', 'val') if evaluates else ('train',)))
    runner = Runner.from_cfg(cfg)
    witness = TwoEpochs()
    runner.register_hook(witness)
    runner.train()
    assert runner.iter == 2
    assert math.isfinite(runner.message_hub.get_scalar('train/loss').current())
    if evaluates:
        assert 0 <= witness.metrics['accuracy/top1'] <= 100
    return runner
