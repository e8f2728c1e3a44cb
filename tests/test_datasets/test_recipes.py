"""A recipe is found by its name, read, and knows what it adds to."""

import os
import shutil

import pytest
from mmengine.config import Config
from tiny_recipes import write_classes, write_recipes

from mmdrloc.datasets.recipes import (
    baseline_of,
    read_config,
    read_recipe,
    work_dir_of,
    write_resolved,
)
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def nets(tmp_path):
    return write_recipes(tmp_path)


@pytest.fixture
def photos(tmp_path):
    """Two classes, six and five photos."""
    return write_classes(tmp_path / 'my photos', dict(ant=6, bee=5))


def test_a_recipe_says_what_a_run_is(nets):
    cfg = read_recipe(nets / 'tiny_drloc.py')
    assert cfg.run == dict(
        recipe='nets/tiny_drloc',
        dataset='fruit',
        images=[None, None],
        weights=None,
        baseline='nets/tiny',
        head='auxiliary_head',
        reference=dict(
            epochs=1,
            iterations=None,
            accumulative_counts=None,
            global_batch=None,
        ),
    )
    assert read_recipe(nets / 'tiny.py').run.baseline is None


def test_a_head_of_one_s_own_is_that_of_the_loss(nets):
    text = "_base_ = './tiny_drloc.py'\nmodel = dict(auxiliary_head="
    (nets / 'own.py').write_text(f"{text}dict(type='MyHead'))")
    run = read_recipe(nets / 'own.py').run
    assert (run.head, run.baseline) == ('auxiliary_head', 'nets/tiny')


def test_another_dataset_by_its_name(nets):
    cfg = read_recipe(nets / 'tiny_drloc.py', 'pets')
    assert (cfg.dataset_name, cfg.run.dataset) == ('pets', 'pets')
    assert cfg.run.images == [3680, 3669]
    assert work_dir_of('a/tiny.py', cfg) == 'work_dirs/tiny_pets'


def test_folders_of_one_name_are_told_apart(nets, tmp_path):
    runs = [
        read_recipe(
            nets / 'tiny.py',
            str(write_classes(tmp_path / place / 'pets', dict(a=count, b=5))),
        ).run
        for place, count in (('one', 5), ('other', 5), ('one', 6))
    ]
    said = {(run.dataset, *run.images) for run in runs}
    assert len(said) == 3


def test_a_config_of_anyone(tmp_path, monkeypatch):
    config = tmp_path / 'own.py'
    config.write_text("dataset_name = 'own'\nmodel = dict(type='A')\n")
    with pytest.raises(UsageError, match='needs a config with a train_data'):
        read_recipe(config, 'pets')
    cfg = read_recipe(config)
    for place in (tmp_path.parent, tmp_path):  # one name
        monkeypatch.chdir(place)
        for path in (config, os.path.relpath(config)):
            assert read_recipe(path).run.recipe == f'{tmp_path.name}/own'
    assert (cfg.run.dataset, cfg.run.baseline) == ('own', None)
    # The name of a file that has the data's in it is not made longer.
    assert work_dir_of('net_own.py', cfg) == 'work_dirs/net_own'
    assert work_dir_of('net.py', Config(dict())) == 'work_dirs/net'


def test_what_is_dumped_is_complete(nets, photos, tmp_path):
    cfg = read_recipe(nets / 'tiny.py', str(photos))
    cfg.dump(str(tmp_path / 'dumped.py'))
    again = Config.fromfile(tmp_path / 'dumped.py')
    assert again.to_dict() == cfg.to_dict()
    again = read_recipe(tmp_path / 'dumped.py')
    assert again.run.dataset == str(photos)
    assert again.run.images[:2] == [9, 2]


def test_a_copy_of_a_resolved_config_is_a_recipe_of_its_own(nets):
    cfg = read_recipe(nets / 'tiny_drloc.py')
    write_resolved(cfg, nets / 'resolved.py')
    assert read_recipe(nets / 'resolved.py').run == cfg.run
    shutil.copy(nets / 'resolved.py', nets / 'copy.py')
    assert read_recipe(nets / 'copy.py').run.recipe == 'nets/copy'


def test_the_baseline_is_found_through_what_a_recipe_inherits(nets):
    def baseline(path):
        return baseline_of(path, Config.fromfile(path))

    assert baseline(nets / 'tiny_drloc.py') == nets / 'tiny.py'
    assert baseline(nets / 'tiny.py') is None
    variant = nets / 'named-otherwise.py'
    variant.write_text(
        "_base_ = './tiny_drloc.py'\n"
        'model = dict(auxiliary_head=dict(num_pairs=8))\n'
    )
    assert baseline(variant) == nets / 'tiny.py'
    # A part of a recipe is no recipe.
    whole = nets / 'whole_drloc.py'
    whole.write_text(
        "_base_ = ['../_base_/datasets/fruit.py']\n"
        "model = dict(auxiliary_head=dict(type='mmdrloc.DRLocHead'))\n"
    )
    assert baseline(whole) is None


def test_bases_of_every_library(tmp_path):
    bases = {
        'mmpretrain': '_base_/models/resnet50.py',
        'mmdet': '_base_/models/mask-rcnn_r50_fpn.py',
        'mmseg': '_base_/models/upernet_swin.py',
    }
    for library, base in bases.items():
        config = tmp_path / f'{library}.py'
        config.write_text(f"_base_ = '{library}::{base}'\n")
        assert 'type' in read_config(config).model
