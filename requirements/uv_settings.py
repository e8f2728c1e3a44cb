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
    'proxy': ('ALL_PROXY', ' '),
    'timeout': ('UV_HTTP_TIMEOUT', ' '),
    'default-timeout': ('UV_HTTP_TIMEOUT', ' '),
}
# What changes the choice of packages and has no variable of uv's.
FOR_PIP_ALONE = (
    r'\.(client-cert|constraint|keyring-provider|no-binary|no-index'
    r'|only-binary|require-hashes)='
)
# pip takes the best version of all its indexes and the system's certificates.
LIKE_PIP = dict(
    UV_INDEX_STRATEGY='unsafe-best-match',
    UV_SYSTEM_CERTS='true',
    UV_NATIVE_TLS='true',  # its former name
)


def from_pip(listed: str) -> Optional[Dict[str, str]]:
    """Translate what pip is configured to do into variables of uv.

    Args:
        listed (str): The output of ``pip config list``: lines such as
            ``global.index-url='...'``.

    Returns:
        dict[str, str], optional: Variables; None where pip is configured in a
        way that uv does not know.
    """
    if re.search(FOR_PIP_ALONE, listed):
        return None
    variables = dict(LIKE_PIP)
    # What pip reads later prevails over what it reads earlier.
    for section in ('global', 'install', ':env:'):
        pattern = rf'^{section}\.([\w-]+)=(.*)$'
        for name, value in re.findall(pattern, listed, re.MULTILINE):
            if name in SAME:
                variable, separator = SAME[name]
                parts = str(literal_eval(value)).split()
                variables[variable] = separator.join(parts)
    return variables
