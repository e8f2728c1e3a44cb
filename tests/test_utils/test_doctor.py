"""The doctor in environments that are broken, one way each."""

import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from mmdrloc.utils import doctor, installation
from mmdrloc.utils.doctor import Doctor, Finding
from mmdrloc.utils.errors import (
    usage_errors_in_one_sentence,
)

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def modules(monkeypatch):
    """Modules (or the errors of their imports) in place of the real ones."""
    faked = {}

    def fake_import(name):
        module = faked.get(name) or import_module(name)
        if isinstance(module, Exception):
            raise module
        return module

    monkeypatch.setattr(doctor, 'import_module', fake_import)
    return faked


@pytest.fixture
def versions(monkeypatch):
    """Distributions in place of those that are installed, of the OneDL line.

    What mmdrloc asks for is what setup.py says.
    """
    faked = {
        'mmdrloc': '0.1.0',
        'torch': '2.10.0',
        'torchvision': '0.25.0',
        'timm': '1.0',
        'onedl-mmengine': '0.10.12',
        'onedl-mmcv': '2.3.6',
        'onedl-mmpretrain': '1.3.6',
        'onedl-mmdetection': '3.5.1',
        'onedl-mmsegmentation': '1.4.2',
    }
    plain = (
        'filelock',
        'markdown',
        'matplotlib',
        'numpy',
        'Pillow',
        'scikit-learn',
        'tensorboard',
    )
    real = metadata.version

    def version(name):
        if name in plain or name == 'scipy':
            return faked.get(name, '1.0')
        if name in faked:
            return faked[name]
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, 'version', version)
    yield faked
    monkeypatch.setattr(metadata, 'version', real)


def wrong(findings):
    return {f.what: f for f in findings if f.remedy}


def test_right_versions_are_right(versions):
    examined = Doctor()
    assert examined.line == 'onedl'
    assert not wrong(examined.requirements())
    assert examined.both_lines() == Finding('OpenMMLab line', 'onedl')


def test_a_wrong_version_and_a_missing_library(versions):
    versions['onedl-mmcv'] = '2.2.0'
    del versions['timm']
    found = wrong(Doctor().requirements())
    assert set(found) == {'onedl-mmcv', 'timm'}
    assert '2.2.0, not' in found['onedl-mmcv'].state
    assert found['timm'].state == 'none, not any'
    assert found['timm'].remedy.endswith('rm -rf .venv/.setup && make env')


def test_remedies_hold_in_the_folder_where_they_are_read(
    versions, monkeypatch
):
    monkeypatch.chdir(ROOT)
    assert Doctor().set_up == 'rm -rf .venv/.setup && make env'
    monkeypatch.chdir(ROOT / 'docs')
    assert Doctor().set_up == 'cd .. && rm -rf .venv/.setup && make env'


def test_original_line_refuses_numpy_2(versions):
    for name in list(versions):
        if name.startswith('onedl'):
            del versions[name]
    versions.update(
        mmengine='0.10.7',
        mmcv='2.1.0',
        mmpretrain='1.2.0',
        mmdet='3.3.0',
        mmsegmentation='1.2.2',
        torch='2.1.2',
        numpy='2.0.1',
        ftfy='6',
        regex='2024',
    )
    found = wrong(Doctor().requirements())
    assert set(found) == {'numpy'}
    assert found['numpy'].remedy.endswith('make env STACK=openmmlab')


def test_both_lines_at_once(versions):
    versions['mmcv'] = '2.1.0'
    finding = Doctor().both_lines()
    assert finding.state == 'two are mixed: onedl-mmcv, mmcv'
    assert 'pip uninstall -y onedl-mmcv mmcv && ' in finding.remedy


@pytest.mark.parametrize(
    'name,error,remedy',
    [
        (
            'torchvision',
            RuntimeError('operator torchvision::nms does not exist\nmore'),
            'uninstall -y torch torchvision && ',
        ),
        (
            'cv2',
            ImportError('libGL.so.1: cannot open shared object file'),
            'opencv-python-headless',
        ),
        (
            'cv2',
            ImportError('libgthread-2.0.so.0: cannot open'),
            'apt-get install -y libglib2.0-0',
        ),
        (
            'mmdet',
            AssertionError('MMCV==2.2.0 is used but incompatible'),
            'make env',
        ),
    ],
)
def test_broken_imports(modules, name, error, remedy):
    modules[name] = error
    finding = Doctor().importable(name)
    assert finding.state.startswith(type(error).__name__)
    assert '\n' not in finding.state
    assert remedy in finding.remedy


def fake_torch(fails=(), gpus=0):
    """A torch with GPUs, on some of which nothing can be computed."""

    def ones(*size, device='cpu'):
        if device in fails:
            raise RuntimeError(f'no kernel image is available on {device}')
        return torch.ones(*size)

    return SimpleNamespace(
        ones=ones,
        version=SimpleNamespace(cuda='12.8'),
        cuda=SimpleNamespace(
            device_count=lambda: gpus, get_device_name=lambda device: 'a GPU'
        ),
    )


