"""The doctor in environments that are broken, one way each."""

import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from mmdrloc import doctor
from mmdrloc.doctor import Doctor, Finding
from mmdrloc.errors import (
    UsageError,
    import_errors_explained,
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
    assert examined.both_lines() == Finding('OpenMMLab line', 'OneDL')


def test_a_wrong_version_and_a_missing_library(versions):
    versions['onedl-mmcv'] = '2.2.0'
    del versions['timm']
    found = wrong(Doctor().requirements())
    assert set(found) == {'onedl-mmcv', 'timm'}
    assert '2.2.0 is not' in found['onedl-mmcv'].state
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


def test_numpy_that_torch_was_not_built_for(modules):
    def numpy(self):
        raise RuntimeError('Numpy is not available')

    tensor = type('Tensor', (), dict(numpy=numpy))
    modules['torch'] = SimpleNamespace(zeros=lambda size: tensor())
    finding = Doctor().numpy_in_torch()
    assert finding.state == 'RuntimeError: Numpy is not available'
    assert finding.remedy


def fake_torch(capability=None, architectures=('sm_80',), cuda='12.8'):
    return SimpleNamespace(
        version=SimpleNamespace(cuda=cuda),
        cuda=SimpleNamespace(
            is_available=lambda: capability is not None,
            device_count=lambda: int(capability is not None),
            get_device_capability=lambda index: capability,
            get_device_name=lambda index: 'GPU of a test',
            get_arch_list=lambda: list(architectures),
        ),
    )


@pytest.mark.parametrize('capability,fits', [((8, 6), True), ((9, 0), False)])
def test_torch_for_the_gpu(modules, capability, fits):
    modules['torch'] = fake_torch(capability)
    found = wrong(Doctor().gpu())
    assert bool(found) is not fits


@pytest.mark.parametrize('cuda', [None, '12.8'])
def test_a_gpu_that_torch_cannot_use(modules, monkeypatch, cuda):
    modules['torch'] = fake_torch(cuda=cuda)
    monkeypatch.setattr(doctor, 'has_gpu', lambda: False)
    assert not wrong(Doctor().gpu())
    monkeypatch.setattr(doctor, 'has_gpu', lambda: True)
    assert wrong(Doctor().gpu())


def fake_ops(cuda):
    return SimpleNamespace(
        __file__='_ext.so', get_compiling_cuda_version=lambda: cuda
    )


def test_mmcv_without_ops(modules, versions):
    modules['mmcv._ext'] = ModuleNotFoundError("No module named 'mmcv._ext'")
    (finding,) = Doctor().compiled_ops()
    assert 'pip cache remove onedl_mmcv; ' in finding.remedy
    assert 'pip uninstall -y onedl-mmcv && ' in finding.remedy


def test_mmcv_that_was_set_up_without_ops(modules, monkeypatch, tmp_path):
    modules['mmcv._ext'] = ModuleNotFoundError("No module named 'mmcv._ext'")
    monkeypatch.setattr(doctor.sys, 'prefix', str(tmp_path))
    (tmp_path / '.setup').mkdir()
    (tmp_path / '.setup/install_mmcv_without_ops').touch()
    (finding,) = Doctor().compiled_ops()
    assert 'set up for classification' in finding.state
    assert not finding.remedy
    (tmp_path / '.setup/install_mmcv').touch()
    (finding,) = Doctor().compiled_ops()
    assert finding.remedy


@pytest.mark.parametrize(
    'capability,cuda,built_for,words',
    [
        (None, 'not available', [], ''),
        ((9, 0), 'not available', [], 'toolkit of CUDA 12.8'),
        ((9, 0), '12.8', ['sm_80'], "TORCH_CUDA_ARCH_LIST='9.0'"),
        ((9, 0), '12.8', ['compute_80', 'sm_80'], ''),
        ((9, 0), '12.8', [], ''),
    ],
)
def test_mmcv_for_the_gpu(
    modules, monkeypatch, capability, cuda, built_for, words
):
    modules['torch'] = fake_torch(capability)
    modules['mmcv._ext'] = fake_ops(cuda)
    monkeypatch.setattr(doctor, 'architectures_in', lambda path: built_for)
    (finding,) = Doctor().compiled_ops()
    assert words in finding.remedy
    assert bool(finding.remedy) is bool(words)


def test_architectures_are_read_from_a_library(monkeypatch):
    listed = {
        '--list-elf': 'ELF file    1: a.1.sm_80.cubin\n'
        'ELF file    2: a.2.sm_90.cubin\n',
        '--list-ptx': 'PTX file    1: a.1.sm_90.ptx\n',
    }
    monkeypatch.setattr(doctor.shutil, 'which', lambda name: name)
    monkeypatch.setattr(
        doctor, 'output_of', lambda program, what, path: listed[what]
    )
    found = doctor.architectures_in(Path('_ext.so'))
    assert found == ['compute_90', 'sm_80', 'sm_90']


def test_old_python(monkeypatch):
    assert not doctor.python().remedy
    monkeypatch.setattr(doctor.sys, 'version_info', (3, 9, 1))
    assert 'PYTHON=python3.11' in doctor.python().remedy


def test_oldest_python_is_that_of_the_package():
    oldest = '.'.join(map(str, doctor.OLDEST_PYTHON))
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
        [sys.executable, '-S', '-m', 'mmdrloc.doctor'],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 1, outcome.stderr
    assert 'WRONG  mmdrloc' in outcome.stdout
    assert "No module named 'torch'" in outcome.stdout
    assert outcome.stderr == ''


def test_failing_imports_of_the_package_name_the_doctor():
    with pytest.raises(UsageError, match='python -m mmdrloc.doctor'):
        with import_errors_explained():
            import_module('no_such_library')


@pytest.mark.parametrize(
    'name, raised', [('mmcv._ext', SystemExit), ('x', ModuleNotFoundError)]
)
def test_missing_operators_are_explained(name, raised):
    with pytest.raises(raised, match='make env' if name != 'x' else 'x'):
        with usage_errors_in_one_sentence():
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
