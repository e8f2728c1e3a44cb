"""Which code a run was made with, and on which machine."""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, Optional

import torch

from mmdrloc.version import __version__

LIBRARIES = 'torch torchvision numpy mmengine mmcv mmdet mmseg mmpretrain'


def library_versions() -> Dict[str, Optional[str]]:
    """Get the versions of the libraries, None for those not imported."""
    found: Dict[str, Optional[str]] = {
        name: getattr(sys.modules.get(name), '__version__', None)
        for name in LIBRARIES.split()
    }
    return {**found, 'mmdrloc': __version__}


def machine() -> str:
    """Name CPU and GPUs, such as 'AMD EPYC, 2 cores'."""
    info = Path('/proc/cpuinfo')
    text = info.read_text() if info.exists() else ''
    names = re.findall(r'^model name\s*:\s*(.+)$', text, re.M)
    cores = f'{[*names, platform.machine()][0]}, {os.cpu_count()} cores'
    if not torch.cuda.is_available():
        return cores
    gpus = f'{torch.cuda.device_count()} x {torch.cuda.get_device_name()}'
    return f'{gpus}, {cores}'


def git_revision() -> Optional[str]:
    """Get the commit of the package, ``-dirty`` if files were changed since.

    None if the package is not in a checkout of its own.
    """
    root = Path(__file__).resolve().parents[2]
    command = 'git describe --always --dirty --abbrev=40 --exclude=*'
    if not (root / '.git').exists() or not shutil.which('git'):
        return None
    done = subprocess.run(
        command.split(), cwd=root, text=True, capture_output=True
    )
    return done.stdout.strip() or None
