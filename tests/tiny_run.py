"""A dataset, a config and a Runner that train in a second."""

from pathlib import Path

import numpy as np
from mmengine.config import Config
from mmengine.runner import Runner
from PIL import Image

MODEL = dict(
    type='ImageClassifier',
    backbone=dict(
        type='SwinTransformer',
        arch=dict(embed_dims=8, depths=[1, 1], num_heads=[1, 2]),
        img_size=28,
        window_size=3,
        out_indices=(1,),
        drop_path_rate=0.0,
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(type='LinearClsHead', num_classes=3, in_channels=16),
)
CONFIG = f"""
default_scope = 'mmpretrain'
model = {MODEL}
data_preprocessor = dict(num_classes=3)


def loader(split, shuffle):
    return dict(
        batch_size=4,
        num_workers=0,
        collate_fn=dict(type='default_collate'),
        sampler=dict(type='DefaultSampler', shuffle=shuffle),
        dataset=dict(
            type='CustomDataset',
            data_root=DATA_ROOT,
            data_prefix=split,
            pipeline=[dict(type='LoadImageFromFile'), dict(type='PackInputs')])
    )


train_dataloader = loader('train', True)
val_dataloader = loader('val', False)
test_dataloader = loader('val', False)
del loader
val_evaluator = test_evaluator = dict(type='Accuracy', topk=1)
optim_wrapper = dict(optimizer=dict(type='SGD', lr=0.1))
train_cfg = dict(by_epoch=True, max_epochs=2)
val_cfg = dict()
test_cfg = dict()
randomness = dict(seed=0)
default_hooks = dict(logger=dict(type='LoggerHook', interval=1))
"""


TWIN = """
_base_ = 'tiny.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead', source='stages.1', in_channels=16,
        hidden_channels=8,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5)))
"""


def write_config(folder: Path, classes: int = 3) -> Path:
    """Write noisy images in class folders, and a config that reads them."""
    rng = np.random.default_rng(0)
    for split in ('train', 'val'):
        for label in range(classes):
            place = folder / 'data' / split / f'class{label}'
            place.mkdir(parents=True)
            for index in range(4):
                pixels = rng.integers(0, 255, (24, 24, 3), dtype=np.uint8)
                Image.fromarray(pixels).save(place / f'{index}.png')
    config = folder / 'tiny.py'
    config.write_text(f"DATA_ROOT = '{folder / 'data'}'\n{CONFIG}")
    return config


def write_twin(folder: Path) -> Path:
    """Write the same, and ``tiny_drloc.py`` with the loss."""
    twin = write_config(folder).with_name('tiny_drloc.py')
    twin.write_text(TWIN)
    return twin


def build_runner(config: Path, **options) -> Runner:
    """Build a Runner that writes beside its config."""
    cfg = Config.fromfile(config)
    cfg.merge_from_dict(
        {key.replace('__', '.'): value for key, value in options.items()}
    )
    cfg.work_dir = str(config.parent / 'work')
    return Runner.from_cfg(cfg)
