"""Every recipe resolves and trains a step; a twin differs by its head."""

import ast
import copy
import math
import re
from collections import Counter
from pathlib import Path

import fake_datasets as fake
import pytest
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmengine.runner import Runner
from recipe_configs import CONFIGS, recipes, resolve, unscoped
from tiny_recipes import write_classes, write_maps, write_objects

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.use_dataset import use_dataset

# Few seconds each; `make test-slow` has the others.
CHEAP = re.compile(
    r'(quickstart|evidence|photos|coco_mini|nuclei|camvid)/|.*narrow'
)
RECIPES = [
    pytest.param(name, marks=() if CHEAP.match(name) else pytest.mark.slow)
    for name in recipes()
]
NAMES = ('inputs', 'data_samples')
BASELINES = [name for name in recipes() if 'drloc' not in name]
NAMED_DATA = [  # not the user's own
    name for name in BASELINES if resolve(name).dataset_name != 'photos'
]
TWINS = [name for name in recipes() if 'drloc' in name]


def own_bases(path: Path):
    """The files of this project that a config names."""
    bases = Config._get_base_files(str(path))
    bases = [b for b in bases if '::' not in b and not b.startswith('/')]
    return [(path.parent / base).resolve() for base in bases]


def depth(path: Path) -> int:
    return max([1 + depth(base) for base in own_bases(path)], default=0)


@pytest.mark.parametrize('name', recipes())
def test_a_recipe_is_found_in_few_files(name):
    path = CONFIGS / f'{name}.py'
    assert depth(path) <= 2


def test_a_base_has_several_users():
    users = [
        base for path in CONFIGS.rglob('*.py') for base in own_bases(path)
    ]
    for base in (CONFIGS / '_base_').rglob('*.py'):
        assert users.count(base.resolve()) > 1, base


def test_no_two_share_a_default_work_dir():
    """MMEngine names it by the file."""
    names = Counter(Path(name).stem for name in recipes())
    assert not [name for name, count in names.items() if count > 1]


def test_inherited_files_are_named_in_plain_words():
    """Whoever reads `_base_` needs to run nothing."""
    for path in CONFIGS.rglob('*.py'):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == '_base_':
                ast.literal_eval(node.value)


def baseline_of(name: str) -> str:
    """The nearest recipe above a twin that has no DRLoc."""
    path = CONFIGS / f'{name}.py'
    while 'drloc' in path.stem:
        (path,) = own_bases(path)
    return path.relative_to(CONFIGS).with_suffix('').as_posix()


@pytest.mark.parametrize('name', TWINS)
def test_a_twin_differs_by_its_head(name):
    with_drloc = resolve(name).to_dict()
    without = resolve(baseline_of(name)).to_dict()
    model = with_drloc['model']
    kind, plain = model.pop('type'), without['model'].pop('type')
    assert kind.startswith('mmdrloc.DRLoc') and kind != plain
    dense = 'roi_head' in model or 'decode_head' in model
    head = model.pop('drloc_head' if dense else 'auxiliary_head')
    assert head['type'] == 'mmdrloc.DRLocHead'
    if name.startswith('official/'):
        (hook,) = with_drloc.pop('custom_hooks')
        assert hook['type'] == 'mmdrloc.DRLocWeightHook'
    assert with_drloc == without


@pytest.mark.parametrize('name', NAMED_DATA)
def test_its_own_data_by_name_change_nothing(name):
    """``--dataset`` with the default is the recipe as it stands."""
    before = resolve(name)
    after = resolve(name, before.dataset_name)
    for key in 'model train_dataloader val_dataloader val_evaluator'.split():
        found, wanted = (unscoped(cfg.get(key)) for cfg in (after, before))
        assert found == wanted, key


# ---- they train -------------------------------------------------------------


@pytest.fixture(scope='module')
def folders(tmp_path_factory):
    """One's own data for each task."""
    root = tmp_path_factory.mktemp('own')
    return dict(
        classification=write_classes(
            root / 'photos', dict(cat=12, dog=12, owl=12), size=(80, 64)
        ),
        detection=write_objects(root / 'objects'),
        segmentation=write_maps(root / 'maps'),
    )


@pytest.mark.parametrize('name', RECIPES)
def test_a_recipe_trains_a_step(name, folders):
    """On a folder of one's own, from random weights."""
    cfg = copy.deepcopy(resolve(name))
    use_dataset(cfg, str(folders[CATALOG[cfg.dataset_name]['task']]))
    loader = cfg.train_dataloader
    loader.update(batch_size=2, num_workers=0, persistent_workers=False)
    loader.dataset.pop('filter_cfg', None)  # the photos are small
    init_default_scope(cfg.default_scope)
    torch.manual_seed(0)
    model = copy.deepcopy(cfg.model)
    model.setdefault('data_preprocessor', cfg.get('data_preprocessor'))
    if (model.backbone.get('init_cfg') or {}).get('type') == 'Pretrained':
        model.backbone.init_cfg = None
    # One process has no group to synchronise with.
    model = MODELS.build(replaced(model, 'SyncBN', 'BN'))
    batch = next(iter(Runner.build_dataloader(loader)))
    data = model.data_preprocessor(batch, training=True)
    model.train()
    inputs = data if isinstance(data, dict) else dict(zip(NAMES, data))
    total, _ = model.parse_losses(model(**inputs, mode='loss'))
    total.backward()
    assert math.isfinite(float(total.detach()))
    gradients = [p.grad for p in model.backbone.parameters()]
    learns = any(g is not None and g.abs().sum() > 0 for g in gradients)
    assert learns or 'probe' in name
    if hasattr(model, 'roi_head'):  # mmcv's RoIAlign reads others wrongly
        maps = model.extract_feat(inputs['inputs'])
        assert all(one.is_contiguous() for one in maps)
    if name in TWINS:
        head = getattr(model, 'drloc_head', None) or model.auxiliary_head
        assert any(p.grad.abs().sum() > 0 for p in head.parameters())


def replaced(value, old, new):
    """A config with a word in place of another."""
    if isinstance(value, dict):
        parts = {key: replaced(part, old, new) for key, part in value.items()}
        return type(value)(parts)
    if isinstance(value, (list, tuple)):
        return [replaced(part, old, new) for part in value]
    return new if value == old else value


DATASETS = (
    'cifar10 cifar100 domainnet-sketch flowers102 imagenet-1k imagenet-100 '
    'indoor67 pets svhn'
).split()


@pytest.mark.parametrize('name', DATASETS)
def test_a_dataset_in_its_own_format(name, tmp_path, monkeypatch):
    """Read as it is published, labelled up to the last class."""
    highest = fake.write_set(name, tmp_path / 'set', monkeypatch)
    cfg = copy.deepcopy(resolve('scratch_100e/swin-tiny', name))
    init_default_scope('mmpretrain')
    loader = cfg.train_dataloader
    loader.update(
        batch_size=2, num_workers=0, persistent_workers=False, drop_last=False
    )
    loader.dataset.data_root = str(tmp_path / 'set')
    batches = list(Runner.build_dataloader(loader))
    samples = [sample for batch in batches for sample in batch['data_samples']]
    assert batches[0]['inputs'].shape[1:] == (3, 224, 224)
    assert max(int(sample.gt_label) for sample in samples) == highest
    assert highest < cfg.model.head.num_classes == CATALOG[name]['num_classes']
