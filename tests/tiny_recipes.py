"""A folder of recipes for three tasks, and data for them."""

import json
from pathlib import Path

import numpy as np
from PIL import Image
from tiny_data import HEIGHT, WIDTH, coco_content, write_labels, write_photo
from tiny_run import MODEL, TWIN

DESCRIPTION = """
task = '{task}'
dataset_name = '{name}'
num_classes = {classes}
num_train = num_val = 12
train_dataset = dict(type='{kind}', data_root='data', ann_file='train.json')
val_dataset = dict(type='{kind}', data_root='data', ann_file='val.json')
"""
BASE = """
dataset_name = '{name}'
default_scope = '{scope}'
load = [dict(type='LoadImageFromFile'), {steps}]
train_dataloader = dict(
    batch_size=4, num_workers=0,
    collate_fn=dict(type='{collate}'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(type='{kind}', data_root='data', pipeline=load))
val_dataloader = test_dataloader = dict(
    train_dataloader, sampler=dict(type='DefaultSampler', shuffle=False))
val_evaluator = test_evaluator = {evaluator}
optim_wrapper = dict(optimizer=dict(type='SGD', lr=0.1))
train_cfg = dict(by_epoch=True, max_epochs=1)
val_cfg = test_cfg = dict()
data_preprocessor = dict({preprocessor})
"""
CLASSIFY = dict(
    name='fruit',
    scope='mmpretrain',
    kind='CustomDataset',
    collate='default_collate',
    steps="dict(type='Resize', scale=24), dict(type='PackInputs')",
    evaluator="dict(type='Accuracy', topk=(1, 5))",
    preprocessor='num_classes=7',
)
SEGMENT = dict(
    name='maps',
    scope='mmseg',
    kind='BaseSegDataset',
    collate='pseudo_collate',
    steps="dict(type='mmseg.LoadAnnotations')",
    evaluator="dict(type='IoUMetric')",
    preprocessor='',
)
CLASSIFIER = f"""
_base_ = '../_base_/datasets/fruit.py'
model = {dict(MODEL, head=dict(MODEL['head'], num_classes=7))}
"""
SEGMENTOR = """
_base_ = '../_base_/datasets/maps.py'
model = dict(type='EncoderDecoder', decode_head=dict(num_classes=5))
"""

COCO_LAYOUTS = {
    'coco': ('annotations/instances_{}2017.json', '{}2017', ('train', 'val')),
    'ours': ('annotations/instances_{}.json', '{}', ('train', 'val')),
    'images': ('annotations/{}.json', 'images/{}', ('train', 'val')),
    'together': ('annotations/{}.json', 'images', ('train', 'val')),
    'roboflow': ('{0}/_annotations.coco.json', '{}', ('train', 'valid')),
    'training': ('{}.json', '{}', ('training', 'validation')),
}

MAP_LAYOUTS = {
    'usual': ('images/{}', 'annotations/{}', ('train', 'val')),
    'ade20k': ('images/{}', 'annotations/{}', ('training', 'validation')),
    'labels': ('images/{}', 'labels/{}', ('train', 'test')),
    'split': ('{}/images', '{}/masks', ('train', 'valid')),
    'camvid': ('img/{}', 'ann/{}', ('train', 'val')),
}


def write_recipes(folder: Path) -> Path:
    """Write recipes as they lie in configs/; give ``configs/nets``."""
    configs = folder / 'configs'
    files = {
        'published.yml': '',
        '_base_/datasets/fruit.py': BASE.format(**CLASSIFY),
        '_base_/datasets/maps.py': BASE.format(**SEGMENT),
        'nets/tiny.py': CLASSIFIER,
        'nets/tiny_drloc.py': TWIN,
        'nets/upernet.py': SEGMENTOR,
    }
    for name, text in files.items():
        path = configs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return configs / 'nets'


def write_classes(folder: Path, counts, suffix='.jpg', size=(24, 20)) -> Path:
    """Write photos of one colour, another one in each folder and class."""
    blue = 20 * (sum(folder.name.encode()) % 11)
    for label, (name, count) in enumerate(counts.items()):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            # Far enough apart that JPEG keeps them apart.
            steps, step = divmod(number, 28)
            red = (60 * label + 40 * steps) % 256
            color = (red, 200 - 5 * step, blue)
            image = Image.new('RGB', size, color)
            image.save(folder / name / f'{number}{suffix}')
    return folder


def write_objects(folder, layout='ours', train=None, val=None):
    """Write a detection set of four images a part."""
    annotations, images, names = COCO_LAYOUTS[layout]
    for part, (name, content) in enumerate(zip(names, (train, val))):
        file = folder / annotations.format(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content or coco_content()))
        for number in range(4):
            photo = folder / images.format(name) / f'{number}.jpg'
            write_photo(photo, color=(90, 40 * number, 90 * part))
    return folder


def without_masks():
    """Annotations of boxes alone."""
    content = coco_content()
    for number, entry in enumerate(content['annotations']):
        entry.pop('segmentation')
        if number % 2:  # as some write it
            entry['segmentation'] = []
    return content


def write_maps(
    folder, layout='usual', values=(0, 1, 255), classes='sky\nsea\n'
):
    """Write two images a part, whose label maps have these values."""
    images, maps, names = MAP_LAYOUTS[layout]
    labels = np.zeros((HEIGHT, WIDTH), np.uint8)
    labels[: len(values), 0] = values
    for part, name in enumerate(names):
        place = folder / maps.format(name)
        place.mkdir(parents=True, exist_ok=True)
        for number in range(2):
            photo = folder / images.format(name) / f'{number}.jpg'
            write_photo(photo, color=(90, 40 * number, 90 * part))
            write_labels(place / f'{number}.png', labels)
    (folder / 'classes.txt').write_text(classes)
    return folder
