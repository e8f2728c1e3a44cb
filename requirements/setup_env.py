"""Set up a virtual environment for mmdrloc: what ``make env`` runs.

Needs nothing but Python's standard library. Each step leaves a stamp in the
environment, so that a run that has nothing to do ends at once and a run that
was interrupted goes on where it stopped.
"""

import argparse
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterator, NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[1]
NEEDED_DISK_GIB = 12
OLDEST_PYTHON = (3, 11)


class Stack(NamedTuple):
    """One line of the OpenMMLab libraries.

    Attributes:
        mmcv (str): Name of its mmcv distribution.
        compile_time (str): How long mmcv usually compiles.
    """

    mmcv: str
    compile_time: str


# The keys name the constraint file and the extra in setup.py.
STACKS = {
    'onedl': Stack('onedl-mmcv', '2 min on 2 cores'),
    'openmmlab': Stack('mmcv', '2 min on 2 cores'),
}

# mmcv is compiled against the torch that is installed, hence outside of pip's
# isolated build, hence with build tools of our own.
BUILD_TOOLS = ('pip', 'setuptools', 'wheel', 'packaging', 'ninja', 'psutil')

NO_COMPILER = (
    'there is no C++ compiler, which mmcv needs: install one (Debian, Ubuntu: '
    'apt-get install g++) or name it in CXX, and run the command again'
)

# What in the output tells the cause of a failure, and what the user can do.
REMEDIES = (
    (
        'No space left on device',
        'the disk is full: free the space where the checkout, the cache of '
        'pip and TMPDIR lie, and run the command again',
    ),
    (
        'ensurepip is not available|No module named ensurepip',
        'this Python cannot make virtual environments: install its venv '
        'module (Debian, Ubuntu: apt-get install python3-venv)',
    ),
    (
        'Temporary failure in name resolution|NewConnectionError|Max retries'
        '|ConnectTimeout|ReadTimeout|ProxyError|SSLError'
        '|No matching distribution found|conflicting dependencies',
        'the package registry does not answer, or lacks a pinned package '
        'for this platform: check the network and what `pip config list` '
        'says, and run the command again',
    ),
    (
        r'(c|g)\+\+\S*: (command )?not found'
        r"|command '\S*(g\+\+|c\+\+|gcc|cc)' failed: No such file",
        NO_COMPILER,
    ),
    (
        r'Killed signal terminated program|\(program cc1plus\)',
        'the compiler ran out of memory: run the command again with '
        'MAX_JOBS=1',
    ),
)


class SetupError(Exception):
    """A step failed; the message is a sentence with cause and remedy."""


