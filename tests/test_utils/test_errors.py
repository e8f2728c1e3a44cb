"""How errors that the user can mend are shown."""

import errno
import signal
import threading

import pytest

from mmdrloc.utils.errors import (
    Interrupted,
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


def test_threads_that_cannot_write(capsys):
    def write():
        raise OSError(errno.ENOSPC, 'No space')

    with usage_errors_in_one_sentence():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert capsys.readouterr().err.count('\n') == 1
