"""What an installation consists of, and what this machine offers it.

For ``requirements/setup_env.py``, which installs, and ``mmdrloc doctor``,
which looks afterwards. Both run where nothing is installed: standard library
alone.
"""

import os
import re
import shutil
import subprocess
import sys
from typing import Optional, Tuple

# The lines of the OpenMMLab libraries; also extras in setup.py and names of
# constraint files in requirements/.
LINES = ('onedl', 'openmmlab')
OLDEST_PYTHON = (3, 11)  # also in setup.py
# torch 2.1 was not built for later ones.
NEWEST_PYTHON = dict(openmmlab=(3, 11))
# What is imported, and its distribution in either line.
LIBRARIES = {
    'mmengine': ('onedl-mmengine', 'mmengine'),
    'mmcv': ('onedl-mmcv', 'mmcv'),
    'mmpretrain': ('onedl-mmpretrain', 'mmpretrain'),
    'mmdet': ('onedl-mmdetection', 'mmdet'),
    'mmseg': ('onedl-mmsegmentation', 'mmsegmentation'),
}
# mmcv is compiled against the torch that is installed, hence outside of pip's
# isolated build, hence with build tools of our own.
BUILD_TOOLS = ('pip', 'setuptools', 'wheel', 'packaging', 'ninja', 'psutil')
# What can be set up; classification needs no compiled operators.
TASKS = ('all', 'classification')
# In the environment: a log, and what was set up with a key of what from.
RECORDS = '.setup'
DONE = f'{RECORDS}/done'
# Both OpenCV packages fill the same folder, and the other one needs libGL,
# which servers and containers lack: this one has to come last.
REPAIR_OPENCV = ('--force-reinstall', '--no-deps', 'opencv-python-headless')


def mmcv_of(line: str) -> str:
    """Name of a line's distribution of mmcv."""
    return LIBRARIES['mmcv'][LINES.index(line)]


def forget_mmcv(line: str) -> Tuple[str, ...]:
    """Arguments for pip: remove the wheels of mmcv that it has built.

    It keeps each and hands it out again, be it one without ops (made by an
    isolated build) or for another torch.

    Args:
        line (str): A member of ``LINES``.
    """
    return ('cache', 'remove', mmcv_of(line).replace('-', '_'))


def unfit_python(line: str) -> str:
    """A sentence about a Python that the pins do not fit, or nothing."""
    newest = NEWEST_PYTHON.get(line, sys.version_info[:2])
    if OLDEST_PYTHON <= sys.version_info[:2] <= newest:
        return ''
    wanted = '{}.{}'.format(*OLDEST_PYTHON)
    later = '' if line in NEWEST_PYTHON else ' or later'
    return (
        f'the pinned packages need Python {wanted}{later}: name one, for '
        f'example PYTHON=python{wanted}'
    )


def output_of(*command: str) -> str:
    """What a program prints; nothing if it is not there or fails."""
    if shutil.which(command[0]) is None:
        return ''
    done = subprocess.run(command, capture_output=True, text=True)
    return '' if done.returncode else done.stdout


def has_gpu() -> bool:
    """Whether the driver sees an NVIDIA GPU."""
    return 'GPU 0' in output_of('nvidia-smi', '-L')


def nvcc_cuda() -> Optional[str]:
    """Major version of the CUDA toolkit that PyTorch would compile with."""
    home = os.environ.get('CUDA_HOME') or os.environ.get('CUDA_PATH')
    nvcc = (
        f'{home}/bin/nvcc'
        if home
        else shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'
    )
    release = re.search(r'release (\d+)', output_of(nvcc, '--version'))
    return release.group(1) if release else None
