"""Set up a virtual environment for mmdrloc: what ``make env`` runs.

Needs nothing but Python's standard library. Each step leaves a stamp in the
environment, so that a run that has nothing to do ends at once and a run that
was interrupted goes on where it stopped.
"""

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Dict, List, Optional

from compiler import missing_for_compiling, precompiling_compiler
from logged_commands import LoggedCommands, SetupError, as_time, say
from uv_settings import from_pip

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mmdrloc import installation  # noqa: E402

NEEDED_DISK_GIB = 12
# torch 2.1 was not built for later ones.
NEWEST_PYTHON = dict(openmmlab=(3, 11))
COMPILE_TIME = '2 to 3 min on 2 cores'
TASKS = ('all', 'classification')

# mmcv is compiled against the torch that is installed, hence outside of pip's
# isolated build, hence with build tools of our own.
BUILD_TOOLS = ('pip', 'setuptools', 'wheel', 'packaging', 'ninja', 'psutil')


class Environment:
    """A virtual environment that is being set up.

    Args:
        folder (Path): Where it lies or is to lie.
        line (str): The line of OpenMMLab libraries.
        tasks (str): A member of ``TASKS``; classification needs no compiled
            operators. Defaults to 'all'.
    """

    def __init__(self, folder: Path, line: str, tasks: str = 'all') -> None:
        self.folder = folder
        self.line = line
        self.tasks = tasks
        self.mmcv = installation.mmcv_of(line)
        self.python = folder / 'bin/python'
        self.uv = folder / 'bin/uv'
        self.records = folder / installation.RECORDS
        self.precompiled = self.records / 'precompiled'
        self.commands = LoggedCommands(
            self.records / 'log.txt', folder / 'bin'
        )
        self.constraints = ROOT / 'requirements' / f'{line}.txt'
        pins = self.constraints.read_text()
        self.mmcv_version = find(rf'^{self.mmcv}==(\S+)', pins)
        self.torch_cuda = find(r'^nvidia-cuda-runtime-cu\d+==(\d+)', pins)
        # FORCE_CUDA is the variable that mmcv and PyTorch's extensions know.
        self.has_gpu = (
            os.environ.get('FORCE_CUDA') == '1' or installation.has_gpu()
        )
        self.nvcc_cuda = installation.nvcc_cuda()
        sources = [ROOT / 'setup.py', Path(installation.__file__)]
        sources += sorted(Path(__file__).parent.glob('*.py'))
        machine = str((ROOT, sys.version, self.has_gpu, self.nvcc_cuda))
        parts = [pins, machine, *(path.read_text() for path in sources)]
        self.key = hashlib.sha256('\0'.join(parts).encode()).hexdigest()

    @property
    def builds_cuda_ops(self) -> bool:
        """Whether mmcv can be compiled for the GPU."""
        return self.has_gpu and self.nvcc_cuda == self.torch_cuda

    def set_up(self) -> None:
        """Run the steps that are not done yet.

        Raises:
            SetupError: A step failed.
        """
        mmcv = (
            (self.install_mmcv, 'mmcv with its compiled ops', COMPILE_TIME),
            (self.install_mmcv_without_ops, 'mmcv, not compiled', '10 s'),
        )[TASKS.index(self.tasks)]
        check = (self.check_imports, self.check_classification)
        steps = (
            (self.create, 'virtual environment', '10 s'),
            (self.install_build_tools, 'build tools', '15 s'),
            (self.install_torch, 'torch and torchvision', '1 to 3 min'),
            mmcv,
            (self.install_project, 'OpenMMLab, mmdrloc, tools', '1 min'),
            (check[TASKS.index(self.tasks)], 'does it import?', '20 s'),
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
        self.commands.run(sys.executable, '-m', 'venv', self.folder)

    def install_build_tools(self) -> None:
        """Install what compiles mmcv; miss a compiler now, not later."""
        self.pip_install(*BUILD_TOOLS)
        # A third of the time where it can be had.
        self.commands.output_if_failed(*self.pip('install', 'uv'))
        if self.tasks == 'all':
            self.check_compiler()

    def install_torch(self) -> None:
        """Install PyTorch: mmcv is compiled against it."""
        self.install('torch', 'torchvision')

    def install_mmcv(self) -> None:
        """Install mmcv from a wheel that works here, or compile it."""
        if self.ops_work():
            return
        self.commands.output_if_failed(*self.prebuilt_mmcv())
        if self.ops_work():
            say('      a prebuilt wheel fits')
            return
        self.check_compiler()
        if self.has_gpu and not self.builds_cuda_ops:
            say(self.why_cpu_ops())
        from_cache = self.pip_has_mmcv_wheel()
        self.build_mmcv()
        if from_cache and not self.ops_work():
            say(
                '      pip had kept a wheel whose ops do not work here: '
                f'compiling (usually {COMPILE_TIME})'
            )
            forget = installation.forget_mmcv(self.line)
            self.commands.run(self.python, '-m', 'pip', *forget)
            self.build_mmcv()
        if not self.ops_work():
            raise SetupError(
                f'{self.mmcv} was compiled but `import mmcv._ext` '
                'fails: use a compiler that PyTorch accepts (GCC 9 or later), '
                'named in CXX, and run the command again'
            )

    def install_mmcv_without_ops(self) -> None:
        """Install mmcv as classification needs it, or leave one with ops."""
        if not self.ops_work():
            # Both lines compile wherever they see torch, which an isolated
            # build does not. It has the pinned setuptools by a variable, in
            # which a path may hold no space.
            pins = self.constraints.as_uri()
            self.pip_install(
                '--no-deps',
                '--use-pep517',
                # A wheel without ops shall not be kept for a later set-up.
                '--no-cache-dir',
                self.mmcv,
                variables={'MMCV_WITH_OPS': '1', 'PIP_CONSTRAINT': pins},
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

    def prebuilt_mmcv(self, *options: str) -> List[object]:
        """The command that installs a wheel of mmcv somebody else built.

        Looked for where pip looks, and where MMCV_WHEELS says: addresses or
        folders, as in pip's ``--find-links``.
        """
        places = [
            f'--find-links={place}'
            for place in os.environ.get('MMCV_WHEELS', '').split()
        ]
        return self.pip(
            'install',
            *('--force-reinstall', '--no-deps', '--only-binary=:all:'),
            *(*options, *places, self.mmcv),
        )

    def check_compiler(self) -> None:
        """Make sure that mmcv can be had, compiled or as a wheel.

        Raises:
            SetupError: There is no C++ compiler, or no header of Python's.
        """
        missing = missing_for_compiling()
        if missing and not (
            self.ops_work()
            or self.pip_has_mmcv_wheel()
            or self.commands.output_if_failed(*self.prebuilt_mmcv('--dry-run'))
            is None
        ):
            raise SetupError(missing)

    def pip_has_mmcv_wheel(self) -> bool:
        """Whether pip's cache holds a wheel of the pinned mmcv."""
        name = self.mmcv.replace('-', '_')
        listed = installation.output_of(
            str(self.python), '-m', 'pip', 'cache', 'list', name
        )
        return f'{name}-{self.mmcv_version}' in listed

    def build_mmcv(self) -> None:
        """Install mmcv from the wheels pip has built, or compile it."""
        if self.builds_cuda_ops:
            device = {'FORCE_CUDA': '1'}
        else:
            device = {'FORCE_CUDA': '0', 'CUDA_VISIBLE_DEVICES': ''}
        with precompiling_compiler(self.precompiled, self.python) as compiler:
            self.pip_install(
                '--verbose',  # shows which file is being compiled
                '--force-reinstall',
                '--no-deps',
                '--no-build-isolation',
                self.mmcv,
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
            f'version = importlib.metadata.version({self.mmcv!r})\n'
            # What stands behind a + tells the torch of a prebuilt wheel.
            f'assert version.partition("+")[0] == {self.mmcv_version!r}\n'
            f'assert not {self.builds_cuda_ops} or '
            '_ext.get_compiling_cuda_version() != "not available"\n'
        )
        done = subprocess.run([self.python, '-c', code], capture_output=True)
        return done.returncode == 0

    def install_project(self) -> None:
        """Install mmdrloc, editable, with all that it needs."""
        self.install(
            '--no-build-isolation',
            '--editable',
            f'{ROOT}[{self.line},dev]',
        )
        self.install(*installation.REPAIR_OPENCV)

    def check_imports(self) -> None:
        """Import all libraries once."""
        self.commands.run(
            self.python,
            '-c',
            'import cv2, mmcv.ops, mmdet.apis, '
            'mmpretrain.apis, mmseg.apis, mmdrloc.registry',
        )

    def check_classification(self) -> None:
        """Import what classification needs once."""
        self.commands.run(
            self.python,
            '-c',
            'import cv2, mmcv, mmpretrain.apis, mmdrloc.registry',
        )
        say(
            '      note: detection needs the compiled operators of mmcv, '
            'which `make env` without TASKS adds'
        )

    def install(self, *arguments: str) -> None:
        """Install by uv, or by pip where uv is missing or fails.

        uv is told what pip is configured to do; pip remains where it cannot.
        """
        listed = installation.output_of(
            str(self.python), '-m', 'pip', 'config', 'list'
        )
        settings = from_pip(listed)
        if self.uv.exists() and settings is not None:
            ours = {
                name: value
                for name, value in settings.items()
                if name not in os.environ
            }
            command = [self.uv, 'pip', 'install', '--python', self.python]
            command += ['--constraint', self.constraints, *arguments]
            failed = self.commands.output_if_failed(*command, variables=ours)
            if failed is None:
                return
            say('      uv did not succeed (see the log): pip takes over')
        self.pip_install(*arguments)

    def pip(self, *arguments: object) -> List[object]:
        """A command of pip's under the stack's constraints."""
        options = ('--no-input', '--disable-pip-version-check')
        command = [self.python, '-m', 'pip', *options, *arguments]
        return [*command, '--constraint', self.constraints]

    def pip_install(
        self, *arguments: str, variables: Optional[Dict[str, str]] = None
    ) -> None:
        """Run ``pip install`` under the stack's constraints."""
        command = self.pip('install', *arguments)
        self.commands.run(*command, variables=variables)


def find(pattern: str, text: str) -> str:
    """The first group of the first match of a pattern that must be there."""
    return re.search(pattern, text, re.MULTILINE).group(1)


def free_disk_gib() -> float:
    """Free space where the checkout lies, in GiB."""
    return shutil.disk_usage(ROOT).free / 2**30


def unfit_python(line: str) -> str:
    """A sentence about a Python that the pins do not fit, or nothing."""
    oldest = installation.OLDEST_PYTHON
    newest = NEWEST_PYTHON.get(line)
    if sys.version_info < oldest or (newest and sys.version_info[:2] > newest):
        wanted = '{}.{}'.format(*oldest)
        later = '' if newest == oldest else ' or later'
        return (
            f'the pinned packages need Python {wanted}{later}: name one, for '
            f'example PYTHON=python{wanted}'
        )
    return ''


def main() -> None:
    """Set up the environment that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('line', choices=installation.LINES)
    parser.add_argument('folder', help='folder of the virtual environment')
    parser.add_argument(
        '--tasks',
        choices=TASKS,
        default='all',
        help='classification needs no compiler',
    )
    args = parser.parse_args()
    if unfit_python(args.line):
        sys.exit(f'error: {unfit_python(args.line)}')
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Environment(ROOT / args.folder, args.line, args.tasks).set_up()
    except SetupError as error:
        sys.exit(f'error: {error}')
    except KeyboardInterrupt:
        sys.exit('interrupted: run the command again to go on from here')


if __name__ == '__main__':
    main()
