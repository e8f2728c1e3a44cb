"""The C++ compiler that mmcv's operators are compiled with."""

import os
import shlex
import shutil
import sys
import sysconfig
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator

from logged_commands import NO_COMPILER


def cxx() -> str:
    """The command of the C++ compiler that PyTorch would take."""
    return os.environ.get('CXX') or 'c++'


@contextmanager
def precompiling_compiler(
    folder: Path, python: Path
) -> Iterator[Dict[str, str]]:
    """Variables that let mmcv compile in a fifth of the time.

    Args:
        folder (Path): For the compiler and the precompiled header, some
            400 MB. It goes with the context, or when the next one begins.
        python (Path): Runs ``precompiling_cxx.py``.

    Yields:
        Dict[str, str]: For the environment of the build.
    """
    found = shutil.which(shlex.split(cxx())[0])
    if found is None:  # a wheel will do
        yield {}
        return
    compiler = Path(found).resolve().name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # PyTorch reads in the name which compiler it is; it is found in PATH,
    # since build tools split a path at its spaces.
    program = folder / f'{"clang++" if "clang" in compiler else "g++"}-mmdrloc'
    source = Path(__file__).with_name('precompiling_cxx.py')
    command = shlex.join([str(python), '-S', str(source)])
    program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    program.chmod(0o755)
    try:
        yield dict(
            CXX=program.name,
            PATH=f'{folder}{os.pathsep}{os.environ["PATH"]}',
            MMDRLOC_CXX=cxx(),
            MMDRLOC_PRECOMPILED=str(folder),
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def missing_for_compiling() -> str:
    """A sentence about what is missing for compiling; nothing if all is."""
    if shutil.which(shlex.split(cxx())[0]) is None:
        return NO_COMPILER
    if not Path(sysconfig.get_path('include'), 'Python.h').exists():
        version = '{}.{}'.format(*sys.version_info)
        return (
            "Python's C headers are missing, which mmcv needs: install them "
            f'(Debian, Ubuntu: apt-get install python{version}-dev) and run '
            'the command again; without them, make env TASKS=classification'
        )
    return ''
