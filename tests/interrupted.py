"""Trainings that are cut off and resumed, and what is compared of them."""

import json
from pathlib import Path
from types import SimpleNamespace

import torch
from mmengine.config import Config
from mmengine.hooks import EarlyStoppingHook, Hook

from mmdrloc.apis.running import add_hook, build_runner
from mmdrloc.checkpoints.saved import last_checkpoint

# Of a tiny_run's config, everything that draws: crops, flips and colours in
# the loader, drop path and Mixup in the step, pairs in the head.
DRAWING = """
model.update(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead', source='stages.1', in_channels=16,
        hidden_channels=12),
    train_cfg=dict(augments=[
        dict(type='Mixup', alpha=0.8), dict(type='CutMix', alpha=1.)]))
model['backbone']['drop_path_rate'] = 0.3
train_dataloader['dataset']['pipeline'][1:1] = [
    dict(type='RandomCrop', crop_size=24, padding=4),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='ColorJitter', brightness=0.5),
    dict(type='RandAugment', policies='timm_increasing', num_policies=2,
         total_level=10, magnitude_level=9, magnitude_std=0.5)]
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=0.01))
"""


class Cut(BaseException):
    """What kills a run."""


class Witness(Hook):
    """Keeps what each step logs; saves and dies after one of them."""

    # Like what saves: after the schedulers and the averages.
    priority = 'LOWEST'

    def __init__(self, cut_after):
        self.cut_after = cut_after
        self.steps = []

    def after_train_iter(self, runner, batch_idx, data_batch, outputs):
        values = {k: float(v.detach()) for k, v in outputs.items()}
        self.steps.append((runner.epoch, runner.iter, batch_idx, values))
        if self.cut_after == runner.iter + 1:
            runner.save_checkpoint(runner.work_dir, 'cut.pth', by_epoch=False)
            raise Cut


def last_of(resume):
    """The checkpoint that is meant by a file or a folder."""
    folder = resume is not None and Path(resume).is_dir()
    return last_checkpoint(resume) if folder else resume


def train(cfg: Config, work_dir: Path, cut_after=None, resume=None):
    """Train, or begin to."""
    cfg = Config(cfg.to_dict())
    cfg.work_dir = str(work_dir)
    cfg.experiment_name = f'{work_dir.name}_{cut_after}_{resume is None}'
    cfg.launcher = 'none'
    add_hook(cfg, 'result', 'mmdrloc.ResultHook')
    if resume is not None:
        cfg.resume, cfg.load_from = True, str(last_of(resume))
    runner = build_runner(cfg)
    witness = Witness(cut_after)
    runner.register_hook(witness, 'LOWEST')
    try:
        runner.train()
    except Cut:
        assert cut_after is not None
    else:
        assert cut_after is None
    averages = [h for h in runner.hooks if hasattr(h, 'ema_model')]
    hub = runner.message_hub
    return SimpleNamespace(
        steps=witness.steps,
        weights=runner.model.state_dict(),
        optimizer=runner.optim_wrapper.state_dict(),
        averages=[hook.ema_model.state_dict() for hook in averages],
        rates=[s.state_dict() for s in runner.param_schedulers or []],
        logged={
            name: buffer.data[0].tolist()
            for name, buffer in hub.log_scalars.items()
            if 'time' not in name
        },
        waited=[
            (hook.wait_count, hook.best_score)
            for hook in runner.hooks
            if isinstance(hook, EarlyStoppingHook)
        ],
        best=hub.runtime_info.get('best_score'),
        validations=json.loads((work_dir / 'result.json').read_text())[
            'validations'
        ],
        iterations=runner.iter,
    )


def assert_equal(one, other):
    """Bit by bit."""
    if isinstance(one, torch.Tensor):
        assert torch.equal(one, other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_equal(one[key], other[key])
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for item, its_twin in zip(one, other, strict=True):
            assert_equal(item, its_twin)
    else:
        assert one == other


def assert_resumed_equals(cfg: Config, folder: Path, cut_after, whole=None):
    """Cut a training off, resume it, and compare with a whole one."""
    whole = whole or train(cfg, folder / 'whole')
    part = folder / f'cut_after_{cut_after}'
    begun = train(cfg, part, cut_after)
    # Nothing depends on where it lies.
    moved = part.rename(folder / f'moved_after_{cut_after}')
    resumed = train(cfg, moved, resume=moved / 'cut.pth')
    assert begun.steps and resumed.steps
    resumed.steps = begun.steps + resumed.steps
    assert vars(whole).keys() == vars(resumed).keys()
    for name, value in vars(whole).items():
        try:
            assert_equal(value, getattr(resumed, name))
        except AssertionError as error:
            raise AssertionError(f'{name} differs: {error}') from error
    return whole
