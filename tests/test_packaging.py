import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    'mmdrloc',
    'configs',
    'tools',
    'setup.py',
    'pyproject.toml',
    'MANIFEST.in',
    'LICENSE',
    'README.md',
    'model-index.yml',
)


@pytest.fixture(scope='module')
def checkout(tmp_path_factory) -> Path:
    """A copy of what is built, so that building leaves no trace in ours."""
    folder = tmp_path_factory.mktemp('checkout')
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder)
    return folder


def build(what: str, source: Path, output: Path) -> Path:
    """Let setuptools, as pip would, build a wheel, an sdist or an editable."""
    output.mkdir()
    code = (
        'import sys; from setuptools import build_meta; '
        f'build_meta.build_{what}(sys.argv[1])'
    )
    subprocess.run(
        [sys.executable, '-c', code, str(output)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    return next(output.iterdir())


def files_in(wheel: Path) -> set:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope='module')
def wheel_files(checkout, tmp_path_factory) -> set:
    output = tmp_path_factory.mktemp('wheel') / 'dist'
    subprocess.run(
        [
            sys.executable,
            '-m',
            'pip',
            'wheel',
            '--no-deps',
            '--no-index',
            '--no-build-isolation',
            '--wheel-dir',
            str(output),
            str(checkout),
        ],
        check=True,
        capture_output=True,
    )
    return files_in(next(output.iterdir()))


def test_wheel_ships_what_mim_looks_for(wheel_files):
    assert 'mmdrloc/.mim/model-index.yml' in wheel_files
    for folder in ('configs', 'tools'):
        ours = {
            f'mmdrloc/.mim/{path.relative_to(ROOT)}'
            for path in (ROOT / folder).rglob('*')
            if path.is_file() and '__pycache__' not in path.parts
        }
        assert ours and ours <= wheel_files
    assert not [name for name in wheel_files if name.endswith('.pyc')]


def test_wheel_ships_the_package_alone(wheel_files):
    top = {name.split('/')[0] for name in wheel_files}
    assert {name.split('-')[0] for name in top} == {'mmdrloc'}
    modules = {
        str(path.relative_to(ROOT))
        for path in (ROOT / 'mmdrloc').rglob('*.py')
    }
    assert modules <= wheel_files


def test_sdist_builds_the_same_wheel(checkout, wheel_files, tmp_path):
    sdist = build('sdist', checkout, tmp_path / 'sdist')
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / 'unpacked', filter='data')
    source = next((tmp_path / 'unpacked').iterdir())
    assert files_in(build('wheel', source, tmp_path / 'dist')) == wheel_files


def test_editable_install_has_no_mim(checkout, tmp_path):
    editable = build('editable', checkout, tmp_path / 'editable')
    assert not [name for name in files_in(editable) if '.mim' in name]
    assert not (checkout / 'mmdrloc/.mim').exists()


def test_version_is_read_without_importing_the_package(checkout):
    code = (
        'import runpy, sys; sys.argv = ["setup.py", "--version"]; '
        'runpy.run_path("setup.py"); '
        'assert "torch" not in sys.modules and "mmdrloc" not in '
        'sys.modules'
    )
    shown = subprocess.run(
        [sys.executable, '-c', code],
        cwd=checkout,
        check=True,
        capture_output=True,
        text=True,
    )
    expected = (ROOT / 'mmdrloc/version.py').read_text().split("'")[1]
    assert shown.stdout.split()[-1] == expected


def test_model_index_names_files_that_exist():
    index = yaml.safe_load((ROOT / 'model-index.yml').read_text())
    assert index['Import']
    for path in index['Import']:
        assert (ROOT / path).is_file(), path
