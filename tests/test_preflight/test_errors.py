"""Any exception is one sentence; its traceback is kept."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmdrloc.utils.errors import (
    UnexpectedError,
    UsageError,
    first_line,
    nearest,
    one_sentence_errors,
)

WORKER = """Caught {0} in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "worker.py", line 1, in loop
    data = fetch()
{1}{0}: image.png is cut off
"""
KINDS = [ValueError, KeyError, RuntimeError, OSError, AssertionError]


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
