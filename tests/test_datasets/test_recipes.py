"""A recipe, any data: read, named, and what it adds to."""

import os
from pathlib import Path

import pytest
from mmengine.config import Config
from tiny_recipes import (
    CLASSIFICATION,
    SEGMENTATION,
    write_classes,
    write_maps,
    write_objects,
    write_recipes,
)

from mmdrloc.datasets.recipes import (
    baseline_of,
    name_of,
    read_recipe,
    work_dir_of,
)
from mmdrloc.utils.errors import UsageError

CONFIGS = Path(__file__).parents[1] / 'configs'


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
        weights=None,
        baseline='nets/tiny',
    )
    assert read_recipe(nets / 'tiny.py').run.baseline is None


def test_another_data_set_by_its_name(nets, monkeypatch, capfd):
    monkeypatch.delenv('DATASET', raising=False)
    cfg = read_recipe(nets / 'tiny_drloc.py', 'nuts')
    assert (cfg.dataset_name, cfg.run.dataset) == ('nuts', 'nuts')
    assert work_dir_of('a/tiny.py', cfg) == 'work_dirs/tiny_nuts'
    assert 'DATASET' not in os.environ
    file = nets.parent / '_base_/datasets/nuts.py'
    assert read_recipe(nets / 'tiny.py', str(file)).run.dataset == 'nuts'
    # MMEngine would say which variable it replaced.
    assert capfd.readouterr() == ('', '')


def test_the_variable_is_given_back(nets, monkeypatch):
    monkeypatch.setenv('DATASET', 'nuts')
    assert read_recipe(nets / 'tiny.py', 'fruit').run.dataset == 'fruit'
    assert os.environ['DATASET'] == 'nuts'
    # As anything else that reads configs has it.
    assert read_recipe(nets / 'tiny.py').run.dataset == 'nuts'


def test_recipes_behind_a_link(nets, photos, tmp_path):
    (tmp_path / 'elsewhere/deep').mkdir(parents=True)
    link = tmp_path / 'elsewhere/deep/linked'
    link.symlink_to(nets.parent)
    cfg = read_recipe(link / nets.name / 'tiny.py', str(photos))
    assert cfg.num_classes == 2


def test_recipes_of_an_installed_package(tmp_path, photos):
    """Where ``mim`` finds them."""
    nets = write_recipes(tmp_path / 'site-packages/mmdrloc/.mim')
    cfg = read_recipe(nets / 'tiny.py', 'nuts')
    assert (cfg.run.recipe, cfg.run.dataset) == ('nets/tiny', 'nuts')
    assert read_recipe(nets / 'tiny.py', str(photos)).num_classes == 2


@pytest.mark.parametrize(
    'wanted,words',
    [
        ('nut', 'no data set, file or folder nut .did you mean nuts?'),
        ('nut', 'classification .fruit, nuts.'),
        ('here/nowhere', 'no data set, file or folder here/nowhere: give'),
        ('boxes', 'boxes is for detection, and .* does classification: '),
        ('maps', 'choose from fruit, nuts'),
    ],
)
def test_a_wrong_name(nets, wanted, words):
    with pytest.raises(UsageError, match=words):
        read_recipe(nets / 'tiny.py', wanted)


def test_a_config_that_settles_its_data(tmp_path):
    config = tmp_path / 'own.py'
    config.write_text("dataset_name = 'own'\nmodel = dict(type='A')\n")
    with pytest.raises(UsageError, match='settles its data itself'):
        read_recipe(config, 'nuts')
    cfg = read_recipe(config)
    assert cfg.run.recipe == str(config.with_suffix(''))
    assert (cfg.run.dataset, cfg.run.baseline) == ('own', None)
    # The name of a file that has the data's in it is not made longer.
    assert work_dir_of('net_own.py', cfg) == 'work_dirs/net_own'
    assert work_dir_of('net.py', Config(dict())) == 'work_dirs/net'


def test_a_recipe_that_cannot_be_read(nets):
    (nets / 'broken.py').write_text('a = dict(')
    with pytest.raises(UsageError, match='cannot read the config .*broken'):
        read_recipe(nets / 'broken.py', 'nuts')
    with pytest.raises(UsageError, match='there is no config none.py'):
        read_recipe('none.py', 'nuts')


