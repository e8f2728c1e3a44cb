"""Published models: small, plain, and opened by the libraries alone."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from huggingface_hub import ModelCard
from made_up_run import write_run
from mmengine.config import Config
from mmengine.registry import init_default_scope
from mmpretrain.models import LinearClsHead
from PIL import Image
from published_models import leave_checkpoint, picture, tiny_classifier

from mmdrloc.apis import predict
from mmdrloc.export.plain import known_labels, load_plain
from mmdrloc.export.publish import write_folder
from mmdrloc.models import DRLocClassifier
from mmdrloc.models.building import build_model, model_config
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def trained(tmp_path):
    return tiny_classifier(tmp_path)


def with_record(checkpoint, accuracy):
    """Put a record beside a checkpoint."""
    run = write_run(checkpoint.parent / 'runs', 'tiny', 0, [50.0, accuracy])
    shutil.copy(run / 'result.json', checkpoint.parent)


def test_opened_by_us(trained, tmp_path):
    write_folder(*trained, tmp_path / 'out')
    Image.fromarray(picture()).save(tmp_path / 'photo.png')
    [answer] = predict(tmp_path / 'out', tmp_path / 'photo.png', device='cpu')
    # Our reader brings the names of the classes.
    assert answer['pred_class'] in 'abc'
    (tmp_path / 'out/model.safetensors').unlink()
    with pytest.raises(UsageError, match='neither .* model.safetensors'):
        predict(tmp_path / 'out', tmp_path / 'photo.png')


def test_images_that_lay_in_memory(trained, tmp_path):
    """They are RGB, as in mmpretrain's configs of CIFAR; files are BGR."""
    cfg, checkpoint = trained
    cfg.test_dataloader.dataset.pipeline = [dict(type='PackInputs')]
    cfg.data_preprocessor.to_rgb = False
    cfg.dump(tmp_path / 'memory.py')
    model = load_plain(cfg, checkpoint).model
    pixels = torch.from_numpy(picture()).permute(2, 0, 1)[None]
    data = model.data_preprocessor(dict(inputs=pixels))
    scores = model(**data, mode='tensor').softmax(1)[0].detach()
    Image.fromarray(picture()).save(tmp_path / 'photo.png')
    write_folder(cfg, checkpoint, tmp_path / 'out')
    for source in ([tmp_path / 'out'], [tmp_path / 'memory.py']):
        given = {} if source[0].is_dir() else dict(checkpoint=checkpoint)
        [found] = predict(source[0], tmp_path / 'photo.png', **given)
        np.testing.assert_allclose(found['pred_scores'], scores, atol=1e-6)


def test_the_page_says_what_was_measured(trained, tmp_path):
    with_record(trained[1], 80.0)
    write_folder(*trained, tmp_path / 'm')
    card = ModelCard.load(tmp_path / 'm/README.md')
    assert card.data.library_name == 'mmpretrain'
    assert card.data.pipeline_tag == 'image-classification'
    assert '80.00' in card.text
    assert '20 validation images' in card.text
    assert 'tools/train.py tiny.py' in card.text
    assert 'torch 2' in card.text
    assert (tmp_path / 'm/README.md').read_text().endswith('\n')


def test_percentages_on_the_page(trained, tmp_path):
    """COCO's evaluator gives fractions."""
    with_record(trained[1], 0.412)
    record = trained[1].parent / 'result.json'
    said = record.read_text()
    record.write_text(said.replace('accuracy/top1', 'coco/bbox_mAP'))
    write_folder(*trained, tmp_path / 'm')
    assert '| box AP (%) | 41.20 |' in (tmp_path / 'm/README.md').read_text()


def test_own_classes_come_before_those_of_the_dataset():
    init_default_scope('mmpretrain')
    data = dict(type='CIFAR10', metainfo=dict(classes=['a', 'b']))
    cfg = Config(
        dict(default_scope='mmpretrain', test_dataloader=dict(dataset=data))
    )
    assert [*known_labels(cfg, {})['classes']] == ['a', 'b']


def test_a_metric_of_one_s_own_is_on_the_page(trained, tmp_path):
    with_record(trained[1], 80.0)
    record = trained[1].parent / 'result.json'
    record.write_text(record.read_text().replace('accuracy/top1', 'my/f1'))
    write_folder(*trained, tmp_path / 'm')
    page = (tmp_path / 'm/README.md').read_text()
    assert 'not validated' not in page and '| my/f1 | 80.0000 |' in page


def test_what_timm_does_not_fit_is_published_without_it(
    trained, tmp_path, capsys
):
    write_folder(*trained, tmp_path / 'm', timm='resnet18')
    assert 'without a copy for timm' in capsys.readouterr().err
    assert 'timm' not in (tmp_path / 'm/README.md').read_text()
    assert (tmp_path / 'm/model.safetensors').is_file()
    assert not (tmp_path / 'm/timm').exists()


