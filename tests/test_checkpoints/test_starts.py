"""``--weights``: files of five origins into three tasks, and mistakes."""

import pytest
import timm
import torch
from foreign_networks import TINYVIT
from mmengine.config import Config
from mmengine.model import BaseModule
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.models import ImageClassifier
from torch import nn

from mmdrloc.checkpoints import starts
from mmdrloc.checkpoints.load import load
from mmdrloc.checkpoints.origins import ORIGINS
from mmdrloc.checkpoints.starts import (
    check_starts,
    load_starts,
    start_from,
    take_starts,
)
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import sha256_of

SWIN = dict(embed_dims=8, depths=[1, 1, 2, 1], num_heads=[1, 1, 2, 2])
RESNET = dict(type='ResNet', depth=18, stem_channels=8, base_channels=8)
VIT = dict(embed_dims=16, num_layers=2, num_heads=2, feedforward_channels=64)


def timm_pvt():
    torch.manual_seed(0)
    return timm.create_model('pvt_v2_b0', depths=(1, 1, 1, 1), num_classes=3)


def classifier(backbone, head=None):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    model = ImageClassifier(
        backbone=backbone,
        head=head or dict(type='LinearClsHead', num_classes=3, in_channels=64),
    )
    model.init_weights()
    return {
        name: tensor
        for name, tensor in model.state_dict().items()
        if 'relative_position_index' not in name
        and not name.startswith('data_preprocessor')
    }


def swin(**changes):
    backbone = dict(type='SwinTransformer', arch=SWIN, img_size=64)
    return classifier({**backbone, **changes})


def vit(img_size=32):
    return classifier(
        dict(
            type='VisionTransformer', arch=VIT, img_size=img_size, patch_size=8
        ),
        dict(type='VisionTransformerClsHead', num_classes=3, in_channels=16),
    )


def theirs(origin, weights):
    return ORIGINS[origin].to_theirs(weights).weights


def resnet():
    return theirs('resnet-torchvision', classifier(RESNET))


SWINS = dict(
    mmpretrain=dict(type='SwinTransformer', arch=SWIN, img_size=64),
    mmdet=dict(type='SwinTransformer', convert_weights=True, **SWIN),
    mmseg=dict(type='SwinTransformer', **SWIN),
)
VIT_64 = dict(type='VisionTransformer', arch=VIT, img_size=64, patch_size=8)
VITS = dict(
    mmpretrain=VIT_64,
    mmdet=dict(
        VIT_64, type='mmpretrain.VisionTransformer', out_type='featmap'
    ),
    mmseg=dict(
        type='VisionTransformer',
        img_size=(64, 64),
        patch_size=8,
        embed_dims=16,
        num_layers=2,
        num_heads=2,
        patch_bias=True,
        final_norm=False,
    ),
)
PVT = dict(model_name='pvt_v2_b0', depths=(1, 1, 1, 1))
PVTS = dict(
    mmpretrain=dict(PVT, type='TIMMBackbone'),
    mmdet=dict(PVT, type='mmpretrain.TIMMBackbone', features_only=True),
)
ZOO = 'torchvision://resnet18'
RESNETS = dict(
    mmpretrain=RESNET,
    mmdet=dict(RESNET, init_cfg=dict(type='Pretrained', checkpoint=ZOO)),
    mmseg=dict(RESNET, pretrained='open-mmlab://resnet18_v1c'),
)
FILES = {
    'swin-microsoft': (lambda: dict(model=official(swin())), SWINS),
    'openmmlab': (lambda: dict(meta={}, state_dict=swin()), SWINS),
    'vit-timm': (lambda: theirs('vit-timm', vit()), VITS),
    'pvtv2-timm': (lambda: timm_pvt().state_dict(), PVTS),
    'resnet-torchvision': (resnet, RESNETS),
}
CASES = [(name, task) for name in FILES for task in FILES[name][1]]


def config(backbone, scope, folder):
    return Config(
        dict(
            default_scope=scope,
            model=dict(type='X', backbone=dict(backbone)),
            work_dir=str(folder / 'work'),
            run=dict(recipe='x', dataset=None, weights=None, baseline=None),
        )
    )


def begin(model):
    """Do what a training does before its first iteration."""
    starts = take_starts(model)
    model.init_weights()
    return load_starts(starts)


def begin_backbone(cfg):
    init_default_scope(cfg.default_scope)
    torch.manual_seed(1)
    model = BaseModule()
    model.backbone = MODELS.build(cfg.model.backbone)
    [audit] = begin(model).values()
    return audit, model.backbone.state_dict()


