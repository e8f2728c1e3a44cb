"""Errors of building the network of a config."""

from contextlib import contextmanager
from typing import Iterator

from mmengine.config import Config

from mmdrloc.utils.errors import UsageError, first_line


@contextmanager
def building_from(cfg: Config) -> Iterator[None]:
    """Say in one ``UsageError`` why a part of a config cannot be built."""
    if not isinstance(cfg.get('model'), dict):
        raise UsageError(
            f'{cfg.filename} has no `model`: give the config of a network.'
        )
    try:
        yield
    except UsageError:
        raise
    except Exception as error:  # a class may be anyone's
        raise UsageError(
            f'{cfg.filename} cannot be built: {type(error).__name__}: '
            f'{first_line(error)}.'
        ) from error
