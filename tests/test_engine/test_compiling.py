"""MMEngine's ``compile=True`` with what PyTorch's compiler cannot trace."""

import pytest
from mmengine.config import Config
from old_torch import no_compile
from tiny_run import write_config

from mmdrloc.engine.runner import ResumableRunner

MIXES = [dict(type='Mixup', alpha=0.8), dict(type='CutMix', alpha=1.0)]


@no_compile
@pytest.mark.slow
def test_batches_that_are_mixed(tmp_path):
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.model.train_cfg = dict(augments=MIXES)
    cfg.update(compile=True, launcher='none', work_dir=str(tmp_path / 'work'))
    ResumableRunner.from_cfg(cfg).train()
    assert (tmp_path / 'work/epoch_2.pth').exists()
