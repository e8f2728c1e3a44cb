"""The backbone and nothing else, from plain and averaged checkpoints."""

import pytest
import timm
import torch
from mmengine.config import Config
from mmpretrain.models import ResNet

from mmdrloc.checkpoints.convert import convert
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.errors import UsageError


def save(path, **more):
    state_dict = {
        'backbone.a': torch.ones(2),
        'head.fc.weight': torch.ones(2),
        'auxiliary_head.layers.0.weight': torch.ones(2),
    }
    torch.save(
        dict(
            meta=dict(epoch=3, seed=1, cfg='a = 1', dataset_meta={}),
            state_dict=state_dict,
            **more,
        ),
        path,
    )


def test_keeps_the_backbone_and_plain_values(tmp_path):
    save(tmp_path / 'a.pth')
    checkpoint, audit = convert(tmp_path / 'a.pth')
    write_checkpoint(checkpoint, tmp_path / 'deep/b.pth')
    written = torch.load(tmp_path / 'deep/b.pth', weights_only=True)
    assert list(written['state_dict']) == ['backbone.a']
    assert 'cfg' not in written['meta']
    assert audit.loaded == ['backbone.a']
    assert audit.dropped == [
        'head.fc.weight',
        'auxiliary_head.layers.0.weight',
    ]
    assert [path.name for path in (tmp_path / 'deep').iterdir()] == ['b.pth']


def test_takes_the_average(tmp_path):
    raw = {'module.backbone.a': torch.zeros(2), 'steps': torch.tensor(5)}
    save(tmp_path / 'a.pth', ema_state_dict=raw)
    checkpoint, audit = convert(tmp_path / 'a.pth')
    assert checkpoint['state_dict']['backbone.a'].equal(torch.ones(2))
    assert checkpoint['meta']['averaged']
    assert 'ema_state_dict.module.backbone.a' in audit.dropped


def test_refuses_tensors_that_the_origin_does_not_know(tmp_path):
    weights = {'conv1.weight': 1, 'layer1.0.bn1.running_mean': 1, 'odd': 1}
    torch.save({n: torch.ones(1) for n in weights}, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='1 of its 3 tensors .*: odd'):
        convert(tmp_path / 'a.pth')
    torch.save(dict(layers=torch.ones(2)), tmp_path / 'a.pth')
    with pytest.raises(UsageError, match=r'a\.pth: the origin of tensors'):
        convert(tmp_path / 'a.pth')
    with pytest.raises(UsageError, match="no origin 'x'; known are"):
        convert(tmp_path / 'a.pth', to='x')


def test_refuses_to_write_a_network_as_another(tmp_path):
    save(tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='not of a mmpretrain.SwinTrans'):
        convert(tmp_path / 'a.pth', to='swin-timm')


def test_a_teacher_of_another_network_than_its_student(tmp_path):
    teacher, student = {'backbone.a': torch.ones(2)}, torch.ones(3)
    torch.save(
        dict(teacher=teacher, student={'backbone.a': student}),
        tmp_path / 'a.pth',
    )
    with pytest.raises(UsageError, match='two networks'):
        convert(tmp_path / 'a.pth')
    torch.save(
        dict(teacher=teacher, student={'backbone.a': torch.zeros(2)}),
        tmp_path / 'b.pth',
    )
    checkpoint, _ = convert(tmp_path / 'b.pth')
    assert checkpoint['state_dict']['backbone.a'].equal(torch.ones(2))
    assert checkpoint['meta']['averaged']


def test_writes_safetensors(tmp_path):
    save(tmp_path / 'a.pth')
    checkpoint, _ = convert(tmp_path / 'a.pth', with_head=True)
    write_checkpoint(checkpoint, tmp_path / 'b.safetensors')
    again, _ = convert(tmp_path / 'b.safetensors', with_head=True)
    assert again['state_dict'].keys() == checkpoint['state_dict'].keys()
    assert again['state_dict']['backbone.a'].equal(torch.ones(2))


