"""What a call changes in its process is given back, also after an error."""

import builtins
import logging
import os
import signal
import threading
import warnings

import numpy as np
import pytest
from mmengine.fileio.handlers.registry_utils import file_handlers
from mmengine.logging import MessageHub, MMLogger
from mmengine.registry import DefaultScope
from mmengine.runner import CheckpointLoader
from mmengine.visualization import Visualizer

from mmdrloc.apis.session import session
from mmdrloc.checkpoints.reading import files_are_trusted
from mmdrloc.utils.console import CONSOLE
from mmdrloc.utils.signals import SIGNALS, watched


class OwnVisualizer(Visualizer):
    """Such as the libraries have."""


def state():
    """All that a call might change."""
    return dict(
        environment=dict(os.environ),
        signals=[signal.getsignal(number) for number in SIGNALS],
        schemes=dict(CheckpointLoader._schemes),
        handlers=dict(file_handlers),
        load=np.load,
        shown=warnings.showwarning,
        printed=builtins.print,
        named={
            kind: list(kind._instance_dict)
            for kind in (DefaultScope, MMLogger, MessageHub, OwnVisualizer)
        },
        line=CONSOLE.line,
    )


def disturb(folder):
    """What a training does to its process."""
    os.environ['DATASET'] = 'digits'
    DefaultScope.get_instance('run', scope_name='mmdet')
    MessageHub.get_instance('run')
    log = folder / 'run.log'
    logger = MMLogger.get_instance('run', log_file=str(log))
    visualizer = OwnVisualizer.get_instance(
        'run',
        vis_backends=[dict(type='LocalVisBackend')],
        save_dir=str(folder),
    )
    return logger, visualizer


@pytest.mark.parametrize('trust', [False, True])
def test_all_is_as_before(tmp_path, trust):
    DefaultScope.get_instance('own', scope_name='mmpretrain')
    own = MMLogger.get_instance('own')
    handlers = list(own.handlers)
    before = state()
    with pytest.raises(ZeroDivisionError), session(trust):
        assert state() != before
        assert files_are_trusted() is trust
        logger, _ = disturb(tmp_path)
        assert 1 / 0
    assert state() == before
    assert own.handlers == handlers
    assert not files_are_trusted()
    [file] = [h for h in logger.handlers if isinstance(h, logging.FileHandler)]
    assert file.stream is None  # closed
    assert DefaultScope.get_current_instance().scope_name == 'mmpretrain'


def test_two_calls_of_one_second_share_nothing(tmp_path):
    loggers = []
    for name in ('a', 'b'):
        (tmp_path / name).mkdir()
        with session():
            logger, _ = disturb(tmp_path / name)
            loggers.append(logger)
            assert str(tmp_path / name) in repr(logger.handlers)
    assert loggers[0] is not loggers[1]


def test_what_others_made_is_not_met():
    theirs = Visualizer.get_instance('visualizer')
    with session():
        assert Visualizer.get_instance('visualizer') is not theirs
    assert Visualizer.get_instance('visualizer') is theirs


def test_an_interrupt_leaves_the_next_one_be():
    before = signal.getsignal(signal.SIGINT)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), session():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is before


def test_within_a_command_that_hears_signals_itself():
    before = [signal.getsignal(number) for number in SIGNALS]
    try:
        with pytest.raises(KeyboardInterrupt):
            with watched(for_good=True):
                with session():
                    pass
                signal.raise_signal(signal.SIGINT)
        # What a launcher sends besides does not cut the exit short.
        for number in SIGNALS:
            signal.raise_signal(number)
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)


def test_beside_the_main_thread():
    done = []

    def call():
        with session():
            done.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGTERM)]
