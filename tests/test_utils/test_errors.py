"""How errors that the user can mend are shown."""

import errno
import os
import signal
import subprocess
import sys

import pytest
from command_line import TOOLS
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_run import write_config

from mmdrloc.utils.errors import (
    Interrupted,
    UnexpectedError,
    UsageError,
    first_line,
    mention,
    nearest,
    one_sentence_errors,
    usage_errors_in_one_sentence,
)

WORKER = """Caught {0} in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "worker.py", line 1, in loop
    data = fetch()
{1}{0}: image.png is cut off
"""
KINDS = [ValueError, KeyError, RuntimeError, OSError, AssertionError]


def shown(error):
    with pytest.raises(SystemExit) as end, usage_errors_in_one_sentence():
        raise error
    return end.value.code


@pytest.mark.parametrize(
    'code,remedy',
    [
        (errno.ENOSPC, 'free some space'),
        (errno.EDQUOT, 'free some space'),
        (errno.EROFS, 'give another place'),
    ],
)
def test_disks(code, remedy):
    said = shown(OSError(code, 'No', '/place'))
    assert said.startswith(f'error: No (/place): {remedy}')
    assert said.endswith('what was complete before is intact.')


def test_signals(capsys):
    assert shown(Interrupted(signal.SIGTERM, 'ended')) == 143
    assert capsys.readouterr().err == 'ended\n'
    assert shown(Interrupted(signal.SIGTERM, '')) == 143
    assert capsys.readouterr().err == ''
    assert shown(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == 'interrupted\n'


def test_a_note_of_both_arms_of_a_comparison_is_printed_once(capsys):
    for _ in range(2):
        mention('few images in a', 'few images in a', 'of other size')
    said = capsys.readouterr().err.splitlines()
    assert said == ['note: few images in a', 'note: of other size']


@pytest.mark.parametrize('checked', [False, True])
def test_a_traceback_is_written_where_no_other_user_put_a_link(
    tmp_path, checked
):
    """Neither by a tool nor by a check, which has no work directory."""
    victim = tmp_path / 'bashrc'
    victim.write_text('mine')
    shared = tmp_path / 'tmp'
    for place in (shared, shared / 'mmdrloc'):
        place.mkdir()
        (place / 'error.log').symlink_to(victim)
    script = tmp_path / 'tool.py'
    script.write_text(
        'from mmdrloc.utils.errors import usage_errors_in_one_sentence\n'
        'with usage_errors_in_one_sentence():\n    {}.mapping\n'
    )
    line = [script]
    if checked:
        wrong = 'model.backbone.depth=3'
        config = write_config(tmp_path)
        line = [TOOLS / 'train.py', config, '--check', '--cfg-options', wrong]
    done = subprocess.run(
        [sys.executable, *map(str, line)],
        cwd=tmp_path,
        env=dict(os.environ, TMPDIR=str(shared)),
        text=True,
        capture_output=True,
    )
    assert done.returncode == 1
    assert victim.read_text() == 'mine'
    said, _, log = done.stderr.strip().rpartition(' The traceback is in ')
    assert said.startswith('error: ')
    assert 'Traceback' in open(log.rstrip('.')).read()
    assert os.stat(log.rstrip('.')).st_mode & 0o077 == 0
    assert not (tmp_path / 'work_dirs').exists()


def test_an_interrupt_that_a_library_takes_for_an_error():
    """As MMEngine does while it formats a config."""
    with pytest.raises(KeyboardInterrupt), one_sentence_errors():
        try:
            raise KeyboardInterrupt
        finally:
            raise SyntaxError('failed to format')


def test_an_interrupt_that_was_dealt_with():
    """As a notebook's, which then tests what was trained."""
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        with pytest.raises(UsageError, match='the real cause'):
            with one_sentence_errors():
                raise RuntimeError('the real cause') from None


@settings(max_examples=50, database=None, derandomize=True)
@given(st.sampled_from(KINDS), st.text(max_size=500))
def test_one_sentence_and_the_traceback(tmp_path_factory, kind, text):
    folder = tmp_path_factory.mktemp('run') / 'not/yet'
    with pytest.raises(UsageError) as error, one_sentence_errors(folder):
        raise kind(text)
    said = str(error.value)
    assert said.endswith(f'The traceback is in {folder / "error.log"}.')
    assert len(said.splitlines()) == 1 and len(said) < 600
    assert kind.__name__ in (folder / 'error.log').read_text()


def test_what_a_worker_raised(tmp_path):
    text = WORKER.format('RuntimeError', '')
    assert first_line(RuntimeError(text)) == (
        'RuntimeError: image.png is cut off'
    )
    for kind in (UsageError, UnexpectedError):
        name = f'{kind.__module__}.'
        error = kind(WORKER.format(kind.__name__, name))
        assert first_line(error) == 'image.png is cut off'
        with pytest.raises(UsageError) as told, one_sentence_errors(tmp_path):
            raise error
        assert str(told.value).startswith('image.png is cut off')
        assert 'worker.py' in (tmp_path / 'error.log').read_text()


@settings(max_examples=100, database=None, derandomize=True)
@given(st.text(max_size=8), st.lists(st.text(max_size=8), max_size=5))
def test_a_near_word_is_one_of_them(word, known):
    near = nearest(word, known)
    assert near is None or near in known
    assert not known or nearest(known[0], known).lower() == known[0].lower()
