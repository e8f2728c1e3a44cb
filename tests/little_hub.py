"""A hub on this machine, as far as its client asks to push and pull."""

import base64
import hashlib
import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote, urlsplit

COMMIT = '0123456789' * 4


class Answers(BaseHTTPRequestHandler):
    """Keeps the files of one commit; what it does not know is a 404."""

    def do_POST(self):
        content = self.rfile.read(int(self.headers['Content-Length']))
        if '/commit/' in self.path:
            for line in map(json.loads, content.splitlines()):
                if line['key'] == 'file':
                    said = line['value']
                    kept = base64.b64decode(said['content'])
                    self.server.files[said['path']] = kept
            url = f'{self.server.address}/NAME/digits/commit/{COMMIT}'
            self.say(commitUrl=url, commitOid=COMMIT)
        elif '/preupload/' in self.path:
            said = dict(uploadMode='regular', shouldIgnore=False)
            files = json.loads(content)['files']
            self.say(files=[dict(said, path=file['path']) for file in files])
        elif self.path == '/api/repos/create':
            self.say(url=f'{self.server.address}/NAME/digits')
        elif self.path == '/api/validate-yaml':
            self.say(errors=[], warnings=[])
        else:
            self.send_error(404)

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        files = self.server.files
        _, found, name = path.partition(f'/resolve/{COMMIT}/')
        if '/revision/' in path:
            self.say(id='NAME/digits', sha=COMMIT)
        elif '/tree/' in path:
            self.send(
                json.dumps(
                    [
                        dict(type='file', path=n, size=len(c), oid=oid(c))
                        for n, c in files.items()
                    ]
                ).encode()
            )
        elif found and name in files:
            self.send(files[name])
        else:
            self.send_error(404)

    do_HEAD = do_GET

    def say(self, **answer):
        self.send(json.dumps(answer).encode())

    def send(self, content):
        self.send_response(200)
        self.send_header('Content-Length', str(len(content)))
        self.send_header('ETag', f'"{oid(content)}"')
        self.send_header('X-Repo-Commit', COMMIT)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(content)

    def log_message(self, *words):
        pass


def oid(content):
    return hashlib.sha1(content).hexdigest()


@contextmanager
def little_hub():
    """Serve an empty hub; gives its address and, by name, its files."""
    with ThreadingHTTPServer(('127.0.0.1', 0), Answers) as server:
        server.files = {}
        server.address = f'http://127.0.0.1:{server.server_port}'
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.address, server.files
        finally:
            server.shutdown()
            thread.join()
