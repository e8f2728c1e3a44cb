"""Promise 3: what cannot work is said in one sentence, before anything.

Sixty-odd wrong inputs of all kinds. Each gives exit status 1 and one message
without a traceback, which names what is at fault; no file is lost.
"""

import json
import shutil

import numpy as np
import pytest
import torch
from PIL import Image

# ---- configs -------------------------------------------------------------
# recipe, options, what the message names
SETTINGS = {
    'misspelt type of a backbone': (
        'classifier',
        ['model.backbone.type=mmpretrain.SwinTransfomer'],
        ['SwinTransfomer', 'SwinTransformer'],
    ),
    'misspelt type of a model': (
        'classifier',
        ['model.type=ImageClasifier'],
        ['ImageClasifier', 'ImageClassifier'],
    ),
    'unknown transform': (
        'classifier',
        ['train_dataloader.dataset.pipeline.0.type=LoadImagesFromFile'],
        ['LoadImagesFromFile'],
    ),
    'unknown metric': (
        'classifier',
        ['val_evaluator.type=Acuracy'],
        ['Acuracy', 'Accuracy'],
    ),
    'unknown optimizer': (
        'classifier',
        ['optim_wrapper.optimizer.type=AdamWW'],
        ['AdamWW', 'AdamW'],
    ),
    'unknown hook': (
        'classifier',
        ['default_hooks.logger.type=LogerHook'],
        ['LogerHook', 'LoggerHook'],
    ),
    'unknown argument of a backbone': (
        'classifier',
        ['model.backbone.widow_size=4'],
        ['widow_size', 'window_size'],
    ),
    'unknown argument of a dataset': (
        'classifier',
        ['train_dataloader.dataset.data_rot=insects'],
        ['data_rot'],
    ),
    'unknown argument of the DRLoc head': (
        'classifier_drloc',
        ['model.auxiliary_head.num_pair=8'],
        ['num_pair', 'num_pairs'],
    ),
    'unknown top-level key': (
        'classifier',
        ['train_dataloaders.batch_size=2'],
        ['train_dataloaders', 'train_dataloader'],
    ),
    'channels of the head': (
        'classifier',
        ['model.head.in_channels=17'],
        ['17'],
    ),
    'channels of the DRLoc head': (
        'classifier_drloc',
        ['model.auxiliary_head.in_channels=17'],
        ['17'],
    ),
    'source that the backbone has not': (
        'classifier_drloc',
        ['model.auxiliary_head.source=stages.7'],
        ['stages.7'],
    ),
    'no pairs': (
        'classifier_drloc',
        ['model.auxiliary_head.num_pairs=0'],
        ['num_pairs'],
    ),
    'no classes': ('classifier', ['model.head.num_classes=0'], ['classes']),
    'too few classes': (
        'classifier',
        ['model.head.num_classes=2'],
        ['num_classes', '3'],
    ),
    'empty batches': (
        'classifier',
        ['train_dataloader.batch_size=0'],
        ['batch_size'],
    ),
    'a text for a number': (
        'classifier',
        ['train_dataloader.batch_size=many'],
        ['batch_size'],
    ),
    'a text for a rate': (
        'classifier',
        ['optim_wrapper.optimizer.lr=fast'],
        ['lr'],
    ),
    'negative rate': (
        'classifier',
        ['optim_wrapper.optimizer.lr=-1.0'],
        ['-1'],
    ),
    'no epochs': ('classifier', ['train_cfg.max_epochs=0'], ['max_epochs']),
    'a number for a model': ('classifier', ['model=3'], ['model']),
    'a seed of words': ('classifier', ['randomness.seed=abc'], ['seed']),
    'hooks of a number': (
        'classifier',
        ['default_hooks=3'],
        ['default_hooks'],
    ),
    'no optimizer': ('classifier', ['optim_wrapper=None'], ['optim_wrapper']),
    'crop of no size': (
        'classifier',
        ['train_dataloader.dataset.pipeline.1.crop_size=0'],
        ['crop_size'],
    ),
    'heads of attention': (
        'classifier',
        ['model.backbone.arch.num_heads=[3,2]'],
        ['8'],
    ),
    'classes of a detector': (
        'detector',
        ['model.roi_head.bbox_head.num_classes=3'],
        ['num_classes', '3'],
    ),
    'category that the file has not': (
        'detector',
        ['train_dataloader.dataset.metainfo.classes=[cat,hen]'],
        ['hen'],
    ),
    'neck of another width': (
        'detector',
        ['model.neck.in_channels=[8,24]'],
        ['24'],
    ),
    'classes of a segmentor': (
        'segmentor',
        ['model.decode_head.num_classes=1'],
        ['num_classes'],
    ),
    'source of a dense head': (
        'segmentor_drloc',
        ['model.drloc_head.source=stage.1'],
        ['stage.1'],
    ),
    'data folder that is not there': (
        'classifier',
        ['train_dataloader.dataset.data_root=nowhere'],
        ['nowhere'],
    ),
    'annotations that are not there': (
        'detector',
        ['train_dataloader.dataset.ann_file=annotations/none.json'],
        ['none.json'],
    ),
    'label maps that are not there': (
        'segmentor',
        ['train_dataloader.dataset.data_prefix.seg_map_path=none'],
        ['none'],
    ),
    'layer decay without its constructor': (
        'classifier',
        ['optim_wrapper.paramwise_cfg.layer_decay_rate=0.7'],
        ['layer_decay_rate', 'constructor'],
    ),
    'division by zero': (
        'classifier',
        ['data_preprocessor.std=[60,0,40]'],
        ['data_preprocessor.std'],
    ),
    'a text for a switch': (
        'classifier',
        ['randomness.deterministic=no'],
        ['deterministic'],
    ),
    'no time to wait': (
        'classifier',
        ['env_cfg.dist_cfg.timeout=0'],
        ['timeout'],
    ),
    # All faults that are independent of each other, at once.
    'four faults of a classifier': (
        'classifier_drloc',
        [
            'train_dataloader.dataset.data_root=nowhere',
            'model.auxiliary_head.source=stages.7',
            'model.head.num_classes=7',
            'model.head.in_channels=17',
        ],
        ['nowhere', 'stages.7', 'num_classes=7', '17'],
    ),
    'three faults of a detector': (
        'detector',
        [
            'train_dataloader.dataset.ann_file=annotations/none.json',
            'model.roi_head.bbox_head.num_classes=3',
            'model.neck.in_channels=[8,24]',
        ],
        ['none.json', 'num_classes=3', '24'],
    ),
    'three faults of a segmentor': (
        'segmentor_drloc',
        [
            'train_dataloader.dataset.data_prefix.seg_map_path=none',
            'model.drloc_head.source=stage.1',
            'model.decode_head.num_classes=1',
        ],
        ['maps/none', 'stage.1', 'num_classes=1'],
    ),
    'two widths': (
        'classifier_drloc',
        ['model.auxiliary_head.in_channels=19', 'model.head.in_channels=17'],
        ['17', '19'],
    ),
}


