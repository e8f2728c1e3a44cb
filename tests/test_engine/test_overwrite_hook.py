"""The earlier run goes when nothing can refuse the new one any more."""

import pytest
from mmengine.hooks import Hook
from toy_run import toy_runner

from mmdrloc.engine.hooks import OverwriteHook
from mmdrloc.utils.errors import UsageError


class Refuse(Hook):
    """As late as a check may be."""

    priority = 'VERY_LOW'

    def before_train(self, runner):
        raise UsageError


def test_a_late_refusal_costs_nothing(tmp_path):
    old = tmp_path / 'epoch_7.pth'
    old.touch()
    with pytest.raises(UsageError):
        toy_runner(tmp_path, hooks=[OverwriteHook(), Refuse()]).train()
    assert old.exists()


def test_the_earlier_run_goes(tmp_path):
    for name in ('epoch_7.pth', 'result.json', 'mine.pth'):
        (tmp_path / name).touch()
    toy_runner(tmp_path, hooks=[OverwriteHook()]).train()
    assert sorted(p.name for p in tmp_path.glob('*.pth')) == [
        'epoch_1.pth',
        'epoch_2.pth',
        'mine.pth',
    ]
    assert not (tmp_path / 'result.json').exists()
