"""The doctor: one part that does not import is named, the rest is tried."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def doctor(path):
    code = (
        f'import sys; sys.path[:0] = [{str(path)!r}, {str(ROOT)!r}]; '
        'from mmdrloc.apis import doctor; doctor(); '
        'import warnings; warnings.warn("the process is as it was")'
    )
    return subprocess.run(
        [sys.executable, '-c', code], capture_output=True, text=True
    )


def broken(folder, *modules):
    for name in modules:
        module = folder / name / '__init__.py'
        module.parent.mkdir(parents=True)
        module.write_text(f'raise ImportError("no symbol in {name}")\n')
    return folder


@pytest.mark.parametrize('module, status', [('timm', 1), ('mmseg', 0)])
def test_a_broken_part_is_named(tmp_path, module, status):
    done = doctor(broken(tmp_path, module))
    wrong = [x for x in done.stdout.splitlines() if x.startswith('WRONG')]
    assert any(f'no symbol in {module}' in line for line in wrong)
    assert 'make env' in done.stdout
    assert done.returncode == status
    assert status or 'the process is as it was' in done.stderr
    assert any(
        'torchvision' in x for x in done.stdout.splitlines() if x[:2] == 'ok'
    )
