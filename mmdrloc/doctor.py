"""Say what is wrong with an installation, and the command that mends it.

Needs Python's standard library alone and imports the rest one by one, so that
it runs where nothing else does.
"""

import argparse
import os
import platform
import re
import shlex
import shutil
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from .installation import (
    LIBRARIES,
    LINES,
    OLDEST_PYTHON,
    RECORDS,
    REPAIR_OPENCV,
    WITHOUT_OPS,
    forget_mmcv,
    has_gpu,
    mmcv_of,
    output_of,
)

EXAMPLES = """examples:
  python -m mmdrloc.doctor
  python -m mmdrloc.doctor && python tools/train.py CONFIG
"""
CHECKOUT = Path(__file__).resolve().parents[1]
GIB = 2**30
LEAST_DISK_GIB = 5
LEAST_SHARED_MEMORY_GIB = 1


class Finding(NamedTuple):
    """One line of the report.

    Attributes:
        what (str): What was looked at.
        state (str): What was found.
        remedy (str): The command or the step that mends it; empty where
            nothing is wrong.
    """

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
            sum(installed(pair[side]) is not None for pair in self._pairs())
            for side in range(len(LINES))
        ]
        self.line = LINES[counts.index(max(counts))]

    def examine(self) -> Iterator[Finding]:
        """Look at everything, what others need first.

        Yields:
            Finding: One for each thing that was looked at.
        """
        yield python()
        yield from self.requirements()
        yield self.both_lines()
        for name in ('numpy', 'torch', 'torchvision', 'cv2', *LIBRARIES):
            yield self.importable(name)
        yield self.numpy_in_torch()
        yield from self.gpu()
        yield from self.compiled_ops()
        yield disk()
        yield shared_memory()

    @property
    def set_up(self) -> str:
        """The command that installs the pinned stack."""
        if not (CHECKOUT / 'Makefile').is_file():
            return f"{_python()} -m pip install 'mmdrloc[{self.line}]'"
        folder = os.path.relpath(CHECKOUT)
        go_there = '' if folder == '.' else f'cd {shlex.quote(folder)} && '
        if self.line == 'onedl':
            return f'{go_there}rm -rf .venv/.setup && make env'
        return (
            f'{go_there}rm -rf .venv-{self.line}/.setup && '
            f'make env STACK={self.line}'
        )

    def set_up_without(self, *distributions: str) -> str:
        """The command that removes distributions and installs the stack."""
        remove = f'{_python()} -m pip uninstall -y {" ".join(distributions)}'
        return f'{remove} && {self.set_up}'

    def requirements(self) -> Iterator[Finding]:
        """Compare versions with what the package asks for.

        Yields:
            Finding: For each requirement that has a version or is missing.
        """
        listed = _requirements(self.line)
        if listed is None:
            yield Finding('mmdrloc', 'is not installed', self._activate())
            return
        yield Finding('mmdrloc', metadata.version('mmdrloc'))
        packaging = _imported('packaging.requirements')
        if packaging is None:
            yield Finding('packaging', 'is not installed', self.set_up)
            return
        for requirement in map(packaging.Requirement, listed):
            version = installed(requirement.name)
            if version is None:
                yield Finding(
                    requirement.name, 'is not installed', self.set_up
                )
            elif not requirement.specifier.contains(version, True):
                yield Finding(
                    requirement.name,
                    f'{version} is not {requirement.specifier}',
                    self.set_up,
                )

    def both_lines(self) -> Finding:
        """Look for libraries of both lines: they fill the same folders."""
        doubled = [
            name
            for pair in self._pairs()
            for name in pair
            if self._other_line(pair) and installed(name) is not None
        ]
        if doubled:
            return Finding(
                'OpenMMLab line',
                f'two are mixed: {", ".join(doubled)}',
                self.set_up_without(*doubled),
            )
        title = dict(onedl='OneDL', openmmlab='original OpenMMLab')
        return Finding('OpenMMLab line', title[self.line])

    def importable(self, name: str) -> Finding:
        """Import a module.

        Args:
            name (str): The module.

        Returns:
            Finding: Its version, or the first line of the error.
        """
        try:
            module = import_module(name)
        except Exception as error:  # an assertion, a missing symbol, ...
            return Finding(name, _first_line(error), self._mend(name, error))
        return Finding(name, getattr(module, '__version__', 'there'))

    def numpy_in_torch(self) -> Finding:
        """Hand an array from one to the other."""
        what = 'NumPy in torch'
        try:
            import_module('torch').zeros(1).numpy()
        except Exception as error:  # raised in C, of any type
            return Finding(what, _first_line(error), self.set_up)
        return Finding(what, 'works')

    def gpu(self) -> Iterator[Finding]:
        """Compare the GPUs that are there with what torch was built for.

        Yields:
            Finding: For CUDA, and for each GPU.
        """
        torch = _imported('torch')
        if torch is None:
            return
        built_for = torch.version.cuda
        if not torch.cuda.is_available():
            yield self._without_gpu(built_for)
            return
        yield Finding('CUDA', f'{built_for}, of torch')
        architectures = torch.cuda.get_arch_list()
        for index in range(torch.cuda.device_count()):
            capability = torch.cuda.get_device_capability(index)
            state = (
                f'{torch.cuda.get_device_name(index)}, '
                f'sm_{capability[0]}{capability[1]}'
            )
            if runs_on(capability, architectures):
                yield Finding(f'GPU {index}', state)
            else:
                yield Finding(
                    f'GPU {index}',
                    f'{state}, and torch has {" ".join(architectures)}',
                    'install a torch that was built for this GPU: '
                    'https://pytorch.org/get-started/locally',
                )

    def compiled_ops(self) -> Iterator[Finding]:
        """Look at the operators of mmcv: detection and segmentation.

        Yields:
            Finding: Whether they load, and for which GPUs they were built.
        """
        what = 'mmcv ops'
        torch = _imported('torch')
        if torch is None or _imported('mmcv') is None:
            return
        try:
            ops = import_module('mmcv._ext')
        except Exception as error:  # none, or of another torch
            yield (
                Finding(what, 'none: set up for classification (make env)')
                if set_up_without_ops()
                else Finding(what, _first_line(error), self._without_mmcv())
            )
            return
        cuda = ops.get_compiling_cuda_version()
        if cuda == 'not available':
            needed = torch.cuda.is_available()
            yield Finding(
                what,
                'for the CPU only' + (', and there is a GPU' * needed),
                f'let CUDA_HOME name a toolkit of CUDA {torch.version.cuda}: '
                f'export CUDA_HOME=... && {self._without_mmcv()}'
                if needed
                else '',
            )
            return
        architectures = architectures_in(Path(ops.__file__))
        state = f'CUDA {cuda}, {" ".join(architectures) or "for which GPUs?"}'
        missing = [
            '{}.{}'.format(*capability)
            for capability in _capabilities(torch)
            if architectures and not runs_on(capability, architectures)
        ]
        yield Finding(
            what,
            state + (f' without {" ".join(missing)}' if missing else ''),
            f"export TORCH_CUDA_ARCH_LIST='{' '.join(missing)}' && "
            + self._without_mmcv()
            if missing
            else '',
        )

    def _activate(self) -> str:
        """The environment of the checkout, if this is another one."""
        folder = CHECKOUT / '.venv'
        is_set_up = (folder / '.setup/check_imports').is_file()
        if is_set_up and Path(sys.prefix).resolve() != folder.resolve():
            return f'source {os.path.relpath(folder / "bin/activate")}'
        return self.set_up

    def _pairs(self) -> List[Tuple[str, ...]]:
        return list(LIBRARIES.values())

    def _other_line(self, pair: Sequence[str]) -> bool:
        """Whether a library is there in the line that is not ours."""
        other = 1 - LINES.index(self.line)
        return installed(pair[other]) is not None

    def _without_mmcv(self) -> str:
        """Remove mmcv, also the wheel that pip kept, and build it anew."""
        name = mmcv_of(self.line)
        forget = f'{_python()} -m pip {" ".join(forget_mmcv(self.line))}'
        return (
            f'{forget}; {self.set_up_without(name)}'
            if (CHECKOUT / 'Makefile').is_file()
            else f'{forget}; MMCV_WITH_OPS=1 {_python()} -m pip install '
            f'--force-reinstall --no-deps --no-build-isolation {name}'
        )

    def _mend(self, name: str, error: Exception) -> str:
        """What to do about a module that cannot be imported."""
        reason = str(error)
        if 'libGL' in reason:
            return f'{_python()} -m pip install {" ".join(REPAIR_OPENCV)}'
        if 'libgthread' in reason or 'libglib' in reason:
            return 'apt-get install -y libglib2.0-0'
        if 'torchvision::nms' in reason:
            return self.set_up_without('torch', 'torchvision')
        return self.set_up

    @staticmethod
    def _without_gpu(built_for: Optional[str]) -> Finding:
        """No GPU for torch: right on a machine without one."""
        if not has_gpu():
            return Finding('CUDA', 'no GPU here, training runs on the CPU')
        if built_for is None:
            return Finding(
                'CUDA',
                'there is a GPU, and torch was built without CUDA',
                f'{_python()} -m pip uninstall -y torch torchvision, then '
                'https://pytorch.org/get-started/locally',
            )
        return Finding(
            'CUDA',
            f'torch (CUDA {built_for}) cannot use the GPU',
            'install a driver of NVIDIA that knows CUDA '
            f'{built_for}; in a container, start it with --gpus all',
        )