class Environment:
    """A virtual environment that is being set up.

    Args:
        folder (Path): Where it lies or is to lie.
        stack_name (str): A key of ``STACKS``.
    """

    def __init__(self, folder: Path, stack_name: str) -> None:
        self.folder = folder
        self.stack_name = stack_name
        self.stack = STACKS[stack_name]
        self.python = folder / 'bin/python'
        self.records = folder / '.setup'
        self.log = self.records / 'log.txt'
        self.constraints = ROOT / 'requirements' / f'{stack_name}.txt'
        pins = self.constraints.read_text()
        self.mmcv_version = find(rf'^{self.stack.mmcv}==(\S+)', pins)
        self.torch_cuda = find(r'^nvidia-cuda-runtime-cu\d+==(\d+)', pins)
        self.has_gpu = has_gpu()
        self.nvcc_cuda = nvcc_cuda()
        self.key = hashlib.sha256(
            '\0'.join(
                (
                    pins,
                    (ROOT / 'setup.py').read_text(),
                    Path(__file__).read_text(),
                    str((ROOT, sys.version, self.has_gpu, self.nvcc_cuda)),
                )
            ).encode()
        ).hexdigest()

    @property
    def builds_cuda_ops(self) -> bool:
        """Whether mmcv can be compiled for the GPU."""
        return self.has_gpu and self.nvcc_cuda == self.torch_cuda

    def set_up(self) -> None:
        """Run the steps that are not done yet.

        Raises:
            SetupError: A step failed.
        """
        steps = (
            (self.create, 'virtual environment', '10 s'),
            (self.install_build_tools, 'build tools', '15 s'),
            (self.install_torch, 'torch and torchvision', '2 to 5 min'),
            (
                self.install_mmcv,
                'mmcv with its compiled ops',
                f'{self.stack.compile_time}; seconds if pip kept its wheel',
            ),
            (
                self.install_project,
                'OpenMMLab libraries, mmdrloc, tools',
                '1 to 2 min',
            ),
            (self.check_imports, 'does everything import?', '20 s'),
        )
        if all(self.is_done(step) for step, _, _ in steps):
            print(f'{self.folder.name} is up to date')
            return
        for number, (step, title, usual) in enumerate(steps, start=1):
            if self.is_done(step):
                continue
            say(f'[{number}/{len(steps)}] {title} (usually {usual})')
            start = time.monotonic()
            step()
            self.stamp(step).write_text(self.key)
            say(f'      done in {as_time(time.monotonic() - start)}')
        say(f'{self.folder.name} is ready')

    def stamp(self, step: Callable[[], None]) -> Path:
        """File that holds the key under which a step was last done."""
        return self.records / step.__name__

    def is_done(self, step: Callable[[], None]) -> bool:
        """Whether a step was done and nothing it depends on has changed."""
        stamp = self.stamp(step)
        return stamp.exists() and stamp.read_text() == self.key

    def create(self) -> None:
        """Make the virtual environment, or take one that is there."""
        settings = self.folder / 'pyvenv.cfg'
        if settings.exists():
            made_with = find(
                r'^version\w* *= *(\d+\.\d+)', settings.read_text()
            )
            ours = '{}.{}'.format(*sys.version_info)
            if made_with != ours:
                raise SetupError(
                    f'{self.folder} was made with Python {made_with}, not '
                    f'{ours}: delete it and run the command again, or name '
                    f'the other one (PYTHON=python{made_with})'
                )
        elif free_disk_gib() < NEEDED_DISK_GIB:
            raise SetupError(
                f'{free_disk_gib():.1f} GiB are free on the disk of {ROOT} '
                f'and about {NEEDED_DISK_GIB} are needed: free some space '
                'and run the command again'
            )
        self.records.mkdir(parents=True, exist_ok=True)
        self.run(sys.executable, '-m', 'venv', self.folder)

    def install_build_tools(self) -> None:
        """Install what compiles mmcv; miss a compiler now, not later."""
        self.pip_install(*BUILD_TOOLS)
        if not (self.ops_work() or self.pip_has_mmcv_wheel()):
            check_compiler()

    def install_torch(self) -> None:
        """Install PyTorch: mmcv is compiled against it."""
        self.pip_install('torch', 'torchvision')

    def install_mmcv(self) -> None:
        """Install mmcv and make sure that its ops work.

        pip keeps each wheel it builds and hands it out again, be it one
        without ops (made by an isolated build) or for another torch.
        """
        if self.has_gpu and not self.builds_cuda_ops:
            say(self.why_cpu_ops())
        if self.ops_work():
            return
        from_cache = self.pip_has_mmcv_wheel()
        self.pip_install_mmcv()
        if from_cache and not self.ops_work():
            say(
                '      pip had kept a wheel whose ops do not work here: '
                f'compiling (usually {self.stack.compile_time})'
            )
            self.run(
                self.python,
                '-m',
                'pip',
                'cache',
                'remove',
                self.stack.mmcv.replace('-', '_'),
            )
            self.pip_install_mmcv()
        if not self.ops_work():
            raise SetupError(
                f'{self.stack.mmcv} was compiled but `import mmcv._ext` '
                'fails: use a compiler that PyTorch accepts (GCC 9 or later), '
                'named in CXX, and run the command again'
            )

    def why_cpu_ops(self) -> str:
        """The reason why a machine with a GPU gets ops for the CPU."""
        nvcc = (
            f'nvcc is of CUDA {self.nvcc_cuda}'
            if self.nvcc_cuda
            else 'there is no nvcc'
        )
        return (
            f'      note: torch is built for CUDA {self.torch_cuda} and '
            f'{nvcc}, so mmcv gets ops for the CPU only. Classification '
            'uses the GPU; run detection and segmentation with '
            'CUDA_VISIBLE_DEVICES= or let CUDA_HOME name a CUDA '
            f'{self.torch_cuda} toolkit and run the command again.'
        )

    def pip_has_mmcv_wheel(self) -> bool:
        """Whether pip's cache holds a wheel of the pinned mmcv."""
        name = self.stack.mmcv.replace('-', '_')
        listed = subprocess.run(
            [self.python, '-m', 'pip', 'cache', 'list', name],
            capture_output=True,
            text=True,
        )
        return f'{name}-{self.mmcv_version}' in listed.stdout

    def pip_install_mmcv(self) -> None:
        """Install mmcv from pip's cache, or compile it."""
        if self.builds_cuda_ops:
            device = {'FORCE_CUDA': '1'}
        else:
            device = {'FORCE_CUDA': '0', 'CUDA_VISIBLE_DEVICES': ''}
        with precompiling_compiler(self.python) as compiler:
            self.pip_install(
                '--verbose',  # shows which file is being compiled
                '--force-reinstall',
                '--no-deps',
                '--no-build-isolation',
                self.stack.mmcv,
                variables={'MMCV_WITH_OPS': '1', **device, **compiler},
            )

    def ops_work(self) -> bool:
        """Whether the pinned mmcv is there, with ops for the device.

        Loads the compiled module alone: what else mmcv imports may not be
        installed yet.
        """
        code = (
            'import importlib.metadata, importlib.util, sys, torch\n'
            'mmcv = importlib.util.find_spec("mmcv")\n'
            'sys.path += mmcv.submodule_search_locations\n'
            'import _ext\n'
            f'version = importlib.metadata.version({self.stack.mmcv!r})\n'
            f'assert version == {self.mmcv_version!r}\n'
            f'assert not {self.builds_cuda_ops} or '
            '_ext.get_compiling_cuda_version() != "not available"\n'
        )
        return (
            subprocess.run(
                [self.python, '-c', code], capture_output=True
            ).returncode
            == 0
        )

    def install_project(self) -> None:
        """Install mmdrloc, editable, with all that it needs."""
        self.pip_install(
            '--no-build-isolation',
            '--editable',
            f'{ROOT}[{self.stack_name},dev]',
        )
        # Both OpenCV packages fill the same folder. This one comes last: the
        # other needs libGL, which servers and containers lack.
        self.pip_install(
            '--force-reinstall', '--no-deps', 'opencv-python-headless'
        )

    def check_imports(self) -> None:
        """Import all libraries once."""
        self.run(
            self.python,
            '-c',
            'import cv2, mmcv.ops, mmdet.apis, '
            'mmpretrain.apis, mmseg.apis, mmdrloc.registry',
        )

    def pip_install(
        self, *arguments: str, variables: Optional[Dict[str, str]] = None
    ) -> None:
        """Run ``pip install`` under the stack's constraints."""
        self.run(
            self.python,
            '-m',
            'pip',
            'install',
            '--no-input',
            '--disable-pip-version-check',
            '--constraint',
            self.constraints,
            *arguments,
            variables=variables,
        )

    def run(
        self, *command: object, variables: Optional[Dict[str, str]] = None
    ) -> None:
        """Run a command, its output in the log, and show that it goes on.

        Raises:
            SetupError: The command failed.
        """
        path = f'{self.folder / "bin"}{os.pathsep}{os.environ["PATH"]}'
        environment = {**os.environ, **(variables or {}), 'PATH': path}
        with self.log.open('a+') as log:
            begin = log.seek(0, os.SEEK_END)
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
            )
            try:
                watch(process, self.log, begin)
            finally:
                process.terminate()
                process.wait()
        if process.returncode:
            with self.log.open(errors='replace') as log:
                log.seek(begin)
                output = log.read()
            raise SetupError(self.explain(output))

    def explain(self, output: str) -> str:
        """The last lines of a failed command and a sentence about it."""
        remedy = 'the lines above and the log say why: mend it and run again'
        for pattern, sentence in REMEDIES:
            if re.search(pattern, output):
                remedy = sentence
                break
        last_lines = '\n'.join(output.splitlines()[-12:])
        print(f'{last_lines}\n(all of it is in {self.log})', file=sys.stderr)
        return remedy


