"""Fetch large files: resumed where cut off, checked, whole or not at all."""

import json
import os
import shutil
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, Dict, Iterator, NamedTuple, Optional, Tuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from filelock import FileLock, Timeout
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

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path

CHUNK = 1 << 20
TIMEOUT_S = 60


class Origin(NamedTuple):
    """Which file on the web a partial one is the beginning of.

    Args:
        url (str): Where from.
        validator (str, optional): What the server gives another value when
            the file changes.
        total (int, optional): Its length.
    """

    url: str
    validator: Optional[str] = None
    total: Optional[int] = None


class _WebAlone(HTTPRedirectHandler):
    """Follow redirections to web servers, and none that lose encryption."""

    def redirect_request(self, req: Request, *args: Any) -> Optional[Request]:
        target = args[-1]
        old, new = urlsplit(req.full_url).scheme, urlsplit(target).scheme
        if new != 'https' and not new == old == 'http':
            raise UsageError(
                f'{req.full_url} leads to {target}, which is not followed: '
                'only http and https are, and never from https to http. '
                'Fetch the file by hand.'
            )
        return super().redirect_request(req, *args)


_OPENER = build_opener(_WebAlone)


def fetch(url: str, path: Path, md5: Optional[str] = None) -> None:
    """Download a file, going on where an earlier attempt stopped.

    What has come is in ``<path>.part`` until all of it has. It is gone on
    with only if the server still has the same file, or the checksum will
    tell. Of several processes that want a file, one fetches it.

    Args:
        url (str): Where from.
        path (Path): Where to. A file that is there and has the checksum is
            kept.
        md5 (str, optional): The published checksum. Defaults to None: not
            published, not checked.

    Raises:
        UsageError: If the server cannot be reached, stops sending, or sends
            something else than what is published, or the disk is full.
    """
    if urlsplit(url).scheme not in ('http', 'https'):
        raise UsageError(f'{url} is no address of the web: give http or https')
    path.parent.mkdir(parents=True, exist_ok=True)
    with one_at_a_time(path):
        if check_integrity(path, md5):
            return
        partial = path.with_name(f'{path.name}.part')
        begun = partial.exists() and partial.stat().st_size > 0
        if begun and md5 is None and not _origin_of(partial, url).validator:
            _forget(partial)  # nothing would tell if it is another file now
        _receive_all(url, partial, path.name)
        if begun and not check_integrity(partial, md5):
            _forget(partial)  # what was kept may be of an older file
            _receive_all(url, partial, path.name)
        if not check_integrity(partial, md5):
            _forget(partial)
            raise UsageError(
                f'what {url} sent does not have the published checksum {md5} '
                'and was removed: run the same command again.'
            )
        os.replace(partial, path)
        _forget(partial)


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until no other process makes a file or folder.

    Args:
        path (Path): What is made. The lock is a hidden file beside it, and
            ends with its process.

    Yields:
        None: It is free.
    """
    lock = FileLock(path.with_name(f'.{path.name}.lock'))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print(f'waiting for another process that makes {path}', flush=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _receive_all(url: str, partial: Path, name: str) -> None:
    columns = (
        TextColumn('{task.description}'),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns) as progress:
        task = progress.add_task(name, total=None)
        partial.touch()
        # As long as every connection brings something, go on.
        while not _receive(url, partial, progress, task):
            pass


def _receive(
    url: str, partial: Path, progress: Progress, task: TaskID
) -> bool:
    """Append what one connection brings; say whether that is all of it."""
    start = partial.stat().st_size
    origin = _origin_of(partial, url) if start else Origin(url)
    reason: object = 'the connection was cut off'
    request = Request(url, headers=_range_headers(start, origin))
    try:
        with _OPENER.open(request, timeout=TIMEOUT_S) as reply:
            offset, total = _place_of(reply, start, origin)
            if offset is None and start:
                return _begin_anew(partial)
            if offset is None:
                raise HTTPException('an answer to another question')
            _note_origin(partial, Origin(url, _validator(reply), total))
            _check_space(partial, total)
            progress.update(task, total=total, completed=offset)
            with open(partial, 'r+b') as file:
                file.truncate(offset)
                file.seek(offset)
                while chunk := reply.read(CHUNK):
                    file.write(chunk)
                    progress.advance(task, len(chunk))
        size = partial.stat().st_size
        if total in (None, size):
            return True
        if size > total:
            _forget(partial)
            raise UsageError(
                f'{url} sent {size} bytes of a file of {total}: run the same '
                'command again, or fetch the file by hand.'
            )
    except HTTPError as error:
        if start and error.code == 416:
            # Nothing comes after the end of a file that is complete.
            length = error.headers.get('Content-Range')
            return length == f'bytes */{start}' or _begin_anew(partial)
        reason = error
    except UsageError:
        raise
    except (OSError, HTTPException, ValueError) as error:
        reason = error
    size = partial.stat().st_size
    if size <= start:
        raise UsageError(
            f'{url} cannot be fetched ({reason}), {size} bytes of it are '
            'kept: run the same command again to go on.'
        )
    return False


def _begin_anew(partial: Path) -> bool:
    """Drop the beginning of another file; nothing of this one is there."""
    partial.write_bytes(b'')
    return False


def _range_headers(start: int, origin: Origin) -> Dict[str, str]:
    headers = {'Accept-Encoding': 'identity'}
    if start:
        headers['Range'] = f'bytes={start}-'
    if start and origin.validator:
        headers['If-Range'] = origin.validator
    return headers


def _place_of(
    reply: HTTPResponse, start: int, origin: Origin
) -> Tuple[Optional[int], Optional[int]]:
    """Where in the file a reply begins, None if elsewhere; how long it is."""
    length = reply.headers.get('Content-Length')
    if reply.status != 206:
        return 0, None if length is None else int(length)
    place = reply.headers.get('Content-Range', '')
    total = None if length is None else start + int(length)
    if place:
        span, _, whole = place.removeprefix('bytes ').partition('/')
        if not span.startswith(f'{start}-'):
            return None, None
        total = int(whole) if whole.isdecimal() else total
    validator = _validator(reply)
    other = origin.total is not None and total not in (None, origin.total)
    other |= bool(
        origin.validator and validator and origin.validator != validator
    )
    return (None, None) if other else (start, total)


def _validator(reply: HTTPResponse) -> Optional[str]:
    """Weak tags do not promise the same bytes."""
    tag = reply.headers.get('ETag')
    if tag and not tag.startswith('W/'):
        return tag
    return reply.headers.get('Last-Modified')


def _check_space(partial: Path, total: Optional[int]) -> None:
    free = shutil.disk_usage(partial.parent).free + partial.stat().st_size
    if total is not None and total > free:
        raise UsageError(
            f'{partial.name} will have {total / 2**30:.1f} GiB, and '
            f'{partial.parent} has {free / 2**30:.1f} GiB for it: free some.'
        )


def _record(partial: Path) -> Path:
    return partial.with_name(f'{partial.name}.json')


def _note_origin(partial: Path, origin: Origin) -> None:
    with atomic_path(_record(partial)) as temporary:
        temporary.write_text(json.dumps(origin._asdict()))


def _origin_of(partial: Path, url: str) -> Origin:
    """What was noted of a partial file; nothing if it is another's."""
    try:
        origin = Origin(**json.loads(_record(partial).read_bytes()))
    except (OSError, ValueError, TypeError):
        return Origin(url)
    return origin if origin.url == url else Origin(url)


def _forget(partial: Path) -> None:
    partial.unlink(missing_ok=True)
    _record(partial).unlink(missing_ok=True)