def first_convolution(state):
    return next(t for t in state.values() if t.dim() == 4)


@pytest.mark.parametrize(('origin', 'task'), CASES)
def test_origins_into_tasks(origin, task, tmp_path):
    if task != 'mmpretrain':
        pytest.importorskip('mmcv.ops')
    make, backbones = FILES[origin]
    path = tmp_path / 'given.pth'
    torch.save(make(), path)
    before = sha256_of(path)
    cfg = config(backbones[task], task, tmp_path)
    start_from(cfg, str(path))
    audit, state = begin_backbone(cfg)
    assert not audit.faults and audit.loaded
    given = make()
    given = given.get('state_dict', given.get('model', given))
    found = first_convolution(given)
    assert first_convolution(state).equal(found)
    assert sha256_of(path) == before
    assert cfg.run.weights == dict(
        file=str(path), origin=origin, sha256=before
    )


def test_positions_are_resized_in_mmseg_too(tmp_path):
    write_checkpoint(dict(state_dict=vit(img_size=32)), tmp_path / 'a.pth')
    cfg = config(VITS['mmseg'], 'mmseg', tmp_path)
    start_from(cfg, str(tmp_path / 'a.pth'))
    audit, state = begin_backbone(cfg)
    assert audit.resized == ['pos_embed']
    assert state['pos_embed'].shape == (1, 65, 16)
    token = vit(img_size=32)['backbone.pos_embed'][:, 0]
    assert state['pos_embed'][:, 0].equal(token)


def test_a_prefix_belongs_to_the_file_that_the_config_names(tmp_path):
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.pth')
    own = dict(type='Pretrained', checkpoint='own.pth', prefix='net.')
    backbone = dict(SWINS['mmpretrain'], init_cfg=own)
    cfg = config(backbone, 'mmpretrain', tmp_path)
    start_from(cfg, str(tmp_path / 'a.pth'))
    audit, _ = begin_backbone(cfg)
    assert audit.loaded and not audit.faults


def test_what_timm_publishes_is_not_fetched_beside_a_file(tmp_path):
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.pth')
    backbone = dict(type='TIMMBackbone', model_name='none', pretrained=True)
    cfg = config(backbone, 'mmpretrain', tmp_path)
    start_from(cfg, str(tmp_path / 'a.pth'))
    assert cfg.model.backbone == dict(
        type='TIMMBackbone',
        model_name='none',
        init_cfg=dict(type='Pretrained', checkpoint=str(tmp_path / 'a.pth')),
    )
    with pytest.raises(UsageError, match='of none cannot be fetched'):
        start_from(config(backbone, 'mmpretrain', tmp_path), None)


def test_an_address_is_recorded_as_it_was_given(tmp_path, monkeypatch):
    """Not the place of its copy, which is another one on each machine."""
    path = tmp_path / 'copy.pth'
    write_checkpoint(dict(state_dict=swin()), path)
    monkeypatch.setattr(starts, 'find_checkpoint', lambda weights: path)
    cfg = config(SWINS['mmpretrain'], 'mmpretrain', tmp_path)
    start_from(cfg, 'https://example.com/net.pth')
    assert cfg.run.weights['file'] == 'https://example.com/net.pth'


def test_nothing_is_loaded_over_what_was_asked_for(tmp_path):
    cfg = config(SWINS['mmpretrain'], 'mmpretrain', tmp_path)
    cfg.load_from = 'of_the_config.pth'
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'asked.pth')
    start_from(cfg, str(tmp_path / 'asked.pth'))
    assert cfg.load_from is None


def test_a_run_that_goes_on_reads_nothing(tmp_path):
    cfg = config(SWINS['mmpretrain'], 'mmpretrain', tmp_path)
    said = dict(file='gone.pth', origin='openmmlab', sha256='0' * 64)
    start_from(cfg, None, said)
    assert cfg.run.weights == said
    model = BaseModule()
    model.backbone = MODELS.build(
        dict(cfg.model.backbone, _scope_='mmpretrain')
    )
    assert len(take_starts(model)) == 1
    model.init_weights()


# ---- the config's own entries ----------------------------------------------


def of_config(task, path, **entry):
    """A backbone whose config names the file itself."""
    init_default_scope(task)
    init_cfg = dict(type='Pretrained', checkpoint=str(path), **entry)
    backbone = Config(dict(SWINS[task], init_cfg=init_cfg))
    model = BaseModule()
    model.backbone = MODELS.build(backbone)
    return model


def bare(weights):
    return {n.removeprefix('backbone.'): t for n, t in weights.items()}


def official(weights):
    return theirs('swin-microsoft', weights)


