"""The line that says how far something is."""

import io
import sys

import pytest

from mmdrloc.utils import console
from mmdrloc.utils.console import ProgressLine


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(console.time, 'monotonic', lambda: now[0])
    return now


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_file_has_a_line_a_minute(clock, capsys):
    line = ProgressLine()
    for second in range(3600):
        clock[0] = second
        if line.is_due():
            line.show('x')
    assert 30 < len(capsys.readouterr().out.split()) < 120


@pytest.mark.parametrize('no_color', [False, True])
def test_a_terminal_has_one_line(clock, monkeypatch, no_color):
    terminal = Terminal()
    monkeypatch.setattr(sys, 'stdout', terminal)
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.delenv('NO_COLOR', raising=False)
    if no_color:
        monkeypatch.setenv('NO_COLOR', '1')
    line = ProgressLine()
    assert not line.is_due()
    clock[0] = 0.3
    assert line.is_due()
    line.show('first', 1, 4)
    line.show('second [not markup] ' + 200 * 'x', 2, 4)
    print('said meanwhile')
    line.close()
    assert sys.stdout is terminal
    text = terminal.getvalue()
    assert 'first' in text and 'second [not markup]' in text
    first, second = (text.rpartition(word)[0] for word in ('first', 'second'))
    # The bar stays beside a text that is too long.
    assert 0 < first.count('━') < second.count('━')
    assert '\r\x1b[2K' in text
    # One ends what was said, one is taken back with the line.
    assert text.count('\n') == 2
    assert ('\x1b[36m' in text) is not no_color
    # Whoever is killed leaves a terminal with a cursor.
    assert text.rindex('\x1b[?25h') > text.rindex('\x1b[?25l')


def test_a_dumb_terminal_is_written_to_like_a_file(monkeypatch):
    monkeypatch.setattr(sys, 'stdout', Terminal())
    monkeypatch.setenv('TERM', 'dumb')
    line = ProgressLine()
    line.show('x')
    assert sys.stdout.getvalue() == 'x\n'
