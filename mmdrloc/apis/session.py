"""One call in a process that goes on: what it changes there is given back."""

from contextlib import contextmanager
from typing import Iterator, List, Type

from mmengine.utils import ManagerMixin

from mmdrloc.checkpoints.reading import files_guarded
from mmdrloc.utils.console import CONSOLE
from mmdrloc.utils.signals import watched


@contextmanager
def session(
    trust: bool = False, verbose: bool = False, tables: bool = False
) -> Iterator[None]:
    """Do one thing as a command line does it, in whatever process.

    Files are read as data, the console is quiet, signals end the thing
    between two updates. Afterwards, also after an exception, the process is
    as before: environment, handlers of signals and of logging, readers of
    files, and MMEngine's scopes, loggers, messages and visualizers, which two
    runs would otherwise share.

    Args:
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.
        verbose (bool): Whether to show all that libraries say. Defaults to
            False.
        tables (bool): Whether the libraries' tables of results are wanted.
            Defaults to False.
    """
    with (
        watched(),
        files_guarded(trust),
        _instances_of_its_own(),
        CONSOLE.opened(verbose, tables),
    ):
        yield


@contextmanager
def _instances_of_its_own() -> Iterator[None]:
    """Forget what MMEngine keeps by name, the seconds of a start, for ever."""
    before = {kind: dict(kind._instance_dict) for kind in _kinds()}
    # A config's visualizer may have the name of one that somebody made, and
    # would write where that one does.
    for kind in before:
        kind._instance_dict.clear()
    try:
        yield
    finally:
        for kind in _kinds():
            kept = before.get(kind, {})
            for name, instance in list(kind._instance_dict.items()):
                if kept.get(name) is not instance:
                    _close(instance)
            kind._instance_dict.clear()
            kind._instance_dict.update(kept)


def _kinds(of: Type = ManagerMixin) -> List[Type]:
    """All classes whose instances MMEngine keeps."""
    kinds = of.__subclasses__()
    return [*kinds, *(kind for one in kinds for kind in _kinds(one))]


def _close(instance: ManagerMixin) -> None:
    """Close the files of a logger, the backends of a visualizer."""
    for handler in getattr(instance, 'handlers', ()):
        handler.close()
    if hasattr(instance, '_vis_backends'):
        instance.close()
