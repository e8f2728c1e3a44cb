"""Whether what a file contains may run: decided once for the process."""

import os
from contextlib import contextmanager
from typing import Iterator

# In the environment, which the processes that this one starts inherit.
TRUSTED = 'MMDRLOC_TRUST_FILES'
# What torch itself obeys, wherever a library calls it.
ONLY_WEIGHTS = 'TORCH_FORCE_WEIGHTS_ONLY_LOAD'
ANYTHING = 'TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD'


def trust_files(trust: bool) -> None:
    """Decide whether files may run the code that they contain.

    Command lines call this with their ``--trust``. Without any call, nothing
    is trusted by this project's readers.

    Args:
        trust (bool): The user's word.
    """
    for name, value in (
        (TRUSTED, trust),
        (ANYTHING, trust),
        (ONLY_WEIGHTS, not trust),
    ):
        if value:
            os.environ[name] = '1'
        else:
            os.environ.pop(name, None)


def files_are_trusted() -> bool:
    """Whether files may run the code that they contain."""
    return os.environ.get(TRUSTED) == '1'


@contextmanager
def torch_obeys_arguments() -> Iterator[None]:
    """Let the arguments of ``torch.load`` count, not the environment."""
    kept = {
        name: os.environ.pop(name)
        for name in (ONLY_WEIGHTS, ANYTHING)
        if name in os.environ
    }
    try:
        yield
    finally:
        os.environ.update(kept)