def test_nothing_is_claimed_that_was_not_measured(trained, tmp_path):
    write_folder(*trained, tmp_path / 'a')
    page = (tmp_path / 'a/README.md').read_text()
    assert 'Nothing is known' in page
    # Of another update than the one that was validated.
    with_record(trained[1], 80.0)
    checkpoint = leave_checkpoint(trained[0], tmp_path, {}, iteration=15)
    write_folder(trained[0], checkpoint, tmp_path / 'b')
    page = (tmp_path / 'b/README.md').read_text()
    assert 'was not validated' in page
    assert '80' not in page
    assert 'this checkpoint is of iteration 15:' in page


def test_types_of_one_s_own_are_found_again(trained, tmp_path):
    """Where they are: a loss of one's own, say, is not published."""
    trained[0].custom_imports = dict(imports=['json', 'my_loss'])
    write_folder(*trained, tmp_path / 'out')
    with pytest.warns(UserWarning, match='my_loss failed to import'):
        cfg = Config.fromfile(tmp_path / 'out/config.py')
    assert cfg.custom_imports.imports == ['json', 'my_loss']
    cfg.model.head.type = 'OfMyLoss'
    with pytest.raises(UsageError, match='folder of my_loss in PYTHONPATH'):
        build_model(cfg)


@MODELS.register_module()
class OwnClassifier(DRLocClassifier):
    """As a user may write one."""


@MODELS.register_module()
class OwnHead(LinearClsHead):
    """As a user may write one."""


def test_the_page_names_the_module_that_is_needed(trained, tmp_path):
    trained[0].custom_imports = dict(imports=['json', __name__])
    write_folder(*trained, tmp_path / 'without')
    trained[0].model.head.type = 'mmdrloc.OwnHead'
    write_folder(*trained, tmp_path / 'with')
    for name in ('without', 'with'):
        page = (tmp_path / name / 'README.md').read_text()
        is_named = f'the module `{__name__}`' in page
        assert is_named == (name == 'with') and '`json`' not in page


def test_a_subclass_of_one_s_own(trained, tmp_path):
    trained[0].model.type = 'mmdrloc.OwnClassifier'
    write_folder(*trained, tmp_path / 'out')
    cfg = Config.fromfile(tmp_path / 'out/config.py')
    assert cfg.model.type == 'mmpretrain.ImageClassifier'


@pytest.mark.parametrize(
    'loader', ['mmseg.LoadSingleRSImageFromFile', 'OwnLoadImageFromFile']
)
def test_what_others_load_is_loaded_as_they_do(trained, loader):
    cfg, checkpoint = trained
    load = dict(type=loader)
    cfg.test_dataloader.dataset.pipeline[0] = load
    published, trained = load_plain(cfg, checkpoint), build_model(cfg)
    prepare = published.model.data_preprocessor
    assert prepare.to_rgb == trained.data_preprocessor.to_rgb
    plain = published.cfg
    assert plain.test_pipeline[0].type == load['type']
    kinds = [step.type for step in plain.test_pipeline[1:]]
    assert not any(kind.startswith('Load') for kind in kinds)


def test_a_pre_training_is_no_model_to_show(tmp_path):
    cfg = Config.fromfile(CHECKOUT / 'configs/mae/mae_vit-light-narrow.py')
    checkpoint = leave_checkpoint(cfg, tmp_path, {})
    with pytest.raises(UsageError, match='is LightMAE.*fine-tune'):
        write_folder(cfg, checkpoint, tmp_path / 'out')


def test_a_detector_of_timm_sees_the_maps_it_was_trained_with(tmp_path):
    """mmcv's RoIAlign misreads those that mmpretrain's class puts out."""
    cfg = Config.fromfile(CHECKOUT / 'configs/nuclei/mask-rcnn_tinyvit-5m.py')
    cfg.model.neck.in_channels = [40, 80, 160, 320]
    cfg.model.backbone = dict(
        type='mmdrloc.TIMMBackbone',
        model_name='convnext_atto',
        features_only=True,
        out_indices=(0, 1, 2, 3),
    )
    trained = build_model(cfg).eval()
    checkpoint = leave_checkpoint(cfg, tmp_path, {})
    torch.save(dict(state_dict=trained.state_dict(), meta={}), checkpoint)
    plain = load_plain(cfg, checkpoint).model
    maps, others = (
        m.extract_feat(torch.ones(1, 3, 64, 64)) for m in (trained, plain)
    )
    rois = torch.tensor([[0, 4.0, 4.0, 60.0, 60.0]])
    expected, found = (
        m.roi_head.bbox_roi_extractor(f[:4], rois)
        for m, f in ((trained, maps), (plain, others))
    )
    torch.testing.assert_close(found, expected)


def test_a_one_stage_detector_keeps_its_layout_too():
    backbone = dict(type='mmdrloc.TIMMBackbone', model_name='convnext_atto')
    cfg = Config(dict(model=dict(type='mmdet.RetinaNet', backbone=backbone)))
    copied = model_config(cfg, plain=True)
    assert copied.backbone.type == backbone['type']
    cfg.model.type = 'mmpretrain.ImageClassifier'
    copied = model_config(cfg, plain=True)
    assert copied.backbone.type == 'mmpretrain.TIMMBackbone'
