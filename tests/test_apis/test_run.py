"""Runs in Python: trained, looked at, tested, carried, one after another."""

import os
import signal
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from made_up_run import write_run
from PIL import Image
from tiny_run import write_config

from mmdrloc import apis
from mmdrloc.apis.run import config_and_checkpoint
from mmdrloc.engine.hooks import ResultHook
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path).name


SEGMENTOR = """
default_scope = 'mmseg'
norm = dict(type='BN')
model = dict(
    type='EncoderDecoder',
    data_preprocessor=dict(type='SegDataPreProcessor', size=(32, 32)),
    backbone=dict(
        type='ResNetV1c', depth=18, num_stages=1, out_indices=(0, ),
        strides=(1, ), dilations=(1, ), stem_channels=8, base_channels=8,
        norm_cfg=norm),
    decode_head=dict(
        type='FCNHead', in_channels=8, channels=4, num_convs=1,
        num_classes=2, norm_cfg=norm),
    train_cfg=dict(), test_cfg=dict(mode='whole'))


def loader(prefix, shuffle, *steps):
    return dict(
        batch_size=2,
        num_workers=0,
        sampler=dict(type='DefaultSampler', shuffle=shuffle),
        dataset=dict(
            type='BaseSegDataset',
            data_root='maps',
            img_suffix='.png',
            metainfo=dict(classes=('a', 'b'), palette=[[0, 0, 0], [9, 9, 9]]),
            data_prefix=dict(
                img_path=f'images/{prefix}', seg_map_path=f'maps/{prefix}'),
            pipeline=[
                dict(type='LoadImageFromFile'),
                dict(type='LoadAnnotations'),
                dict(type='PackSegInputs')]))


train_dataloader = loader('train', True)
val_dataloader = test_dataloader = loader('val', False)
del loader
test_pipeline = [
    dict(type='LoadImageFromFile'), dict(type='PackSegInputs')]
val_evaluator = test_evaluator = dict(type='IoUMetric')
optim_wrapper = dict(optimizer=dict(type='SGD', lr=0.1))
train_cfg = dict(by_epoch=True, max_epochs=1)
val_cfg = test_cfg = dict()
"""


def write_segmentor():
    """Two images of two classes a split, and a config that reads them."""
    rng = np.random.default_rng(0)
    for split in ('train', 'val'):
        for kind, shape in (('images', (32, 32, 3)), ('maps', (32, 32))):
            folder = Path('maps', kind, split)
            folder.mkdir(parents=True)
            for number in range(2):
                high = 255 if kind == 'images' else 2
                pixels = rng.integers(0, high, shape, dtype=np.uint8)
                Image.fromarray(pixels).save(folder / f'{number}.png')
    Path('fcn.py').write_text(SEGMENTOR)


