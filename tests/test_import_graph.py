"""Arrows go one way: who may import whom, read from the sources."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / 'mmdrloc'
# From the ground up. A part may import what stands above it in this list, and
# of its own line.
LINES = [
    [
        'version',
        'errors',
        'files',
        'nodes',
        'ranks',
        'connections',
        'shipped',
    ],
    ['console', 'installation', 'provenance', 'signals', 'recipe_list'],
    ['doctor', 'registry', 'records', 'budget'],
    ['reading'],
    ['saved'],
    ['work_folder'],
    ['datasets', 'models', 'evaluation'],
    ['transfer', 'data_choice', 'checks', 'recipes'],
    ['visualization', 'reporting', 'deployment'],
    ['engine'],
    ['apis'],
    ['commands'],
]
LEVELS = {part: level for level, line in enumerate(LINES) for part in line}
PARTS = sorted(
    path.stem
    for path in PACKAGE.iterdir()
    if path.suffix == '.py' or (path / '__init__.py').exists()
)


def part_of(name):
    """``mmdrloc.preflight.labels`` is of ``checks``."""
    return name.split('.')[1] if '.' in name else '__init__'


def imported_by(path):
    """Names of modules of ours that a file imports, wherever in it."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) + 1 - node.level]
            start = [*up] if node.level else []
            module = '.'.join(
                [*start, *([node.module] if node.module else [])]
            )
            # `from mmdrloc import recipes` names a module too.
            names = [f'{module}.{alias.name}' for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.startswith('mmdrloc.'))


def files_of(part):
    module = PACKAGE / f'{part}.py'
    return [module] if module.exists() else (PACKAGE / part).rglob('*.py')


def test_each_part_has_its_place():
    assert set(PARTS) - {'__init__'} <= set(LEVELS)


@pytest.mark.parametrize('part', [p for p in PARTS if p != '__init__'])
def test_no_part_imports_what_is_built_on_it(part):
    for path in files_of(part):
        for name in imported_by(path):
            if part_of(name) in LEVELS:
                assert LEVELS[part_of(name)] <= LEVELS[part], (
                    f'{path.relative_to(ROOT)} imports {name}'
                )


def test_tools_are_entries():
    """What a command does is in the package, not in its script."""
    for name in ('train', 'test', 'paired', 'transfer', 'report', 'publish'):
        script = ROOT / f'tools/{name}.py'
        assert len(script.read_text().splitlines()) < 10


def test_the_graph_is_read_from_all_kinds_of_imports(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), 'ROOT', tmp_path)
    path = tmp_path / 'mmdrloc/preflight/a.py'
    path.parent.mkdir(parents=True)
    path.write_text(
        'import mmdrloc.apis.run\n'
        'from mmdrloc import commands\n'
        'from mmdrloc.engine.hooks import X\n'
        'from . import labels\n'
        'from .labels import y\n'
        'from ..models import Z\n'
        'def f():\n    from mmdrloc.reporting import runs\n'
    )
    assert [part_of(name) for name in imported_by(path)] == [
        'apis',
        'commands',
        'engine',
        'checks',
        'checks',
        'models',
        'reporting',
    ]
