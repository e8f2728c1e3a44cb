"""Every data set's config reads its own format and gives a batch."""

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

from mmdrloc.datasets.published import PUBLISHED

CONFIGS = Path(__file__).parents[2] / 'configs'
ROOT = CONFIGS / '_base_/former_datasets'
FILES = {
    Config.fromfile(path).dataset_name: path
    for path in sorted(ROOT.glob('*.py'))
    if "_base_ = 'cls_224px.py'" in path.read_text()
}


def load(name):
    return Config.fromfile(FILES[name])


def test_every_set_of_the_experiments_has_a_config():
    # IDMM's sets come with IDMM's own augmentations.
    idmm = {'indoor67', 'pets', 'dtd', 'cub', 'aircraft', 'cars'}
    assert set(FILES) == set(PUBLISHED) - idmm


@pytest.mark.parametrize('name', FILES)
def test_config_gives_batches(name, tmp_path, monkeypatch):
    init_default_scope('mmpretrain')
    root = tmp_path / 'set'
    highest = fake.write_set(name, root, monkeypatch)
    cfg = load(name)
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
        assert classes is None or len(classes) == (
            cfg.data_preprocessor.num_classes
        )


@pytest.mark.parametrize('name', FILES)
def test_config_says_what_is_published(name):
    cfg = load(name)
    published = PUBLISHED[name]
    assert cfg.data_preprocessor.num_classes == published.num_classes
    assert cfg.data_made_by.endswith(f'prepare.py {name}')
    assert cfg.test_dataloader == cfg.val_dataloader
    loaders = (cfg.train_dataloader, cfg.val_dataloader)
    for loader, split in zip(loaders, published.splits):
        dataset = loader.dataset.to_dict()
        scope = dataset.pop('_scope_')
        dataset.pop('pipeline')
        kind = dataset.pop('type')
        assert published.dataset in (kind, f'{scope}.{kind}')
        assert dataset == dict(
            data_root=f'data/{published.folder}',
            split=split,
            **published.options,
        )
    header = re.sub('\n# ', ' ', FILES[name].read_text())
    for count in (published.num_train, published.num_test):
        assert f' {count:,} ' in header


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
    write_config_of_photos(FILES['cifar10'], tmp_path / 'photos', config)
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
    base = CONFIGS / 'scratch_100e/swin-tiny_drloc_100e_cifar10.py'
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


def test_the_recipe_of_the_experiments():
    """8 GPUs x 128 images, incomplete batches left out of training."""
    cfg = load('svhn')
    assert cfg.train_dataloader.batch_size == 128
    assert cfg.train_dataloader.drop_last
    assert 'drop_last' not in cfg.val_dataloader
    kinds = [step['type'] for step in cfg.train_pipeline]
    assert kinds == [
        'mmdrloc.LoadImage',
        'mmdrloc.RandomResizedCrop',
        'RandomFlip',
        'mmdrloc.RandAugment',
        'mmdrloc.RandomErasing',
        'PackInputs',
    ]
    kinds = [step['type'] for step in cfg.test_pipeline]
    assert kinds == [
        'mmdrloc.LoadImage',
        'ResizeEdge',
        'CenterCrop',
        'PackInputs',
    ]
    for loader in (cfg.train_dataloader, cfg.val_dataloader):
        assert loader.collate_fn == dict(type='default_collate')
    assert cfg.val_evaluator.topk == (1, 5)