def python() -> Finding:
    """Look at the version of this Python."""
    version = platform.python_version()
    if sys.version_info < OLDEST_PYTHON:
        return Finding(
            'Python',
            f'{version} is older than {".".join(map(str, OLDEST_PYTHON))}',
            'rm -rf .venv && make env PYTHON=python3.11',
        )
    return Finding('Python', version)


def disk() -> Finding:
    """Look at the space where runs are written."""
    free = shutil.disk_usage(os.getcwd()).free / GIB
    state = f'{free:.1f} GiB free here'
    if free < LEAST_DISK_GIB:
        return Finding(
            'disk',
            state,
            'free some space (du -sh work_dirs/*), or write elsewhere: '
            '--work-dir',
        )
    return Finding('disk', state)


def shared_memory(folder: str = '/dev/shm') -> Finding:
    """Look at the memory through which data loaders hand over batches.

    Args:
        folder (str): Where the system has it. Defaults to '/dev/shm'.
    """
    if not os.path.isdir(folder):
        return Finding('shared memory', 'not limited here')
    size = shutil.disk_usage(folder).total / GIB
    state = f'{size:.2f} GiB'
    if size < LEAST_SHARED_MEMORY_GIB:
        return Finding(
            'shared memory',
            f'{state}: data loaders may die of a bus error',
            'start the container with --shm-size=8g, or train with '
            '--cfg-options train_dataloader.num_workers=0 '
            'train_dataloader.persistent_workers=False',
        )
    return Finding('shared memory', state)


