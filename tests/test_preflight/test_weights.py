"""Every spelling of a file of weights is found before training."""

import pytest
from hostile import zip_file
from mmengine.config import Config, ConfigDict
from mmengine.model import PretrainedInit

from mmdrloc.checkpoints.reading import trust_files
from mmdrloc.preflight.weights import bad_start, bad_weights, pickled_data

KINDS = (
    'Pretrained',
    'mmengine.Pretrained',
    'mmdet.Pretrained',
    'mmengine.model.PretrainedInit',
    'mmengine.model.weight_init.PretrainedInit',
    PretrainedInit,
)


@pytest.fixture
def path(tmp_path):
    zip_file(tmp_path / 'a.pth', tmp_path / 'made')
    yield str(tmp_path / 'a.pth')
    assert not (tmp_path / 'made').exists()


def models(path):
    for kind in KINDS:
        entry = dict(type=kind, checkpoint=path)
        yield dict(backbone=dict(init_cfg=entry))
        yield dict(init_cfg=[dict(type='Xavier'), entry])
        yield dict(heads=[dict(init_cfg=(entry,))])
    yield dict(pretrained=path)
    yield dict(backbone=dict(pretrained=path))
    yield dict(backbone=dict(type='TIMMBackbone', checkpoint_path=path))
    yield dict(teacher_ckpt=path)


def test_every_spelling(path):
    for model in models(path):
        [finding] = bad_weights(Config(dict(model=model)))
        assert path in finding and '--trust' in finding


def test_classes_of_new_style_configs(path):
    init_cfg = ConfigDict(type=PretrainedInit, checkpoint=path)
    model = ConfigDict(init_cfg=init_cfg)
    assert len(bad_weights(Config(dict(model=model)))) == 1


@pytest.mark.parametrize('checkpoint', [3, ['a.pth']])
def test_no_name_of_a_file(checkpoint):
    init_cfg = dict(type='Pretrained', checkpoint=checkpoint)
    [finding] = bad_weights(Config(dict(model=dict(init_cfg=init_cfg))))
    assert 'model starts from' in finding and 'names no file' in finding


def test_no_weights_at_all():
    assert not bad_weights(Config(dict(model=dict(pretrained=None))))
    assert not bad_weights(Config(dict(model=dict(pretrained=True))))


def test_resumed_without_a_name(path, tmp_path):
    (tmp_path / 'last_checkpoint').write_text(path)
    cfg = Config(dict(resume=True, work_dir=str(tmp_path)))
    [finding] = bad_start(cfg)
    assert path in finding


def test_images_that_mmseg_unpickles():
    loading = dict(type='LoadBiomedicalImageFromFile', decode_backend='pickle')
    cfg = Config(dict(train_dataloader=dict(pipeline=[loading])))
    [finding] = pickled_data(cfg)
    assert finding.startswith('train_dataloader.pipeline[0].decode_backend')
    trust_files(True)
    assert not pickled_data(cfg)
