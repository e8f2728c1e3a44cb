"""What is read before a training is kept until it begins, and read once."""

from contextlib import contextmanager
from typing import Any, Dict, Hashable, Iterator


class Kept(Dict[Hashable, Any]):
    """What was read, for those who will ask for the same.

    The checks read what a training then starts from. Nothing is kept outside
    of :meth:`opened`, nor when a training runs.
    """

    is_open = False

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keep what is read until the end of this context."""
        before, self.is_open = self.is_open, True
        try:
            yield
        finally:
            self.is_open = before
            self.clear()

    def put(self, key: Hashable, thing: Any) -> None:
        """Keep something, where things are kept.

        Args:
            key (Hashable): What it is.
            thing (Any): It.
        """
        if self.is_open:
            self[key] = thing


# There is one training at a time in a process.
KEPT = Kept()
