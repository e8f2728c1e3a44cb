"""Promise 5: of carried weights every tensor is accounted for."""

import shutil

import pytest
import torch
from foreign_networks import GOLDEN, THEIRS
from golden import load_golden
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS

# ---- from a training to another one --------------------------------------


@pytest.mark.parametrize(
    'recipe',
    ['classifier', 'detector', 'detector_drloc', 'segmentor'],
)
def test_all_of_the_backbone_arrives(tool, run, recipe):
    """From a classifier with DRLoc, whose own head stays behind."""
    line = (f'seen_{recipe}.py', '--weights', 'run', '--work-dir', 'w')
    tool('train.py', *line).succeeds()
    start = torch.load('w/witness.pt', weights_only=True)['start']
    trained = torch.load(run / 'epoch_1.pth', weights_only=False)['state_dict']
    carried = [name for name in trained if name.startswith('backbone.')]
    assert len(carried) > 20
    for name in carried:
        assert start[name].equal(trained[name]), name
    new = {n for n in start if n.startswith('backbone.')} - set(carried)
    # A dense model takes the first stage too, through a norm of its own.
    assert all(name.startswith('backbone.norm0') for name in new)


def test_the_method_may_be_new(tool, folder, run):
    """Weights of a baseline start its twin, whose head begins anew."""
    tool('train.py', 'classifier.py', '--work-dir', 'plain').succeeds()
    line = ('seen_classifier_drloc.py', '--weights', 'plain')
    tool('train.py', *line, '--work-dir', 'w').succeeds()
    start = torch.load('w/witness.pt', weights_only=True)['start']
    trained = torch.load('plain/epoch_1.pth', weights_only=False)['state_dict']
    for name, tensor in trained.items():
        if name.startswith('backbone.'):
            assert start[name].equal(tensor), name
    # A test needs no head for training, and minds none.
    tool('test.py', 'classifier_drloc.py', 'plain/epoch_1.pth').succeeds()
    line = ('classifier.py', 'run/epoch_1.pth', '--work-dir', 'tested')
    tool('test.py', *line).succeeds()
    [log] = folder.glob('tested/*/*.log')
    assert 'of other parts, left out: auxiliary_head' in log.read_text()
    options = ('--cfg-options', 'load_from=plain/epoch_1.pth')
    line = ('classifier_drloc.py', '--work-dir', 'new', *options)
    tool('train.py', *line).refuses('missing', 'auxiliary_head')


def half(weights):
    for name in [n for n in weights if n.startswith('backbone.')][::2]:
        del weights[name]


def one_missing(weights):
    del weights['backbone.stages.1.blocks.0.ffn.layers.1.weight']


def block_too_many(weights):
    name = 'backbone.stages.1.blocks.0.norm1.weight'
    weights[name.replace('blocks.0', 'blocks.7')] = weights[name]


def other_names(weights):
    for name in list(weights):
        weights[f'net.{name}'] = weights.pop(name)


def other_shape(weights):
    name = 'backbone.stages.0.blocks.0.ffn.layers.1.weight'
    weights[name] = torch.ones(3, 3)


def whole_numbers(weights):
    name = 'backbone.patch_embed.projection.weight'
    weights[name] = weights[name].long()


def not_finite(weights):
    weights['backbone.patch_embed.projection.bias'][0] = float('inf')


def none(weights):
    weights.clear()


UNFIT = {
    half: 'patch_embed.projection.weight',
    one_missing: 'stages.1.blocks.0.ffn.layers.1.weight',
    block_too_many: 'stages.1.blocks.7',
    other_names: 'changed.pth',
    other_shape: 'stages.0.blocks.0.ffn.layers.1.weight',
    whole_numbers: 'patch_embed.projection.weight',
    not_finite: 'patch_embed.projection.bias',
    none: 'changed.pth',
}


def write_changed(run, change):
    content = torch.load(run / 'epoch_1.pth', weights_only=False)
    change(content['state_dict'])
    torch.save(content, 'changed.pth')


@pytest.mark.parametrize('change', UNFIT, ids=lambda change: change.__name__)
def test_what_does_not_fit_starts_nothing(tool, run, change):
    write_changed(run, change)
    weights = ('--weights', 'changed.pth')
    for recipe in ('classifier_drloc.py', 'segmentor.py'):
        line = (recipe, *weights, '--check', '--work-dir', 'w')
        tool('train.py', *line).refuses(UNFIT[change])