def set_up_without_ops() -> bool:
    """Whether this environment was set up for classification alone."""
    records = Path(sys.prefix, RECORDS)
    return (records / WITHOUT_OPS).is_file() and not (
        records / 'install_mmcv'
    ).is_file()


def installed(distribution: str) -> Optional[str]:
    """The version of a distribution, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def runs_on(capability: Tuple[int, int], architectures: Sequence[str]) -> bool:
    """Whether code for some architectures runs on a GPU.

    Machine code (``sm_``) runs on its own and on later minor versions,
    intermediate code (``compute_``) on all later ones.

    Args:
        capability (tuple[int, int]): Of the GPU.
        architectures (Sequence[str]): Such as 'sm_80' and 'compute_90'.
    """
    for name in architectures:
        kind, major, minor = re.match(r'(\w+)_(\d+)(\d)', name).groups()
        built_for = (int(major), int(minor))
        if built_for <= capability and (
            kind == 'compute' or built_for[0] == capability[0]
        ):
            return True
    return False


def architectures_in(library: Path) -> List[str]:
    """The GPU architectures of a compiled library.

    Read by NVIDIA's cuobjdump, of a toolkit or of Triton.

    Args:
        library (Path): The shared library.

    Returns:
        list[str]: Such as 'sm_80' and 'compute_90'; empty without cuobjdump.
    """
    cuobjdump = shutil.which('cuobjdump')
    triton = _imported('triton')
    if cuobjdump is None and triton is not None:
        folder = Path(triton.__file__).parent
        cuobjdump = next(map(str, folder.rglob('bin/cuobjdump')), None)
    if cuobjdump is None:
        return []
    machine = output_of(cuobjdump, '--list-elf', str(library))
    intermediate = output_of(cuobjdump, '--list-ptx', str(library))
    found = set(re.findall(r'sm_\d+', machine))
    found.update(
        f'compute_{number}' for number in re.findall(r'sm_(\d+)', intermediate)
    )
    return sorted(found)


def _requirements(line: str) -> Optional[List[str]]:
    """What mmdrloc asks for with a line; None if it is not installed."""
    try:
        listed = metadata.requires('mmdrloc')
    except metadata.PackageNotFoundError:
        return None
    wanted = re.compile(rf'extra == .{line}\W')
    return [
        text.partition(';')[0]
        for text in listed
        if 'extra ==' not in text or wanted.search(text)
    ]


def _imported(name: str) -> Any:
    """A module that imports; None for one that does not."""
    try:
        return import_module(name)
    except Exception:  # reported where it is looked at
        return None


def _capabilities(torch: Any) -> List[Tuple[int, int]]:
    count = torch.cuda.device_count()
    return [torch.cuda.get_device_capability(index) for index in range(count)]


def _first_line(error: Exception) -> str:
    """The type of an error and the first line of what it says."""
    lines = str(error).strip().splitlines() or ['']
    return f'{type(error).__name__}: {lines[0]}'


def _python() -> str:
    """This Python, to be typed here."""
    return shlex.quote(os.path.relpath(sys.executable))


def report(findings: Sequence[Finding]) -> str:
    """Findings as text.

    Args:
        findings (Sequence[Finding]): What was found.

    Returns:
        str: A line each; the remedies, each once, at the end.
    """
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
    argparse.ArgumentParser(
        prog,
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args(argv)
    findings = list(Doctor().examine())
    print(report(findings))
    sys.exit(any(finding.remedy for finding in findings))


if __name__ == '__main__':
    main()
