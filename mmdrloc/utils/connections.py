"""The network between the processes of a training."""

import os
import socket
import stat
import struct
from datetime import timedelta
from typing import Any, Dict, Mapping, Optional

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

# Which network gloo takes; its name, and one of Linux's requests.
INTERFACE = 'GLOO_SOCKET_IFNAME'
SIOCGIFADDR = 0x8915
# A machine is gone when it has not answered for so long: well under a minute,
# and longer than a switch needs to start its ports again.
SILENCE_S = 40
PROBES = 4
OPEN_FILES = '/proc/self/fd'


def group_options(cfg: Mapping[str, Any]) -> Dict[str, timedelta]:
    """What a config says of how long processes wait for each other.

    Args:
        cfg (Mapping): The whole config; ``env_cfg.dist_cfg.timeout`` is in
            seconds, as MMEngine has it.

    Returns:
        dict[str, timedelta]: The ``timeout`` of a process group, or nothing.
    """
    settings = (cfg.get('env_cfg') or {}).get('dist_cfg') or {}
    seconds = settings.get('timeout')
    return {} if seconds is None else dict(timeout=timedelta(seconds=seconds))


def choose_interface() -> None:
    """Have gloo use the network that leads to the first machine.

    By itself it takes the address of this machine's name, which many systems
    give as 127.0.0.1: no other machine can answer there. A choice of the
    user's stays.
    """
    first = os.environ.get('MASTER_ADDR')
    if first and INTERFACE not in os.environ:
        name = _interface_towards(first)
        if name is not None:
            os.environ[INTERFACE] = name


def notice_lost_machines() -> None:
    """Have the system end connections to machines that no longer answer.

    A machine without power or network says nothing, and by default one waits
    for it until gloo's timeout, half an hour. The system asks whether it is
    there, not whether its processes have something to say: a long validation
    on the first process is no silence. Does nothing where the system has no
    such means.
    """
    if not (hasattr(socket, 'TCP_USER_TIMEOUT') and os.path.isdir(OPEN_FILES)):
        return
    for number in os.listdir(OPEN_FILES):
        try:
            # Closing another number of a file would end the locks on it.
            if stat.S_ISSOCK(os.fstat(int(number)).st_mode):
                with socket.socket(fileno=os.dup(int(number))) as same:
                    _ask_for_answers(same)
        except OSError:
            continue  # closed by now, or no connection by TCP


def _ask_for_answers(connection: socket.socket) -> None:
    connection.getpeername()  # raises where there is nobody to ask
    every = SILENCE_S // (PROBES + 1)
    tcp = socket.IPPROTO_TCP
    connection.setsockopt(tcp, socket.TCP_KEEPIDLE, every)
    connection.setsockopt(tcp, socket.TCP_KEEPINTVL, every)
    connection.setsockopt(tcp, socket.TCP_KEEPCNT, PROBES)
    # What was sent and not acknowledged, which is not asked about.
    connection.setsockopt(tcp, socket.TCP_USER_TIMEOUT, SILENCE_S * 1000)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


def _interface_towards(machine: str) -> Optional[str]:
    """The interface by which packets go there; None if it is this machine."""
    if fcntl is None:
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((machine, 9))  # sends nothing
            own = probe.getsockname()[0]
            if own.startswith('127.'):
                return None
            for _, name in socket.if_nameindex():
                if _address_of(name, probe) == own:
                    return name
        except OSError:  # no such name, no way there, IPv6 alone
            pass
    return None


def _address_of(interface: str, any_socket: socket.socket) -> Optional[str]:
    request = struct.pack('256s', interface.encode())
    try:
        answer = fcntl.ioctl(any_socket, SIOCGIFADDR, request)
    except OSError:  # it has none
        return None
    return socket.inet_ntoa(answer[20:24])
