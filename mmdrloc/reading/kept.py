"""What is read before a training is kept until it begins, and read once."""

from contextlib import contextmanager
from typing import Any, Dict, Hashable, Iterator, Optional


class Kept:
    """What was read, for those who will ask for the same.

    The checks read what a training then starts from. Nothing is kept outside
    of :meth:`opened`, nor when a training runs.
    """

    def __init__(self) -> None:
        self._things: Optional[Dict[Hashable, Any]] = None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keep what is read until the end of this context."""
        before, self._things = self._things, {}
        try:
            yield
        finally:
            self._things = before

    def put(self, key: Hashable, thing: Any) -> None:
        """Keep something, where things are kept.

        Args:
            key (Hashable): What it is.
            thing (Any): It.
        """
        if self._things is not None:
            self._things[key] = thing

    def get(self, key: Hashable) -> Any:
        """Give something out.

        Args:
            key (Hashable): What it is.

        Returns:
            Any: It, or None if it is not kept.
        """
        return (self._things or {}).get(key)

    def take(self, key: Hashable) -> Any:
        """Give something out for good.

        Args:
            key (Hashable): What it is.

        Returns:
            Any: It, or None if it is not kept.
        """
        return (self._things or {}).pop(key, None)

    def clear(self) -> None:
        """Keep nothing that was read so far."""
        if self._things:
            self._things.clear()


# There is one training at a time in a process.
KEPT = Kept()
