"""Every data set in the recipes: read in its own format, what is published."""

import itertools
import json
import re
from pathlib import Path

import command_line
import fake_datasets as fake
import pytest
import torch
from mmengine.config import Config
from mmengine.registry import DATASETS, init_default_scope
from mmengine.runner import Runner
from photo_packs import open_pack
from published_sets import PUBLISHED
from tiny_dense import library_config

CONFIGS = Path(__file__).parents[2] / 'configs'
FILES = {
    path.stem: path
    for path in sorted((CONFIGS / '_base_/datasets').glob('*.py'))
}
DESCRIBED = {name: Config.fromfile(path) for name, path in FILES.items()}
SUBSETS = {'sin-10k', 'sin-total-10k'}
# Our own, the user's, and another form of a published one.
DEMONSTRATIONS = {'digits', 'digits-300', 'photos'}
DEMONSTRATIONS |= {name for name in DESCRIBED if re.match('cifar10[-_]', name)}
CLASSIFICATION = sorted(
    name for name, data in DESCRIBED.items() if data.task == 'classification'
)


@pytest.fixture
def load(monkeypatch):
    """Read a recipe of the DRLoc paper with a data set."""

    def read(name, recipe='scratch_100e/swin-tiny'):
        monkeypatch.setenv('DATASET', name)
        return Config.fromfile(CONFIGS / f'{recipe}.py')

    return read


def test_every_set_of_the_experiments_is_described():
    ours = set(CLASSIFICATION)
    assert ours - DEMONSTRATIONS == {*PUBLISHED, *SUBSETS}


@pytest.mark.parametrize('name', FILES)
def test_it_says_its_data_alone(name):
    data = DESCRIBED[name]
    assert data.dataset_name == name
    needed = dict(
        classification=set(),
        detection={'val_ann_file'},
        segmentation={'reduce_zero_label'},
    )[data.task]
    needed |= {'num_classes', 'dataset_title', 'train_dataset', 'val_dataset'}
    assert needed <= set(data)
    for dataset in (data.train_dataset, data.val_dataset):
        assert '.' in dataset.type and 'pipeline' not in dataset
        classes = dataset.get('metainfo', {}).get('classes')
        assert classes is None or len(classes) == data.num_classes
        assert dataset.get('metainfo') == data.get('metainfo')
    if 'val_ann_file' in data:
        val = data.val_dataset
        assert data.val_ann_file == val.data_root + val.ann_file


@pytest.mark.parametrize('name', [*PUBLISHED, *sorted(SUBSETS), 'digits'])
def test_a_recipe_gives_batches(name, load, tmp_path, monkeypatch):
    init_default_scope('mmpretrain')
    root = tmp_path / 'set'
    written = dict(digits='digits-300').get(name, name)
    highest = fake.write_set(written, root, monkeypatch)
    cfg = load(name)
    assert cfg.model.head.num_classes == DESCRIBED[name].num_classes
    assert cfg.data_preprocessor.num_classes == DESCRIBED[name].num_classes
    for key in ('train_dataloader', 'val_dataloader', 'test_dataloader'):
        loader = cfg[key]
        loader.update(batch_size=2, num_workers=0, persistent_workers=False)
        loader.dataset.data_root = str(root)
        dataset = Runner.build_dataloader(loader).dataset
        batch = next(iter(Runner.build_dataloader(loader)))
        images = torch.stack(list(batch['inputs']))
        assert images.shape == (2, 3, 224, 224)
        assert images.dtype == torch.uint8
        assert len(batch['data_samples']) == 2
        if key == 'train_dataloader':
            assert dataset.get_gt_labels().max() == highest
        else:  # not augmented: blue, green, red
            mean = images.float().mean((0, 2, 3))
            assert torch.allclose(
                mean, torch.tensor(fake.RED[::-1]).float(), atol=3
            )
        classes = dataset.metainfo.get('classes')
        assert classes is None or len(classes) == cfg.num_classes


@pytest.mark.parametrize('name', PUBLISHED)
def test_it_says_what_prepare_asks_it(name):
    data = DESCRIBED[name]
    assert data.data_made_by.endswith(f'prepare.py {name}')
    assert data.train_dataset.data_root == data.val_dataset.data_root
    assert data.train_dataset.data_root.startswith('data/')
    assert data.train_dataset.split != data.val_dataset.split
    header = re.sub('\n# ', ' ', FILES[name].read_text())
    for count in (data.num_train, data.num_val):
        assert f' {count:,} ' in header


