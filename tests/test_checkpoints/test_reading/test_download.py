"""Downloads go on where they stopped and are whole or not there."""

import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest.mock import patch

import pytest

from mmdrloc.checkpoints.reading import download
from mmdrloc.checkpoints.reading.download import fetch
from mmdrloc.utils.errors import UsageError

CONTENT = bytes(range(256)) * 40
MD5 = hashlib.md5(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Sends the content, or as much of it as ``budget`` allows."""

    def do_GET(self):
        server, content = self.server, self.server.content
        asked = self.headers.get('Range')
        server.asked.append(asked)
        if self.path != '/file.bin':
            return self.send_error(404)
        if server.leads_to:
            self.send_response(302)
            self.send_header('Location', server.leads_to)
            self.send_header('Content-Length', '0')
            return self.end_headers()
        start = int(asked[6:-1]) if asked and server.resumes else 0
        same = self.headers.get('If-Range', server.tag) == server.tag
        if server.heeds_if_range and not same:
            start = 0
        if start >= len(content):
            self.send_response(416)
            self.send_header('Content-Range', f'bytes */{len(content)}')
            self.send_header('Content-Length', '0')
            return self.end_headers()
        self.send_response(206 if start else 200)
        if start:
            span = f'{start}-{len(content) - 1}/{len(content)}'
            self.send_header('Content-Range', f'bytes {span}')
        if server.tag:
            self.send_header('ETag', server.tag)
        length = server.length or len(content) - start
        self.send_header('Content-Length', str(length))
        self.end_headers()
        self.wfile.write(content[start : start + server.budget])

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(('127.0.0.1', 0), Handler) as server:
        server.asked = []
        server.budget = len(CONTENT)
        server.resumes = server.heeds_if_range = True
        server.content, server.tag = CONTENT, None
        server.leads_to = server.length = None
        server.url = f'http://127.0.0.1:{server.server_port}/file.bin'
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def visible(folder):
    return sorted(path.name for path in folder.glob('[!.]*'))


def begin(server, path, tag=None, count=4000):
    """Leave the beginning of the file, as a killed process would."""
    server.tag, server.budget = tag, count
    with pytest.raises(UsageError):
        with patch.object(download, '_receive', once(download._receive)):
            fetch(server.url, path)
    assert path.with_name('file.bin.part').stat().st_size == count
    server.budget = len(CONTENT)
    server.asked.clear()


def once(receive):
    def receive_and_fail(*args):
        receive(*args)
        raise UsageError('killed')

    return receive_and_fail


def test_whole(server, tmp_path):
    path = tmp_path / 'new/file.bin'
    fetch(server.url, path, MD5)
    assert path.read_bytes() == CONTENT
    assert visible(path.parent) == ['file.bin']
    fetch(server.url, path, MD5)
    assert server.asked == [None]


def test_goes_on_as_long_as_something_comes(server, tmp_path):
    server.budget = 4000
    fetch(server.url, tmp_path / 'file.bin', MD5)
    assert server.asked == [None, 'bytes=4000-', 'bytes=8000-']
    assert (tmp_path / 'file.bin').read_bytes() == CONTENT


def test_a_later_run_goes_on(server, tmp_path):
    path = tmp_path / 'file.bin'
    (tmp_path / 'file.bin.part').write_bytes(CONTENT[:1000])
    server.budget = 0
    with pytest.raises(UsageError, match='1000 bytes of it are kept'):
        fetch(server.url, path, MD5)
    assert not path.exists()
    server.budget = len(CONTENT)
    fetch(server.url, path, MD5)
    assert server.asked[-1] == 'bytes=1000-'
    assert path.read_bytes() == CONTENT


def test_all_of_it_had_come(server, tmp_path):
    (tmp_path / 'file.bin.part').write_bytes(CONTENT)
    fetch(server.url, tmp_path / 'file.bin', MD5)
    assert (tmp_path / 'file.bin').read_bytes() == CONTENT


def test_a_server_that_cannot_resume(server, tmp_path):
    (tmp_path / 'file.bin.part').write_bytes(b'x' * 1000)
    server.resumes = False
    fetch(server.url, tmp_path / 'file.bin')
    assert (tmp_path / 'file.bin').read_bytes() == CONTENT


def test_wrong_checksum_leaves_nothing(server, tmp_path):
    with pytest.raises(UsageError, match='does not have the published'):
        fetch(server.url, tmp_path / 'file.bin', '0' * 32)
    assert visible(tmp_path) == []


def test_unreachable(server, tmp_path):
    with pytest.raises(UsageError, match='404'):
        fetch(f'{server.url}.gz', tmp_path / 'file.bin')
    assert not (tmp_path / 'file.bin').exists()


# ---- the same file, or from its beginning --------------------------------


def test_the_same_file_is_gone_on_with(server, tmp_path):
    begin(server, tmp_path / 'file.bin', tag='"a"')
    fetch(server.url, tmp_path / 'file.bin')
    assert server.asked == ['bytes=4000-']
    assert (tmp_path / 'file.bin').read_bytes() == CONTENT
    assert visible(tmp_path) == ['file.bin']


@pytest.mark.parametrize('heeds_if_range', [True, False])
@pytest.mark.parametrize('length', [len(CONTENT), 7000, 3000])
def test_another_file_begins_anew(server, tmp_path, heeds_if_range, length):
    """Also where the server does not look at what it is asked."""
    begin(server, tmp_path / 'file.bin', tag='"a"')
    server.content, server.tag = b'n' * length, '"b"'
    server.heeds_if_range = heeds_if_range
    fetch(server.url, tmp_path / 'file.bin')
    assert (tmp_path / 'file.bin').read_bytes() == server.content


@pytest.mark.parametrize('tag', [None, 'W/"weak"'])
def test_without_anything_to_tell_it_begins_anew(server, tmp_path, tag):
    begin(server, tmp_path / 'file.bin', tag=tag)
    server.content = CONTENT[::-1]
    fetch(server.url, tmp_path / 'file.bin')
    assert server.asked == [None]
    assert (tmp_path / 'file.bin').read_bytes() == server.content


def test_the_checksum_tells_and_it_begins_anew(server, tmp_path):
    (tmp_path / 'file.bin.part').write_bytes(b'x' * 4000)
    fetch(server.url, tmp_path / 'file.bin', MD5)
    assert server.asked == ['bytes=4000-', None]
    assert (tmp_path / 'file.bin').read_bytes() == CONTENT


def test_more_than_the_file_has_begins_anew(server, tmp_path):
    (tmp_path / 'file.bin.part').write_bytes(CONTENT + b'more')
    fetch(server.url, tmp_path / 'file.bin', MD5)
    assert (tmp_path / 'file.bin').read_bytes() == CONTENT


def test_a_short_body_ends_with_a_sentence(server, tmp_path):
    server.length, server.resumes = len(CONTENT) + 5, False
    with pytest.raises(UsageError, match='cannot be fetched'):
        fetch(server.url, tmp_path / 'file.bin')
    assert not (tmp_path / 'file.bin').exists()


@pytest.mark.parametrize('target', ['file:///etc/passwd', 'ftp://a/b', '//'])
def test_only_the_web_is_followed(server, tmp_path, target):
    server.leads_to = target
    with pytest.raises(UsageError, match='not followed|cannot be fetched'):
        fetch(server.url, tmp_path / 'file.bin')
    assert not (tmp_path / 'file.bin').exists()


@pytest.mark.parametrize('url', ['file:///etc/passwd', 'ftp://a/b', 'a/b'])
def test_only_the_web_is_asked(tmp_path, url):
    with pytest.raises(UsageError, match='no address of the web'):
        fetch(url, tmp_path / 'file.bin')


def test_a_full_disk(server, tmp_path, monkeypatch):
    usage = download.shutil.disk_usage(tmp_path)._replace(free=100)
    monkeypatch.setattr(download.shutil, 'disk_usage', lambda path: usage)
    with pytest.raises(UsageError, match='free some'):
        fetch(server.url, tmp_path / 'file.bin')


def test_of_several_at_a_time_one_fetches(server, tmp_path):
    receive = download._receive

    def slowly(*args):
        time.sleep(0.2)
        return receive(*args)

    with patch.object(download, '_receive', slowly):
        with ThreadPoolExecutor(3) as pool:
            jobs = [
                pool.submit(fetch, server.url, tmp_path / 'file.bin')
                for _ in range(3)
            ]
            for job in jobs:
                job.result()
    assert server.asked == [None]
    assert visible(tmp_path) == ['file.bin']
