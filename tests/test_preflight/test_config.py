"""Wrong settings are one sentence each, with the key and a true remedy."""

import errno
import random
from importlib.util import find_spec
from pathlib import Path

import mmengine.registry
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mmengine.config import Config
from mmengine.registry import DefaultScope
from tiny_run import write_config

from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.preflight.building import (
    broken_parts,
    building_explained,
    preflight,
)
from mmdrloc.preflight.rules import broken_rules
from mmdrloc.registry import DATASETS, MODELS
from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import UsageError

PHASES = ('train', 'val')
OURS = Path(__file__).parents[2] / 'configs'
SETTINGS = dict(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_default_that_is_not_found_is_told_once():
    """No place of the config has its name: the scope is missing."""
    head = dict(type='mmpretrain.LinearClsHead', num_classes=2, in_channels=4)
    cfg = Config(dict(default_scope='mmengine', model=head, train_cfg={}))
    with (
        DefaultScope.overwrite_default_scope('mmengine'),
        pytest.raises(UsageError) as told,
        building_explained(cfg),
    ):
        mmengine.registry.MODELS.build(cfg.model)
    said = str(told.value)
    assert said.startswith('model: ') and said.count('CrossEntropyLoss') == 2


def test_a_place_that_is_closed_is_no_fault_of_a_config():
    with (
        pytest.raises(PermissionError),
        building_explained(Config(dict(model={}))),
    ):
        raise PermissionError(errno.EACCES, 'Permission denied', 'a/b')


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def problems_of(cfg, phases=PHASES):
    try:
        preflight(cfg, phases)
    except UsageError as error:
        lines = str(error).split('\n  - ')
        return lines[len(lines) > 1 :]
    return []


def changed(config, options):
    cfg = Config.fromfile(config)
    cfg.merge_from_dict(options)
    return cfg


def typed(config):
    parts = ('model', 'optim_wrapper', 'val_evaluator')
    return {
        place: node['type']
        for place, node in dicts_in(dict(Config.fromfile(config).items()))
        if 'type' in node
        and (place.startswith(parts) or '_dataloader.dataset' in place)
        and not place.startswith('test')
    }


@settings(**SETTINGS)
@given(st.data())
def test_a_letter_less_in_any_name(config, data):
    names = typed(config)
    place = data.draw(st.sampled_from(sorted(names)))
    at = data.draw(st.integers(1, len(names[place]) - 1))
    word = names[place][:at] + names[place][at + 1 :]
    key = place.replace('[', '.').replace(']', '') + '.type'
    cfg = changed(config, {key: word})
    problems = broken_parts(cfg, PHASES)
    assert problems and problems[0].startswith(f'{place}.type: {word!r}')
    assert repr(names[place]) in problems[0]


@settings(**SETTINGS)
@given(st.data())
def test_a_key_that_no_class_takes(config, data):
    place = data.draw(st.sampled_from(sorted(typed(config))))
    key = place.replace('[', '.').replace(']', '')
    problems = broken_parts(changed(config, {f'{key}.zzq': 1}), PHASES)
    assert len(problems) == 1
    assert f'{place}.zzq' in problems[0] and 'remove it' in problems[0]


def test_a_part_that_is_written_beside_the_model(config):
    options = {'data_preprocessor.type': 'ClsDataPreprocesor'}
    [problem] = broken_parts(changed(config, options), PHASES)
    assert "'ClsDataPreprocesor'" in problem and 'did you mean' in problem


def test_an_argument_of_a_base_class(config):
    options = {
        'train_dataloader.dataset.type': 'mmdrloc.ClassFolders',
        'train_dataloader.dataset.data_prefx': 'train',
    }
    [problem] = broken_parts(changed(config, options), PHASES)
    assert problem.endswith('did you mean `data_prefix`?')


def test_an_argument_that_another_class_takes(config, tmp_path):
    hook = dict(type='EarlyStoppingHook', monitor='loss', interval=1)
    cfg = changed(config, {'custom_hooks': [hook]})
    cfg.work_dir = str(tmp_path)
    assert cfg.default_hooks.logger.interval == 1
    with pytest.raises(UsageError, match=r'custom_hooks\[0\].interval: Early'):
        ResumableRunner.from_cfg(cfg)


def test_a_variable_named_like_a_key(config):
    """As in mmdet's configs of GroundingDINO."""
    cfg = changed(config, {'val_evaluator_abs': dict(type='Accuracy')})
    assert problems_of(cfg) == []


SILENT = [
    ({'trian_cfg': dict(a=1)}, 'trian_cfg', '`train_cfg`'),
    ({'train_cfg.val_interval': 0}, 'train_cfg.val_interval is 0'),
    (
        {
            'train_cfg.max_epochs': 'ten',
            'param_scheduler': [dict(type='LinearLR')],
        },
        "train_cfg.max_epochs is 'ten'",
    ),
    (
        {'default_hooks.checkpoint': dict(type='CheckpointHook', interval=0)},
        'default_hooks.checkpoint.interval is 0',
    ),
    (
        {
            'train_cfg.max_epochs': 2,
            'param_scheduler': [dict(type='LinearLR', begin=5)],
        },
        'param_scheduler[0] begins at 5',
        '--epochs',
    ),
    (
        {
            'train_cfg': dict(_delete_=True, by_epoch=False, max_iters=9),
            'param_scheduler': [dict(type='LinearLR', end=2)],
        },
        'by_epoch=False',
    ),
    (
        {'train_dataloader.sampler': dict(type='InfiniteSampler')},
        'train_dataloader.sampler is an InfiniteSampler',
    ),
    (
        {'val_dataloader.sampler': dict(type='InfiniteSampler')},
        'val_dataloader.sampler is an InfiniteSampler',
    ),
    ({'optim_wrapper.clip_grad': dict(max_norm=-1)}, 'max_norm is -1'),
    ({'optim_wrapper.clip_grad': dict(maxnorm=1)}, '`max_norm`'),
    ({'optim_wrapper.optimizer.lr': 0}, 'optimizer.lr is 0'),
    ({'optim_wrapper.optimizer.lr': 'fast'}, "optimizer.lr is 'fast'"),
    ({'runner_type': 'FlexibleRunner'}, 'runner_type=FlexibleRunner'),
    ({'runner_type': 'Runner'}, 'runner_type=Runner'),
    (
        {'model_wrapper_cfg': dict(type='MMFullyShardedDataParallel')},
        'model_wrapper_cfg.type=MMFullyShardedDataParallel',
    ),
    ({'default_hooks.checkpoint.max_keep_ckpt': 1}, 'max_keep_ckpts'),
    ({'default_hooks.checkpoint.out_dir': 's3://a'}, 'of this machine'),
    ({'train_cfg': 3}, 'train_cfg is 3'),
    (
        {'train_cfg': dict(max_epochs=2, val_begin=3)},
        'train_cfg.val_begin is 3, and the training ends at 2',
    ),
    ({'val_evaluator': []}, 'val_evaluator'),
    ({'val_evaluator.topk': (1, 5)}, 'val_evaluator.topk has 5'),
]


@pytest.mark.parametrize('options,words', [(c[0], c[1:]) for c in SILENT])
def test_what_would_ruin_a_training_in_silence(config, options, words):
    problems = problems_of(changed(config, options))
    assert len(problems) == 1
    for word in words:
        assert word in problems[0]


@pytest.mark.parametrize(
    'schedule',
    [
        None,
        dict(type='StepLR', step_size=1),
        # A training that stops before its schedule does.
        [
            dict(type='LinearLR', end=20),
            dict(type='CosineAnnealingLR', begin=20, end=300),
        ],
        # How many iterations 2 epochs have is not known yet.
        [dict(type='PolyLR', begin=30, by_epoch=False)],
    ],
)
def test_schedules_that_are_left_alone(config, schedule):
    cfg = changed(config, {})
    cfg.param_scheduler = schedule
    assert broken_rules(cfg, PHASES) == []


def test_epochs_of_a_training_in_iterations(config):
    """A schedule may count them if MMEngine turns them into iterations."""
    loop = dict(_delete_=True, by_epoch=False, max_iters=9)
    schedule = dict(type='LinearLR', end=2, convert_to_iter_based=True)
    cfg = changed(config, {'train_cfg': loop})
    cfg.param_scheduler = [schedule]
    assert broken_rules(cfg, PHASES) == []


def test_parts_of_a_model_are_no_settings(config):
    """Whatever they are called."""
    keys = dict(timers=dict(lr_mult=0.1))
    options = {'optim_wrapper.paramwise_cfg': dict(custom_keys=keys)}
    assert broken_rules(changed(config, options), PHASES) == []


def test_a_topk_that_nothing_computes_is_left_alone(config):
    # As mmpretrain's own configs have it, whatever the classes.
    cfg = changed(config, {'model.head.topk': (1, 5)})
    assert broken_rules(cfg, PHASES) == []


def test_missing_data_name_the_command_that_makes_them(config):
    options = {
        'train_dataloader.dataset.data_root': 'nowhere',
        'data_made_by': 'python make.py',
    }
    [problem] = problems_of(changed(config, options), ['train'])
    assert problem.endswith('make it with `python make.py`.')


@MODELS.register_module()
class LinearClasHead:
    """Of the user, in our scope."""


def test_a_remedy_is_true_or_not_given(config):
    for kind, near in (
        ('LinearClasHead', "'mmdrloc.LinearClasHead'"),
        ('mmdrloc.InMemoryDataset', 'custom_imports'),
        ('InMemoryDataset', 'custom_imports'),
        ('mmpretran.LinearClsHead', "LinearClsHead'?"),
    ):
        cfg = changed(config, {'model.head.type': kind})
        [problem] = broken_parts(cfg, PHASES)
        assert near in problem and kind in problem
    assert DATASETS.get('mmdrloc.InMemoryDataset') is None


# ---- no false alarms -----------------------------------------------------

# Files without a scope, or of models that need libraries which are not here.
LEFT_OUT = 'headless pre_ blip clip flamingo llava minigpt4 ofa otter ram glip'
LEFT_OUT += ' replknet swinv2- ipu grounding_dino bytetrack strongsort ocsort'


def recipes(library):
    root = OURS
    if library != 'mmdrloc':
        root = Path(find_spec(library).submodule_search_locations[0])
        root /= '.mim/configs'
    return [
        file
        for file in sorted(root.rglob('*.py'))
        if '_base_' not in file.parts
        and not any(word in str(file) for word in LEFT_OUT.split())
    ]


@pytest.mark.parametrize(
    'library', ['mmpretrain', 'mmdet', 'mmseg', 'mmdrloc']
)
def test_stock_configs_have_no_fault(library):
    pytest.importorskip('mmcv.ops')
    for file in random.Random(0).sample(recipes(library), 8):
        cfg = Config.fromfile(file)
        phases = [p for p in PHASES if cfg.get(f'{p}_dataloader')]
        assert 'model' not in cfg or broken_rules(cfg, phases) == [], file
