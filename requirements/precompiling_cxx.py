"""A C++ compiler for mmcv's ops that reads PyTorch's headers only once.

Nearly all of the time that an op compiles goes into the same headers and into
debugging information that nobody reads. PyTorch's build calls this program
instead of the compiler (``CXX``); it adds ``-g0`` and a precompiled header,
made by the first call with exactly the flags of that call. Where the compiler
cannot make or use one, it compiles as it would have anyway. (GCC ignores a
header of other flags, clang calls it an error: hence the second attempt.)

    MMDRLOC_CXX="c++" MMDRLOC_PRECOMPILED=FOLDER CXX=THIS_FILE ...
"""

import fcntl
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator, List

# What all ops include in the end.
HEADER = '#include <torch/types.h>\n#include <vector>\n'
SOURCES = ('.cc', '.cpp', '.cxx')


@contextmanager
def precompiling_compiler(
    folder: Path, python: Path
) -> Iterator[Dict[str, str]]:
    """Variables that let mmcv compile in a fifth of the time.

    Args:
        folder (Path): For the compiler and the precompiled header, some
            400 MB. It goes with the context, or when the next one begins.
        python (Path): Runs this file.

    Yields:
        Dict[str, str]: For the environment of the build.
    """
    cxx = os.environ.get('CXX') or 'c++'  # as PyTorch takes it
    found = shutil.which(shlex.split(cxx)[0])
    if found is None:  # a wheel will do
        yield {}
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # PyTorch reads in the name which compiler it is; it is found in PATH,
    # since build tools split a path at its spaces.
    is_clang = 'clang' in Path(found).resolve().name
    program = folder / f'{"clang++" if is_clang else "g++"}-mmdrloc'
    command = shlex.join([str(python), '-S', __file__])
    program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    program.chmod(0o755)
    try:
        yield dict(
            CXX=program.name,
            # The environment's folder of programs holds ninja.
            PATH=os.pathsep.join(
                [str(folder), str(python.parent), os.environ['PATH']]
            ),
            MMDRLOC_CXX=cxx,
            MMDRLOC_PRECOMPILED=str(folder),
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Compile as the arguments say; the compiler's exit status."""
    compiler = shlex.split(os.environ['MMDRLOC_CXX'])
    arguments = sys.argv[1:]
    sources = [word for word in arguments if word.endswith(SOURCES)]
    if '-c' in arguments and len(sources) == 1:
        arguments.append('-g0')
        header = Path(os.environ['MMDRLOC_PRECOMPILED'], 'torch_headers.h')
        if precompile(compiler, arguments, sources[0], header):
            command = [*compiler, *arguments, '-include', str(header)]
            if subprocess.call(command) == 0:
                return 0
    return subprocess.call([*compiler, *arguments])


def precompile(
    compiler: List[str], arguments: List[str], source: str, header: Path
) -> bool:
    """Precompile a header, unless an earlier call has tried: is it there?"""
    # GCC's name for it, which clang looks for as well.
    precompiled = Path(f'{header}.gch')
    try:
        with open(f'{header}.lock', 'w') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two sources compile at a time
            if not header.exists():
                header.write_text(HEADER)
                command = [*compiler, *flags_of(arguments, source)]
                command += ['-x', 'c++-header', str(header), '-o']
                made = subprocess.call([*command, str(precompiled)]) == 0
                if not made:
                    precompiled.unlink(missing_ok=True)
    except OSError:  # no room, no lock
        return False
    return precompiled.exists()


def flags_of(arguments: List[str], source: str) -> List[str]:
    """The arguments of a compilation without what names source and results."""
    flags = []
    words = iter(arguments)
    for word in words:
        if word in ('-o', '-MF', '-MT', '-MQ'):
            next(words, None)
        elif word not in ('-c', '-MMD', '-MD', '-MP', source):
            flags.append(word)
    return flags


if __name__ == '__main__':
    sys.exit(main())
