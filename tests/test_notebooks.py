"""Notebooks, run on real photos."""

import ast
import json
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from photo_packs import open_pack

CHECKOUT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.slow
FOLDER = CHECKOUT / 'docs/notebooks'
CLASSES = ('cat', 'ship')
SIX = range(6)
# Three updates of all photos, longer than the warm-up; logged.
SHORT = {
    'train_cfg.max_epochs': 3,
    'train_cfg.val_interval': 3,
    'train_dataloader.batch_size': 12,
    'default_hooks.logger.interval': 1,
}


def cells(path, kind):
    content = json.loads(path.read_text())
    return [
        ''.join(cell['source'])
        for cell in content['cells']
        if cell['cell_type'] == kind
    ]


def run(name, **parameters):
    """Run a notebook as Jupyter does, its first cell's values replaced.

    Args:
        name (str): Of the notebook.
        **parameters: What the first cell is to set.

    Returns:
        tuple[dict, list, list]: Its variables, and the values and the figures
        that its cells show.
    """
    first, *rest = cells(FOLDER / f'{name}.ipynb', 'code')
    space = {}
    exec(first, space)
    assert set(parameters) <= set(space)
    space.update(parameters)
    values, figures = [], []
    for code in rest:
        tree = ast.parse(code)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, 'exec'), space)
        if last:
            expression = ast.Expression(last.value)
            values.append(eval(compile(expression, name, 'eval'), space))
        figures += map(plt.figure, plt.get_fignums())
        plt.close('all')
    return space, values, figures


@pytest.fixture
def photos(tmp_path, monkeypatch):
    """Photos of CIFAR-10, 6 of each of two classes a split."""
    monkeypatch.chdir(tmp_path)
    with open_pack('cifar10') as pack:
        for split, kind, number in product(('test', 'train'), CLASSES, SIX):
            name = f'cifar10/{split}/{kind}/{number:04}.jpg'
            pack.extract(name, tmp_path, filter='data')
    return tmp_path / 'cifar10'


@pytest.fixture
def objects(tmp_path):
    """Nuclei, 4 images a split."""
    root = tmp_path / 'nuclei'
    with open_pack('nuclei') as pack:
        for split in ('train', 'val'):
            file = f'annotations/instances_{split}.json'
            content = json.load(pack.extractfile(f'nuclei/{file}'))
            del content['images'][4:]
            kept = {image['id'] for image in content['images']}
            content['annotations'] = [
                one
                for one in content['annotations']
                if one['image_id'] in kept
            ]
            for image in content['images']:
                name = f'nuclei/{split}/{image["file_name"]}'
                pack.extract(name, tmp_path, filter='data')
            (root / file).parent.mkdir(exist_ok=True)
            (root / file).write_text(json.dumps(content))
    return root


@pytest.mark.parametrize('seeds', [[0], [0, 1]])
def test_photos(photos, seeds):
    """Twins, each in a process of its own, pictures and predictions."""
    space, values, figures = run(
        'photos', photos=photos, seeds=seeds, options=SHORT
    )
    assert space['run'].result['finished']
    assert len(space['results']) == 6
    assert {one['pred_class'] for one in space['results']} <= set(CLASSES)
    before, curves, after = figures
    assert len(before.axes) == len(after.axes) == 6
    assert [len(line.get_xdata()) for line in curves.axes[0].lines] == [3, 3]
    assert f'({len(seeds)} seed' in repr(space['comparison'])
    *_, skills, gain, page = values
    assert gain.width > 500
    assert set(skills) == {
        f'swin-mini{method}_seed{seed}'
        for method in ('', '_drloc')
        for seed in seeds
    }
    for name, skill in skills.items():
        assert (skill is not None) == ('drloc' in name)
    assert page.is_file()


def test_carry(photos, objects):
    space, values, _ = run(
        'carry',
        photos=photos,
        objects=objects,
        options=SHORT,
        detector_options={
            'train_cfg.max_epochs': 1,
            'train_cfg.val_interval': 1,
        },
    )
    assert space['found'].result['finished']
    assert not space['audit'].audit.missing
    assert values[-1].size


@pytest.mark.parametrize('method, epochs', [('MAE', 6), ('IDMM', 12)])
def test_without_labels(photos, method, epochs):
    """Both, past their warm-ups; IDMM's run has no validation to show."""
    options = {
        **SHORT,
        'train_cfg.max_epochs': epochs,
        'train_cfg.val_interval': epochs,
    }
    space, values, [curve] = run(
        'without_labels',
        photos=photos,
        method=method,
        seeds=[0, 1],
        options=options,
        tuning_options=options,
    )
    assert len(curve.axes[0].lines[0].get_xdata()) == epochs
    assert len(space['comparison'].runs) == 4
    assert values[-1].is_file()
