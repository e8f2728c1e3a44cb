"""Say what is wrong with an installation, and the command that mends it.

Needs Python's standard library alone and imports the rest one by one, so that
it runs where nothing else does.
"""

import argparse
import os
import platform
import shlex
import shutil
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
)

from .errors import first_line
from .installation import (
    BUILD_TOOLS,
    DONE,
    LIBRARIES,
    LINES,
    REPAIR_OPENCV,
    forget_mmcv,
    has_gpu,
    mmcv_of,
    nvcc_cuda,
    unfit_python,
)

PAIRS = tuple(LIBRARIES.values())
CHECKOUT = Path(__file__).resolve().parents[2]
GIB = 2**30
LEAST_DISK_GIB = 5
LEAST_SHARED_MEMORY_GIB = 1
OTHER_TORCH = (
    'install a torch for this GPU and its driver '
    '(https://pytorch.org/get-started/locally), or a newer driver of NVIDIA; '
    'start a container with --gpus all'
)


class Finding(NamedTuple):
    """What was looked at, its state, and what mends it ('': it is right)."""

    what: str
    state: str
    remedy: str = ''


class Doctor:
    """Looks at the Python that runs it.

    Attributes:
        line (str): The line of OpenMMLab libraries that is installed, a
            member of ``LINES``; the default one where none is.
    """

    def __init__(self) -> None:
        counts = [
            sum(installed(pair[side]) is not None for pair in PAIRS)
            for side in range(len(LINES))
        ]
        self.line = LINES[counts.index(max(counts))]

    def examine(self) -> Iterator[Finding]:
        """Look at everything, what others need first."""
        remedy = unfit_python(self.line)
        yield Finding('Python', platform.python_version(), remedy)
        yield from self.requirements()
        yield self.both_lines()
        for name in ('numpy', 'torch', 'torchvision', 'cv2', *LIBRARIES):
            yield self.importable(name)
        if _imports('torch'):
            zero = import_module('torch').zeros(1)
            yield tried(
                'NumPy in torch', lambda: zero.numpy().dtype.name, self.set_up
            )
            yield from gpus()
        if _imports('torch') and _imports('mmcv'):
            yield self.compiled_ops()
        yield disk()
        yield shared_memory()

    @property
    def set_up(self) -> str:
        """The command that installs the pinned stack."""
        if not (CHECKOUT / 'Makefile').is_file():
            return f"{_python()} -m pip install 'mmdrloc[{self.line}]'"
        folder = os.path.relpath(CHECKOUT)
        go_there = '' if folder == '.' else f'cd {shlex.quote(folder)} && '
        venv, stack = ('.venv', '')
        if self.line != 'onedl':
            venv, stack = (f'.venv-{self.line}', f' STACK={self.line}')
        return f'{go_there}rm -rf {venv}/.setup && make env{stack}'

    def set_up_without(self, *distributions: str) -> str:
        """The command that removes distributions and installs the stack."""
        remove = f'{_python()} -m pip uninstall -y {" ".join(distributions)}'
        return f'{remove} && {self.set_up}'

    def requirements(self) -> Iterator[Finding]:
        """Compare versions with what the package asks for.

        Yields:
            Finding: For the package, and for each requirement that is missing
            or has another version.
        """
        version = installed('mmdrloc')
        if version is None:
            yield Finding('mmdrloc', 'is not installed', self._activate())
            return
        yield Finding('mmdrloc', version)
        if not _imports('packaging.requirements'):
            yield Finding('packaging', 'is not installed', self.set_up)
            return
        parse = import_module('packaging.requirements').Requirement
        for wanted in map(parse, metadata.requires('mmdrloc')):
            extra = dict(extra=self.line)
            if wanted.marker and not wanted.marker.evaluate(extra):
                continue
            version = installed(wanted.name)
            if version is None or not wanted.specifier.contains(version, True):
                state = f'{version or "none"}, not {wanted.specifier or "any"}'
                yield Finding(wanted.name, state, self.set_up)

    def both_lines(self) -> Finding:
        """Look for libraries of both lines: they fill the same folders."""
        pairs = [pair for pair in PAIRS if all(map(installed, pair))]
        if not pairs:
            return Finding('OpenMMLab line', self.line)
        doubled = [name for pair in pairs for name in pair]
        return Finding(
            'OpenMMLab line',
            f'two are mixed: {", ".join(doubled)}',
            self.set_up_without(*doubled),
        )

    def importable(self, name: str) -> Finding:
        """Import a module: its version, or the first line of the error."""
        finding = tried(
            name,
            lambda: getattr(import_module(name), '__version__', 'there'),
            self.set_up,
        )
        return finding._replace(remedy=self._mend(finding))

    def compiled_ops(self) -> Finding:
        """Use an operator of mmcv where detection would: on the GPUs."""
        torch = import_module('torch')
        devices = _gpus(torch) or ['cpu']

        def suppress() -> str:
            for device in devices:
                box = torch.ones(1, 4, device=device)
                import_module('mmcv.ops').nms(box, box[:, 0], 0.5)
            return f'work on {", ".join(devices)}'

        remedy = self._without_mmcv()
        cuda = torch.version.cuda or ''
        if devices != ['cpu'] and nvcc_cuda() != cuda.partition('.')[0]:
            remedy = (
                f'let CUDA_HOME name a toolkit of CUDA {cuda}: '
                f'export CUDA_HOME=... && {remedy}'
            )
        finding = tried('mmcv ops', suppress, remedy)
        if finding.remedy and set_up_for() == 'classification':
            state = 'none: set up for classification (make env)'
            return Finding('mmcv ops', state)
        return finding

    def _activate(self) -> str:
        """The environment of the checkout, if this is another one."""
        folder = CHECKOUT / '.venv'
        if (folder / DONE).is_file() and not Path(sys.prefix).samefile(folder):
            return f'source {os.path.relpath(folder / "bin/activate")}'
        return self.set_up

    def _without_mmcv(self) -> str:
        """Remove mmcv, also the wheel that pip kept, and build it anew."""
        name = mmcv_of(self.line)
        pip = f'{_python()} -m pip'
        forget = f'{pip} {" ".join(forget_mmcv(self.line))}'
        if (CHECKOUT / 'Makefile').is_file():
            return f'{forget}; {self.set_up_without(name)}'
        return (
            f'{forget}; {pip} install {" ".join(BUILD_TOOLS)} && '
            f'MMCV_WITH_OPS=1 {pip} install --force-reinstall --no-deps '
            f'--no-build-isolation {name}=={installed(name)}'
        )

    def _mend(self, finding: Finding) -> str:
        """What to do about a module that may not have been imported."""
        if 'libGL' in finding.state:
            return f'{_python()} -m pip install {" ".join(REPAIR_OPENCV)}'
        if 'libgthread' in finding.state or 'libglib' in finding.state:
            return 'apt-get install -y libglib2.0-0'
        if 'torchvision::nms' in finding.state:
            return self.set_up_without('torch', 'torchvision')
        return finding.remedy


