import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
from tiny_run import write_config

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
def wheel(checkout, tmp_path_factory) -> Path:
    output = tmp_path_factory.mktemp('wheel') / 'dist'
    return build('wheel', checkout, output)


@pytest.fixture(scope='module')
def wheel_files(wheel) -> set:
    return files_in(wheel)


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


def test_wheel_has_the_command_and_what_it_lists(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    [points] = tmp_path.glob('*.dist-info/entry_points.txt')
    assert 'mmdrloc = mmdrloc.apis.cli:main' in points.read_text()
    code = "from mmdrloc.apis.cli import main; main(['recipes', 'photos/'])"
    shown = subprocess.run(
        [sys.executable, '-c', code],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(tmp_path)),
        check=True,
        capture_output=True,
        text=True,
    )
    assert shown.stdout.startswith('photos/')


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


@pytest.fixture
def mim(wheel, tmp_path):
    """``mim`` where the wheel is installed, over the libraries of this one."""
    folder = tmp_path / 'venv'
    venv.create(folder, with_pip=True)
    [packages] = folder.glob('lib/python*/site-packages')
    (packages / 'stack.pth').write_text(sysconfig.get_path('purelib'))
    is_onedl = any(distributions(name='onedl-mmengine'))
    line = 'onedl' if is_onedl else 'openmmlab'
    constraints = ROOT / f'requirements/{line}.txt'
    install = [folder / 'bin/pip', 'install', '--quiet']
    done = subprocess.run(
        [*install, '--constraint', constraints, 'openmim'],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f'openmim cannot be had here: {done.stderr[-200:]}')
    subprocess.run([*install, '--no-deps', '--no-index', wheel], check=True)

    def run(*line: str) -> str:
        done = subprocess.run(
            [folder / 'bin/mim', *line],
            cwd=tmp_path,
            env=dict(os.environ, OMP_NUM_THREADS='1', CUDA_VISIBLE_DEVICES=''),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


@pytest.mark.slow
def test_mim_trains_and_tests_from_the_wheel(mim, tmp_path):
    write_config(tmp_path, classes=2)
    # Recipes of several protocols share names, of which mim takes none: it
    # lists their paths.
    [config] = tmp_path.glob('venv/**/.mim/configs/photos/swin-mini_drloc.py')
    options = ['--dataset', 'data', '--cfg-options', 'train_cfg.max_epochs=3']
    trained = mim('train', 'mmdrloc', str(config), *options)
    assert 'mmdrloc/.mim/configs/photos' in trained
    folder = tmp_path / 'work_dirs/swin-mini_drloc_data'
    run = json.loads((folder / 'result.json').read_text())['run']
    assert run['recipe'] == 'photos/swin-mini_drloc'
    assert run['dataset'] == str(tmp_path / 'data')
    checkpoint = str(folder / 'epoch_3.pth')
    tested = mim(
        'test', 'mmdrloc', str(config), '--checkpoint', checkpoint, *options
    )
    assert 'accuracy/top1' in tested
