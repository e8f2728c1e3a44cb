"""What the promises are tried on: tiny recipes, tiny data, the commands.

Nothing here knows the inside of the package. A command runs in a forked
process that has imported the libraries already: the same as in a shell but
for the seconds of the imports.
"""

import json
import multiprocessing
import os
import runpy
import shutil
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Callable, Dict, NamedTuple, Optional

import cv2
import numpy as np
import pytest
import torch
from command_line import ROOT, TOOLS, environment
from PIL import Image
from tiny_data import coco_content

FORK = multiprocessing.get_context('fork')
CLASSES = ('cat', 'dog')

LOADER = """
def loader(collate, shuffle, **dataset):
    return dict(
        batch_size=4, num_workers=0, collate_fn=dict(type=collate),
        sampler=dict(type='DefaultSampler', shuffle=shuffle), dataset=dataset)

val_cfg = test_cfg = dict()
randomness = dict(seed=0)
default_hooks = dict(logger=dict(type='LoggerHook', interval=1))
train_cfg = dict(by_epoch=True, max_epochs=1)
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=0.01))
swin = dict(
    type='mmpretrain.SwinTransformer', img_size=32, window_size=4,
    arch=dict(embed_dims=8, depths=[1, 1], num_heads=[1, 2]),
    pad_small_map=True, out_indices=(1, ), drop_path_rate=0.2)
"""
END = '\ndel loader, swin\n'
CLASSIFIER = (
    LOADER
    + """
default_scope = 'mmpretrain'
model = dict(
    type='ImageClassifier', backbone=swin,
    neck=dict(type='GlobalAveragePooling'),
    head=dict(type='LinearClsHead', num_classes=3, in_channels=16))
data_preprocessor = dict(
    num_classes=3, mean=[120., 110., 100.], std=[60., 50., 40.], to_rgb=True)
load = dict(type='LoadImageFromFile')
train_dataloader = loader(
    'default_collate', True, type='CustomDataset', data_root='insects',
    data_prefix='train', pipeline=[
        load, dict(type='RandomCrop', crop_size=24, padding=4),
        dict(type='RandomFlip', prob=0.5, direction='horizontal'),
        dict(type='ColorJitter', brightness=0.5), dict(type='PackInputs')])
val_dataloader = loader(
    'default_collate', False, type='CustomDataset', data_root='insects',
    data_prefix='val', pipeline=[load, dict(type='PackInputs')])
test_dataloader = val_dataloader
val_evaluator = test_evaluator = dict(type='Accuracy', topk=1)
"""
    + END
)
DETECTOR = (
    "_base_ = 'mmdet::_base_/models/mask-rcnn_r50_fpn.py'\n"
    + LOADER
    + """
default_scope = 'mmdet'
model = dict(
    backbone=dict(
        _delete_=True, **{**swin, 'out_indices': (0, 1)}),
    neck=dict(in_channels=[8, 16], out_channels=8, num_outs=5),
    rpn_head=dict(in_channels=8, feat_channels=8),
    roi_head=dict(
        bbox_roi_extractor=dict(out_channels=8),
        bbox_head=dict(in_channels=8, fc_out_channels=16, num_classes=2),
        mask_roi_extractor=dict(out_channels=8),
        mask_head=dict(
            in_channels=8, conv_out_channels=8, num_classes=2)),
    train_cfg=dict(rpn_proposal=dict(nms_pre=20, max_per_img=20)),
    test_cfg=dict(rpn=dict(nms_pre=20, max_per_img=20)))
load = dict(type='LoadImageFromFile')
resize = dict(type='Resize', scale=(64, 48), keep_ratio=True)
annotations = dict(type='LoadAnnotations', with_bbox=True, with_mask=True)
data = dict(
    type='CocoDataset', data_root='objects',
    metainfo=dict(classes=('cat', 'dog')))
train_dataloader = loader(
    'pseudo_collate', True, **data, ann_file='annotations/train.json',
    data_prefix=dict(img='train/'),
    filter_cfg=dict(filter_empty_gt=True, min_size=4),
    pipeline=[
        load, annotations, resize, dict(type='RandomFlip', prob=0.5),
        dict(type='PackDetInputs')])
val_dataloader = loader(
    'pseudo_collate', False, **data, ann_file='annotations/val.json',
    data_prefix=dict(img='val/'), test_mode=True, pipeline=[
        load, resize, annotations, dict(
            type='PackDetInputs', meta_keys=(
                'img_id', 'img_path', 'ori_shape', 'img_shape',
                'scale_factor'))])
for each in (train_dataloader, val_dataloader):
    each.update(batch_size=2)
test_dataloader = val_dataloader
val_evaluator = test_evaluator = dict(
    type='CocoMetric', ann_file='objects/annotations/val.json', metric='bbox')
train_cfg = dict(type='EpochBasedTrainLoop', max_epochs=1)
del each, data
"""
    + END
)
SEGMENTOR = (
    LOADER
    + """
default_scope = 'mmseg'
model = dict(
    type='EncoderDecoder', backbone=swin,
    data_preprocessor=dict(
        type='SegDataPreProcessor', mean=[120., 110., 100.],
        std=[60., 50., 40.], bgr_to_rgb=True, size=(32, 48), pad_val=0,
        seg_pad_val=255),
    decode_head=dict(
        type='FCNHead', in_channels=16, channels=8, num_convs=1,
        in_index=0, num_classes=2, norm_cfg=dict(type='BN')),
    train_cfg=dict(), test_cfg=dict(mode='whole'))
load = dict(type='LoadImageFromFile')
annotations = dict(type='LoadAnnotations')
data = dict(
    type='BaseSegDataset', data_root='maps', metainfo=dict(
        classes=('cat', 'dog'), palette=[[0, 0, 0], [9, 9, 9]]))
train_dataloader = loader(
    'pseudo_collate', True, **data,
    data_prefix=dict(
        img_path='images/train', seg_map_path='annotations/train'),
    pipeline=[
        load, annotations, dict(type='RandomFlip', prob=0.5),
        dict(type='PackSegInputs')])
val_dataloader = loader(
    'pseudo_collate', False, **data,
    data_prefix=dict(img_path='images/val', seg_map_path='annotations/val'),
    pipeline=[load, annotations, dict(type='PackSegInputs')])
for each in (train_dataloader, val_dataloader):
    each.update(batch_size=2)
test_dataloader = val_dataloader
val_evaluator = test_evaluator = dict(type='IoUMetric')
del each, data
"""
    + END
)
TWIN = """
_base_ = './{}.py'
model = dict(
    type='mmdrloc.{}',
    {}=dict(
        type='mmdrloc.DRLocHead', source='stages.1', in_channels=16,
        hidden_channels=12, num_pairs=8,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5)))
"""
RECIPES = {
    'classifier.py': CLASSIFIER,
    'classifier_drloc.py': TWIN.format(
        'classifier', 'DRLocClassifier', 'auxiliary_head'
    ),
    'detector.py': DETECTOR,
    'detector_drloc.py': TWIN.format(
        'detector', 'DRLocMaskRCNN', 'drloc_head'
    ),
    'segmentor.py': SEGMENTOR,
    'segmentor_drloc.py': TWIN.format(
        'segmentor', 'DRLocEncoderDecoder', 'drloc_head'
    ),
}
# A hook of a user's own, which notes what a training begins with and sees.
WITNESS = """
import torch
from mmengine.hooks import Hook
from mmengine.registry import HOOKS

@HOOKS.register_module()
class Witness(Hook):
    priority = 'LOWEST'

    def before_train(self, runner):
        self.start = {
            k: v.clone() for k, v in runner.model.state_dict().items()}
        self.batches = []
        runner.model.backbone.register_forward_pre_hook(
            lambda _, inputs: self.batches.append(inputs[0].clone()))

    def before_val(self, runner):
        self.train_batches = list(self.batches)

    def after_train(self, runner):
        torch.save(
            dict(start=self.start,
                 batches=getattr(self, 'train_batches', self.batches),
                 end=runner.model.state_dict()),
            runner.work_dir + '/witness.pt')
"""
WITNESSED = """
_base_ = './{}.py'
custom_imports = dict(imports=['witness'])
custom_hooks = [dict(type='Witness')]
"""


