"""What must be so before the models of others are imported."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest


@pytest.fixture
def transformers_5(tmp_path):
    """A folder with a transformers that lacks what was there until 4."""
    package = tmp_path / 'transformers'
    package.mkdir()
    # Torch 2.1 asks for this one.
    (package / '__init__.py').write_text('from . import configuration_utils\n')
    names = 'class PretrainedConfig:\n    pass\n'
    (package / 'configuration_utils.py').write_text(names)
    info = tmp_path / 'transformers-5.17.0.dist-info'
    info.mkdir()
    metadata = 'Metadata-Version: 2.1\nName: transformers\nVersion: 5.17.0\n'
    (info / 'METADATA').write_text(metadata)
    return tmp_path


def test_models_beside_transformers_5(transformers_5):
    """Which mmpretrain alone cannot import."""
    paths = f'{transformers_5}{os.pathsep}{os.environ.get("PYTHONPATH", "")}'
    done = subprocess.run(
        [sys.executable, '-c', 'import mmdrloc.models, mmpretrain.models'],
        env=dict(os.environ, PYTHONPATH=paths),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_a_classifier_needs_no_mmdet():
    code = """
        import sys, importlib
        from mmengine.config import Config
        from mmengine.registry import init_default_scope
        import mmdrloc.engine
        from mmdrloc.registry import MODELS
        init_default_scope('mmpretrain')
        name = 'configs/quickstart/swin-2stage_drloc.py'
        MODELS.build(Config.fromfile(name).model)
        assert not {'mmdet', 'mmseg'} & set(sys.modules)
        name = 'mmpretrain.models.utils.res_layer_extra_norm'
        importlib.import_module(name)
        from mmdet.registry import MODELS
        assert 'ResLayerExtraNorm' in MODELS
    """
    line = [sys.executable, '-c', dedent(code)]
    subprocess.run(line, cwd=Path(__file__).parents[1], check=True)