@pytest.mark.parametrize('container', ['state_dict_ema', 'model'])
def test_looks_where_training_programs_keep_weights(tmp_path, container):
    inside = {'backbone.a': torch.ones(2)}
    torch.save({container: inside, 'epoch': 3}, tmp_path / 'a.pth')
    checkpoint, _ = convert(tmp_path / 'a.pth')
    assert checkpoint['state_dict']['backbone.a'].equal(torch.ones(2))
    assert checkpoint['meta']['averaged'] == (container == 'state_dict_ema')
    # An average that is not there is none.
    content = {'model': inside, 'ema': dict(decay=0.9)}
    torch.save(content, tmp_path / 'a.pth')
    assert not convert(tmp_path / 'a.pth')[0]['meta']['averaged']


def test_names_of_timm_behind_backbone(tmp_path):
    """As Lightning saves them; mmdrloc's own stay as they are."""
    network = timm.create_model('vit_tiny_patch16_224', depth=1, img_size=32)
    weights = {f'backbone.{n}': t for n, t in network.state_dict().items()}
    torch.save(weights, tmp_path / 'a.pth')
    checkpoint, _ = convert(tmp_path / 'a.pth')
    assert checkpoint['meta']['origin'] == 'vit-timm'
    names = [*checkpoint['state_dict']]
    assert 'backbone.layers.0.ln1.weight' in names
    assert not any('blocks' in name for name in names)
    torch.save(checkpoint, tmp_path / 'b.pth')
    again, _ = convert(tmp_path / 'b.pth')
    assert [*again['state_dict']] == names
    # torchvision's names, which are mmpretrain's too.
    resnet = {
        f'backbone.{n}': t for n, t in ResNet(depth=18).state_dict().items()
    }
    torch.save({**resnet, 'head.fc.weight': torch.ones(1)}, tmp_path / 'a.pth')
    kept, _ = convert(tmp_path / 'a.pth', with_head=True)
    assert kept['meta']['origin'] == 'openmmlab'
    assert 'head.fc.weight' in kept['state_dict']


def test_heads_that_are_kept_are_not_dropped(tmp_path):
    """Of a network of timm, whose backbone keeps the names of timm."""
    options = dict(model_name='vit_tiny_patch16_224', depth=1, img_size=32)
    network = timm.create_model(**options)
    torch.save(network.state_dict(), tmp_path / 'a.pth')
    backbone = dict(options, type='mmdrloc.TIMMBackbone')
    cfg = Config(dict(model=dict(backbone=backbone)))
    for with_head in (False, True):
        checkpoint, audit = convert(
            tmp_path / 'a.pth', cfg, with_head=with_head
        )
        head = 'head.layers.head.weight'
        assert (head in checkpoint['state_dict']) is with_head
        assert ('head.weight' in audit.dropped) is not with_head


def test_what_a_config_starts_from_is_not_read(tmp_path):
    options = dict(model_name='vit_tiny_patch16_224', depth=1, img_size=32)
    network = timm.create_model(**options)
    torch.save(network.state_dict(), tmp_path / 'a.pth')
    backbone = dict(options, type='mmdrloc.TIMMBackbone', pretrained=True)
    backbone['pretrained_cfg_overlay'] = dict(file='gone.safetensors')
    cfg = Config(dict(model=dict(backbone=backbone)))
    checkpoint, _ = convert(tmp_path / 'a.pth', cfg)
    name = 'cls_token'
    found = checkpoint['state_dict'][f'backbone.timm_model.{name}']
    assert found.equal(network.state_dict()[name])


def test_what_a_format_of_backbones_has_no_place_for(tmp_path):
    """Heads, and what masked pre-training alone uses: they are left out."""
    network = timm.create_model('vit_tiny_patch16_224', depth=1, img_size=32)
    weights = {**network.state_dict(), 'mask_token': torch.ones(1, 1, 192)}
    torch.save(weights, tmp_path / 'a.pth')
    checkpoint, audit = convert(tmp_path / 'a.pth', to='vit-mmseg')
    assert 'backbone.cls_token' in checkpoint['state_dict']
    assert {'backbone.mask_token', 'head.layers.head.bias'} <= {*audit.dropped}
