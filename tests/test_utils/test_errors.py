"""How errors that the user can mend are shown."""

import errno
import os
import signal
import subprocess
import sys

import pytest
from command_line import TOOLS
from tiny_run import write_config

from mmdrloc.utils.errors import (
    Interrupted,
    UsageError,
    mention,
    one_sentence_errors,
    usage_errors_in_one_sentence,
)


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