def behind(prefix):
    def wrapped(weights):
        return {f'{prefix}.{n}': t for n, t in weights.items()}

    wrapped.__name__ = prefix
    return wrapped


def bare_and_wrapped(weights):
    return behind('module')(bare(weights))


def official_and_compiled(weights):
    return behind('_orig_mod')(official(weights))


def taught(weights):
    """A teacher is the average of its student, whose other values differ."""
    student = {n: t + 1 for n, t in weights.items()}
    return {**behind('student')(student), **behind('teacher')(weights)}


WRAPPED = ('module', 'model', 'module.model', '_orig_mod', 'teacher')


@pytest.mark.parametrize(
    'given',
    [dict, bare, official, bare_and_wrapped, official_and_compiled, taught]
    + [behind(prefix) for prefix in WRAPPED],
    ids=lambda given: given.__name__,
)
@pytest.mark.parametrize('task', SWINS)
def test_whatever_the_names_are(task, given, tmp_path):
    """And whatever the library's own loader would make of them."""
    weights = swin()
    torch.save(dict(state_dict=given(weights)), tmp_path / 'a.pth')
    model = of_config(task, tmp_path / 'a.pth')
    [audit] = begin(model).values()
    assert len(audit.loaded) > 60
    state = model.backbone.state_dict()
    for name, tensor in bare(weights).items():
        assert name.startswith('head.') or state[name].equal(tensor), name


@pytest.mark.parametrize('task', SWINS)
def test_a_prefix_that_is_not_there(task, tmp_path):
    torch.save(dict(state_dict=swin()), tmp_path / 'a.pth')
    model = of_config(task, tmp_path / 'a.pth', prefix='net.')
    with pytest.raises(UsageError, match="with prefix='net.'.*nothing"):
        begin(model)


class Part(BaseModule):
    """A part of a model that starts from a file, and spoils it."""

    def __init__(self, path):
        super().__init__(
            dict(type='mmengine.Pretrained', checkpoint=str(path))
        )
        self.fc = nn.Linear(2, 2)

    def init_weights(self):
        super().init_weights()
        nn.init.zeros_(self.fc.bias)


FC = {'fc.weight': torch.ones(2, 2), 'fc.bias': torch.ones(2)}


def test_the_file_has_the_last_word_and_that_of_the_model_around(tmp_path):
    torch.save(FC, tmp_path / 'a.pth')
    part = Part(tmp_path / 'a.pth')
    begin(part)
    assert part.fc.bias.equal(torch.ones(2))
    twice = {f'part.{name}': 2 * tensor for name, tensor in FC.items()}
    torch.save(twice, tmp_path / 'b.pth')
    model = BaseModule(
        dict(type='Pretrained', checkpoint=str(tmp_path / 'b.pth'))
    )
    model.part = Part(tmp_path / 'a.pth')
    assert len(begin(model)) == 2
    assert model.part.fc.bias.equal(2 * torch.ones(2))


def test_what_is_checked_may_be_a_part(tmp_path):
    write_checkpoint(dict(state_dict=swin()), tmp_path / 'a.pth')
    deeper = dict(SWINS['mmpretrain'], arch=dict(SWIN, depths=[1, 1, 3, 1]))
    cfg = config(deeper, 'mmpretrain', tmp_path)
    cfg.model.type = 'ImageClassifier'
    start_from(cfg, str(tmp_path / 'a.pth'))
    with pytest.raises(UsageError, match='stages.2.blocks.2'):
        check_starts(cfg)
    cfg.partial_weights = True
    check_starts(cfg)


def test_no_file_is_named():
    with pytest.raises(UsageError, match='model starts from weights, '):
        begin(Part(''))


class Halved(nn.Linear):
    """Loads something else than it was given."""

    def _load_from_state_dict(self, state, prefix, *args):
        state = {name: tensor / 2 for name, tensor in state.items()}
        super()._load_from_state_dict(state, prefix, *args)


def test_values_are_compared():
    layer, weights = Halved(2, 2), dict(weight=torch.ones(2, 2))
    content = dict(state_dict=dict(weights, bias=torch.ones(2)))
    for place in (None, 'a part'):
        with pytest.raises(UsageError, match='not loaded .other values.'):
            load(layer, 'a.pth', 'test', place=place, checkpoint=content)