def tried(what: str, trial: Callable[[], str], remedy: str) -> Finding:
    """What a trial says, or the first line of its error and the remedy."""
    try:
        return Finding(what, trial())
    except Exception as error:  # an assertion, a missing symbol, ...
        state = f'{type(error).__name__}: {first_line(error)}'
        return Finding(what, state, remedy)


def gpus() -> Iterator[Finding]:
    """Let each GPU compute."""
    torch = import_module('torch')
    if not _gpus(torch):
        if has_gpu():
            state = f'torch (CUDA {torch.version.cuda}) cannot use the GPU'
            yield Finding('CUDA', state, OTHER_TORCH)
        else:
            yield Finding('CUDA', 'no GPU here, training runs on the CPU')
    for device in _gpus(torch):

        def compute(device: str = device) -> str:
            torch.ones(1, device=device).add(1).item()
            name = torch.cuda.get_device_name(device)
            return f'{name}, CUDA {torch.version.cuda}'

        yield tried(device, compute, OTHER_TORCH)


def disk() -> Finding:
    """Look at the space where runs are written."""
    free = shutil.disk_usage(os.getcwd()).free / GIB
    remedy = 'free some space (du -sh work_dirs/*), or use --work-dir'
    state = f'{free:.1f} GiB free here'
    return Finding('disk', state, remedy if free < LEAST_DISK_GIB else '')


def shared_memory(folder: str = '/dev/shm') -> Finding:
    """Look at the memory through which data loaders hand over batches."""
    if not os.path.isdir(folder):
        return Finding('shared memory', 'not limited here')
    size = shutil.disk_usage(folder).total / GIB
    if size >= LEAST_SHARED_MEMORY_GIB:
        return Finding('shared memory', f'{size:.2f} GiB')
    return Finding(
        'shared memory',
        f'{size:.2f} GiB: data loaders may die of a bus error',
        'start the container with --shm-size=8g, or train with '
        '--cfg-options train_dataloader.num_workers=0 '
        'train_dataloader.persistent_workers=False',
    )


def set_up_for() -> str:
    """The tasks that `make env` set this environment up for; '' if not."""
    done = Path(sys.prefix, DONE)
    return done.read_text().partition('\n')[0] if done.is_file() else ''


def installed(distribution: str) -> Optional[str]:
    """The version of a distribution, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _imports(name: str) -> bool:
    """Whether a module can be imported; if not, that is reported elsewhere."""
    return not tried(name, lambda: str(import_module(name)), 'yes').remedy


def _gpus(torch: Any) -> List[str]:
    return [f'cuda:{index}' for index in range(torch.cuda.device_count())]


def _python() -> str:
    """This Python, to be typed here."""
    return shlex.quote(os.path.relpath(sys.executable))


def report(findings: Sequence[Finding]) -> str:
    """Findings as text: a line each, and at the end each remedy once."""
    width = max(len(finding.what) for finding in findings)
    lines = [
        f'{"WRONG" if finding.remedy else "ok   "}  '
        f'{finding.what:<{width}}  {finding.state}'
        for finding in findings
    ]
    remedies: Dict[str, List[str]] = {}
    for finding in findings:
        if finding.remedy:
            remedies.setdefault(finding.remedy, []).append(finding.what)
    for remedy, what in remedies.items():
        lines += ['', f'to mend {", ".join(dict.fromkeys(what))}:', remedy]
    return '\n'.join(lines)


def main(
    argv: Optional[Sequence[str]] = None, prog: Optional[str] = None
) -> None:
    """Run the command line: exit status 1 if anything is wrong.

    Args:
        argv (Sequence[str], optional): Its words. Defaults to those of the
            process.
        prog (str, optional): What the command is called.
    """
    argparse.ArgumentParser(prog, description=__doc__).parse_args(argv)
    findings = list(Doctor().examine())
    print(report(findings))
    sys.exit(any(finding.remedy for finding in findings))


if __name__ == '__main__':
    main()
