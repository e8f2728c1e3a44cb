"""Which network gloo takes, and what is asked of its connections."""

import os
import socket

import pytest
from mmengine.config import Config

from mmdrloc.utils import connections


def keeps_alive(connection):
    return connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0


@pytest.fixture
def pair():
    """Two ends of a connection, and the socket that listened for it."""
    with socket.create_server(('127.0.0.1', 0)) as server:
        with socket.create_connection(server.getsockname()) as one:
            other, _ = server.accept()
            with other:
                yield one, other, server


@pytest.mark.skipif(
    not hasattr(socket, 'TCP_USER_TIMEOUT'), reason='as Linux has it'
)
def test_connections_are_asked_for_answers(pair, tmp_path):
    one, other, server = pair
    with open(tmp_path / 'file', 'w') as file:
        before = set(os.listdir(connections.OPEN_FILES))
        connections.notice_lost_machines()
        assert set(os.listdir(connections.OPEN_FILES)) == before
        file.write('still open')
    assert keeps_alive(one) and keeps_alive(other)
    assert not keeps_alive(server)
    tcp = socket.IPPROTO_TCP
    silence = one.getsockopt(tcp, socket.TCP_KEEPIDLE) + one.getsockopt(
        tcp, socket.TCP_KEEPINTVL
    ) * one.getsockopt(tcp, socket.TCP_KEEPCNT)
    assert silence == connections.SILENCE_S < 60
    other.sendall(b'word')
    assert one.recv(4) == b'word'


@pytest.mark.parametrize('first', ['127.0.0.1', 'localhost', 'no.such.name.'])
def test_one_machine_needs_no_network(monkeypatch, first):
    monkeypatch.setenv('MASTER_ADDR', first)
    monkeypatch.delenv(connections.INTERFACE, raising=False)
    connections.choose_interface()
    assert connections.INTERFACE not in os.environ


def test_the_network_towards_the_first_machine(monkeypatch):
    monkeypatch.setenv('MASTER_ADDR', '10.1.2.3')
    monkeypatch.setattr(connections, '_interface_towards', lambda _: 'eth7')
    monkeypatch.setenv(connections.INTERFACE, 'mine')
    connections.choose_interface()
    assert os.environ[connections.INTERFACE] == 'mine'
    monkeypatch.delenv(connections.INTERFACE)
    connections.choose_interface()
    assert os.environ[connections.INTERFACE] == 'eth7'


def test_patience_is_in_seconds():
    cfg = Config(dict(env_cfg=dict(dist_cfg=dict(timeout=90))))
    assert connections.group_options(cfg)['timeout'].total_seconds() == 90
    assert connections.group_options(Config(dict(env_cfg=None))) == {}
