"""Promise 9: what is tested and predicted, by the commands themselves."""

import pickle
import shutil
from pathlib import Path

import mmengine
import pytest
import torch
from PIL import Image

VIT = """
_base_ = './classifier.py'
model = dict(
    backbone=dict(
        _delete_=True, type='VisionTransformer', img_size=24, patch_size=8,
        arch=dict(
            embed_dims=16, num_layers=2, num_heads=2,
            feedforward_channels=32)),
    neck=None,
    head=dict(
        _delete_=True, type='VisionTransformerClsHead', num_classes=3,
        in_channels=16))
tta_model = dict(type='mmpretrain.AverageClsScoreTTA')
tta_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='TestTimeAug',
        transforms=[[dict(type='mmpretrain.RandomFlip', prob=0.0)],
                    [dict(type='mmpretrain.PackInputs')]])]
"""
AVERAGED = """
_base_ = './vit.py'
custom_hooks = [dict(type='{}', momentum=0.1)]
"""


def scores(path):
    """The predicted scores of a dump, (N, K)."""
    with open(path, 'rb') as file:
        return torch.stack([one['pred_score'] for one in pickle.load(file)])


@pytest.mark.parametrize('hook', ['EMAHook', 'mmpretrain.EMAHook'])
def test_averaged_weights_by_other_names(tool, folder, hook):
    """What is evaluated is the file, whatever its names and the hooks."""
    (folder / 'vit.py').write_text(VIT)
    (folder / 'ema.py').write_text(AVERAGED.format(hook))
    tool('train.py', 'ema.py', '--work-dir', 'w').succeeds()
    line = ('w/epoch_1.pth', 'timm.pth', '--to', 'vit-timm')
    tool('transfer.py', *line).succeeds()
    cases = {
        'plain': ('vit.py', 'w/epoch_1.pth'),
        'ema': ('ema.py', 'w/epoch_1.pth'),
        'ema_timm': ('ema.py', 'timm.pth'),
        'ema_timm_tta': ('ema.py', 'timm.pth', '--tta'),
        'ema_tta': ('ema.py', 'w/epoch_1.pth', '--tta'),
    }
    for name, line in cases.items():
        more = ('--out', f'{name}.pkl', '--show-dir', f'{name}_shown')
        tool('test.py', *line, *more).succeeds()
        assert [*(folder / f'{name}_shown').rglob('*.png')]
    expected = scores('plain.pkl')
    assert expected.std() > 1e-4
    found = {name: scores(f'{name}.pkl') for name in cases}
    wrong = [n for n, one in found.items() if not one.allclose(expected)]
    assert not wrong


LOOK = """
from mmdrloc.apis import predict
both = dict(detector_drloc='objects/val', segmentor='maps/images/val')
for run, photos in both.items():
    found = predict(
        run, photos, device='cpu', out=f'{run}.html', show_dir='drawn')
    print(run, len(found), found[0].keys())
"""
HOOKS = {
    'classifier': 'mmpretrain.VisualizationHook',
    'detector_drloc': 'mmdet.DetVisualizationHook',
    'segmentor': 'mmseg.SegVisualizationHook',
}

# The head of what is told of each class.
BY_CLASS = {
    'classifier': 'Accuracy by class',
    'detector_drloc': '| category | mAP',
    'segmentor': ' Class ',
}
VISUALIZERS = {
    'classifier': ('visualizer.type=mmpretrain.UniversalVisualizer',),
    'detector_drloc': ('visualizer.type=mmdet.DetLocalVisualizer',),
}


def test_of_three_tasks(tool, folder):
    """Drawn, dumped and predicted."""
    (folder / 'look.py').write_text(LOOK)
    for recipe, hook in HOOKS.items():
        tool('train.py', f'{recipe}.py', '--work-dir', recipe).succeeds()
        out = 'maps_out' if recipe == 'segmentor' else f'{recipe}.pkl'
        line = (recipe, '--show-dir', f'shown_{recipe}', '--out', out)
        options = (
            f'default_hooks.visualization.type={hook}',
            'default_hooks.visualization.interval=1',
            *VISUALIZERS.get(recipe, ()),
        )
        said = tool('test.py', *line, '--cfg-options', *options).succeeds()
        assert BY_CLASS[recipe] in said
        assert 'creating index' not in said  # of pycocotools
        shown = [*(folder / f'shown_{recipe}').rglob('*.png')]
        assert len(shown) >= 4, recipe
        assert (folder / out).exists()
    tool('test.py', 'segmentor', '--out', 'a.pkl').refuses('is a folder')
    # As narrow as nothing when it is as long as the detector wants it.
    Image.new('RGB', (4000, 5)).save(folder / 'objects/val/strip.png')
    said = tool(folder / 'look.py').succeeds()
    assert 'left out: objects/val/strip.png' in said
    assert "detector_drloc 4 dict_keys(['" in said and 'segmentor 4' in said
    for name in ('detector_drloc', 'segmentor'):
        page = (folder / f'{name}.html').read_text()
        assert page.count('src="data:') == 4
    assert len([*(folder / 'drawn/vis').glob('*')]) >= 4
    assert len([*(folder / 'maps_out').glob('*.png')]) == 4


def test_images_of_some_classes(tool, folder, run):
    """They keep the numbers that the classes had in the training."""
    tool('test.py', 'run', '--out', 'all.pkl').succeeds()
    for name in ('bee', 'cow'):
        shutil.copytree(folder / f'insects/val/{name}', folder / f'new/{name}')
    line = ('run', '--dataset', 'new', '--out', 'some.pkl')
    options = ('--cfg-options', 'test_dataloader.dataset.split=all')
    said = tool('test.py', *line, *options).succeeds()
    assert 'no image of ant' in said
    found, expected = (
        {
            '/'.join(Path(one['img_path']).parts[-2:]): (
                one['gt_label'].item(),
                one['pred_score'].tolist(),
            )
            for one in mmengine.load(f'{name}.pkl')
        }
        for name in ('some', 'all')
    )
    assert len(found) > 1 and found.items() <= expected.items()


def test_photos_that_are_no_longer_held_out(tool, folder):
    """After a new name some of them are photos of the training."""
    photos, hint = folder / 'insects/train', 'split=all'
    line = ('classifier_drloc.py', '--dataset', photos, '--work-dir', 'held')
    tool('train.py', *line).succeeds()
    changed = 'may have been trained on some'
    for line in (('held',), ('held', '--dataset', photos)):
        said = tool('test.py', *line).succeeds()
        assert changed not in said and hint not in said
    shutil.copytree(photos, folder / 'others')
    said = tool('test.py', 'held', '--dataset', 'others').succeeds()
    assert changed not in said and hint in said
    for path in [*photos.glob('*/*')]:
        path.rename(path.with_name(f'my_{path.name}'))
    for line in (('held',), ('held', '--dataset', photos)):
        said = tool('test.py', *line).succeeds()
        assert changed in said and hint not in said


def test_images_of_an_unknown_class(tool, folder, run):
    for name in ('ant', 'bee', 'cow', 'dog'):
        source = folder / 'insects/val/bee'
        shutil.copytree(source, folder / f'new/{name}')
    line = ('run', '--dataset', 'new', '--work-dir')
    tool('test.py', *line, 'more').refuses('4 classes', 'trained with 3')
    shutil.rmtree(folder / 'new/ant')  # as many, and not the same
    tool('test.py', *line, 'as_many').refuses('other classes')


def test_pictures_are_drawn_in_one_process(tool, run):
    line = ('run', '--show-dir', 'd', '--launcher', 'pytorch')
    tool('test.py', *line).refuses('one process')
