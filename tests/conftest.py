"""What all tests share."""

from typing import Iterator

import pytest
from mmengine.logging import MessageHub, MMLogger
from mmengine.registry import DefaultScope
from mmengine.visualization import Visualizer


@pytest.fixture(autouse=True)
def caches(tmp_path_factory, monkeypatch) -> None:
    """What data were found good is remembered for one test alone."""
    folder = tmp_path_factory.mktemp('caches')
    monkeypatch.setenv('XDG_CACHE_HOME', str(folder))


@pytest.fixture(autouse=True)
def fresh_global_state() -> Iterator[None]:
    """Forget what a Runner leaves behind in its process.

    MMEngine names these objects after the second in which a Runner is built:
    two Runners of one second would share scope, logger and messages.
    """
    yield
    for manager in (DefaultScope, MessageHub, MMLogger, Visualizer):
        manager._instance_dict.clear()
