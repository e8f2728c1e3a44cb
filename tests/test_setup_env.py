import importlib
import os
import re
import sys
import time
from pathlib import Path

import pytest

from mmdrloc.utils import installation

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def setup_env(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / 'requirements'))
    monkeypatch.setattr(installation, 'has_gpu', lambda: False)
    monkeypatch.setattr(installation, 'nvcc_cuda', lambda: None)
    return importlib.import_module('setup_env')


@pytest.fixture
def environment(setup_env, tmp_path):
    environment = setup_env.Environment(tmp_path, 'onedl')
    environment.records.mkdir()
    return environment


@pytest.fixture
def failing():
    """Words that let a command fail."""
    return set()


@pytest.fixture
def commands(environment, failing, monkeypatch):
    """Commands, with their variables, that were called and not run."""
    called = []

    def output_if_failed(*command, variables=None):
        words = [str(word) for word in command]
        called.append((words, variables or {}))
        return 'it failed' if failing & set(words) else None

    monkeypatch.setattr(
        environment.commands, 'output_if_failed', output_if_failed
    )
    return called


def test_every_line_has_its_constraints_and_extra(setup_env):
    setup = (ROOT / 'setup.py').read_text()
    for line in installation.LINES:
        pins = (ROOT / 'requirements' / f'{line}.txt').read_text()
        mmcv = installation.mmcv_of(line)
        for package in (*installation.BUILD_TOOLS, 'uv', mmcv, 'torch'):
            assert re.search(rf'^{package}==\S+$', pins, re.MULTILINE)
        assert f"'{line}': [" in setup


@pytest.fixture
def steps(environment, monkeypatch):
    """The names of the steps that were called, and not done."""
    called = []
    for step in (
        'create',
        'install_build_tools',
        'install_torch',
        'install_mmcv',
        'install_mmcv_without_ops',
        'install_project',
        'check_imports',
    ):
        monkeypatch.setattr(
            environment, step, lambda step=step: called.append(step)
        )
    return called


def test_nothing_is_done_twice(environment, steps, capsys):
    environment.set_up()
    assert len(steps) == 6
    environment.set_up()
    assert len(steps) == 6
    assert 'up to date' in capsys.readouterr().out
    environment.key = 'other constraints'
    environment.set_up()
    assert len(steps) == 12


def test_what_was_interrupted_is_not_up_to_date(
    environment, steps, monkeypatch
):
    def interrupt():
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(environment, 'install_project', interrupt)
        with pytest.raises(KeyboardInterrupt):
            environment.set_up()
    steps.clear()
    environment.set_up()
    assert steps[-1] == 'check_imports'


def test_classification_is_completed_later(environment, steps):
    environment.tasks = 'classification'
    environment.set_up()
    assert 'install_mmcv_without_ops' in steps
    assert 'install_mmcv' not in steps
    environment.tasks = 'all'
    environment.set_up()
    assert 'install_mmcv' in steps
    steps.clear()
    environment.tasks = 'classification'
    environment.set_up()
    assert not steps


def test_wheel_without_ops_is_removed_and_compiled_anew(
    environment, commands, monkeypatch
):
    works = iter([False, False, True])
    monkeypatch.setattr(environment, 'ops_work', lambda: next(works))
    environment.install_mmcv()
    found, forgotten, compiled = (words for words, _ in commands)
    assert '--no-build-isolation' in found
    assert forgotten[-3:] == ['cache', 'remove', 'onedl_mmcv']
    assert '--no-binary=onedl-mmcv' in compiled


def test_working_ops_are_left_alone(environment, commands, monkeypatch):
    monkeypatch.setattr(environment, 'ops_work', lambda: True)
    environment.install_mmcv()
    environment.install_mmcv_without_ops()
    assert not commands


def test_a_prebuilt_wheel_is_taken(environment, commands, monkeypatch):
    monkeypatch.setenv('MMCV_WHEELS', '/some/wheels /others')
    works = iter([False, True, True])
    monkeypatch.setattr(environment, 'ops_work', lambda: next(works))
    environment.install_mmcv()
    ((words, _),) = commands
    assert '--find-links=/some/wheels' in words
    assert '--find-links=/others' in words


def test_mmcv_for_classification_is_neither_compiled_nor_kept(
    environment, commands, monkeypatch
):
    monkeypatch.setattr(environment, 'ops_work', lambda: False)
    environment.install_mmcv_without_ops()
    ((words, variables),) = commands
    assert '--use-pep517' in words  # else it would see torch
    assert variables['PIP_CONSTRAINT'].endswith('requirements/onedl.txt')
    assert '--no-cache-dir' in words


@pytest.mark.parametrize('fails', [False, True])
def test_pip_takes_over_from_uv(environment, commands, failing, fails):
    environment.install('torch')
    ((words, _),) = commands
    assert words[1:3] == ['-m', 'pip']
    commands.clear()
    environment.uv.parent.mkdir()
    environment.uv.touch()
    if fails:
        failing.add(str(environment.uv))
    environment.install('torch')
    words, variables = commands[0]
    assert words[1:3] == ['pip', 'install']
    assert variables['UV_INDEX_STRATEGY'] == 'unsafe-best-match'
    assert len(commands) == 1 + fails


