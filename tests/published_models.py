"""Checkpoints as trainings leave them, to be published."""

import numpy as np
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from tiny_run import write_config

HEAD = dict(type='mmdrloc.DRLocHead', source='stages.1', in_channels=16)


def tiny_classifier(folder):
    """A classifier with DRLoc: its config, and a checkpoint of it."""
    cfg = Config.fromfile(write_config(folder))
    cfg.model.type = 'mmdrloc.DRLocClassifier'
    cfg.model.auxiliary_head = HEAD
    cfg.data_preprocessor = dict(
        num_classes=3, mean=[120.0, 110, 100], std=[60.0, 50, 40], to_rgb=True
    )
    cfg.model.backbone.init_cfg = dict(type='Pretrained', checkpoint='none')
    cfg.dump(folder / 'drloc.py')
    cfg = Config.fromfile(folder / 'drloc.py')
    return cfg, leave_checkpoint(cfg, folder, dict(classes=['a', 'b', 'c']))


def leave_checkpoint(cfg, folder, dataset_meta, iteration=20):
    """Save what a training of a config would."""
    init_default_scope(cfg.default_scope)
    torch.manual_seed(0)
    model = MODELS.build(cfg.model)
    path = folder / 'epoch_1.pth'
    torch.save(
        dict(
            meta=dict(dataset_meta=dataset_meta, epoch=1, iter=iteration),
            state_dict=model.state_dict(),
            optimizer=dict(state={}),
            message_hub=dict(),
            param_schedulers=[],
        ),
        path,
    )
    return path


def picture(size=(24, 24)):
    """Noise, (H, W, 3)."""
    return np.random.default_rng(0).integers(0, 255, (*size, 3), np.uint8)