def test_another_network(tool, run):
    line = ['classifier_drloc.py', '--weights', 'run', '--check']
    deeper = ['--cfg-options', 'model.backbone.arch.depths=[1,2]']
    tool('train.py', *line, *deeper).refuses('stages.1.blocks.1')
    tool('train.py', *line, '--partial', *deeper).succeeds()


HEAD = [
    'model.head.init_cfg.type=Pretrained',
    'model.head.init_cfg.prefix=head.',
]


@pytest.mark.parametrize('names', [['ant', 'bee'], ['ant', 'bee', 'cow']])
def test_a_carried_head_needs_its_classes(tool, folder, run, names):
    """A recipe that starts from backbone and head, as those of 448 px."""
    for name in names:
        for split in ('train', 'val'):
            source = folder / f'insects/{split}/{name}'
            shutil.copytree(source, folder / f'other/{split}/{name}')
    line = ('classifier.py', '--dataset', 'other', '--weights', 'run')
    line += ('--check', '--work-dir', 'w', '--cfg-options', *HEAD)
    outcome = tool('train.py', *line)
    if len(names) == 3:
        outcome.succeeds()
    else:
        outcome.refuses('model.head', 'another shape: fc.weight')


def test_a_part_is_not_nothing(tool, run):
    """--partial takes what fits, and there must be something."""
    write_changed(run, other_shape)
    line = ('classifier_drloc.py', '--weights', 'changed.pth', '--partial')
    tool('train.py', *line, '--check', '--work-dir', 'w').succeeds()
    write_changed(run, other_names)
    tool('train.py', *line, '--check', '--work-dir', 'w').refuses(
        'changed.pth'
    )


# ---- into every other command --------------------------------------------


def other_classes(weights):
    weights['head.fc.weight'] = torch.ones(5, 16)
    weights['head.fc.bias'] = torch.ones(5)


EVERYWHERE = (other_names, one_missing, block_too_many, other_classes)
CALLS = """
import sys
from mmdrloc import apis
from mmdrloc.utils.errors import UsageError
recipe, folder = 'classifier_drloc.py', 'insects/val/ant'
calls = dict(
    test=lambda path: apis.test(recipe, path),
    predict=lambda path: apis.predict(recipe, folder, path, device='cpu'),
    publish=lambda path: apis.publish(recipe, path, f'out_{path}'),
    export=lambda path: apis.export(recipe, path, 'a.onnx', size=(24, 24)),
    transfer=lambda path: apis.transfer(path, 'b.pth', config=recipe))
for path in sys.argv[1:]:
    for name, call in calls.items():
        try:
            call(path)
        except UsageError as error:
            print(f'{name} {path} refused: {error}', flush=True)
        else:
            print(f'{name} {path} accepted', flush=True)
"""


def test_what_does_not_fit_is_used_by_no_command(tool, folder, run):
    pytest.importorskip('onnxruntime')
    (folder / 'calls.py').write_text(CALLS)
    names = []
    for change in EVERYWHERE:
        write_changed(run, change)
        names.append(f'{change.__name__}.pth')
        shutil.move('changed.pth', names[-1])
    said = tool(folder / 'calls.py', *names, 'run/epoch_1.pth').succeeds()
    for name in ('test', 'predict', 'publish', 'export', 'transfer'):
        assert f'{name} run/epoch_1.pth accepted' in said
        for path in names:
            # A backbone has no classes.
            fits = (name, path) == ('transfer', 'other_classes.pth')
            outcome = 'accepted' if fits else 'refused: '
            assert f'{name} {path} {outcome}' in said, said
    assert not list(folder.glob('out_*_*'))


TTA = """
_base_ = './classifier_drloc.py'
tta_model = dict(type='mmpretrain.AverageClsScoreTTA')
tta_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='TestTimeAug', transforms=[[dict(type='mmpretrain.PackInputs')]])]
"""