@pytest.mark.parametrize('name', SETTINGS)
def test_config(tool, name):
    recipe, options, words = SETTINGS[name]
    line = (f'{recipe}.py', '--check', '--work-dir', 'w')
    tool('train.py', *line, '--cfg-options', *options).refuses(*words)


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


def text_as_checkpoint(folder):
    (folder / 'bad.pth').write_text('I am no checkpoint')


def half_a_checkpoint(folder):
    content = next(folder.glob('run/epoch_*.pth')).read_bytes()
    (folder / 'bad.pth').write_bytes(content[: len(content) // 2])


def unknown_tensors(folder):
    torch.save({'a.weight': torch.ones(2), 'b': torch.ones(1)}, 'bad.pth')


def changed(change):
    def prepare(folder):
        content = torch.load(
            next(folder.glob('run/epoch_*.pth')), weights_only=False
        )
        change(content)
        torch.save(content, 'bad.pth')

    return prepare


def not_a_number(content):
    content['state_dict']['backbone.patch_embed.projection.weight'][0] = float(
        'nan'
    )


def other_shape(content):
    content['state_dict']['head.fc.weight'] = torch.ones(7, 16)


def a_file(folder):
    (folder / 'w').write_text('mine')


def empty_folder(folder):
    (folder / 'empty').mkdir()


WORDS = {
    'no such recipe': (['train.py', 'none.py'], nothing, ['none.py']),
    'no such name': (
        ['train.py', 'quickstart/swin-2stages'],
        nothing,
        ['swin-2stages'],
    ),
    'work folder is a file': (
        ['train.py', 'classifier.py', '--work-dir', 'w'],
        a_file,
        ['w'],
    ),
    'dataset that is not there': (
        ['train.py', 'quickstart/swin-2stage', '--dataset', 'nowhere/at-all'],
        nothing,
        ['nowhere/at-all'],
    ),
    'misspelt dataset': (
        ['train.py', 'quickstart/swin-2stage', '--dataset', 'cifar01'],
        nothing,
        ['cifar01', 'cifar10'],
    ),
    'folder without images': (
        ['train.py', 'quickstart/swin-2stage', '--dataset', 'empty'],
        empty_folder,
        ['empty'],
    ),
    'folder of another task': (
        ['train.py', 'quickstart/upernet_swin-2stage', '--dataset', 'insects'],
        nothing,
        ['insects'],
    ),
    'weights that are not there': (
        ['train.py', 'classifier.py', '--weights', 'none.pth'],
        nothing,
        ['none.pth'],
    ),
    'weights of words': (
        ['train.py', 'classifier.py', '--weights', 'bad.pth'],
        text_as_checkpoint,
        ['bad.pth'],
    ),
    'half of the weights': (
        ['train.py', 'classifier.py', '--weights', 'bad.pth'],
        half_a_checkpoint,
        ['bad.pth'],
    ),
    'weights of nobody': (
        ['train.py', 'classifier.py', '--weights', 'bad.pth'],
        unknown_tensors,
        ['bad.pth'],
    ),
    'weights that are no numbers': (
        ['train.py', 'classifier.py', '--weights', 'bad.pth'],
        changed(not_a_number),
        ['bad.pth', 'patch_embed.projection.weight'],
    ),
    'test with no checkpoint': (
        ['test.py', 'classifier.py', 'none.pth'],
        nothing,
        ['none.pth'],
    ),
    'test with other classes': (
        ['test.py', 'classifier.py', 'bad.pth'],
        changed(other_shape),
        ['bad.pth', 'head.fc.weight'],
    ),
    'resume from nothing': (
        ['train.py', 'classifier.py', '--resume', 'none.pth'],
        nothing,
        ['none.pth'],
    ),
    'report of no run': (
        ['report.py', 'empty', '--out', 'a.md'],
        empty_folder,
        ['empty'],
    ),
    'report into a config': (
        ['report.py', 'run', '--out', 'classifier.py'],
        nothing,
        ['classifier.py'],
    ),
    'publish into a run': (
        ['publish.py', 'classifier_drloc.py', 'run/epoch_1.pth', 'run'],
        nothing,
        ['run'],
    ),
    'carried over itself': (
        ['transfer.py', 'run/epoch_1.pth', 'run/epoch_1.pth'],
        nothing,
        ['epoch_1.pth'],
    ),
    'baseline of no twin': (
        ['paired.py', 'classifier.py', '--seeds', '0'],
        nothing,
        ['classifier'],
    ),
}


@pytest.mark.parametrize('name', WORDS)
def test_words(tool, folder, run, name):
    (command, *line), prepare, words = WORDS[name]
    prepare(folder)
    tool(command, *line).refuses(*words)


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
    tool('train.py', 'spoiled.py', '--work-dir', 'w').refuses()
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
