"""Fetch large files: resumed where cut off, checked, whole or not at all."""

import os
from http.client import HTTPException
from pathlib import Path
from typing import Optional
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from torchvision.datasets.utils import check_integrity

from mmdrloc.errors import UsageError

CHUNK = 1 << 20
TIMEOUT_S = 60


def fetch(url: str, path: Path, md5: Optional[str] = None) -> None:
    """Download a file, going on where an earlier attempt stopped.

    What has come is in ``<path>.part`` until all of it has.

    Args:
        url (str): Where from.
        path (Path): Where to. A file that is there and has the checksum is
            kept.
        md5 (str, optional): The published checksum. Defaults to None: not
            published, not checked.

    Raises:
        UsageError: If the server cannot be reached, stops sending, or sends
            something else than what is published.
    """
    if check_integrity(path, md5):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f'{path.name}.part')
    columns = (
        TextColumn('{task.description}'),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns) as progress:
        task = progress.add_task(path.name, total=None)
        partial.touch()
        # As long as every connection brings something, go on.
        while not _receive(url, partial, progress, task):
            pass
    if not check_integrity(partial, md5):
        partial.unlink()
        raise UsageError(
            f'what {url} sent does not have the published checksum {md5} and '
            'was removed: run the same command again.'
        )
    os.replace(partial, path)


def _receive(
    url: str, partial: Path, progress: Progress, task: TaskID
) -> bool:
    """Append what one connection brings; say whether that is all of it."""
    start = partial.stat().st_size
    headers = {'Range': f'bytes={start}-'} if start else {}
    reason: object = 'the connection was cut off'
    try:
        with urlopen(
            Request(url, headers=headers), timeout=TIMEOUT_S
        ) as reply:
            resumed = reply.status == 206
            length = reply.headers.get('Content-Length')
            offset = start if resumed else 0
            total = None if length is None else offset + int(length)
            progress.update(task, total=total, completed=offset)
            with open(partial, 'ab' if resumed else 'wb') as file:
                while chunk := reply.read(CHUNK):
                    file.write(chunk)
                    progress.advance(task, len(chunk))
        if total in (None, partial.stat().st_size):
            return True
    except HTTPError as error:
        # Nothing comes after the end of a file that is complete.
        if start and error.headers.get('Content-Range') == f'bytes */{start}':
            return True
        reason = error
    except (OSError, HTTPException) as error:
        reason = error
    if partial.stat().st_size <= start:
        raise UsageError(
            f'{url} cannot be fetched ({reason}), {start} bytes of it are '
            'kept: run the same command again to go on.'
        )
    return False
