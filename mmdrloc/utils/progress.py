"""How far something is: a line that changes, or now and then a new one."""

import os
import sys
import time
from typing import Any, Optional

from rich.console import Console
from rich.live import Live
from rich.text import Text

# A line that changes more often on a terminal is not read either.
IN_PLACE_S = 0.2
# In a file, lines get rarer as time goes by: some 100 a day.
FIRST_S = 15.0
LAST_S = 600.0
PART = 0.05


class ProgressLine:
    """One line that says how far something is.

    On a terminal it is written over, below of whatever else is printed, and in
    a notebook where it was first shown. Elsewhere it is a new line each time,
    and shown more rarely.

    Args:
        in_place_s (float): Seconds between two changes of one line.
            Defaults to ``IN_PLACE_S``.
    """

    def __init__(self, in_place_s: float = IN_PLACE_S) -> None:
        self.in_place_s = in_place_s
        self.in_notebook = _in_notebook()
        self.in_place = self.in_notebook or (
            sys.stdout.isatty()
            and os.environ.get('TERM') not in ('dumb', 'unknown')
        )
        self._begun = self._shown = time.monotonic()
        self._live: Optional[Live] = None
        self._output: Any = None  # a notebook's

    def is_due(self) -> bool:
        """Whether it is time to show it again."""
        now = time.monotonic()
        return now - self._shown >= self._interval(now - self._begun)

    def show(self, text: str) -> None:
        """Show how far it is, in one line."""
        self._shown = time.monotonic()
        try:
            if self.in_notebook:
                self._show_in_notebook(text)
            elif self.in_place:
                self._show_in_place(text)
            else:
                print(text, flush=True)
        except OSError:  # nobody reads it any more, or the disk is full
            pass

    def close(self) -> None:
        """Take it off the terminal, or the notebook."""
        if self._output is not None:
            self._output.update({'text/plain': ''}, raw=True)
            self._output = None
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _interval(self, elapsed_s: float) -> float:
        if self.in_place:
            return self.in_place_s
        return min(max(FIRST_S, PART * elapsed_s), LAST_S)

    def _show_in_notebook(self, text: str) -> None:
        from IPython.display import display

        content = {'text/plain': text}
        if self._output is None:
            self._output = display(content, raw=True, display_id=True)
        else:
            self._output.update(content, raw=True)

    def _show_in_place(self, text: str) -> None:
        if self._live is None:
            # Without a thread of its own, which a fork would cut in two.
            self._live = Live(
                console=Console(highlight=False),
                auto_refresh=False,
                transient=True,
            )
            self._live.start()
            # A process that is killed could not bring it back.
            self._live.console.show_cursor(True)
        line = Text(text, style='cyan', no_wrap=True, overflow='ellipsis')
        self._live.update(line, refresh=True)


def _in_notebook() -> bool:
    """Whether Jupyter runs this; IPython on a terminal has no kernel."""
    python = sys.modules.get('IPython')
    return python is not None and hasattr(python.get_ipython(), 'kernel')


def minutes(seconds: float) -> str:
    """A time as people read it, such as '2:05 min' or '31:10 h'."""
    whole, seconds = divmod(max(0, round(seconds)), 60)
    if whole < 60:
        return f'{whole}:{seconds:02d} min'
    return f'{whole // 60}:{whole % 60:02d} h'
