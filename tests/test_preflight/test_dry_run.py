"""One step and one checkpoint before the first update leave no trace."""

import os
import random

import numpy as np
import pytest
import torch
from mmcv.transforms import BaseTransform
from mmengine.config import Config
from mmengine.evaluator import BaseMetric
from mmengine.hooks import Hook
from mmengine.registry import DATASETS, METRICS, TRANSFORMS
from mmpretrain.datasets import CustomDataset
from PIL import Image
from tiny_run import write_config

from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.utils.errors import UsageError, one_sentence_errors

LOAD = dict(type='LoadImageFromFile')
PACK = dict(type='PackInputs')
NAN = float('nan')


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def runner_for(config, tmp_path, options, hooks=True):
    cfg = Config.fromfile(config)
    cfg.train_cfg.max_epochs = 1
    if hooks:
        cfg.default_hooks.preflight = dict(type='mmdrloc.PreflightHook')
    cfg.merge_from_dict(options)
    cfg.work_dir = str(tmp_path / 'work')
    return ResumableRunner.from_cfg(cfg)


@METRICS.register_module(force=True)
class Strict(BaseMetric):
    """A metric that reads what the predictions do not have."""

    def process(self, data_batch, data_samples):
        self.results.append(data_samples[0]['pred_boxes'])

    def compute_metrics(self, results):
        return {}


@METRICS.register_module(force=True)
class Few(BaseMetric):
    """A metric that is broken."""

    def process(self, data_batch, data_samples):
        self.results += data_samples

    def compute_metrics(self, results):
        raise TypeError('not enough')


@METRICS.register_module(force=True)
class OfAll(BaseMetric):
    """A metric that needs all images, or writes of each."""

    def __init__(self, output_dir=None):
        super().__init__()
        self.output_dir = output_dir

    def process(self, data_batch, data_samples):
        self.results += data_samples
        if self.output_dir:
            with open(self.output_dir, 'a') as file:
                file.write('x' * len(data_samples))

    def compute_metrics(self, results):
        if len(results) < 12:
            raise ValueError('too few')
        return dict(all=1.0)


@TRANSFORMS.register_module(force=True)
class Breaks(BaseTransform):
    def transform(self, results):
        raise RuntimeError('broken')  # line of a transform


REFUSED = [
    (
        {'val_evaluator': dict(_delete_=True, type='Few')},
        'val_evaluator (Few)',
        'not enough',
    ),
    ({'train_dataloader.dataset.pipeline': [LOAD]}, "'inputs'"),
    (
        {
            'val_dataloader.dataset.pipeline': [
                LOAD,
                dict(type='mmpretrain.CenterCrop', crop_size=8),
                PACK,
            ]
        },
        'validation',
        'model.backbone',
    ),
    (
        {'model.head.loss': dict(type='CrossEntropyLoss', loss_weight=NAN)},
        'loss is nan',
    ),
    (
        {'val_evaluator': dict(_delete_=True, type='Strict')},
        'val_evaluator (Strict)',
        "'pred_boxes'",
    ),
    (
        {
            'custom_hooks': [
                dict(type='EarlyStoppingHook', monitor='top1', rule='greater')
            ]
        },
        "'top1', the validation gives accuracy/top1",
    ),
    # Of training and validation, and told once.
    ({'model.head.in_channels': 7}, 'make `in_channels` the width'),
]


@pytest.mark.parametrize('workers', [0, 2])
def test_the_traceback_of_a_transform_is_kept(config, tmp_path, workers):
    options = {
        'train_dataloader.num_workers': workers,
        'train_dataloader.dataset.pipeline': [LOAD, dict(type='Breaks')],
    }
    runner = runner_for(config, tmp_path, options)
    folder = tmp_path / 'work'
    with pytest.raises(UsageError) as error, one_sentence_errors(folder):
        runner.train()
    assert 'pipeline[1] (Breaks) fails on the image' in str(error.value)
    assert 'line of a transform' in (folder / 'error.log').read_text()


@pytest.mark.parametrize('options,words', [(c[0], c[1:]) for c in REFUSED])
def test_refused_before_the_first_update(config, tmp_path, options, words):
    runner = runner_for(config, tmp_path, options)
    with pytest.raises(UsageError) as error:
        runner.train()
    for word in words:
        assert word in str(error.value)
    assert runner.iter == 0
    assert len(str(error.value).splitlines()) == 1
    assert not list((tmp_path / 'work').glob('*.pth'))


@pytest.mark.parametrize('writes', [False, True])
def test_metrics_that_two_images_say_nothing_of(config, tmp_path, writes):
    """What they are called is not known yet; nothing is written of them."""
    file = str(tmp_path / 'said.txt') if writes else None
    metric = dict(_delete_=True, type='OfAll', output_dir=file)
    stop = dict(type='EarlyStoppingHook', monitor='all', rule='greater')
    options = {'val_evaluator': metric, 'custom_hooks': [stop]}
    runner_for(config, tmp_path, options).train()
    assert not writes or len((tmp_path / 'said.txt').read_text()) == 12