def test_numpy_that_torch_was_not_built_for(modules):
    def numpy():
        raise RuntimeError('Numpy is not available')

    modules['torch'] = fake_torch()
    modules['torch'].zeros = lambda size: SimpleNamespace(numpy=numpy)
    found = wrong(Doctor().examine())
    state = found['NumPy in torch'].state
    assert state == 'RuntimeError: Numpy is not available'


def test_each_gpu_has_to_compute(modules):
    modules['torch'] = fake_torch(fails=['cuda:1'], gpus=2)
    right, failing = doctor.gpus()
    assert right == Finding('cuda:0', 'a GPU, CUDA 12.8')
    assert 'no kernel image' in failing.state
    assert 'install a torch' in failing.remedy


def test_a_gpu_that_torch_cannot_use(modules, monkeypatch):
    modules['torch'] = fake_torch()
    monkeypatch.setattr(doctor, 'has_gpu', lambda: False)
    assert not wrong(doctor.gpus())
    monkeypatch.setattr(doctor, 'has_gpu', lambda: True)
    assert wrong(doctor.gpus())


def test_mmcv_without_ops(modules, versions):
    modules['mmcv.ops'] = ModuleNotFoundError("No module named 'mmcv._ext'")
    finding = Doctor().compiled_ops()
    assert 'pip cache remove onedl_mmcv; ' in finding.remedy
    assert 'pip uninstall -y onedl-mmcv && ' in finding.remedy


@pytest.mark.parametrize('tasks', ['all', 'classification'])
def test_mmcv_that_was_set_up_without_ops(
    modules, monkeypatch, tmp_path, tasks
):
    modules['mmcv.ops'] = ModuleNotFoundError("No module named 'mmcv._ext'")
    monkeypatch.setattr(doctor.sys, 'prefix', str(tmp_path))
    (tmp_path / '.setup').mkdir()
    (tmp_path / '.setup/done').write_text(f'{tasks}\nkey')
    finding = Doctor().compiled_ops()
    assert bool(finding.remedy) is (tasks == 'all')


@pytest.mark.parametrize('nvcc', ['12', '11', None])
def test_mmcv_that_was_not_built_for_the_gpu(modules, monkeypatch, nvcc):
    def nms(boxes, scores, threshold):
        raise RuntimeError('nms_impl: implementation for cuda:0 not found')

    modules['torch'] = fake_torch(gpus=1)
    modules['mmcv.ops'] = SimpleNamespace(nms=nms)
    monkeypatch.setattr(doctor, 'nvcc_cuda', lambda: nvcc)
    finding = Doctor().compiled_ops()
    assert 'pip uninstall -y' in finding.remedy
    assert ('toolkit of CUDA 12.8' in finding.remedy) is (nvcc != '12')


def test_mmcv_beside_a_wheel_is_compiled_with_its_tools(
    versions, modules, monkeypatch, tmp_path
):
    modules['mmcv.ops'] = ModuleNotFoundError("No module named 'mmcv._ext'")
    monkeypatch.setattr(doctor, 'CHECKOUT', tmp_path)
    remedy = Doctor().compiled_ops().remedy
    assert remedy.index('ninja') < remedy.index('--no-build-isolation')
    assert remedy.endswith('onedl-mmcv==2.3.6')


def test_mmcv_works_here():
    finding = Doctor().compiled_ops()
    assert finding.state.startswith('work on c') and not finding.remedy


def test_old_python(monkeypatch):
    assert not next(Doctor().examine()).remedy
    monkeypatch.setattr(installation.sys, 'version_info', (3, 9, 1))
    assert 'PYTHON=python3.11' in next(Doctor().examine()).remedy


def test_oldest_python_is_that_of_the_package():
    oldest = '.'.join(map(str, installation.OLDEST_PYTHON))
    assert f"python_requires='>={oldest}'" in (ROOT / 'setup.py').read_text()


def test_little_space(monkeypatch, tmp_path):
    usage = SimpleNamespace(free=2**30, total=64 * 2**20)
    monkeypatch.setattr(doctor.shutil, 'disk_usage', lambda path: usage)
    assert '1.0 GiB' in doctor.disk().state and doctor.disk().remedy
    assert '--shm-size' in doctor.shared_memory(str(tmp_path)).remedy


def test_remedies_are_told_once():
    text = doctor.report([Finding(name, 'bad', 'make env') for name in 'ab'])
    assert text.endswith('to mend a, b:\nmake env')


def test_it_runs_on_a_bare_python(tmp_path):
    """Without site-packages; nothing but the standard library is there."""
    outcome = subprocess.run(
        [sys.executable, '-S', '-m', 'mmdrloc.utils.doctor'],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 1, outcome.stderr
    assert 'WRONG  mmdrloc' in outcome.stdout
    assert "No module named 'torch'" in outcome.stdout
    assert outcome.stderr == ''


@pytest.mark.parametrize(
    'name, raised', [('mmcv._ext', SystemExit), ('x', ModuleNotFoundError)]
)
def test_missing_operators_are_explained(name, raised):
    with pytest.raises(raised, match='mmdrloc doctor' if name != 'x' else 'x'):
        with usage_errors_in_one_sentence():
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
