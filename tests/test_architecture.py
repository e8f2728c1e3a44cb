"""docs/architecture.md: imports go down its table, and few go far."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from made_up_run import write_run

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / 'mmdrloc'
# From the top floor to the ground; a room does not know those above it.
ROOMS = (
    'apis',
    'engine',
    'evaluation',
    'preflight',
    'export',
    'visualization',
    'checkpoints',
    'models',
    'datasets',
    'reporting',
    'utils',
)
GROUND = ('registry', 'version')


def rooms_imported_by(path):
    """The rooms that a file imports something of, wherever in it."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) + 1 - node.level] * bool(node.level)
            module = '.'.join([*up, *filter(None, [node.module])])
            names = [f'{module}.{alias.name}' for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith('mmdrloc.'):
                yield name.split('.')[1]


def test_there_are_no_other_rooms():
    found = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == '.py' or (path / '__init__.py').exists()
    }
    assert found - {'__init__'} <= {*ROOMS, *GROUND}


@pytest.mark.parametrize('room', ROOMS)
def test_imports_go_down(room):
    above = ROOMS[: ROOMS.index(room)]
    wrong = {
        f'{path.relative_to(ROOT)} imports {other}'
        for path in (PACKAGE / room).rglob('*.py')
        for other in rooms_imported_by(path)
        if other in above
    }
    assert not wrong


def imported_by(code, *names):
    """Which of these modules a process has imported in the end."""
    code += f'\nimport sys\nprint(*sys.modules.keys() & {set(names)!r})'
    done = subprocess.run(
        [sys.executable, '-c', code],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize('line', [['recipes'], ['report', '--help'], []])
def test_light_commands_import_no_torch(line):
    code = 'from mmdrloc.apis.cli import main\n'
    code += f'try:\n    main({line or ["--help"]})\nexcept SystemExit: pass'
    assert not imported_by(code, 'torch', 'mmengine')


def test_a_report_imports_no_torch(tmp_path):
    run = write_run(tmp_path, 'net', 0, [50.0])
    line = ['report', str(run), '--out', str(tmp_path / 'a.md')]
    code = f'from mmdrloc.apis.cli import main; main({line})'
    assert not imported_by(code, 'torch', 'mmengine')
    assert (tmp_path / 'a.md').is_file()
