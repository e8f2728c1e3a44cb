"""What two configs say is compared where it changes the result."""

from pathlib import Path

import pytest
from mmengine.config import Config, ConfigDict
from tiny_run import write_config

from mmdrloc.preflight import run_record
from mmdrloc.preflight.run_record import differences, parsed, settings_of

CONFIGS = Path(__file__).parents[2] / 'configs'


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def compare(path, **options):
    """What is found when a config is continued with options."""
    now = Config.fromfile(path)
    now.merge_from_dict(
        {key.replace('__', '.'): value for key, value in options.items()}
    )
    return differences(settings_of(Config.fromfile(path)), settings_of(now))


@pytest.mark.parametrize(
    'options,line',
    [
        (
            dict(optim_wrapper__optimizer__lr=0.2),
            'optim_wrapper.optimizer.lr: then 0.1, now 0.2',
        ),
        (
            dict(optim_wrapper__type='AmpOptimWrapper'),
            "optim_wrapper.type: then not set, now 'AmpOptimWrapper'",
        ),
        (
            dict(optim_wrapper__accumulative_counts=2),
            'optim_wrapper.accumulative_counts: then not set, now 2',
        ),
        (
            dict(model__backbone__arch__depths=[1, 2]),
            'model.backbone.arch.depths[1]: then 1, now 2',
        ),
        (
            dict(data_preprocessor__mean=[1.0]),
            'data_preprocessor.mean[0]: then not set, now 1.0',
        ),
        (
            dict(param_scheduler=[dict(type='ExponentialLR', gamma=0.5)]),
            "param_scheduler[0].type: then not set, now 'ExponentialLR'",
        ),
        (
            dict(train_dataloader__dataset__data_prefix='other'),
            "train_dataloader.dataset.data_prefix: then 'train', now 'other'",
        ),
        (
            dict(train_dataloader__sampler__shuffle=False),
            'train_dataloader.sampler.shuffle: then True, now False',
        ),
        (
            dict(val_evaluator__topk=2),
            'val_evaluator.topk: then 1, now 2',
        ),
        (dict(randomness__seed=1), 'randomness.seed: then 0, now 1'),
        (
            dict(train_cfg__max_epochs=1),
            'train_cfg.max_epochs: then 2, now 1',
        ),
        (
            dict(auto_scale_lr=dict(enable=True, base_batch_size=8)),
            'auto_scale_lr.base_batch_size: then not set, now 8',
        ),
        (
            dict(custom_hooks=[dict(type='EMAHook')]),
            "custom_hooks[0].type: then not set, now 'EMAHook'",
        ),
    ],
)
def test_what_changes_the_result(config, options, line):
    assert line in compare(config, **options)


@pytest.mark.parametrize(
    'options',
    [
        dict(work_dir='elsewhere', experiment_name='other'),
        dict(default_hooks__logger__interval=7),
        dict(default_hooks__checkpoint=dict(type='CheckpointHook')),
        dict(train_dataloader__num_workers=2),
        dict(train_dataloader__persistent_workers=True),
        dict(train_dataloader__pin_memory=True),
        # The images of an iteration are counted over all processes.
        dict(train_dataloader__batch_size=2, launcher='pytorch'),
        dict(val_dataloader__batch_size=9),
        dict(visualizer=dict(type='Visualizer')),
        dict(train_cfg__val_interval=2),
        dict(train_cfg__max_epochs=3),
        dict(resume=True, load_from='epoch_1.pth'),
        dict(auto_scale_lr=dict(base_batch_size=8)),
        dict(randomness__seed=None),
        dict(val_dataloader=None, val_evaluator=None, val_cfg=None),
    ],
)
def test_what_does_not(config, options):
    assert compare(config, **options) == []


def test_data_may_be_moved():
    def cfg(root, file='a.json'):
        dataset = dict(data_root=root, ann_file=f'{root}{file}')
        return dict(train_dataloader=dict(dataset=dataset))

    then = settings_of(cfg('/here/'))
    assert differences(then, settings_of(cfg('/there/'))) == []
    (found,) = differences(then, settings_of(cfg('/there/', 'b.json')))
    assert found.endswith("ann_file: then 'a.json', now 'b.json'")


@pytest.mark.parametrize(
    'folder', ['quickstart', 'coco', 'ade20k', 'idmm', 'mae']
)
def test_the_text_in_a_checkpoint_says_the_same(folder):
    cfg = Config.fromfile(sorted((CONFIGS / folder).glob('*.py'))[0])
    then, now = parsed(cfg.pretty_text), settings_of(cfg)
    assert len(now) > 20
    assert differences(then, now, both=True) == []
    assert then.keys() == now.keys()
    cfg.optim_wrapper.optimizer.lr = 7
    (found,) = differences(then, settings_of(cfg), both=True)
    assert found.startswith('optim_wrapper.optimizer.lr: then')


@pytest.mark.parametrize(
    'text',
    [
        "__import__('os').mkdir('ran')",
        'model = (',
        'model = ' + '[' * 9999,
        'model = ' + '-' * 9999 + '1',
        'model = ' + 'dict(a=' * 150 + '1' + ')' * 150,
        'model = dict(**{1: 2})',
        'model = {1: 2, **a}',
        'model = {[]: 2}',
        'train_dataloader = 1\ntrain_cfg = [2]\nrandomness = "a"',
        'model = dict(type=open("ran", "w"))',
        '\0',
        '',
        None,
        3,
        'a' * (run_record.MOST_TEXT + 1),
    ],
)
def test_no_text_does_harm(text, config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    then = parsed(text)
    assert isinstance(then, dict)
    differences(then, settings_of(Config.fromfile(config)), both=True)
    assert not list(tmp_path.iterdir())


def test_values_that_are_not_plain():
    cfg = ConfigDict(
        train_dataloader=dict(collate_fn=dict(type=len)),
        optim_wrapper=dict(a=float('nan'), b=float('inf'), c=object()),
    )
    assert settings_of(cfg)['train_dataloader.collate_fn.type'] == 'len'
    assert differences(settings_of(cfg), settings_of(cfg)) == []


def test_long_values_are_cut():
    (line,) = differences(dict(a='x' * 500), dict(a=1))
    assert len(line) < 100
