"""What cannot work is refused before the first iteration, all at once."""

import shutil

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.preflight import check_config, refuse
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


def check(config, phases=('train', 'val'), **options):
    cfg = Config.fromfile(config)
    cfg.merge_from_dict(
        {key.replace('__', '.'): value for key, value in options.items()}
    )
    return check_config(cfg, phases)


def test_nothing_to_say(config):
    assert check(config) == []
    refuse([])


def test_all_findings_at_once(config):
    findings = check(
        config,
        train_dataloader__dataset__data_root='nowhere',
        val_dataloader__dataset__ann_file='val.txt',
    )
    assert len(findings) == 2
    with pytest.raises(UsageError) as error:
        refuse(findings)
    assert '2 things' in str(error.value)
    for word in ('nowhere/train', 'val.txt'):
        assert word in str(error.value)


def test_missing_data_names_its_command(config, tmp_path):
    shutil.rmtree(tmp_path / 'data/train')
    shutil.rmtree(tmp_path / 'data/val/class0')
    [finding] = check(config, data_made_by='python make.py')
    assert 'data/train; make it with `python make.py`' in finding


def test_empty_folder(config, tmp_path):
    (tmp_path / 'empty').mkdir()
    [finding] = check(
        config, train_dataloader__dataset__data_prefix=str(tmp_path / 'empty')
    )
    assert 'empty is empty' in finding


def test_wrapped_data_sets(config):
    missing = dict(type='CustomDataset', data_root='nowhere')
    nested = dict(
        _delete_=True,
        type='RepeatDataset',
        times=2,
        dataset=dict(type='ConcatDataset', datasets=[missing, missing]),
    )
    [finding] = check(config, train_dataloader__dataset=nested)
    assert finding.startswith('train data: there is no folder nowhere;')


def test_data_set_that_is_downloaded(config):
    dataset = dict(_delete_=True, type='CIFAR10', data_prefix='nowhere')
    assert check(config, train_dataloader__dataset=dataset) == []
    dataset['download'] = False
    [finding] = check(config, train_dataloader__dataset=dataset)
    assert 'nowhere' in finding


def test_config_without_data(config):
    cfg = Config.fromfile(config)
    cfg.pop('train_dataloader')
    cfg.pop('val_evaluator')
    findings = check_config(cfg, ['train', 'val'])
    assert [f.split(':')[0] for f in findings] == [
        'the config has no `train_dataloader`',
        'the config has val_dataloader, val_cfg and no val_evaluator',
    ]


@pytest.mark.parametrize('epochs,empty', [(2, True), (3, False)])
def test_training_as_short_as_its_warm_up(config, epochs, empty):
    findings = check(
        config,
        train_cfg__max_epochs=epochs,
        param_scheduler=[
            dict(type='LinearLR', end=2),
            dict(type='CosineAnnealingLR', begin=2),
        ],
    )
    assert findings == empty * [
        'param_scheduler[1] (CosineAnnealingLR) begins at epoch 2, when the '
        'training of 2 epochs is over: raise train_cfg.max_epochs, or lower '
        'its `begin` and the `end` of the one before it (a shorter warm-up).'
    ]


def test_schedule_without_length(config):
    by_optimizer = dict(
        one=dict(type='PolyLR', begin=5, end=5, by_epoch=False),
        other=[dict(type='PolyLR', begin=4, end=5, by_epoch=False)],
    )
    assert check(config, param_scheduler=by_optimizer) == [
        'param_scheduler.one (PolyLR) begins at iteration 5 and ends at '
        'iteration 5: raise its `end`, or lower its `begin`.'
    ]
    assert check(config, ['test'], param_scheduler=by_optimizer) == []


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
    assert check(config, param_scheduler=schedule) == []


# ---- what is in a classification set -------------------------------------


def test_all_that_is_wrong_with_the_data_at_once(config, tmp_path):
    data = tmp_path / 'data'
    (data / 'train/class2').rename(data / 'train/clas2')
    (data / 'train/class0/1.png').write_bytes(b'broken')
    for image in (data / 'val').rglob('*.png'):
        image.unlink()
    lists = {'far.txt': 'class0/0.png 3\n', 'empty.txt': '', 'odd.txt': 'a\n'}
    for name, content in lists.items():
        (data / name).write_text(content)
    listed = [
        dict(type='CustomDataset', data_root=str(data), ann_file=name)
        for name in (*lists, 'none.txt')
    ]
    cfg = Config.fromfile(config)
    train = cfg.train_dataloader.dataset
    train.metainfo = dict(classes=['class0', 'class1', 'class2'])
    listed[0].update(data_prefix='train', metainfo=train.metainfo)
    cfg.train_dataloader.dataset = dict(
        type='ConcatDataset', datasets=[train, *listed]
    )
    text = '\n'.join(check_config(cfg, ['train', 'val']))
    for finding in (
        'folders (clas2) where the classes in metainfo are (class2)',
        'class0/1.png is damaged',
        'labels from 3 to 3, expected are 0 to 2',
        'the train data set (CustomDataset) holds no image',
        "odd.txt, line 1: 'a' is no path and label",
        'none.txt; put the data there',
        'cannot be built: Found 0 files',
    ):
        assert finding in text
    assert len(text.splitlines()) == 7


def test_folders_in_another_order_than_the_classes(config):
    classes = dict(classes=['class1', 'class0', 'class2'])
    [finding] = check(
        config, phases=['train'], train_dataloader__dataset__metainfo=classes
    )
    assert 'in the order of the folders' in finding
    # As with ImageNet: the folders are not called what the classes are.
    classes = dict(classes=['cat', 'dog', 'hen'])
    options = dict(train_dataloader__dataset__metainfo=classes)
    assert check(config, phases=['train'], **options) == []


def test_labels_beyond_the_head(config, tmp_path):
    (tmp_path / 'data/train.txt').write_text('class0/0.png 3\n')
    [finding] = check(
        config,
        phases=['train'],
        train_dataloader__dataset__ann_file='train.txt',
    )
    assert 'labels from 3 to 3, expected are 0 to 2' in finding


def test_many_bad_images_are_counted(config, tmp_path):
    for image in (tmp_path / 'data/train').rglob('[01].png'):
        image.write_bytes(b'')
    findings = check(config)
    assert len(findings) == 6
    assert findings[-1] == 'train data: 1 more images are missing or damaged.'


def test_unlabelled_images(config):
    unlabelled = dict(train_dataloader__dataset__with_label=False)
    assert check(config, phases=['train'], **unlabelled) == []


def test_our_own_data_set_says_what_it_lacks(config, tmp_path):
    dataset = dict(
        _delete_=True,
        _scope_='mmpretrain',
        type='mmdrloc.DomainNet',
        domain='real',
        data_root=str(tmp_path / 'data'),
    )
    [finding] = check(
        config,
        phases=['train'],
        train_dataloader__dataset=dataset,
        data_made_by='python make.py',
    )
    assert finding == (
        'train data: the data set (DomainNet) cannot be built: '
        f'there is no list {tmp_path}/data/real_train.txt; '
        'make it with `python make.py`.'
    )