def test_cell_after_cell(config):
    """Two tasks in one process, and what each of them is asked."""
    write_segmentor()
    os.environ.pop('TOKENIZERS_PARALLELISM', None)
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith('KMP_')
    }
    run = apis.train(config, seed=3, options={'train_cfg.max_epochs': 1})
    maps = apis.train('fcn.py', work_dir='maps_run')

    assert run.result['seed'] == 3 and run.result['finished']
    assert run.metrics.keys() == {'accuracy/top1'}
    assert run.checkpoint == run.folder / 'epoch_1.pth'
    steps, losses = run.curve('loss')
    assert steps == [1, 2, 3] and min(losses) > 0
    # A call has no command line; this one trains the same config again.
    assert run.result['command'] == (
        'mmdrloc train work_dirs/tiny/tiny.py --work-dir work_dirs/tiny-again'
    )
    tested = apis.test(run)
    assert tested['accuracy/top1'] == pytest.approx(
        run.metrics['accuracy/top1']
    )
    # Four images of each of three classes.
    assert tested['confusion_matrix/result'].sum() == 12
    assert len(tested['accuracy/classwise']) == 3
    rows = [f'class{label}/0.png {label}\n' for label in range(3)]
    Path('data/list.txt').write_text(''.join(rows))
    listed = {'test_dataloader.dataset.ann_file': 'list.txt'}
    nameless = apis.test(run, options=listed)
    assert nameless['accuracy/classwise'].keys() == {'0', '1', '2'}
    assert 'mIoU' in maps.metrics and apis.test(maps).keys() >= {'mIoU'}
    swapped = {'test_dataloader.dataset.metainfo.classes': ['b', 'a']}
    with pytest.raises(UsageError, match='another order'):
        apis.test(maps, options=swapped)

    with pytest.raises(UsageError, match='another run'):
        apis.train(config)
    again = apis.train(config, seed=3)
    assert again.result['length'] == dict(epochs=2)

    images = sorted(Path('data/val').glob('*/*.png'))[:3]
    said = apis.predict(run, images)
    assert [one['pred_class'][:5] for one in said] == ['class'] * 3
    for one in said:
        values = [*one['classes'].values()]
        assert values == sorted(values, reverse=True)
        assert next(iter(one['classes'])) == one['pred_class']
    blue = np.zeros((24, 24, 3), np.uint8)
    blue[..., 0] = 255
    [one] = apis.predict(run.folder, blue, out='blue.html')
    assert one['pred_scores'].sum() == pytest.approx(1)
    shown = Path('blue.html').read_text().partition('data:image/png;base64,')
    pixels = Image.open(BytesIO(b64decode(shown[2].partition('"')[0])))
    assert pixels.convert('RGB').getpixel((0, 0)) == (0, 0, 255)
    for number, photos in (
        (1, 'maps/images/val/0.png'),
        (2, 'maps/images/val'),
    ):
        seen = apis.predict(maps, photos, out_dir='drawn', out='maps.html')
        assert [one['map'].shape for one in seen] == [(32, 32)] * number
        assert Path('maps.html').read_text().count('src="data:') == number
        assert sum(seen[0]['classes'].values()) == pytest.approx(1)
        assert seen[0]['classes'].keys() <= {'a', 'b'}
    assert list(Path('drawn/vis').glob('*'))
    with pytest.raises(UsageError, match='there is no image none.png'):
        apis.predict(run, 'none.png')

    carried = apis.transfer(run.checkpoint, 'backbone.pth')
    assert carried.origin == 'openmmlab' and carried.out.is_file()
    assert f'{carried.tensors} tensors written' in str(carried)
    # What mmpretrain sets when it is imported stays.
    os.environ.pop('TOKENIZERS_PARALLELISM', None)
    # scikit-learn sets some as it is imported.
    left = {k: v for k, v in os.environ.items() if not k.startswith('KMP_')}
    assert left == environment


def test_a_training_that_is_interrupted(config, monkeypatch):
    """As by the button of a notebook, which goes on afterwards."""
    note = ResultHook.after_train_iter

    def interrupt(self, runner, *args, **kwargs):
        note(self, runner, *args, **kwargs)
        if runner.iter == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ResultHook, 'after_train_iter', interrupt)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt, match='SIGINT'):
        apis.train(config)
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.setattr(ResultHook, 'after_train_iter', note)
    run = apis.train(config)
    assert run.result['finished'] and run.result['updates']['done'] == 6


def test_what_a_trained_model_is(tmp_path):
    folder = tmp_path / 'published'
    folder.mkdir()
    with pytest.raises(UsageError, match='no run and no published model'):
        config_and_checkpoint(folder)
    for name in ('config.py', 'model.safetensors'):
        (folder / name).touch()
    assert config_and_checkpoint(folder) == (
        folder / 'config.py',
        folder / 'model.safetensors',
    )
    with pytest.raises(UsageError, match='no folder of a run'):
        config_and_checkpoint(folder / 'config.py')
    begun = write_run(tmp_path, 'net', 0, [50.0])
    with pytest.raises(UsageError, match='no complete checkpoint'):
        config_and_checkpoint(apis.Run(begun))


def test_a_comparison(tmp_path):
    runs = [
        apis.Run(write_run(tmp_path, name, seed, [value], **more))
        for name, values, more in (
            ('net', (50.0, 52.0, 54.0), {}),
            ('net_drloc', (53.0, 53.0, 56.0), dict(baseline='net')),
        )
        for seed, value in enumerate(values)
    ]
    comparison = apis.Comparison(runs, 'net', tmp_path)
    # Student's t of two degrees of freedom: 2 -+ 4.303 / sqrt(3).
    assert '+2.00 [-0.48, +4.48]' in repr(comparison)
    assert '## Paired differences' in comparison.report().read_text()