class Witness(Hook):
    """Keeps what a dry run could have changed."""

    priority = 'LOWEST'

    def before_train(self, runner):
        self.random = (
            torch.get_rng_state(),
            random.getstate(),
            np.random.get_state()[1].tolist(),
        )
        self.messages = dict(runner.message_hub.runtime_info)
        self.scalars = list(runner.message_hub.log_scalars)
        self.files = sorted(p.name for p in runner.work_dir_files())
        self.modes = [m.training for m in runner.model.modules()]
        self.results = runner.val_evaluator.metrics[0].results
        self.weights = {
            name: tensor.clone()
            for name, tensor in runner.model.state_dict().items()
        }
        self.batches = []

    def before_train_iter(self, runner, batch_idx, data_batch):
        self.batches.append(data_batch['inputs'].clone())


def test_images_of_several_sizes_that_are_tested_alone(tmp_path):
    """As those of segmentation are, which fit into no batch."""
    config = write_config(tmp_path)
    Image.new('RGB', (36, 30)).save(tmp_path / 'data/val/class2/3.png')
    for size in (4, 1):
        options = {'val_dataloader.batch_size': size}
        runner = runner_for(config, tmp_path, options)
        if size > 1:
            with pytest.raises(UsageError, match='dry run of validation'):
                runner.train()
        else:
            assert runner.train() is not None


def trained(config, path, hooks):
    options = {
        'model.backbone': dict(_delete_=True, type='ResNet', depth=18),
        'model.head.in_channels': 512,
        'train_dataloader.dataset.pipeline': [
            LOAD,
            dict(type='RandomFlip', prob=0.5),
            dict(type='ColorJitter', brightness=0.5),
            PACK,
        ],
        'experiment_name': path.name,
    }
    runner = runner_for(config, path, options, hooks)
    runner.work_dir_files = lambda: (
        p for p in (path / 'work').rglob('*') if 'vis_data' not in str(p)
    )
    witness = Witness()
    runner.register_hook(witness)
    runner.train()
    return witness, runner.model.state_dict()


def test_nothing_is_left(config, tmp_path):
    with_it, weights = trained(config, tmp_path / 'with', True)
    without, others = trained(config, tmp_path / 'without', False)
    assert torch.equal(with_it.random[0], without.random[0])
    assert with_it.random[1:] == without.random[1:]
    assert with_it.messages.keys() == without.messages.keys()
    assert with_it.scalars == without.scalars
    assert with_it.modes == without.modes
    assert with_it.results == without.results == []
    assert not [name for name in with_it.files if name.endswith('.pth')]
    for ours, one in (
        (with_it.weights, without.weights),
        (weights, others),
        (dict(enumerate(with_it.batches)), dict(enumerate(without.batches))),
    ):
        assert ours.keys() == one.keys()
        assert all(torch.equal(ours[name], one[name]) for name in ours)


class Spoil(Hook):
    """Breaks an image when all has been looked at."""

    priority = 'LOWEST'

    def __init__(self, image):
        self.image = image

    def before_train(self, runner):
        self.image.write_bytes(b'no image')


@pytest.mark.parametrize(
    'loader', [{}, dict(num_workers=1), dict(num_batch_per_epoch=3)]
)
def test_an_image_that_breaks_in_mid_training_is_named(tmp_path, loader):
    config = write_config(tmp_path)
    options = {f'train_dataloader.{key}': loader[key] for key in loader}
    runner = runner_for(config, tmp_path, options)
    image = tmp_path / 'data/train/class2/3.png'
    runner.register_hook(Spoil(image))
    folder = tmp_path / 'work'
    with pytest.raises(UsageError) as error, one_sentence_errors(folder):
        runner.train()
    said, log = str(error.value), folder / 'error.log'
    assert (
        f'pipeline[0] (LoadImageFromFile) fails on the image {image}' in said
    )
    assert str(log) in said and len(said.splitlines()) == 1
    assert 'in transform' in log.read_text()


@DATASETS.register_module(force=True)
class OpensLazily(CustomDataset):
    """Opens a file at its first image, as many read LMDB and HDF5."""

    opened_by = None

    def __getitem__(self, index):
        self.opened_by = self.opened_by or os.getpid()
        return super().__getitem__(index)


@pytest.mark.parametrize('workers', [0, 1])
def test_a_file_is_opened_where_it_is_read(config, tmp_path, workers):
    options = {
        f'{phase}_dataloader.{key}': value
        for phase in ('train', 'val')
        for key, value in {
            'num_workers': workers,
            'dataset.type': 'OpensLazily',
        }.items()
    }
    runner = runner_for(config, tmp_path, options)
    runner.train()
    reader = os.getpid() if workers == 0 else None
    for loader in (runner.train_dataloader, runner.val_dataloader):
        assert loader.dataset.opened_by == reader
