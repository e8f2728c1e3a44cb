"""Downloads go on where they stopped and are whole or not there."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mmdrloc.datasets.download import fetch
from mmdrloc.errors import UsageError

CONTENT = bytes(range(256)) * 40
MD5 = hashlib.md5(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Sends CONTENT, or as much of it as the server's ``budget`` allows."""

    def do_GET(self):
        asked = self.headers.get('Range')
        self.server.asked.append(asked)
        start = int(asked[6:-1]) if asked and self.server.resumes else 0
        if self.path != '/file.bin':
            return self.send_error(404)
        if start >= len(CONTENT):
            self.send_response(416)
            self.send_header('Content-Range', f'bytes */{len(CONTENT)}')
            return self.end_headers()
        self.send_response(206 if start else 200)
        self.send_header('Content-Length', str(len(CONTENT) - start))
        self.end_headers()
        self.wfile.write(CONTENT[start : start + self.server.budget])

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(('127.0.0.1', 0), Handler) as server:
        server.asked = []
        server.budget = len(CONTENT)
        server.resumes = True
        server.url = f'http://127.0.0.1:{server.server_port}/file.bin'
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


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