class Outcome(NamedTuple):
    """What a command left behind."""

    status: int
    said: str
    before: Dict[Path, bytes]
    after: Dict[Path, bytes]

    def succeeds(self) -> str:
        """See that it went well; what it said."""
        assert self.status == 0, self.said[-3000:]
        assert 'Traceback' not in self.said
        return self.said

    def refuses(self, *words) -> str:
        """See that it says one thing, which names these, and spoils nothing.

        Args:
            *words (object): Each is named in the message.
        """
        assert self.status == 1, (self.status, self.said[-3000:])
        assert 'Traceback' not in self.said, self.said[-3000:]
        assert self.said.count('error:') == 1, self.said[-3000:]
        _, _, message = self.said.partition('error:')
        for word in words:
            assert str(word) in message, message
        lost = [
            path
            for path, content in self.before.items()
            if self.after.get(path) != content
        ]
        assert not lost
        return message


def contents(folder: Path) -> Dict[Path, bytes]:
    """All files of a folder but locks, and what is in them."""
    return {
        path: path.read_bytes()
        for path in folder.rglob('*')
        if path.is_file()
        and not path.is_symlink()
        and 'lock' not in path.name
        and path.name != 'said.txt'
    }


def start(tool: str, *line, first: Optional[Callable] = None):
    """Begin a command in this folder; its words go to ``said.txt``."""
    process = FORK.Process(target=_child, args=(tool, line, first))
    process.start()
    return process


