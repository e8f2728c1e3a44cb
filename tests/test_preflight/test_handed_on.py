"""What is read before a training is read once, and is the same."""

from collections import Counter
from pathlib import Path

import pytest
import torch
from in_process import main
from mmengine.config import Config
from mmengine.registry import DATASETS, MODELS, init_default_scope
from mmpretrain.datasets import CustomDataset
from tiny_run import write_config

from mmdrloc.checkpoints.reading import KEPT, checkpoint
from mmdrloc.preflight import check_config
from mmdrloc.preflight.handed_on import read_already, was_read


@pytest.fixture
def cfg(tmp_path):
    init_default_scope('mmpretrain')
    return Config.fromfile(write_config(tmp_path))


@pytest.fixture
def lists(monkeypatch):
    """How often which list of images is read."""
    counts = Counter()
    read = CustomDataset.load_data_list

    def counted(self):
        counts[Path(self.img_prefix).name] += 1
        return read(self)

    # As mmpretrain's own.
    counted.__module__ = read.__module__
    monkeypatch.setattr(CustomDataset, 'load_data_list', counted)
    return counts


@pytest.fixture
def files(monkeypatch):
    """How often which checkpoint is read."""
    counts = Counter()
    read = checkpoint._read_torch

    def counted(path):
        counts[path.name] += 1
        return read(path)

    monkeypatch.setattr(checkpoint, '_read_torch', counted)
    return counts


def test_a_training(lists, files, tmp_path, monkeypatch):
    init_default_scope('mmpretrain')
    path = write_config(tmp_path)
    model = MODELS.build(Config.fromfile(path).model)
    torch.save(dict(state_dict=model.state_dict()), tmp_path / 'given.pth')
    recipe = tmp_path / 'recipe.py'
    recipe.write_text(
        f"_base_ = '{path}'\n"
        'model = dict(\n'
        "    backbone=dict(init_cfg=dict(type='Pretrained')),\n"
        "    head=dict(init_cfg=dict(type='Pretrained', prefix='head.')))\n"
    )

    def train(epochs, *line):
        files.clear()
        lists.clear()
        epochs = '--cfg-options', f'train_cfg.max_epochs={epochs}'
        main(
            'train.py',
            recipe,
            *line,
            *epochs,
            monkeypatch=monkeypatch,
            cwd=tmp_path,
        )
        assert lists == dict(train=1, val=1)

    train(1, '--weights', 'given.pth')
    # Its converted copy is not read, which was in memory.
    assert files == {'given.pth': 1}
    train(2, '--resume')
    assert files == {'starting_weights.pth': 1, 'epoch_1.pth': 1}

    files.clear()
    last = 'work_dirs/recipe/epoch_2.pth'
    main('test.py', path, last, monkeypatch=monkeypatch, cwd=tmp_path)
    assert files == {'epoch_2.pth': 1}


def test_the_data_set_is_the_one_of_its_config(cfg, lists):
    own = cfg.train_dataloader.dataset
    config = dict(type='RepeatDataset', times=2, dataset=own)
    expected = DATASETS.build(own)
    lists.clear()
    with KEPT.opened():
        assert not check_config(cfg, ['train'])
        [given] = [DATASETS.build(read_already(config)).dataset]
        assert lists == dict(train=1)
        # It is given away once.
        assert not was_read(DATASETS.build(read_already(own)))
    assert was_read(given)
    assert given.metainfo == expected.metainfo
    assert given.data_bytes.tobytes() == expected.data_bytes.tobytes()
    assert str(given.pipeline) == str(expected.pipeline)
    assert given[3].keys() == expected[3].keys()


def test_nothing_is_kept_elsewhere(cfg):
    assert not check_config(cfg, ['train'])
    config = cfg.train_dataloader.dataset
    assert read_already(config) == config


class Decoding(CustomDataset):
    """One that does more than list files."""

    def get_data_info(self, idx):
        return super().get_data_info(idx)


def test_others_are_read_by_those_who_need_them(cfg):
    config = dict(cfg.train_dataloader.dataset, type=Decoding)
    cfg.train_dataloader.dataset = config
    with KEPT.opened():
        assert not check_config(cfg, ['train'])
        assert not was_read(DATASETS.build(read_already(config)))


def test_what_is_given_out_is_the_callers(tmp_path, files):
    path = tmp_path / 'a.pth'
    torch.save(dict(state_dict=dict(a=torch.ones(1)), meta=dict(b=1)), path)
    with KEPT.opened():
        first = checkpoint.load_checkpoint_once(path)
        first['state_dict'].clear()
        first['meta'] = None
        again = checkpoint.load_checkpoint_once(path)
        assert list(again['state_dict']) == ['a']
        assert again['meta'] == dict(b=1)
        KEPT.clear()
        checkpoint.load_checkpoint_once(path)
    assert files == {'a.pth': 2}
    checkpoint.load_checkpoint_once(path)
    assert files == {'a.pth': 3}


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / 'a.pth'
    with KEPT.opened():
        for value in (1.0, 2.0):
            torch.save(dict(state_dict=dict(a=torch.tensor(value))), path)
            found = checkpoint.load_checkpoint_once(path)
            assert found['state_dict']['a'] == value
            # The same time of change would be the same file.
            path.rename(tmp_path / f'{value}.pth')
