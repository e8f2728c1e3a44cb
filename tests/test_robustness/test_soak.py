"""Many updates and validations: memory and open files stay as they are."""

import resource
from pathlib import Path

import pytest
from interrupted import DRAWING, train
from mmengine.config import Config
from mmengine.hooks import Hook
from mmengine.registry import HOOKS
from tiny_run import write_config

HELD = Path('/proc/self')


@HOOKS.register_module(force=True)
class HeldHook(Hook):
    """Notes what the process holds, every fifty updates."""

    memory, files = [], []

    def after_train_iter(self, runner, *args, **kwargs):
        if self.every_n_train_iters(runner, 50):
            pages = int((HELD / 'statm').read_text().split()[1])
            self.memory.append(pages * resource.getpagesize() / 2**20)
            self.files.append(len(list((HELD / 'fd').iterdir())))


@pytest.mark.slow
@pytest.mark.skipif(not HELD.exists(), reason='no /proc')
def test_a_training_does_not_grow(tmp_path):
    path = write_config(tmp_path)
    path.write_text(path.read_text() + DRAWING)
    cfg = Config.fromfile(path)
    cfg.train_cfg = dict(by_epoch=False, max_iters=1200, val_interval=100)
    cfg.custom_hooks = [dict(type='HeldHook')]
    train(cfg, tmp_path / 'long')
    memory, files = HeldHook.memory[12:], HeldHook.files[12:]
    # A leak of 16 KiB an update is more.
    assert max(memory[6:]) - max(memory[:6]) < 5, memory
    assert max(files[6:]) <= max(files[:6]), files