def test_a_test_of_many_views_and_a_drawing(tool, folder, run):
    write_changed(run, one_missing)
    (folder / 'tta.py').write_text(TTA)
    options = ('--cfg-options', 'partial_weights=True')  # of its training
    for place, line in dict(views=['--tta'], partial=options).items():
        # MMEngine names logs by the second: two of one would be one file.
        line = (*line, '--work-dir', place)
        message = tool('test.py', 'tta.py', 'changed.pth', *line).refuses(
            UNFIT[one_missing]
        )
        assert '--partial' not in message
    line = ('classifier_drloc.py', 'changed.pth', '--out', 'a.png')
    message = tool('analysis_tools/draw.py', 'pair-distances', *line).refuses(
        UNFIT[one_missing]
    )
    assert '--partial' not in message
    assert not (folder / 'a.png').exists()


# ---- between libraries ---------------------------------------------------


def carried_there_and_back(tool, origin, theirs):
    """Convert weights to ours and back; ours, and what comes back."""
    torch.save(theirs, 'theirs.pth')
    tool('transfer.py', 'theirs.pth', 'ours.pth', '--with-head').succeeds()
    tool('transfer.py', 'ours.pth', 'back.pth', '--to', origin).succeeds()
    return [
        torch.load(name, weights_only=False)['state_dict']
        for name in ('ours.pth', 'back.pth')
    ]


def assert_equal_but_derived(back, theirs):
    """Bit by bit; what a network computes by itself need not be there."""
    assert set(back) <= set(theirs)
    for name in set(theirs) - set(back):
        assert name.endswith(('index', 'mask', 'num_batches_tracked')), name
    for name, tensor in back.items():
        assert tensor.equal(theirs[name]), name


def logits(model, weights, images):
    """What our network answers with these weights, all of them."""
    init_default_scope('mmpretrain')
    model = MODELS.build(model)
    missing, unexpected = model.load_state_dict(weights, strict=False)
    model.eval()
    assert not unexpected
    assert all(name.endswith('_index') for name in missing)
    with torch.no_grad():
        return model(images, mode='tensor')


@pytest.mark.parametrize('origin', THEIRS)
def test_another_library(tool, origin):
    """Everything comes, computes the same, and goes back as it was."""
    build, model, size = THEIRS[origin]
    torch.manual_seed(0)
    network = build().eval()
    with torch.no_grad():
        for parameter in network.parameters():  # none stays as it started
            parameter.add_(0.05 * torch.randn_like(parameter))
    theirs = network.state_dict()
    ours, back = carried_there_and_back(tool, origin, theirs)
    images = torch.randn(1, 3, size, size)
    with torch.no_grad():
        expected = network(images)
    torch.testing.assert_close(
        logits(model, ours, images), expected, rtol=1e-4, atol=1e-4
    )
    assert_equal_but_derived(back, theirs)


@pytest.mark.parametrize('origin', GOLDEN)
def test_the_authors_own_code(tool, origin):
    """Their weights give their logits here, and go back as they were."""
    name, model_of = GOLDEN[origin]
    golden = load_golden(f'{name}.pt')
    theirs = golden['state_dict']
    ours, back = carried_there_and_back(tool, origin, theirs)
    classes = golden['logits'].shape[-1]
    found = logits(model_of(golden['arch'], classes), ours, golden['input'])
    torch.testing.assert_close(
        found.reshape(golden['logits'].shape),
        golden['logits'],
        rtol=1e-5,
        atol=1e-5,
    )
    assert_equal_but_derived(back, theirs)


def test_a_config_and_a_format_at_once(tool, folder):
    """Positions are resized to the config's, heads stay, names are timm's."""
    build, model, size = THEIRS['vit-timm']
    theirs = build().state_dict()
    torch.save(theirs, 'theirs.pth')
    model['backbone']['img_size'] = 2 * size
    (folder / 'larger.py').write_text(
        f"default_scope = 'mmpretrain'\nmodel = {model!r}"
    )
    line = ('theirs.pth', 'larger.pth', '--config', 'larger.py')
    tool('transfer.py', *line, '--with-head', '--to', 'vit-timm').succeeds()
    written = torch.load('larger.pth', weights_only=True)['state_dict']
    assert written.keys() == theirs.keys()
    for name, tensor in theirs.items():
        if name == 'pos_embed':
            assert written[name].shape[1] > tensor.shape[1]
        else:
            assert written[name].equal(tensor), name


def test_a_format_without_a_place_for_a_part(tool, run):
    """The last norm of a Swin of two stages is not that of four."""
    line = ('run/epoch_1.pth', 'b.pth', '--with-head')
    tool('transfer.py', *line, '--to', 'swin-microsoft').refuses('norm1')
