"""Starting several processes."""

import pytest
import torch
from mmengine.config import Config
from mmengine.device import get_device

from mmdrloc.utils.distributed import join_group
from mmdrloc.utils.errors import UsageError


def test_what_the_launcher_did_not_set_is_named(monkeypatch):
    """Without it, processes would wait for each other for half an hour."""
    for name in ('RANK', 'WORLD_SIZE', 'MASTER_ADDR'):
        monkeypatch.setenv(name, '1')
    monkeypatch.delenv('MASTER_PORT', raising=False)
    with pytest.raises(UsageError, match='MASTER_PORT'):
        join_group(Config(dict(launcher='pytorch', model=dict())))


@pytest.mark.skipif(get_device() != 'cpu', reason='MMEngine joins on GPUs')
def test_a_script_may_train_and_then_test(monkeypatch):
    given = dict(RANK='0', WORLD_SIZE='1', LOCAL_RANK='0', MASTER_PORT='0')
    for name, value in dict(given, MASTER_ADDR='localhost').items():
        monkeypatch.setenv(name, value)
    cfg = Config(dict(launcher='pytorch', model=dict()))
    try:
        join_group(cfg)
        join_group(cfg)
    finally:
        torch.distributed.destroy_process_group()


@pytest.mark.skipif(get_device() != 'cpu', reason='MMEngine joins on GPUs')
def test_what_cpus_cannot_do_is_refused():
    with pytest.raises(UsageError, match='torchrun'):
        join_group(Config(dict(launcher='slurm', model=dict())))
