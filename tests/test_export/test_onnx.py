"""ONNX files, and the script that runs them without torch."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import mmcv
import numpy as np
import pytest
import torch
from mmengine.config import Config
from mmpretrain import ImageClassificationInferencer
from mmpretrain.structures import DataSample
from PIL import Image
from published_models import leave_checkpoint, picture, tiny_classifier
from tiny_dense import cut_down, library_config

from mmdrloc.export.onnx import NormalizedModel, export_onnx
from mmdrloc.export.plain import load_plain
from mmdrloc.utils.errors import UsageError

CHECKOUT = Path(__file__).resolve().parents[2]

STEPS = {
    'opencv': [
        dict(type='mmpretrain.ResizeEdge', scale=28, interpolation='bicubic'),
        dict(type='mmpretrain.CenterCrop', crop_size=24),
    ],
    'pillow': [
        dict(
            type='Resize',
            scale=(24, 32),
            backend='pillow',
            interpolation='bicubic',
        )
    ],
    'smaller': [dict(type='Resize', scale=24)],
}


@pytest.fixture
def trained(tmp_path):
    return tiny_classifier(tmp_path)


@pytest.fixture
def needs_onnx():
    for name in ('onnx', 'onnxruntime'):
        pytest.importorskip(name, reason=f'the export needs {name}')


def with_steps(cfg, steps):
    pipeline = cfg.test_dataloader.dataset.pipeline
    pipeline[1:-1] = [Config(dict(step=step)).step for step in steps]
    return cfg


def script():
    """The one in the documentation."""
    page = (CHECKOUT / 'docs/deploy.md').read_text()
    return re.search(r'```python\n("""python classify.*?)```', page, re.S)[1]


def run_without_torch(folder, *words, fails=False):
    """What the script prints."""
    (folder / 'classify.py').write_text(
        "import sys\nsys.modules['torch'] = sys.modules['cv2'] = None\n"
        + script()
    )
    outcome = subprocess.run(
        [sys.executable, 'classify.py', *words],
        cwd=folder,
        env={**os.environ, 'OMP_NUM_THREADS': '1'},
        text=True,
        capture_output=True,
    )
    assert bool(outcome.returncode) == fails, outcome.stderr
    return outcome.stderr if fails else outcome.stdout


@pytest.mark.parametrize('divisor', [1, 32])
def test_pixels_are_prepared_as_in_a_test(trained, divisor):
    cfg, checkpoint = trained
    cfg.data_preprocessor.update(pad_size_divisor=divisor, pad_value=3)
    classifier = load_plain(cfg, checkpoint).model
    rgb = torch.from_numpy(picture()).permute(2, 0, 1)
    with torch.no_grad():
        logits = NormalizedModel(classifier)(rgb[None].float())
        sample = classifier.test_step(
            dict(inputs=rgb.flip(0)[None], data_samples=[DataSample()])
        )[0]
    assert logits[0].softmax(-1).allclose(sample.pred_score)


@pytest.mark.parametrize('name', STEPS)
def test_without_torch(trained, tmp_path, needs_onnx, name):
    """The script gives the classes and scores that mmpretrain gives."""
    cfg, checkpoint = trained
    with_steps(cfg, STEPS[name]).dump(tmp_path / 'steps.py')
    cfg = Config.fromfile(tmp_path / 'steps.py')
    export_onnx(cfg, checkpoint, tmp_path / 'tiny.onnx')
    # Smooth, of two colours: a wrong order of channels or pixels shows.
    rows, columns = np.mgrid[:48, :40]
    photo = np.stack([5 * rows, 6 * columns, 0 * rows], -1).astype(np.uint8)
    Image.fromarray(photo).save(tmp_path / 'photo.png')
    grey = (1300 * rows).astype(np.uint16)  # as of a microscope
    Image.fromarray(grey).save(tmp_path / 'grey.png')
    names = ('photo.png', 'grey.png')
    said = run_without_torch(tmp_path, 'tiny.onnx', *names).splitlines()
    answers = ImageClassificationInferencer(
        str(tmp_path / 'steps.py'), str(checkpoint), device='cpu'
    )([str(tmp_path / name) for name in names])
    for line, name, answer in zip(said, names, answers, strict=True):
        path, best, logits = line.split(maxsplit=2)
        scores = torch.tensor(json.loads(logits)).softmax(0)
        assert (path, best) == (name, answer['pred_class'])
        assert scores.numpy() == pytest.approx(answer['pred_scores'], abs=5e-3)


@pytest.mark.parametrize('to_rgb', [False, True])
@pytest.mark.parametrize('in_memory', [False, True])
def test_channels_are_said(trained, tmp_path, needs_onnx, to_rgb, in_memory):
    """Images of files are BGR, those in memory, such as CIFAR's, RGB."""
    from onnxruntime import InferenceSession

    cfg, checkpoint = trained
    cfg.data_preprocessor.to_rgb = to_rgb
    pipeline = cfg.test_dataloader.dataset.pipeline
    pipeline[:-1] = [] if in_memory else pipeline[:1]
    export_onnx(cfg, checkpoint, tmp_path / 'tiny.onnx', (24, 24))
    session = InferenceSession(tmp_path / 'tiny.onnx')
    channels = session.get_modelmeta().custom_metadata_map['channels']
    rgb = torch.from_numpy(picture((24, 24))).permute(2, 0, 1)
    given = rgb if channels == 'RGB' else rgb.flip(0)
    [logits] = session.run(None, dict(images=given[None].float().numpy()))
    sample = load_plain(cfg, checkpoint).model.test_step(
        dict(
            inputs=(rgb if in_memory else rgb.flip(0))[None],
            data_samples=[DataSample()],
        )
    )[0]
    scores = torch.from_numpy(logits[0]).softmax(-1)
    torch.testing.assert_close(scores, sample.pred_score)


@pytest.mark.parametrize('kind', ['bilinear', 'bicubic'])
@pytest.mark.parametrize('size', [(24, 24), (64, 72)])
def test_pixels_of_opencv(kind, size):
    code = re.search(r'def as_opencv.*?\n\n\n', script(), re.S)[0]
    names = dict(np=np, Image=Image)
    exec(code, names)
    photo = cv2.GaussianBlur(picture((101, 57)), (0, 0), 1.5)
    ours = names['as_opencv'](Image.fromarray(photo), size, kind)
    theirs = mmcv.imresize(photo, size, interpolation=kind)
    difference = np.asarray(ours).astype(int) - theirs
    assert abs(difference).max() <= 1  # of rounding


@pytest.mark.parametrize(
    'step',
    [
        dict(type='mmpretrain.ResizeEdge', scale=40, edge='long'),
        dict(type='mmpretrain.Resize', scale=(40, 40), keep_ratio=True),
        dict(type='mmpretrain.CenterCrop', crop_size=64, auto_pad=True),
    ],
)
def test_steps_that_the_script_has_not(trained, tmp_path, needs_onnx, step):
    cfg = with_steps(trained[0], [step])
    export_onnx(cfg, trained[1], tmp_path / 'tiny.onnx', (40, 40))
    Image.fromarray(picture()).save(tmp_path / 'photo.png')
    said = run_without_torch(tmp_path, 'tiny.onnx', 'photo.png', fails=True)
    assert 'this script has no' in said and step['type'] in said


def test_images_of_no_one_size(trained, tmp_path, needs_onnx):
    cfg = with_steps(trained[0], [dict(type='mmpretrain.ColorJitter')])
    with pytest.raises(UsageError, match='give --size HEIGHT WIDTH'):
        export_onnx(cfg, trained[1], tmp_path / 'tiny.onnx')
    export_onnx(cfg, trained[1], tmp_path / 'tiny.onnx', (24, 24))
    Image.fromarray(picture()).save(tmp_path / 'photo.png')
    said = run_without_torch(tmp_path, 'tiny.onnx', 'photo.png', fails=True)
    assert 'ColorJitter' in said


def test_grey_images_are_told_why_not(trained, tmp_path, needs_onnx):
    cfg, _ = trained
    cfg.model.backbone.in_channels = 1
    cfg.test_dataloader.dataset.pipeline[0]['color_type'] = 'grayscale'
    checkpoint = leave_checkpoint(cfg, tmp_path, dict(classes=['a', 'b', 'c']))
    with pytest.raises(UsageError, match='color_type=grayscale'):
        export_onnx(cfg, checkpoint, tmp_path / 'grey.onnx', (24, 24))


def test_a_detector_is_told_why_not(tmp_path, needs_onnx):
    cfg = library_config('mmdet', 'swin/mask-rcnn_swin-t-p4-w7_fpn_1x_coco.py')
    cut_down(cfg.model)
    checkpoint = leave_checkpoint(cfg, tmp_path, {})
    with pytest.raises(UsageError, match='MaskRCNN.*MMDeploy'):
        export_onnx(cfg, checkpoint, tmp_path / 'a.onnx', (64, 64))
    assert not (tmp_path / 'a.onnx').exists()