def _child(tool, line, first):
    os.setpgid(0, 0)
    file = os.open('said.txt', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.stdout, sys.stderr = os.fdopen(1, 'w', 1), os.fdopen(2, 'w', 1)
    torch.set_num_threads(1)
    cv2.setNumThreads(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ('LOCAL_RANK', 'RANK', 'WORLD_SIZE', 'MASTER_PORT'):
        os.environ.pop(name, None)
    os.environ.update(CUDA_VISIBLE_DEVICES='', OMP_NUM_THREADS='1')
    path = TOOLS / tool
    # As with PYTHONPATH=. and the script's own folder before it.
    sys.path[:0] = [str(path.parent), os.getcwd()]
    sys.argv = [str(path), *map(str, line)]
    if first is not None:
        first()
    status = 0
    try:
        runpy.run_path(str(path), run_name='__main__')
    except SystemExit as ending:
        status = ending.code
        if isinstance(status, str):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


@pytest.fixture(scope='session')
def libraries():
    """All that commands import, imported before they are forked."""
    torch.set_num_threads(1)
    import mmdet.apis
    import mmpretrain.apis
    import mmseg.apis

    from mmdrloc import apis

    # Imported when it is asked for.
    functions = [getattr(apis, name) for name in apis.__all__]
    return functions, mmdet.apis, mmseg.apis, mmpretrain.apis


@pytest.fixture
def tool(libraries, folder) -> Callable[..., Outcome]:
    """Run ``python tools/NAME LINE`` in the folder of the test."""

    def run(name, *line, first=None, patience=120) -> Outcome:
        before = contents(folder)
        process = start(name, *line, first=first)
        process.join(patience)
        if process.exitcode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
            raise AssertionError(f'still runs: {Path("said.txt").read_text()}')
        said = Path('said.txt').read_text()
        return Outcome(process.exitcode, said, before, contents(folder))

    return run


@pytest.fixture
def begin(libraries, folder) -> Callable:
    """Begin a command in the folder, to be disturbed."""
    return start


@pytest.fixture
def shell(folder) -> Callable[..., subprocess.CompletedProcess]:
    """Run a command line as a shell does, with its imports."""

    def run(*line, **variables):
        variables = {'PYTHONPATH': f'{ROOT}:{folder}', **variables}
        return subprocess.run(
            [sys.executable, *map(str, line)],
            env=environment(**variables),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    return run


@pytest.fixture(scope='session')
def material(tmp_path_factory) -> Path:
    """Data of three tasks and six recipes, twins two by two."""
    folder = tmp_path_factory.mktemp('material')
    for name, text in RECIPES.items():
        (folder / name).write_text(text)
        (folder / f'seen_{name}').write_text(WITNESSED.format(name[:-3]))
    (folder / 'witness.py').write_text(WITNESS)
    rng = np.random.default_rng(0)
    for split in ('train', 'val'):
        for label in ('ant', 'bee', 'cow'):
            for number in range(4):
                _photo(
                    folder / f'insects/{split}/{label}/{number}.png',
                    rng.integers(0, 255, (24, 24, 3), np.uint8),
                )
        labels = np.zeros((30, 40), np.uint8)
        labels[:10], labels[10:12] = 1, 255
        for number in range(4):
            pixels = rng.integers(0, 255, (48, 64, 3), np.uint8)
            _photo(folder / f'objects/{split}/{number}.png', pixels)
            pixels = pixels[:30, :40]
            _photo(folder / f'maps/images/{split}/{number}.jpg', pixels)
            _photo(folder / f'maps/annotations/{split}/{number}.png', labels)
        annotations = folder / f'objects/annotations/{split}.json'
        annotations.parent.mkdir(exist_ok=True)
        annotations.write_text(json.dumps(coco()))
    (folder / 'maps/classes.txt').write_text('\n'.join(CLASSES))
    return folder


def _photo(path: Path, pixels: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def coco() -> dict:
    """Four images with two objects each."""
    content = coco_content()
    for image in content['images']:
        image.update(file_name=f'{image["id"]}.png', width=64, height=48)
    return content


@pytest.fixture
def folder(material, tmp_path, monkeypatch) -> Path:
    """A folder with data and recipes of one's own, which is worked in."""
    shutil.copytree(material, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope='session')
def trained(libraries, material, tmp_path_factory) -> Path:
    """The folder of a finished training of ``classifier_drloc.py``."""
    folder = tmp_path_factory.mktemp('trained')
    shutil.copytree(material, folder, dirs_exist_ok=True)
    before = os.getcwd()
    os.chdir(folder)
    try:
        process = start('train.py', 'classifier_drloc.py', '--work-dir', 'run')
        process.join()
        assert process.exitcode == 0, Path('said.txt').read_text()
        # A test that has it is where the folder was moved to.
        shutil.rmtree('insects')
    finally:
        os.chdir(before)
    return folder / 'run'


@pytest.fixture
def run(trained, folder) -> Path:
    """A copy of that training, in the folder of the test."""
    shutil.copytree(trained, folder / 'run')
    return Path('run')


@pytest.fixture
def tools() -> Path:
    """Where the commands lie."""
    return TOOLS