def watch(process: subprocess.Popen, log: Path, begin: int) -> None:
    """Show the time a process takes until it ends, and its ninja's count.

    Args:
        process (Popen): The process; it writes to the log.
        log (Path): The log.
        begin (int): Where in the log the process's output begins.
    """
    on_terminal = sys.stdout.isatty()
    every = 1 if on_terminal else 60
    start = time.monotonic()
    while True:
        try:
            process.wait(timeout=every)
            break
        except subprocess.TimeoutExpired:
            line = f'      {as_time(time.monotonic() - start)}'
            with log.open(errors='replace') as stream:
                stream.seek(begin)
                counts = re.findall(
                    r'^\s*\[(\d+)/(\d+)\]', stream.read(), re.MULTILINE
                )
            if counts:
                line += ', {} of {} files compiled'.format(*counts[-1])
            print(
                f'\r{line}' if on_terminal else line,
                end='' if on_terminal else '\n',
                flush=True,
            )
    if on_terminal:
        print('\r' + ' ' * 70 + '\r', end='', flush=True)


def find(pattern: str, text: str) -> str:
    """The first group of the first match of a pattern that must be there."""
    return re.search(pattern, text, re.MULTILINE).group(1)


def say(text: str) -> None:
    """Print at once, also into a pipe."""
    print(text, flush=True)


