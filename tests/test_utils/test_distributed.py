"""Starting several processes."""

import pytest
from mmengine.config import Config

from mmdrloc.utils.distributed import join_group
from mmdrloc.utils.errors import UsageError


def test_what_the_launcher_did_not_set_is_named(monkeypatch):
    """Without it, processes would wait for each other for half an hour."""
    for name in ('RANK', 'WORLD_SIZE', 'MASTER_ADDR'):
        monkeypatch.setenv(name, '1')
    monkeypatch.delenv('MASTER_PORT', raising=False)
    with pytest.raises(UsageError, match='MASTER_PORT'):
        join_group(Config(dict(launcher='pytorch', model=dict())))


@pytest.mark.parametrize(
    'launcher, norm', [('slurm', 'BN'), ('pytorch', 'SyncBN')]
)
def test_what_cpus_cannot_do_is_refused(monkeypatch, launcher, norm):
    for name in (
        'RANK',
        'WORLD_SIZE',
        'LOCAL_RANK',
        'MASTER_ADDR',
        'MASTER_PORT',
    ):
        monkeypatch.setenv(name, '1')
    monkeypatch.setattr('mmengine.device.get_device', lambda: 'cpu')
    with pytest.raises(UsageError):
        join_group(Config(dict(launcher=launcher, model=dict(norm=norm))))
