"""Published models: small, plain, and seen by the libraries' inferencers."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
import torch
from command_line import assert_refused, run
from mmdet.apis import DetInferencer
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmpretrain import ImageClassificationInferencer
from mmpretrain.structures import DataSample
from mmseg.apis import MMSegInferencer
from tiny_dense import cut_down, library_config
from tiny_run import write_config

from mmdrloc.deployment import export_onnx, publish
from mmdrloc.deployment.onnx import NormalizedClassifier, compare
from mmdrloc.deployment.publish import load_plain, plain_config
from mmdrloc.doctor import CHECKOUT
from mmdrloc.errors import UsageError
from mmdrloc.reading import load_weights

HEAD = dict(type='mmdrloc.DRLocHead', source='stages.1', in_channels=16)
DENSE = dict(
    mmdet=(
        'swin/mask-rcnn_swin-t-p4-w7_fpn_1x_coco.py',
        'mmdrloc.DRLocMaskRCNN',
        dict(classes=('a', 'b'), palette=[(9, 9, 9), (99, 99, 99)]),
    ),
    mmseg=(
        'swin/swin-tiny-patch4-window7-in1k-pre_upernet_8xb2-160k_'
        'ade20k-512x512.py',
        'mmdrloc.DRLocEncoderDecoder',
        dict(classes=('a', 'b'), palette=[(9, 9, 9), (99, 99, 99)]),
    ),
)


@pytest.fixture
def trained(tmp_path):
    """A classifier with DRLoc, and a checkpoint as a training leaves it."""
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.model.type = 'mmdrloc.DRLocClassifier'
    cfg.model.auxiliary_head = HEAD
    cfg.data_preprocessor = dict(
        num_classes=3, mean=[120.0, 110, 100], std=[60.0, 50, 40], to_rgb=True
    )
    cfg.model.backbone.init_cfg = dict(type='Pretrained', checkpoint='none')
    cfg.dump(tmp_path / 'drloc.py')
    cfg = Config.fromfile(tmp_path / 'drloc.py')
    return cfg, leave_checkpoint(cfg, tmp_path, dict(classes=['a', 'b', 'c']))


def leave_checkpoint(cfg, folder, dataset_meta):
    init_default_scope(cfg.default_scope)
    torch.manual_seed(0)
    model = MODELS.build(cfg.model)
    path = folder / 'epoch_1.pth'
    torch.save(
        dict(
            meta=dict(dataset_meta=dataset_meta, epoch=1),
            state_dict=model.state_dict(),
            optimizer=dict(state={}),
            message_hub=dict(),
            param_schedulers=[],
        ),
        path,
    )
    return path


def needs_onnx():
    for name in ('onnx', 'onnxruntime'):
        pytest.importorskip(name, reason=f'the export needs {name}')


def picture(size=(24, 24)):
    return np.random.default_rng(0).integers(0, 255, (*size, 3), np.uint8)


def test_a_published_classifier(trained, tmp_path):
    config, checkpoint = publish(*trained, tmp_path / 'out/tiny')
    digest = hashlib.sha256(checkpoint.read_bytes()).hexdigest()[:8]
    assert checkpoint.name == f'tiny-{digest}.pth'
    assert sorted(p.name for p in (tmp_path / 'out').iterdir()) == sorted(
        [config.name, checkpoint.name]
    )
    published = torch.load(checkpoint, weights_only=True)
    assert set(published) == {'meta', 'state_dict'}
    assert not [n for n in published['state_dict'] if 'auxiliary' in n]

    cfg = Config.fromfile(config)
    assert cfg.model.type == 'mmpretrain.ImageClassifier'
    assert 'mmdrloc' not in cfg.pretty_text
    ours = ImageClassificationInferencer(
        str(trained[0].filename), str(trained[1]), device='cpu'
    )
    theirs = ImageClassificationInferencer(
        str(config), str(checkpoint), device='cpu'
    )
    scores = [model(picture())[0] for model in (ours, theirs)]
    assert (scores[0]['pred_scores'] == scores[1]['pred_scores']).all()
    assert scores[1]['pred_class'] in 'abc'
    assert trained[0].model.type == 'mmdrloc.DRLocClassifier'


@pytest.mark.parametrize('library', DENSE)
def test_published_detector_and_segmentor(library, tmp_path):
    name, model_type, dataset_meta = DENSE[library]
    cfg = library_config(library, name)
    cut_down(cfg.model)
    cfg.model.type = model_type
    cfg.model.drloc_head = dict(HEAD, source='stages.2', in_channels=32)
    cfg.dump(tmp_path / 'dense.py')
    cfg = Config.fromfile(tmp_path / 'dense.py')
    trained = leave_checkpoint(cfg, tmp_path, dataset_meta)
    config, checkpoint = publish(cfg, trained, tmp_path / 'plain')
    weights = torch.load(checkpoint, weights_only=True)['state_dict']
    assert not [n for n in weights if n.startswith('drloc_head')]
    image = picture((64, 96))
    if library == 'mmdet':
        inferencer = DetInferencer(str(config), str(checkpoint), device='cpu')
        answer = inferencer(image, return_datasamples=False)
        assert set(answer['predictions'][0]) >= {'bboxes', 'labels'}
    else:
        inferencer = MMSegInferencer(
            str(config), str(checkpoint), device='cpu'
        )
        assert inferencer(image)['predictions'].shape == (64, 96)


def test_a_baseline_by_the_library_s_own_name():
    cfg = Config.fromfile(CHECKOUT / 'configs/scratch_100e/resnet-50.py')
    plain, head_name = plain_config(cfg)
    assert (plain.model.type, head_name) == ('ImageClassifier', None)


def test_a_checkpoint_of_another_model(trained, tmp_path):
    cfg, checkpoint = trained
    cfg.model.head.num_classes = 7
    with pytest.raises(UsageError, match='epoch_1.pth does not fit the model'):
        publish(cfg, checkpoint, tmp_path / 'out/tiny')
    assert not (tmp_path / 'out').exists()


def test_pixels_are_normalised_as_in_a_test(trained):
    cfg, checkpoint = trained
    weights = load_weights(checkpoint)
    _, classifier, _ = load_plain(cfg, weights, checkpoint)
    rgb = torch.from_numpy(picture()).permute(2, 0, 1)
    with torch.no_grad():
        logits = NormalizedClassifier(classifier)(rgb[None].float())
        sample = classifier.test_step(
            dict(inputs=rgb.flip(0)[None], data_samples=[DataSample()])
        )[0]
    assert logits[0].softmax(-1).allclose(sample.pred_score)


def test_onnx_computes_the_same(trained, tmp_path):
    needs_onnx()
    path = tmp_path / 'tiny.onnx'
    difference = export_onnx(*trained, path, (24, 24), batch_size=2)
    assert path.exists()
    assert difference < 1e-4


def test_onnx_with_other_outputs_is_refused(trained, tmp_path):
    needs_onnx()
    path = tmp_path / 'tiny.onnx'
    export_onnx(*trained, path, (24, 24))
    images = torch.zeros(1, 3, 24, 24)
    with pytest.raises(UsageError, match='other logits, by up to'):
        compare(path, images, torch.full((1, 3), 99.0))


def test_missing_onnx_is_told(trained, tmp_path, monkeypatch):
    monkeypatch.setattr('mmdrloc.deployment.onnx.find_spec', lambda name: None)
    with pytest.raises(UsageError, match='pip install onnx onnxruntime'):
        export_onnx(*trained, tmp_path / 'tiny.onnx', (24, 24))


@pytest.mark.slow
def test_command_line(trained, tmp_path):
    outcome = run(
        'publish.py', trained[0].filename, trained[1], 'out/t', cwd=tmp_path
    )
    assert outcome.returncode == 0, outcome.stderr
    assert 'written: out/t.py\nwritten: out/t-' in outcome.stdout
    assert Path(tmp_path, 'out/t.py').exists()
    outcome = run(
        'publish.py', trained[0].filename, 'none.pth', 'out/t', cwd=tmp_path
    )
    assert_refused(outcome, 'there is no checkpoint none.pth')
