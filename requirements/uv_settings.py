"""pip's configuration in the variables that uv knows."""

import re
from ast import literal_eval
from typing import Dict, Optional

# pip's settings, and uv's variables with what separates their parts.
SAME = {
    'index-url': ('UV_DEFAULT_INDEX', ' '),
    'extra-index-url': ('UV_EXTRA_INDEX_URL', ' '),
    'find-links': ('UV_FIND_LINKS', ','),
    'trusted-host': ('UV_INSECURE_HOST', ' '),
    'cert': ('SSL_CERT_FILE', ' '),
    'client-cert': ('SSL_CLIENT_CERT', ' '),
    'proxy': ('ALL_PROXY', ' '),
    'timeout': ('UV_HTTP_TIMEOUT', ' '),
    'default-timeout': ('UV_HTTP_TIMEOUT', ' '),
}
# What uv would not do by a variable.
FOR_PIP_ALONE = {
    'constraint',
    'keyring-provider',
    'no-binary',
    'no-index',
    'only-binary',
    'require-hashes',
}
# pip takes the best version of all its indexes and the system's certificates.
LIKE_PIP = dict(
    UV_INDEX_STRATEGY='unsafe-best-match',
    UV_SYSTEM_CERTS='true',
    UV_NATIVE_TLS='true',  # its former name
)
# What pip reads later prevails over what it reads earlier.
SECTIONS = ('global', 'install', ':env:')


def from_pip(listed: str) -> Optional[Dict[str, str]]:
    """Translate what pip is configured to do into variables of uv.

    Args:
        listed (str): The output of ``pip config list``: lines such as
            ``global.index-url='...'``.

    Returns:
        dict[str, str], optional: Variables; None where pip is configured in a
        way that uv does not know.
    """
    variables = dict(LIKE_PIP)
    for section in SECTIONS:
        pattern = rf'^{section}\.([\w-]+)=(.*)$'
        for name, value in re.findall(pattern, listed, re.MULTILINE):
            if name in FOR_PIP_ALONE:
                return None
            if name in SAME:
                variable, separator = SAME[name]
                parts = str(literal_eval(value)).split()
                variables[variable] = separator.join(parts)
    return variables
