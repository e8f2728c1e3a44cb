"""Recipes do what the 742 configs did that they replaced.

``former_configs.json.xz`` holds these, as they resolved, by their paths, and
what stands for each now: recipe, data set, weights and options.
"""

import json
import lzma
import re
from pathlib import Path

import pytest
from recipe_configs import RECORDS, resolve_record

FORMER = json.loads(
    lzma.decompress(
        Path(__file__).with_name('former_configs.json.xz').read_bytes()
    )
)
# What a Runner or a command line reads; the rest are variables.
READ = set(
    'model data_preprocessor train_dataloader val_dataloader test_dataloader '
    'val_evaluator test_evaluator train_cfg val_cfg test_cfg optim_wrapper '
    'param_scheduler auto_scale_lr default_hooks custom_hooks randomness '
    'env_cfg default_scope load_from resume find_unused_parameters visualizer '
    'vis_backends log_level log_processor launcher work_dir tta_model '
    'tta_pipeline dataset_name data_made_by runner_type model_wrapper_cfg '
    'custom_imports'.split()
)
# What differs on purpose, in which folders of then. Beside it in all of them:
# weights come by --weights and are checked in every run, so no config has a
# file or a hook for them; and types say whose they are.
DENSE = 'coco ade20k coco_mini idmm quickstart'
SMALL = 'idmm mae quickstart'
INTENDED = (
    # All data sets have a name, which is that of their file.
    (DENSE, r'dataset_name'),
    # Of a model with a preprocessor of its own nobody reads it.
    ('ade20k idmm', r'data_preprocessor\.size.*'),
    # mmdet's file with ConvNeXt's heads imported ConvNeXt.
    ('coco', r'custom_imports\..*'),
    # One step reads files and images in memory alike.
    (f'coco_mini photos {SMALL}', r'\w+_dataloader\..*pipeline\[0\]\.type'),
    ('quickstart', r'tta_pipeline\[0\]\.type'),
    # As long as the training, which MMEngine takes where nothing is said.
    ('quickstart', r'param_scheduler\[1\]\.T_max'),
    # Other data are resized to what digits and small photos are by themselves.
    (SMALL, r'\w+_dataloader\..*pipeline\[[123]\]\..*'),
    # 300 digits are of all classes now; they were of the first half.
    ('idmm', r'train_dataloader\.dataset\.indices.*'),
    # The test-time augmentation of the digits' base.
    ('idmm mae', r'tta_.*'),
    # What the libraries do if nothing is said.
    ('idmm mae', r'\w+_dataloader\.(persistent_workers|drop_last)'),
    # A tenth of a folder, drawn by another class.
    ('mae', r'train_dataloader\.dataset\..*'),
    # The number of classes of the placeholder's folders.
    ('photos', r'data_preprocessor\.num_classes'),
)


def plain(value):
    """As JSON has it; a tuple is told from a list."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return {'()': [plain(item) for item in value]}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, type):
        return f'{value.__module__}.{value.__qualname__}'
    return value


def flat(value, place=''):
    """(place, value) of everything inside."""
    if isinstance(value, (dict, list)) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            inside = f'[{key}]' if isinstance(value, list) else f'.{key}'
            yield from flat(item, place + inside)
    else:
        yield place.lstrip('.'), value


def settings_of(config, from_weights):
    """What is compared of a config, by places."""
    config = {key: item for key, item in config.items() if key in READ}
    hooks = [
        hook
        for hook in config.get('custom_hooks') or []
        if hook['type'] != 'mmdrloc.TransferCheckHook'
    ]
    config = json.loads(json.dumps(dict(config, custom_hooks=hooks)))
    if from_weights:
        for part in ('backbone', 'head'):
            (config['model'].get(part) or {}).pop('init_cfg', None)
    settings = {}
    for place, value in flat(config):
        if place.endswith('.type') and isinstance(value, str):
            value = re.sub(r'^(mmpretrain|mmdet|mmseg)\.', '', value)
        if not place.endswith('_scope_'):
            settings[place] = value
    return settings


def differences(leaf):
    """Places where a config differs from what stands for it now."""
    entry = FORMER[leaf]
    now = plain(resolve_record(entry).to_dict())
    from_weights = 'weights' in entry
    before, after = (
        settings_of(config, from_weights) for config in (entry['config'], now)
    )
    return [
        (place, before.get(place, 'nothing'), after.get(place, 'nothing'))
        for place in sorted(before.keys() | after.keys())
        if before.get(place, 'nothing') != after.get(place, 'nothing')
    ]


def is_intended(folder, place):
    return [
        entry
        for entry in INTENDED
        if folder in entry[0].split() and re.fullmatch(entry[1], place)
    ]


FOLDERS = sorted({leaf.partition('/')[0] for leaf in FORMER})


@pytest.mark.parametrize('folder', FOLDERS)
def test_nothing_changed_that_should_not(folder):
    wrong, used = [], set()
    for leaf in FORMER:
        if leaf.startswith(f'{folder}/'):
            for place, before, after in differences(leaf):
                reasons = is_intended(folder, place)
                used.update(reasons)
                if not reasons:
                    wrong.append(f'{leaf}: {place}: {before} -> {after}')
    assert not wrong, '\n'.join(wrong)
    # No reason is kept for what no longer differs.
    assert used == {e for e in INTENDED if folder in e[0].split()}


def test_a_difference_is_found(monkeypatch):
    leaf = 'scratch_100e/swin-tiny_drloc_100e_svhn.py'
    assert differences(leaf) == []
    config = json.loads(json.dumps(FORMER[leaf]['config']))
    config['optim_wrapper']['optimizer']['lr'] = 0.5
    entry = dict(FORMER[leaf], config=config)
    monkeypatch.setitem(FORMER, leaf, entry)
    assert differences(leaf) == [('optim_wrapper.optimizer.lr', 0.5, 0.001)]


def training_of(entry):
    """What tells a training apart."""
    keys = ('recipe', 'dataset', 'weights', 'options')
    return json.dumps({key: entry.get(key) for key in keys}, sort_keys=True)


def test_every_record_had_a_config():
    former = {training_of(entry) for entry in FORMER.values()}
    assert {training_of(record) for record in RECORDS} <= former


def test_every_config_had_a_training_of_its_own():
    assert len(set(map(training_of, FORMER.values()))) == len(FORMER)