def as_time(seconds: float) -> str:
    """Seconds in words, such as ``3 min 20 s``."""
    minutes, seconds = divmod(round(seconds), 60)
    return f'{minutes} min {seconds} s' if minutes else f'{seconds} s'


def free_disk_gib() -> float:
    """Free space where the checkout lies, in GiB."""
    return shutil.disk_usage(ROOT).free / 2**30


def has_gpu() -> bool:
    """Whether there is an NVIDIA GPU, or FORCE_CUDA=1 says to build for one.

    FORCE_CUDA is the variable that mmcv and PyTorch's extensions know.
    """
    if os.environ.get('FORCE_CUDA') == '1':
        return True
    if shutil.which('nvidia-smi') is None:
        return False
    listed = subprocess.run(
        ['nvidia-smi', '-L'], capture_output=True, text=True
    )
    return listed.returncode == 0 and 'GPU 0' in listed.stdout


def nvcc_cuda() -> Optional[str]:
    """Major version of the CUDA toolkit that PyTorch would compile with."""
    home = os.environ.get('CUDA_HOME') or os.environ.get('CUDA_PATH')
    nvcc = (
        f'{home}/bin/nvcc'
        if home
        else shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'
    )
    if not os.access(nvcc, os.X_OK):
        return None
    version = subprocess.run(
        [nvcc, '--version'], capture_output=True, text=True
    )
    release = re.search(r'release (\d+)', version.stdout)
    return release.group(1) if release else None


def cxx() -> str:
    """The command of the C++ compiler that PyTorch would take."""
    return os.environ.get('CXX') or 'c++'


@contextmanager
def precompiling_compiler(python: Path) -> Iterator[Dict[str, str]]:
    """Variables that let mmcv compile in a fifth of the time.

    Args:
        python (Path): Runs ``precompiling_cxx.py``.

    Yields:
        Dict[str, str]: For the environment of the build. The precompiled
        header, some 400 MB, goes with the context.
    """
    with tempfile.TemporaryDirectory(prefix='mmdrloc-') as folder:
        # PyTorch wants to read g++ in the compiler's name.
        program = Path(folder, 'g++-with-precompiled-header')
        source = Path(__file__).with_name('precompiling_cxx.py')
        command = shlex.join([str(python), '-S', str(source)])
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o755)
        yield dict(
            CXX=str(program), MMDRLOC_CXX=cxx(), MMDRLOC_PRECOMPILED=folder
        )


def check_compiler() -> None:
    """Make sure that a C++ compiler and Python's headers are there.

    Raises:
        SetupError: One of them is missing.
    """
    if shutil.which(shlex.split(cxx())[0]) is None:
        raise SetupError(NO_COMPILER)
    if not Path(sysconfig.get_path('include'), 'Python.h').exists():
        version = '{}.{}'.format(*sys.version_info)
        raise SetupError(
            "Python's C headers are missing, which mmcv needs: install them "
            f'(Debian, Ubuntu: apt-get install python{version}-dev) and run '
            'the command again'
        )


def main() -> None:
    """Set up the environment that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('stack', choices=STACKS)
    parser.add_argument('folder', help='folder of the virtual environment')
    args = parser.parse_args()
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(
            'error: the pinned packages need Python {}.{} or later: name '
            'one, for example PYTHON=python3.11'.format(*OLDEST_PYTHON)
        )
    try:
        Environment(ROOT / args.folder, args.stack).set_up()
    except SetupError as error:
        sys.exit(f'error: {error}')
    except KeyboardInterrupt:
        sys.exit('interrupted: run the command again to go on from here')


if __name__ == '__main__':
    main()
