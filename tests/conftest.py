"""What all tests share."""

import signal
from typing import Iterator

import pytest
from mmengine.logging import MessageHub, MMLogger
from mmengine.registry import DefaultScope
from mmengine.visualization import Visualizer

from mmdrloc.checkpoints.reading import ANYTHING, ONLY_WEIGHTS


@pytest.fixture(autouse=True)
def caches(tmp_path_factory, monkeypatch) -> None:
    """Downloads of a test stay in a folder of its own."""
    folder = tmp_path_factory.mktemp('caches')
    monkeypatch.setenv('XDG_CACHE_HOME', str(folder))


@pytest.fixture(autouse=True)
def interrupts_are_heard() -> Iterator[None]:
    """What runs the tests in the background may have them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def fresh_global_state() -> Iterator[None]:
    """Begin every test without Runners.

    MMEngine names these objects after the second in which a Runner is built:
    two Runners of one second would share scope, logger and messages.
    """
    yield
    for manager in (DefaultScope, MessageHub, MMLogger, Visualizer):
        manager._instance_dict.clear()


@pytest.fixture(autouse=True)
def nobody_trusts_files(monkeypatch) -> None:
    """Begin every test as a process does."""
    for name in (ONLY_WEIGHTS, ANYTHING):
        monkeypatch.setenv(name, '')
        monkeypatch.delenv(name)
