"""What surrounds a command."""

import signal
from contextlib import suppress

import pytest
from torch import distributed

from mmdrloc.commands import program
from mmdrloc.utils.errors import UsageError


def test_later_ranks_leave_the_word_to_the_first(monkeypatch, capsys):
    waits = []
    monkeypatch.setattr(program.time, 'sleep', waits.append)
    for rank in ('0', '1'):
        monkeypatch.setenv('RANK', rank)
        with pytest.raises(SystemExit, match='error: wrong'):
            with program.errors_told():
                raise UsageError('wrong')
        assert len(waits) == int(rank)


@pytest.mark.parametrize(
    'end,status,said',
    [
        (None, 0, ''),
        (SystemExit(143), 143, ''),
        (UsageError('wrong'), 1, 'error: wrong\n'),
    ],
)
def test_a_group_is_left_at_once(monkeypatch, capsys, end, status, said):
    left = []
    monkeypatch.setattr(distributed, 'is_initialized', lambda: True)
    monkeypatch.setattr(program.atexit, '_run_exitfuncs', lambda: None)
    monkeypatch.setattr(program.os, '_exit', left.append)
    with suppress(SystemExit), program.errors_told():
        if end is not None:
            raise end
    assert left == [status] and capsys.readouterr().err == said


def test_an_import_is_just_ended():
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyError), program.importing():
            assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
            raise KeyError
        assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
        # Who ignores it goes on ignoring it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with program.importing():
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
