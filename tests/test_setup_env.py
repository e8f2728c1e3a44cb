import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def setup_env(monkeypatch):
    path = ROOT / 'requirements/setup_env.py'
    spec = importlib.util.spec_from_file_location('setup_env', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, 'has_gpu', lambda: False)
    monkeypatch.setattr(module, 'nvcc_cuda', lambda: None)
    return module


@pytest.fixture
def environment(setup_env, tmp_path):
    environment = setup_env.Environment(tmp_path, 'onedl')
    environment.records.mkdir()
    return environment


def test_every_stack_has_its_constraints_and_extra(setup_env):
    setup = (ROOT / 'setup.py').read_text()
    for name, stack in setup_env.STACKS.items():
        pins = (ROOT / 'requirements' / f'{name}.txt').read_text()
        for package in (*setup_env.BUILD_TOOLS, stack.mmcv, 'torch'):
            assert re.search(rf'^{package}==\S+$', pins, re.MULTILINE)
        assert f"'{name}': [" in setup


def test_steps_are_done_once(environment, monkeypatch, capsys):
    called = []
    for step in (
        'create',
        'install_build_tools',
        'install_torch',
        'install_mmcv',
        'install_project',
        'check_imports',
    ):

        def record(step=step):
            called.append(step)

        record.__name__ = step
        monkeypatch.setattr(environment, step, record)
    environment.set_up()
    assert len(called) == 6
    environment.set_up()
    assert len(called) == 6
    assert 'up to date' in capsys.readouterr().out
    environment.key = 'other constraints'
    environment.set_up()
    assert len(called) == 12


def test_wheel_without_ops_is_removed_and_compiled_anew(
    environment, monkeypatch
):
    commands = []
    monkeypatch.setattr(
        environment,
        'run',
        lambda *command, variables=None: commands.append(command),
    )
    monkeypatch.setattr(environment, 'pip_has_mmcv_wheel', lambda: True)
    works = iter([False, False, True])
    monkeypatch.setattr(environment, 'ops_work', lambda: next(works))
    environment.install_mmcv()
    assert [command[3] for command in commands] == [
        'install',
        'cache',
        'install',
    ]
    assert commands[1][-1] == 'onedl_mmcv'


def test_working_ops_are_left_alone(environment, monkeypatch):
    monkeypatch.setattr(environment, 'ops_work', lambda: True)
    monkeypatch.setattr(environment, 'run', pytest.fail)
    environment.install_mmcv()


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
    monkeypatch.setattr(setup_env, 'has_gpu', lambda: gpu)
    monkeypatch.setattr(setup_env, 'nvcc_cuda', lambda: nvcc)
    environment = setup_env.Environment(tmp_path, 'onedl')
    assert environment.builds_cuda_ops is expected
    given = {}
    monkeypatch.setattr(
        environment,
        'pip_install',
        lambda *arguments, variables: given.update(variables),
    )
    environment.pip_install_mmcv()
    assert given['FORCE_CUDA'] == str(int(expected))
    if gpu and nvcc == '13':
        assert (
            'torch is built for CUDA 12 and nvcc is of CUDA 13'
            in environment.why_cpu_ops()
        )


@pytest.mark.parametrize(
    'output, remedy',
    [
        ('OSError: [Errno 28] No space left on device', 'the disk is full'),
        (
            'ERROR: No matching distribution found for torch==2.10.0',
            'the package registry does not answer',
        ),
        ('/bin/sh: 1: c++: not found', 'there is no C++ compiler'),
        ('something new', 'the lines above and the log say why'),
    ],
)
def test_failed_command_ends_in_a_remedy(
    setup_env, environment, output, remedy
):
    with pytest.raises(setup_env.SetupError) as error:
        environment.run(
            sys.executable,
            '-c',
            f'import sys; print({output!r}); sys.exit("it failed")',
        )
    assert str(error.value).startswith(remedy)


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


def test_missing_compiler_is_noticed(setup_env, monkeypatch):
    monkeypatch.setenv('CXX', 'no-such-compiler')
    with pytest.raises(setup_env.SetupError, match='no C.. compiler'):
        setup_env.check_compiler()