def test_data_of_ones_own_in_a_file(nets, tmp_path):
    # MMEngine puts what stands in the variable into a text in quotes.
    file = tmp_path / "my 'data'" / 'pets.py'
    file.parent.mkdir()
    file.write_text(CLASSIFICATION.format(name='pets') + 'num_classes = 7\n')
    cfg = read_recipe(nets / 'tiny_drloc.py', str(file))
    assert cfg.run.dataset == str(file)
    assert cfg.model.head.num_classes == cfg.data_preprocessor.num_classes == 7
    assert work_dir_of('tiny.py', cfg) == 'work_dirs/tiny_pets'


@pytest.mark.parametrize(
    'content,words',
    [
        ('num_classes = 3', 'lacks task, dataset_name, train_dataset, val'),
        ("task = 'detection'", 'lacks .*val_ann_file'),
        ('a = dict(', 'cannot read the data set .*SyntaxError'),
        (CLASSIFICATION + "task = 'segmentation'", 'lacks reduce_zero_label'),
        (SEGMENTATION, 'is for segmentation, and .* does classification'),
    ],
)
def test_a_file_that_describes_no_fitting_data(nets, tmp_path, content, words):
    file = tmp_path / 'pets.py'
    file.write_text(content)
    with pytest.raises(UsageError, match=words) as caught:
        read_recipe(nets / 'tiny.py', str(file))
    assert str(file) in str(caught.value)


def test_a_folder_of_photos(nets, photos, capfd):
    cfg = read_recipe(nets / 'tiny_drloc.py', str(photos))
    assert cfg.run.dataset == str(photos)
    assert cfg.dataset_name == 'my-photos'
    assert cfg.model.head.num_classes == cfg.data_preprocessor.num_classes == 2
    assert cfg.val_evaluator.topk == cfg.test_evaluator.topk == (1,)
    assert (cfg.num_train, cfg.num_val) == (9, 2)
    message = capfd.readouterr().err
    assert message.count('note: ') == 1 and '2 of 11 images' in message


def test_folders_for_other_tasks(nets, tmp_path):
    folder = write_objects(tmp_path / 'pets')
    cfg = read_recipe(nets / 'faster-rcnn.py', str(folder))
    assert cfg.model.roi_head.bbox_head.num_classes == 2
    assert cfg.val_evaluator.ann_file == cfg.val_ann_file
    assert cfg.run.dataset == str(folder)
    folder = write_maps(tmp_path / 'sea')
    cfg = read_recipe(nets / 'upernet.py', str(folder))
    assert cfg.model.decode_head.num_classes == 2
    with pytest.raises(UsageError, match='not laid out for detection'):
        read_recipe(nets / 'faster-rcnn.py', str(folder))


def test_several_processes_say_it_once(nets, photos, capfd, monkeypatch):
    monkeypatch.setenv('RANK', '1')
    read_recipe(nets / 'tiny.py', str(photos))
    assert capfd.readouterr() == ('', '')


def test_what_is_dumped_is_complete(nets, photos, tmp_path):
    cfg = read_recipe(nets / 'tiny.py', str(photos))
    cfg.dump(str(tmp_path / 'dumped.py'))
    again = Config.fromfile(tmp_path / 'dumped.py')
    assert again.to_dict() == cfg.to_dict()
    again = read_recipe(tmp_path / 'dumped.py')
    assert again.run.dataset == str(photos)


def test_a_recipe_that_begins_with_data_for_nothing_known(nets):
    file = nets.parent / '_base_/datasets/fruit.py'
    file.write_text("dataset_name = 'fruit'\n")
    with pytest.raises(UsageError, match='says no task: write task = one of'):
        read_recipe(nets / 'tiny.py', 'nuts')


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
    part = nets.parent / '_base_/protocols/classify.py'
    whole.write_text(
        f"_base_ = '{part}'\n"
        "model = dict(auxiliary_head=dict(type='mmdrloc.DRLocHead'))\n"
    )
    assert baseline(whole) is None


def test_our_recipes():
    path = CONFIGS / 'scratch_100e/swin-tiny_drloc.py'
    cfg = read_recipe(path, 'svhn')
    assert cfg.run == dict(
        recipe='scratch_100e/swin-tiny_drloc',
        dataset='svhn',
        weights=None,
        baseline='scratch_100e/swin-tiny',
    )
    assert name_of(os.path.relpath(path)) == cfg.run.recipe
    assert cfg.train_dataloader.dataset.type == 'mmdrloc.SVHN'
