"""Which code a run was made with."""

import os
import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Dict, Optional

import torch

from mmdrloc.version import __version__

LIBRARIES = 'torch torchvision numpy mmengine mmcv mmdet mmseg mmpretrain'


def library_versions() -> Dict[str, Optional[str]]:
    """Versions of the stack, None for what is not installed."""
    distributions = metadata.packages_distributions()
    versions: Dict[str, Optional[str]] = {}
    for name in LIBRARIES.split():
        owners = distributions.get(name)
        versions[name] = metadata.version(owners[0]) if owners else None
    versions['mmdrloc'] = __version__
    return versions


def machine() -> str:
    """What computes, such as 'AMD EPYC, 2 cores'."""
    cores = f'{_processor()}, {os.cpu_count()} cores'
    if not torch.cuda.is_available():
        return cores
    return (
        f'{torch.cuda.device_count()} x '
        f'{torch.cuda.get_device_name()}, {cores}'
    )


def _processor() -> str:
    """The processor's own name, where the system tells it."""
    info = Path('/proc/cpuinfo')
    names = re.findall(
        r'^model name\s*:\s*(.+)$',
        info.read_text() if info.exists() else '',
        re.M,
    )
    return names[0] if names else platform.machine()


def git_revision() -> Optional[str]:
    """The commit that the package is at.

    Returns:
        Optional[str]: The hash, with ``-dirty`` after it when files were
        changed since; None if the package is not part of a checkout.
    """
    package = Path(__file__).resolve().parents[1]
    # A package installed below somebody else's repository is not tracked.
    tracked = _git(package, 'ls-files', '--error-unmatch', '__init__.py')
    if tracked is None:
        return None
    return _git(
        package,
        'describe',
        '--always',
        '--dirty',
        '--abbrev=40',
        '--exclude=*',
    )


def _git(folder: Path, *arguments: str) -> Optional[str]:
    try:
        return subprocess.run(
            ['git', *arguments],
            cwd=folder,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
