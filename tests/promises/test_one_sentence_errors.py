"""Promise 3: what cannot work is said in one sentence, before anything.

Sixty-odd wrong inputs of all kinds. Each gives exit status 1 and one message
without a traceback, which names what is at fault; no file is lost.
"""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from PIL import Image

# ---- configs -------------------------------------------------------------
SETTINGS = [
    pytest.param(recipe, *case, id=name)
    for recipe, cases in yaml.safe_load(
        Path(__file__).with_name('wrong_settings.yml').read_text()
    ).items()
    for name, case in cases.items()
]


@pytest.mark.parametrize('recipe, options, words', SETTINGS)
def test_config(tool, recipe, options, words):
    line = (f'{recipe}.py', '--check', '--work-dir', 'w')
    tool('train.py', *line, '--cfg-options', *options).refuses(*words)


def test_a_fault_with_a_near_name_is_told_once(tool):
    source = 'model.auxiliary_head.source=stages.7'
    line = ('classifier_drloc.py', '--check', '--cfg-options', source)
    said = tool('train.py', *line).refuses('did you mean')
    assert said.count('stages.7') == 1, said


MISREAD = """
_base_ = './detector.py'
model = dict(
    backbone=dict(
        _delete_=True, type='{}.TIMMBackbone', model_name='convnext_atto',
        features_only=True, out_indices=(0, 1)),
    neck=dict(in_channels=[40, 80]))
"""


def test_maps_that_a_detector_would_misread(tool, folder):
    (folder / 'theirs.py').write_text(MISREAD.format('mmpretrain'))
    words = ('bbox_roi_extractor', 'misread', 'mmdrloc.TIMMBackbone')
    tool('train.py', 'theirs.py', '--check').refuses(*words)
    (folder / 'ours.py').write_text(MISREAD.format('mmdrloc'))
    tool('train.py', 'ours.py', '--check').succeeds()
    layer = 'dict(roi_layer=dict(use_torchvision=True))'
    heads = f'bbox_roi_extractor={layer}, mask_roi_extractor={layer}'
    theirs = MISREAD.replace('neck=', f'roi_head=dict({heads}), neck=')
    (folder / 'theirs.py').write_text(theirs.format('mmpretrain'))
    tool('train.py', 'theirs.py', '--check').succeeds()


TEXTS = {
    'syntax': ('model = dict(\n', ['bad.py']),
    'a base that is not there': ("_base_ = 'none.py'\n", ['none.py']),
    'an exception of its own': ('1 / 0\n', ['bad.py', 'ZeroDivisionError']),
    'a way out': ('exit(0)\n', ['bad.py']),
    'nothing': ('', ['model']),
}


@pytest.mark.parametrize('name', TEXTS)
def test_config_file(tool, folder, name):
    text, words = TEXTS[name]
    (folder / 'bad.py').write_text(text)
    tool('train.py', 'bad.py', '--work-dir', 'w').refuses(*words)


# ---- data ----------------------------------------------------------------
def broken_image(folder):
    (folder / 'insects/train/bee/0.png').write_bytes(b'no picture')


def cut_image(folder):
    path = folder / 'insects/train/bee/0.png'
    path.write_bytes(path.read_bytes()[:200])


def empty_image(folder):
    (folder / 'insects/val/ant/2.png').write_bytes(b'')


def class_without_images(folder):
    for path in (folder / 'insects/train/cow').iterdir():
        path.unlink()


def class_in_one_part_alone(folder):
    shutil.copytree(folder / 'insects/val/cow', folder / 'insects/val/dog')


def annotations(change):
    def prepare(folder):
        path = folder / 'objects/annotations/train.json'
        content = json.loads(path.read_text())
        content = change(content) or content
        path.write_text(
            content if isinstance(content, str) else json.dumps(content)
        )

    return prepare


def no_json(content):
    return '{"images": ['


def not_coco(content):
    return [1, 2]


def no_categories(content):
    del content['categories']


def no_objects(content):
    content['annotations'] = []


def unknown_category(content):
    content['annotations'][3]['category_id'] = 77


def unknown_image(content):
    content['annotations'][3]['image_id'] = 99


def missing_image(content):
    content['images'][1]['file_name'] = 'absent.png'


def infinite_box(content):
    content['annotations'][3]['bbox'][2] = float('inf')


def short_box(content):
    content['annotations'][3]['bbox'] = [1, 2, 3]


def two_points(content):
    content['annotations'][3]['segmentation'] = [[1, 1, 5, 5]]


