import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = (
    Path(__file__).resolve().parents[1] / 'requirements/precompiling_cxx.py'
)


@pytest.fixture
def compile_op(tmp_path):
    """Compile a source against stand-ins for PyTorch's headers."""
    (tmp_path / 'torch').mkdir()
    (tmp_path / 'kept').mkdir()
    variables = dict(
        os.environ, MMDRLOC_CXX='c++', MMDRLOC_PRECOMPILED=f'{tmp_path}/kept'
    )

    def run(name: str, text: str, *flags: str) -> subprocess.CompletedProcess:
        source = tmp_path / f'{name}.cpp'
        source.write_text(text)
        command = ['-MMD', '-MF', f'{source}.d', '-g', f'-I{tmp_path}', *flags]
        command += ['-c', str(source), '-o', f'{source}.o']
        return subprocess.run(
            [sys.executable, PROGRAM, *command],
            env=variables,
            capture_output=True,
            text=True,
        )

    return run


def test_headers_are_compiled_once_and_used(compile_op, tmp_path):
    types = tmp_path / 'torch/types.h'
    types.write_text('inline int answer() { return 42; }\n')
    op = 'int op() { return answer(); }\n'
    # -H lists the headers, a precompiled one that is used behind a !.
    first = compile_op('first', op, '-H')
    assert first.returncode == 0, first.stderr
    assert '! ' in first.stderr
    made = (tmp_path / 'kept/torch_headers.h.gch').stat().st_mtime_ns
    assert compile_op('second', op, '-H').returncode == 0
    assert (tmp_path / 'kept/torch_headers.h.gch').stat().st_mtime_ns == made
    debugging = subprocess.run(
        ['objdump', '--section-headers', tmp_path / 'first.cpp.o'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert '.debug_info' not in debugging.stdout


def test_other_flags_compile_without_the_header(compile_op, tmp_path):
    (tmp_path / 'torch/types.h').write_text('#define KIND WANTED\n')
    op = '#include <torch/types.h>\nint op() { return KIND; }\n'
    assert compile_op('first', op, '-DWANTED=1').returncode == 0
    other = compile_op('other', op, '-DWANTED=2', '-std=c++11', '-H')
    assert other.returncode == 0, other.stderr


def test_a_header_that_fails_hinders_nothing(compile_op, tmp_path):
    (tmp_path / 'torch/types.h').write_text('#error not for you\n')
    plain = compile_op('plain', 'int op() { return 1; }\n')
    assert plain.returncode == 0
    assert (tmp_path / 'plain.cpp.o').exists()


def test_no_room_for_the_header_hinders_nothing(compile_op, tmp_path):
    (tmp_path / 'torch/types.h').write_text('')
    (tmp_path / 'kept').rmdir()
    assert compile_op('plain', 'int op() { return 1; }\n').returncode == 0


def test_a_header_the_compiler_refuses_hinders_nothing(compile_op, tmp_path):
    """As clang does where flags differ; GCC would only ignore it."""
    (tmp_path / 'torch/types.h').write_text('')
    assert compile_op('first', 'int op() { return 1; }\n').returncode == 0
    header = tmp_path / 'kept/torch_headers.h'
    (tmp_path / 'kept/torch_headers.h.gch').write_text('')
    header.write_text('#error refused\n')
    assert compile_op('second', 'int op() { return 1; }\n').returncode == 0


def test_faults_and_links_go_to_the_compiler(compile_op, tmp_path):
    (tmp_path / 'torch/types.h').write_text('')
    assert compile_op('wrong', 'int op() {\n').returncode != 0
    version = subprocess.run(
        [sys.executable, PROGRAM, '-dumpversion'],
        env=dict(os.environ, MMDRLOC_CXX='c++', MMDRLOC_PRECOMPILED='/none'),
        capture_output=True,
    )
    assert version.returncode == 0