def test_uv_is_configured_as_pip_is(setup_env):
    variables = setup_env.from_pip(
        "global.index-url='https://a/simple'\n"
        "global.find-links='/w /v'\n"
        "install.extra-index-url='https://b https://c'\n"
        "global.extra-index-url='https://d'\n"
        ":env:.cert='/etc/my.pem'\n"
        "global.cert='/etc/other.pem'\n"
        ":env:.disable-pip-version-check='1'\n"
    )
    expected = dict(
        UV_DEFAULT_INDEX='https://a/simple',
        UV_FIND_LINKS='/w,/v',
        UV_EXTRA_INDEX_URL='https://b https://c',
        SSL_CERT_FILE='/etc/my.pem',
    )
    assert variables.items() >= expected.items()
    assert setup_env.from_pip("global.no-index='true'\n") is None


@pytest.mark.parametrize(
    'gpu, nvcc, expected',
    [
        (True, '12', True),
        (True, '13', False),
        (True, None, False),
        (False, '12', False),
    ],
)
def test_cuda_ops_need_a_gpu_and_its_nvcc(
    setup_env, monkeypatch, tmp_path, gpu, nvcc, expected
):
    monkeypatch.setattr(installation, 'has_gpu', lambda: gpu)
    monkeypatch.setattr(installation, 'nvcc_cuda', lambda: nvcc)
    environment = setup_env.Environment(tmp_path, 'onedl')
    assert environment.builds_cuda_ops is expected
    given = {}
    monkeypatch.setattr(
        environment,
        'pip_install',
        lambda *arguments, variables: given.update(variables),
    )
    environment.build_mmcv()
    assert given['FORCE_CUDA'] == str(int(expected))


@pytest.mark.parametrize(
    'output, remedy',
    [
        ('OSError: [Errno 28] No space left on device', 'the disk is full'),
        (
            'ERROR: No matching distribution found for torch==2.10.0',
            'the package registry does not answer',
        ),
        ('/bin/sh: 1: c++: not found', 'there is no C++ compiler'),
        ('fatal error: Python.h: No such file', "Python's C headers"),
        ('something new', 'the lines above and the log say why'),
    ],
)
def test_failed_command_ends_in_a_remedy(
    setup_env, environment, output, remedy
):
    with pytest.raises(setup_env.SetupError) as error:
        environment.commands.run(
            sys.executable,
            '-c',
            f'import sys; print({output!r}); sys.exit("it failed")',
        )
    assert str(error.value).startswith(remedy)


def test_an_interruption_ends_what_a_command_started(
    setup_env, environment, monkeypatch, tmp_path
):
    child = tmp_path / 'child'
    code = (
        'import subprocess, sys\n'
        'child = subprocess.Popen(["sleep", "60"])\n'
        f'open({str(child)!r}, "w").write(str(child.pid))\n'
        'child.wait()\n'
    )

    def interrupt(process, begin):
        while not (child.exists() and child.read_text()):
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(environment.commands, 'watch', interrupt)
    with pytest.raises(KeyboardInterrupt):
        environment.commands.run(sys.executable, '-c', code)
    status = Path('/proc', child.read_text(), 'status')
    while status.exists() and 'zombie' not in status.read_text():
        time.sleep(0.01)


def test_environment_of_another_python_is_refused(setup_env, environment):
    (environment.folder / 'pyvenv.cfg').write_text('version = 3.9.1\n')
    with pytest.raises(setup_env.SetupError, match='made with Python 3.9'):
        environment.create()


def test_full_disk_is_noticed_before_anything_is_installed(
    setup_env, environment, monkeypatch
):
    monkeypatch.setattr(setup_env, 'free_disk_gib', lambda: 3.0)
    with pytest.raises(setup_env.SetupError, match='3.0 GiB are free'):
        environment.create()


def test_the_compiler_goes_when_the_build_is_done(
    setup_env, monkeypatch, tmp_path
):
    monkeypatch.setenv('CXX', 'c++')
    folder = tmp_path / 'with a space' / 'precompiled'
    folder.mkdir(parents=True)
    (folder / 'left.gch').touch()  # by a build that was killed
    python = Path(sys.executable)
    with setup_env.precompiling_compiler(folder, python) as variables:
        assert not (folder / 'left.gch').exists()
        assert ' ' not in variables['CXX']
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert os.system(f'{variables["CXX"]} -dumpversion') == 0
    assert not folder.exists()


@pytest.mark.parametrize(
    'line, version, fits',
    [
        ('onedl', (3, 10, 13), False),
        ('onedl', (3, 11, 0), True),
        ('onedl', (3, 13, 0), True),
        ('openmmlab', (3, 11, 7), True),
        ('openmmlab', (3, 12, 0), False),
    ],
)
def test_pythons(monkeypatch, line, version, fits):
    monkeypatch.setattr(installation.sys, 'version_info', version)
    sentence = installation.unfit_python(line)
    assert bool(sentence) is not fits
    if not fits:
        assert 'PYTHON=python3.11' in sentence