def label_map(value=None, size=None, keep=True):
    def prepare(folder):
        path = folder / 'maps/annotations/train/2.png'
        labels = np.array(Image.open(path))
        if value is not None:
            labels[0, 0] = value
        if size is not None:
            labels = labels[: size[0], : size[1]]
        path.unlink()
        if keep:
            Image.fromarray(labels).save(path)

    return prepare


DATA = {
    'broken image': ('classifier', broken_image, ['bee/0.png']),
    'half an image': ('classifier', cut_image, ['bee/0.png']),
    'empty image': ('classifier', empty_image, ['ant/2.png']),
    'class without images': ('classifier', class_without_images, ['cow']),
    'class in one part': ('classifier', class_in_one_part_alone, ['dog']),
    'no JSON': ('detector', annotations(no_json), ['train.json']),
    'not COCO': ('detector', annotations(not_coco), ['train.json']),
    'no categories': ('detector', annotations(no_categories), ['categories']),
    'no objects': ('detector', annotations(no_objects), ['train.json']),
    'unknown category': (
        'detector',
        annotations(unknown_category),
        ['train.json'],
    ),
    'unknown image': ('detector', annotations(unknown_image), ['train.json']),
    'missing image': ('detector', annotations(missing_image), ['absent.png']),
    'infinite box': ('detector', annotations(infinite_box), ['train.json']),
    'short box': ('detector', annotations(short_box), ['train.json']),
    'two points': ('detector', annotations(two_points), ['train.json']),
    'label past the classes': ('segmentor', label_map(7), ['2.png', '7']),
    'map of another size': (
        'segmentor',
        label_map(size=(20, 20)),
        ['2.png'],
    ),
    'map that is not there': ('segmentor', label_map(keep=False), ['2.png']),
}


@pytest.mark.parametrize('name', DATA)
def test_data(tool, folder, name):
    recipe, prepare, words = DATA[name]
    prepare(folder)
    line = (f'{recipe}.py', '--check', '--work-dir', 'w')
    tool('train.py', *line).refuses(*words)


# ---- words of the command lines, weights, folders ------------------------
def nothing(folder):
    pass