def test_a_head_may_have_other_classes_but_not_other_features():
    model = nn.ModuleDict(dict(body=nn.Linear(2, 2), head=nn.Linear(2, 3)))

    def begun_with(head):
        given = nn.ModuleDict(dict(body=nn.Linear(2, 2), head=head))
        content = dict(state_dict=given.state_dict())
        return load(model, 'a.pth', 'train', checkpoint=content)

    audit = begun_with(nn.Linear(2, 5))
    assert audit.other_classes == ['head.weight', 'head.bias']
    with pytest.raises(UsageError, match='another shape.*: head.weight'):
        begun_with(nn.Linear(4, 3))


def test_what_evaluation_keeps_follows_the_weights():
    """mmpretrain's TinyViT computes the biases of its attention in eval()."""
    init_default_scope('mmpretrain')
    source, target = MODELS.build(TINYVIT), MODELS.build(TINYVIT)
    for parameter in source.parameters():
        nn.init.normal_(parameter)
    images = torch.rand(1, 3, 64, 64)
    source.eval(), target.eval()
    content = dict(state_dict=source.state_dict())
    load(target, 'a.pth', 'test', place='a part', checkpoint=content)
    with torch.no_grad():
        assert target(images)[0].equal(source(images)[0])


# ---- networks of mmdet that no classifier has ------------------------------


def as_published(pvt):
    """A PVT of mmdet by the names of its authors' files."""
    theirs = {'cls_token': torch.ones(1, 1, 16), 'norm.weight': torch.ones(16)}
    for name, tensor in pvt.state_dict().items():
        _, stage, part, *rest = name.split('.')
        stage, rest = int(stage) + 1, '.'.join(rest)
        block, _, inside = rest.partition('.')
        if part == '0':
            place = f'patch_embed{stage}.{rest.replace("projection", "proj")}'
        elif inside == 'pos_embed':
            place = f'pos_embed{stage}'
            if stage == 4:  # with the class token's
                tensor = torch.cat([torch.zeros(1, 1, 16), tensor], dim=1)
        else:
            place = f'block{stage}.{int(block) - 1}.{inside}'
            for old, new in (
                ('attn.attn.out_proj', 'attn.proj'),
                ('ffn.layers.0', 'mlp.fc1'),
                ('ffn.layers.3', 'mlp.fc2'),
            ):
                place = place.replace(old, new)
            if 'mlp.' in place and tensor.dim() == 4:
                tensor = tensor[..., 0, 0]
        if 'in_proj_' in place:
            place = place.replace('attn.attn.in_proj_', 'attn.{}.')
            theirs[place.format('q')] = tensor[:16]
            theirs[place.format('kv')] = tensor[16:]
        else:
            theirs[place] = tensor
    return theirs


def of_mmdet(config, path=None):
    pytest.importorskip('mmcv.ops')
    init_default_scope('mmdet')
    init_cfg = dict(type='Pretrained', checkpoint=str(path)) if path else None
    model = BaseModule()
    model.backbone = MODELS.build(Config(dict(config, init_cfg=init_cfg)))
    return model


def test_a_pvt_of_its_authors(tmp_path):
    config = dict(
        type='PyramidVisionTransformer',
        embed_dims=16,
        num_layers=[1, 1, 1, 1],
        num_heads=[1, 1, 1, 1],
    )
    torch.manual_seed(0)
    source = of_mmdet(config).backbone
    for tensor in source.state_dict().values():
        nn.init.normal_(tensor)
    torch.save(as_published(source), tmp_path / 'pvt.pth')
    model = of_mmdet(config, tmp_path / 'pvt.pth')
    [audit] = begin(model).values()
    assert audit.dropped == ['cls_token', 'norm.weight'] and not audit.faults
    for name, tensor in model.backbone.state_dict().items():
        assert tensor.equal(source.state_dict()[name]), name


def test_ssd_adds_layers_to_a_vgg(tmp_path):
    """And starts from the same checkpoint as others do."""
    config = dict(
        type='SSDVGG', depth=11, ceil_mode=True, out_feature_indices=(14, 24)
    )
    torch.manual_seed(0)
    vgg = of_mmdet(config).backbone.state_dict()
    given = {n: t for n, t in vgg.items() if int(n.split('.')[1]) < 20}
    given['classifier.0.weight'] = torch.ones(2, 2)
    torch.save(dict(state_dict=given), tmp_path / 'vgg.pth')
    [audit] = begin(of_mmdet(config, tmp_path / 'vgg.pth')).values()
    assert audit.dropped == ['classifier.0.weight'] and not audit.faults
    assert len(audit.expected_missing) == 4
    del given['features.0.weight']
    torch.save(dict(state_dict=given), tmp_path / 'vgg.pth')
    with pytest.raises(UsageError, match='features.0.weight'):
        begin(of_mmdet(config, tmp_path / 'vgg.pth'))
