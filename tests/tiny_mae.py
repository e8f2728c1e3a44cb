"""A masked auto-encoder, a classifier around its encoder, and their configs.

Beside ``tiny_run``, whose images they read.
"""

from pathlib import Path

import tiny_run

NETWORK = """
del model, val_evaluator, test_evaluator
arch = dict(
    embed_dims=8, num_layers=2, num_heads=2, feedforward_channels=16)
data_preprocessor = dict(
    type='ClsDataPreprocessor',
    num_classes=3,
    mean=[100., 110., 120.],
    std=[50., 60., 70.],
    to_rgb=True)
visualizer = dict(
    type='UniversalVisualizer', vis_backends=[dict(type='LocalVisBackend')])
"""
PRETRAINING = """
model = dict(
    type='mmdrloc.LightMAE',
    backbone=dict(
        type='mmdrloc.LightMAEViT', arch=arch, img_size=24, patch_size=6),
    neck=dict(
        type='mmdrloc.LightMAEDecoder', num_patches=16, patch_size=6,
        embed_dim=8, decoder_embed_dim=8, decoder_depth=1,
        decoder_num_heads=2),
    head=dict(
        type='mmdrloc.LightMAEHead', patch_size=6,
        loss=dict(type='PixelReconstructionLoss', criterion='L2')))
val_evaluator = test_evaluator = dict(type='mmdrloc.ReconstructionLoss')
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=0.01))
"""


def write_pretraining(folder: Path) -> Path:
    """Write images and the config of a pre-training, ``mae.py``."""
    base = tiny_run.write_config(folder).read_text() + NETWORK
    config = folder / 'mae.py'
    config.write_text(base + PRETRAINING)
    return config