def half_a_checkpoint(folder):
    content = next(folder.glob('run/epoch_*.pth')).read_bytes()
    (folder / 'bad.pth').write_bytes(content[: len(content) // 2])


def changed(change):
    def prepare(folder):
        content = torch.load(
            next(folder.glob('run/epoch_*.pth')), weights_only=False
        )
        change(content)
        torch.save(content, 'bad.pth')

    return prepare


def drop_optimizer(content):
    del content['optimizer']


def split_groups(content):
    [group] = content['optimizer']['param_groups']
    half = dict(group, params=group['params'][:3])
    content['optimizer']['param_groups'].append(half)


def forget_when(content):
    content['meta']['iter'] = 'three'


def average(content):
    content['ema_state_dict'] = {}


def add_scheduler(content):
    content['param_schedulers'] = [dict(last_step=1)]


def lose_messages(content):
    content['message_hub'] = dict(log_scalars=1)


def break_meta(content):
    content['meta'] = [1]


def same(content):
    pass


RESUME = 'train.py classifier_drloc.py --epochs 2 --work-dir w --resume '
UNRESUMABLE = {
    drop_optimizer: 'no state of a training',
    split_groups: 'parameter groups',
    forget_when: 'no state of a training',
    average: 'averaged weights (EMAHook)',
    add_scheduler: 'parameter schedulers',
    lose_messages: 'error.log',
    break_meta: 'no state of a training',
}


def a_file(folder):
    (folder / 'w').write_text('mine')


def empty_folder(folder):
    (folder / 'empty').mkdir()


WORDS = [
    ('train.py none.py', nothing, 'none.py'),
    ('train.py classifier.py --work-dir w', a_file, 'Not a directory'),
    (
        'train.py quickstart/swin-2stage --dataset nowhere/at-all',
        nothing,
        'nowhere/at-all',
    ),
    ('train.py quickstart/swin-2stage --dataset empty', empty_folder, 'empty'),
    (
        'train.py quickstart/upernet_swin-2stage --dataset insects',
        nothing,
        'insects',
    ),
    ('train.py classifier.py --weights bad.pth', half_a_checkpoint, 'bad.pth'),
    ('train.py classifier.py --resume none.pth', nothing, 'none.pth'),
    ('train.py classifier.py --resume empty', empty_folder, 'empty'),
    ('train.py classifier.py --weights empty', empty_folder, 'empty'),
    *((f'{RESUME}bad.pth', changed(c), w) for c, w in UNRESUMABLE.items()),
    (
        f'{RESUME}bad.pth --cfg-options optim_wrapper.optimizer.type=SGD',
        changed(same),
        'SGD',
    ),
    ('report.py empty --out a.md', empty_folder, 'empty'),
    ('report.py run --out classifier.py', nothing, 'classifier.py'),
    ('compare.py classifier.py --seeds 0', nothing, 'classifier'),
]


@pytest.mark.parametrize('line, prepare, words', WORDS)
def test_words(tool, folder, run, line, prepare, words):
    prepare(folder)
    tool(*line.split()).refuses(words)


@pytest.mark.parametrize(
    'line',
    [
        ['classifier.py', '--cfg-options', 'a'],
        ['classifier.py', '--no-such-option'],
        [],
    ],
)
def test_usage(tool, line):
    """As with any program on Linux: status 2, and the usage."""
    outcome = tool('train.py', *line)
    assert outcome.status == 2
    assert 'Traceback' not in outcome.said and 'usage:' in outcome.said


# ---- modules of the user's ------------------------------------------------
OWN = """
_base_ = './classifier_drloc.py'
custom_imports = dict(imports=['own_parts'])
model = dict(auxiliary_head=dict(loss=dict(_delete_=True, type='Rounded')))
"""
ROUNDED = """
from mmengine.registry import MODELS
from torch import nn

@MODELS.register_module()
class Rounded(nn.Module):
    def forward(self, prediction, pairs, grid_size):
        return prediction.round().detach().abs().mean()
"""


def test_modules_of_the_user(tool, folder):
    (folder / 'own.py').write_text(OWN)
    words = ("No module named 'own_parts'", 'PYTHONPATH')
    tool('train.py', 'own.py').refuses(*words)
    (folder / 'own_parts.py').write_text('import not_there\n' + ROUNDED)
    words = ("No module named 'not_there'", 'PYTHONPATH')
    tool('train.py', 'own.py').refuses(*words)
    (folder / 'own_parts.py').write_text(ROUNDED)
    tool('train.py', 'own.py').refuses('loss_drloc has no gradient')
    line = ('--cfg-options', 'custom_imports.imports=[own_parts]')
    tool('train.py', 'classifier.py', *line).refuses('custom_imports')


# ---- in the middle of a training -----------------------------------------
SPOILED = """
_base_ = './classifier.py'
custom_imports = dict(imports=['spoils'])
custom_hooks = [dict(type='Spoils')]
train_cfg = dict(max_epochs=3)
"""
SPOILS = """
import torch
from pathlib import Path
from mmengine.hooks import Hook
from mmengine.registry import HOOKS

@HOOKS.register_module()
class Spoils(Hook):
    priority = 'LOWEST'

    def after_train_epoch(self, runner):
        if runner.epoch == 1:
            {}
"""


def test_a_loss_that_is_not_finite(tool, folder):
    """It ends the training; the last good checkpoint stays."""
    (folder / 'spoiled.py').write_text(SPOILED)
    (folder / 'spoils.py').write_text(
        SPOILS.format(
            'torch.nn.init.constant_(runner.model.head.fc.weight, 3e38)'
        )
    )
    tool('train.py', 'spoiled.py', '--work-dir', 'w').refuses('not finite')
    checkpoint = torch.load('w/epoch_1.pth', weights_only=False)
    for tensor in checkpoint['state_dict'].values():
        assert tensor.isfinite().all()
    assert not json.loads(open('w/result.json').read())['finished']


def test_an_image_that_breaks_meanwhile(tool, folder):
    """The message has its path; the last checkpoint stays."""
    (folder / 'spoiled.py').write_text(SPOILED)
    (folder / 'spoils.py').write_text(
        SPOILS.format("Path('insects/train/bee/1.png').write_bytes(b'gone')")
    )
    outcome = tool('train.py', 'spoiled.py', '--work-dir', 'w')
    assert outcome.status == 1
    assert 'Traceback' not in outcome.said
    assert outcome.said.count('error:') == 1
    assert 'bee/1.png' in outcome.said
    assert (folder / 'w/epoch_1.pth').is_file()


def test_a_check_names_no_file_that_is_gone(tool):
    said = tool(
        'train.py', 'classifier.py', '--check', '--work-dir', 'w'
    ).succeeds()
    assert 'All checks passed' in said and 'Log file' not in said
