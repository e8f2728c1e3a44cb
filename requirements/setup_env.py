"""Set up a virtual environment for mmdrloc: what ``make env`` runs.

Needs nothing but Python's standard library. A step that finds its work done
ends at once, so that a run that was interrupted goes on where it stopped.
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
from typing import Dict, List, Optional

from commands import Commands, SetupError, as_time, say
from precompiling_cxx import precompiling_compiler
from uv_settings import from_pip

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mmdrloc.utils import installation  # noqa: E402

NEEDED_DISK_GIB = 12
# What has to import in the end.
MODULES = dict(
    all='cv2, mmcv.ops, mmdet.apis, mmpretrain.apis, mmseg.apis, '
    'mmdrloc.registry',
    classification='cv2, mmcv, mmpretrain.apis, mmdrloc.registry',
)


class Environment:
    """A virtual environment that is being set up.

    Args:
        folder (Path): Where it lies or is to lie.
        line (str): The line of OpenMMLab libraries.
        tasks (str): A member of ``installation.TASKS``; classification needs
            no compiled operators. Defaults to 'all'.
    """

    def __init__(self, folder: Path, line: str, tasks: str = 'all') -> None:
        self.folder = folder
        self.line = line
        self.tasks = tasks
        self.mmcv = installation.mmcv_of(line)
        self.python = folder / 'bin/python'
        self.uv = folder / 'bin/uv'
        self.records = folder / installation.RECORDS
        self.done = folder / installation.DONE
        self.commands = Commands(self.records / 'log.txt')
        self.constraints = ROOT / 'requirements' / f'{line}.txt'
        pins = self.constraints.read_text()
        self.mmcv_version = find(rf'^{self.mmcv}==(\S+)', pins)
        self.torch_cuda = find(r'^nvidia-cuda-runtime-cu\d+==(\d+)', pins)
        # FORCE_CUDA is the variable that mmcv and PyTorch's extensions know.
        self.has_gpu = (
            os.environ.get('FORCE_CUDA') == '1' or installation.has_gpu()
        )
        self.nvcc_cuda = installation.nvcc_cuda()
        self.builds_cuda_ops = (
            self.has_gpu and self.nvcc_cuda == self.torch_cuda
        )
        parts = [str((ROOT, sys.version, self.has_gpu, self.nvcc_cuda)), pins]
        for source in (ROOT / 'setup.py', Path(__file__)):
            parts.append(source.read_text())
        self.key = hashlib.sha256('\0'.join(parts).encode()).hexdigest()

    def set_up(self) -> None:
        """Run the steps, unless nothing has changed since they were done.

        Raises:
            SetupError: A step failed.
        """
        if self.is_done():
            print(f'{self.folder.name} is up to date')
            return
        mmcv = (
            (self.install_mmcv, 'mmcv with its compiled ops', '2 to 3 min')
            if self.tasks == 'all'
            else (self.install_mmcv_without_ops, 'mmcv, not compiled', '10 s')
        )
        steps = (
            (self.create, 'virtual environment', '10 s'),
            (self.install_build_tools, 'build tools', '15 s'),
            (self.install_torch, 'torch and torchvision', '1 to 3 min'),
            mmcv,
            (self.install_project, 'OpenMMLab, mmdrloc, tools', '1 min'),
            (self.check_imports, 'does it import?', '20 s'),
        )
        for number, (step, title, usual) in enumerate(steps, start=1):
            say(f'[{number}/{len(steps)}] {title} (usually {usual})')
            start = time.monotonic()
            step()
            say(f'      done in {as_time(time.monotonic() - start)}')
        self.done.write_text(f'{self.tasks}\n{self.key}')
        say(f'{self.folder.name} is ready')
        if self.tasks == 'classification':
            say('detection needs compiled operators, which `make env` adds')

    def is_done(self) -> bool:
        """Whether these tasks were set up and nothing has changed since."""
        if not self.done.exists():
            return False
        tasks, _, key = self.done.read_text().partition('\n')
        return key == self.key and tasks in ('all', self.tasks)

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
        """Install what compiles mmcv, and uv where it can be had."""
        self.pip_install(*installation.BUILD_TOOLS)
        self.commands.output_if_failed(*self.pip('install', 'uv'))

    def install_torch(self) -> None:
        """Install PyTorch: mmcv is compiled against it."""
        self.install('torch', 'torchvision')

    def install_mmcv(self) -> None:
        """Install mmcv from a wheel that works here, or compile it."""
        if self.ops_work():
            return
        if self.has_gpu and not self.builds_cuda_ops:
            say('      for the CPU only: mmdrloc doctor says why')
        self.build_mmcv()
        if not self.ops_work():
            say('      the wheel that was found does not work here: compiling')
            forget = installation.forget_mmcv(self.line)
            self.commands.output_if_failed(self.python, '-m', 'pip', *forget)
            self.build_mmcv(f'--no-binary={self.mmcv}')
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

    def build_mmcv(self, *options: str) -> None:
        """Install mmcv from a wheel, or compile it.

        A wheel is looked for where pip looks, in its cache too, and where
        MMCV_WHEELS says.
        """
        wheels = os.environ.get('MMCV_WHEELS', '').split()
        if self.builds_cuda_ops:
            device = {'FORCE_CUDA': '1'}
        else:
            device = {'FORCE_CUDA': '0', 'CUDA_VISIBLE_DEVICES': ''}
        folder = self.records / 'precompiled'
        with precompiling_compiler(folder, self.python) as compiler:
            self.pip_install(
                '--verbose',  # shows which file is being compiled
                '--force-reinstall',
                '--no-deps',
                '--no-build-isolation',
                *(f'--find-links={place}' for place in wheels),
                *options,
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
        project = f'{ROOT}[{self.line},dev]'
        self.install('--no-build-isolation', '--editable', project)
        self.install(*installation.REPAIR_OPENCV)

    def check_imports(self) -> None:
        """Import once what the tasks need."""
        self.commands.run(self.python, '-c', f'import {MODULES[self.tasks]}')

    def install(self, *arguments: str) -> None:
        """Install by uv, or by pip where uv is missing or fails.

        uv takes a third of the time. It is told what pip is configured to do;
        pip remains where it cannot.
        """
        listed = installation.output_of(
            str(self.python), '-m', 'pip', 'config', 'list'
        )
        settings = from_pip(listed)
        if self.uv.exists() and settings is not None:
            command = [self.uv, 'pip', 'install', '--python', self.python]
            command += ['--constraint', self.constraints, *arguments]
            settings.update(os.environ)  # what uv is told by its user prevails
            failed = self.commands.output_if_failed(
                *command, variables=settings
            )
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


def main() -> None:
    """Set up the environment that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('line', choices=installation.LINES)
    parser.add_argument('folder', help='folder of the virtual environment')
    parser.add_argument(
        '--tasks',
        choices=installation.TASKS,
        default='all',
        help='classification needs no compiler',
    )
    args = parser.parse_args()
    if installation.unfit_python(args.line):
        sys.exit(f'error: {installation.unfit_python(args.line)}')
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Environment(ROOT / args.folder, args.line, args.tasks).set_up()
    except SetupError as error:
        sys.exit(f'error: {error}')
    except KeyboardInterrupt:
        sys.exit('interrupted: run the command again to go on from here')


if __name__ == '__main__':
    main()