@pytest.mark.parametrize(
    'name, library, file, recipe',
    [
        (
            'coco',
            'mmdet',
            '_base_/datasets/coco_instance.py',
            'coco/mask-rcnn_swin-tiny_1x-stock',
        ),
        (
            'ade20k',
            'mmseg',
            '_base_/datasets/ade20k.py',
            'ade20k/upernet_swin-tiny_160k-stock',
        ),
    ],
)
def test_what_the_libraries_read(name, library, file, recipe, load):
    """COCO and ADE20K as mmdet and mmseg have them."""
    theirs, ours = library_config(library, file), load(name, recipe)
    for key in ('train_dataloader', 'val_dataloader', 'test_dataloader'):
        expected, found = dict(theirs[key].dataset), dict(ours[key].dataset)
        expected['type'] = f'{library}.{expected["type"]}'
        # Pipelines are compared in test_dense_recipes.py.
        assert expected.pop('pipeline') and found.pop('pipeline')
        assert found == expected
    evaluator = dict(ours.val_evaluator)
    evaluator.pop('_scope_', None)
    assert evaluator == theirs.val_evaluator


def write_config_of_photos(base, photos, path):
    """Write a config that differs from another in its data set alone."""
    blocks = ''.join(
        f"""
{loader}_dataloader = dict(
    dataset=dict(
        _delete_=True,
        type='CustomDataset',
        data_root='{photos}',
        data_prefix='{loader}',
        pipeline=_base_.{pipeline}_pipeline,
    )
)
"""
        for loader, pipeline in (
            ('train', 'train'),
            ('val', 'test'),
            ('test', 'test'),
        )
    )
    path.write_text(f"_base_ = '{base}'\n{blocks}")


def test_other_photos_by_changing_the_data_set_alone(tmp_path):
    """The augmentations are inherited by a folder of the user's own."""
    for name in ('cat', 'dog'):
        fake.write_image(tmp_path / f'photos/train/{name}/1.jpg')
    config = tmp_path / 'photos.py'
    base = CONFIGS / 'scratch_100e/swin-tiny.py'
    write_config_of_photos(base, tmp_path / 'photos', config)
    init_default_scope('mmpretrain')
    dataset = DATASETS.build(Config.fromfile(config).train_dataloader.dataset)
    assert dataset[1]['inputs'].shape == (3, 224, 224)


def unpack_some_of_cifar10(folder, counts):
    """Unpack the first photos of each class.

    Args:
        folder (Path): Where they go.
        counts (dict[str, int]): How many of a class, by split.
    """
    with open_pack('cifar10') as pack:
        photos = (m for m in pack if m.name.endswith('.jpg'))
        for parent, members in itertools.groupby(
            photos, lambda m: Path(m.name).parent
        ):
            some = itertools.islice(members, counts[parent.parent.name])
            pack.extractall(folder, some, filter='data')


@pytest.mark.slow
def test_a_config_of_cifar10_runs_on_photos_in_folders(tmp_path):
    unpack_some_of_cifar10(tmp_path, dict(train=1, test=3))
    (tmp_path / 'cifar10/test').rename(tmp_path / 'cifar10/val')
    (tmp_path / 'cifar10/test').symlink_to('val')
    config = tmp_path / 'photos.py'
    base = CONFIGS / 'scratch_100e/swin-tiny_drloc.py'
    write_config_of_photos(base, tmp_path / 'cifar10', config)
    outcome = command_line.run(
        'train.py',
        config,
        '--cfg-options',
        # The warm-up takes 20 epochs.
        'train_cfg.max_epochs=21',
        'train_cfg.val_interval=21',
        'train_dataloader.batch_size=10',
        'train_dataloader.num_workers=1',
        'val_dataloader.num_workers=1',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    result = json.loads(
        (tmp_path / 'work_dirs/photos/result.json').read_text()
    )
    assert result['updates']['done'] == 21
    assert 0 < result['last']['accuracy/top1']['value'] <= 100


LOADED = 'mmdrloc.LoadImage'
CROPPED = ['ResizeEdge', 'CenterCrop']


@pytest.mark.parametrize(
    'recipe, name, steps',
    [
        ('scratch_100e/swin-tiny', 'svhn', ['Resize']),
        ('finetune_100e/swin-tiny', 'cifar100', ['Resize']),
        ('scratch_300e/swin-tiny', 'flowers102', CROPPED),
        # The official code crops small images, too.
        ('official/swin-tiny', 'svhn', CROPPED),
    ],
)
def test_the_images_of_the_experiments(recipe, name, steps, load):
    """8 GPUs x 128 images, incomplete batches left out of training."""
    cfg = load(name, recipe)
    assert cfg.train_dataloader.batch_size == 128
    assert cfg.train_dataloader.drop_last
    assert 'drop_last' not in cfg.val_dataloader
    kinds = [step['type'] for step in cfg.train_dataloader.dataset.pipeline]
    assert kinds == [
        LOADED,
        'mmdrloc.RandomResizedCrop',
        'RandomFlip',
        'mmdrloc.RandAugment',
        'mmdrloc.RandomErasing',
        'PackInputs',
    ]
    for loader in (cfg.val_dataloader, cfg.test_dataloader):
        kinds = [step['type'] for step in loader.dataset.pipeline]
        assert kinds == [LOADED, *steps, 'PackInputs']
    for loader in (cfg.train_dataloader, cfg.val_dataloader):
        assert loader.collate_fn == dict(type='default_collate')
    assert cfg.val_evaluator.topk == (1, 5)
