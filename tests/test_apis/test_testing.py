"""What a test says of classes, and what it cannot merge."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from mmengine.config import Config
from mmpretrain.structures import DataSample
from PIL import Image
from tiny_run import build_runner, write_config

from mmdrloc.apis import prediction, testing
from mmdrloc.export.plain import KINDS
from mmdrloc.utils.errors import UsageError


def tta_config(**model):
    return Config(
        dict(
            model=dict(type='A', **model),
            test_dataloader=dict(dataset=dict(dataset=dict(pipeline=[1]))),
            tta_model=dict(type='B'),
            tta_pipeline=[2],
        )
    )


@pytest.mark.parametrize(
    'recipe',
    ['idmm/idmm_vit-narrow_16px', 'evidence/simclr_vit-narrow_16px'],
)
def test_a_pre_training_is_not_tested(tmp_path, recipe):
    """What to do is said, not to write data of a test."""
    with pytest.raises(UsageError, match='fine-tune its backbone') as error:
        testing.test(recipe, tmp_path / 'last.pth', work_dir=tmp_path)
    assert 'inherit' not in str(error.value)


def test_classes_and_confusions(tmp_path):
    counts = torch.tensor([[3, 1, 0], [0, 4, 0], [4, 0, 4]])
    classes = ['cat', 'dog', 'owl']
    rates = testing.accuracies(counts, classes)
    assert [*rates.items()] == [('owl', 50.0), ('cat', 75.0), ('dog', 100.0)]
    said = testing.by_class(counts, classes)
    assert 'owl, confused with cat 4 times' in said
    assert said.index('owl') < said.index('cat, confused with dog 1 time')
    assert 'dog' in said.splitlines()[-1]  # every class
    counts[1] = 0
    said = testing.by_class(counts, classes)
    assert said.endswith('\n  no image of dog')


def test_classes_of_one_name():
    """ImageNet has two cranes."""
    counts = torch.tensor([[3, 0, 1], [0, 4, 0], [0, 4, 0]])
    classes = prediction.distinct(('crane', 'dog', 'crane'))
    assert testing.accuracies(counts, classes) == {
        'crane (2)': 0.0,
        'crane (0)': 75.0,
        'dog': 100.0,
    }
    said = testing.by_class(counts, classes)
    assert 'of 4     crane (2), confused with dog 4 times' in said


def answered(truth, answer, scores):
    sample = DataSample().set_gt_label(truth).set_pred_label(answer)
    return sample.set_pred_score(torch.tensor(scores))


def drawing(folder, *classes, to_rgb=True):
    """The hook before the first batch, and a runner for it."""
    data = SimpleNamespace(metainfo=dict(classes=classes))
    model = SimpleNamespace(data_preprocessor=SimpleNamespace(to_rgb=to_rgb))
    loader = SimpleNamespace(dataset=data)
    runner = SimpleNamespace(test_dataloader=loader, model=model)
    hook = testing.PicturesHook(Config(), folder, KINDS['BaseClassifier'])
    hook.before_test(runner)
    return hook, runner


def test_pictures_of_one_name(tmp_path, capsys):
    """In a folder a class, the wrong ones first, none lost."""
    photo = np.zeros((30, 40, 3), np.uint8)
    samples = []
    name = f'IMG_{"ü" * 120}.jpg'  # with a class in front too long
    for number, (truth, answer) in enumerate([(0, 0), (0, 1), (1, 1), (1, 1)]):
        path = tmp_path / f'data{number}' / name
        path.parent.mkdir()
        Image.fromarray(photo).save(path)
        sample = answered(truth, answer, [0.4, 0.6])
        sample.set_field(str(path), 'img_path', field_type='metainfo')
        samples.append(sample)
    hook, runner = drawing(tmp_path / 'drawn', 'cat', 'dog')
    hook.after_test_iter(runner, 0, outputs=samples[:2])
    hook.after_test_iter(runner, 1, outputs=samples[2:])
    cats, dogs = (
        sorted(path.name for path in (tmp_path / 'drawn' / name).iterdir())
        for name in ('cat', 'dog')
    )
    assert [name.split('_')[0] for name in cats] == ['0-wrong', '1-right']
    assert cats[0].startswith('0-wrong_dog_IMG') and len(dogs) == 2
    assert 'earlier pictures' not in capsys.readouterr().err
    hook.before_test(runner)
    assert 'earlier pictures' in capsys.readouterr().err


def test_label_maps_of_one_name(capsys):
    paths = ['a/1.jpg', 'b/1.png', 'b/2.png']

    class Data(list):
        def get_data_info(self, number):
            return dict(img_path=self[number])

    testing.check_label_maps(Data(paths[1:]), 'maps')
    with pytest.raises(UsageError, match='2 images are called 1'):
        testing.check_label_maps(Data(paths), 'maps')
    assert not capsys.readouterr().err
    renumbered = Data(paths[1:])
    renumbered.labels = [255, 0, 1]
    renumbered.metainfo = dict(classes=('sky', 'sea'))
    testing.check_label_maps(renumbered, 'maps')
    assert 'numbers of the classes sky, sea from 0' in capsys.readouterr().err


@pytest.mark.parametrize('to_rgb', [True, False])
def test_the_colours_of_images_in_memory(tmp_path, to_rgb):
    """They come in the order in which they were loaded."""
    image = torch.zeros(3, 24, 24, dtype=torch.uint8)
    image[2 if to_rgb else 0] = 255  # red
    sample = answered(0, 0, [0.9, 0.1])
    hook, runner = drawing(tmp_path, 'cat', 'dog', to_rgb=to_rgb)
    hook.after_test_iter(runner, 0, dict(inputs=[image]), [sample])
    with Image.open(next(tmp_path.glob('cat/*.png'))) as picture:
        corner = picture.convert('RGB').getpixel((picture.width - 1, 0))
    assert corner == (255, 0, 0)


def test_tta_of_several_data_sets_together():
    cfg = tta_config()
    parts = [dict(pipeline=[1]), dict(dataset=dict(pipeline=[1]))]
    cfg.test_dataloader.dataset = dict(type='ConcatDataset', datasets=parts)
    testing.set_tta(cfg)
    first, second = cfg.test_dataloader.dataset.datasets
    assert first.pipeline == second.dataset.pipeline == [2]
    assert 'pipeline' not in cfg.test_dataloader.dataset
    assert cfg.model == dict(type='B', module=dict(type='A'))


def test_tta_that_cannot_be():
    with pytest.raises(UsageError, match='`tta_model` and `tta_pipeline`'):
        testing.set_tta(Config(dict(model=dict(type='A'))))
    with pytest.raises(UsageError, match='mask_head=None'):
        testing.set_tta(tta_config(roi_head=dict(mask_head=dict())))


@pytest.mark.parametrize(
    'classes, place',
    [
        # ImageNet has two cranes.
        (('crane', 'dog', 'crane'), 'crane (0)/0-wrong_crane (2)_*.png'),
        (('cat/tom', 'dog', 'owl'), 'cat_tom/0-wrong_owl_*.png'),
    ],
)
def test_names_of_classes_that_are_no_names_of_folders(
    tmp_path, classes, place
):
    image = torch.zeros(3, 24, 24, dtype=torch.uint8)
    sample = answered(0, 2, [0.1, 0.3, 0.6])
    hook, runner = drawing(tmp_path, *classes)
    hook.after_test_iter(runner, 0, dict(inputs=[image]), [sample])
    assert len([*tmp_path.glob(place)]) == len([*tmp_path.iterdir()]) == 1


def test_many_classes(monkeypatch):
    monkeypatch.setattr(testing, 'MOST', 1)
    counts = torch.tensor([[3, 1, 0], [0, 4, 0], [4, 0, 4]])
    said = testing.by_class(counts, ['cat', 'dog', 'owl'])
    assert len(said.splitlines()) == 3
    assert said.endswith('and 2 classes with higher accuracy')


def test_pictures_of_images_elsewhere_stay_in_their_folder(tmp_path):
    """What lies beside ``data_root``, as annotations may name it."""
    drawn = []
    hook, runner = drawing(tmp_path / 'drawn', 'cat', 'dog')

    def draw(name, image, sample, out_file):
        drawn.append(out_file)

    hook.visualizer.add_datasample = draw
    runner.test_dataloader.dataset.data_root = str(tmp_path / 'data')
    path = tmp_path / 'more/1.jpg'
    path.parent.mkdir()
    Image.new('RGB', (4, 4)).save(path)
    sample = DataSample(metainfo=dict(img_path=str(path)))
    hook.after_test_iter(runner, 0, outputs=[sample])
    assert drawn == [str(tmp_path / 'drawn/more/1.jpg.png')]


def test_an_earlier_dump_stays_until_there_is_another(tmp_path):
    path = tmp_path / 'deep/a.pkl'
    cfg = Config(dict(default_scope='mmdet', test_evaluator=dict(type='A')))
    testing.set_prediction_dump(cfg, str(path))
    assert path.parent.is_dir() and not path.exists()
    # mmdet's, which packs masks.
    assert [one.type for one in cfg.test_evaluator] == ['A', 'DumpDetResults']
    path.write_bytes(b'earlier')
    testing.set_prediction_dump(cfg, str(path))
    assert path.read_bytes() == b'earlier'


def test_a_config_with_a_confusion_matrix_of_its_own(tmp_path, monkeypatch):
    """It is not counted twice; the log is not beside the config."""
    monkeypatch.chdir(tmp_path)
    config = write_config(tmp_path / 'configs')
    runner = build_runner(config)
    torch.save(dict(state_dict=runner.model.state_dict()), 'a.pth')
    before = {*Path('configs').iterdir()}
    metrics = [dict(type='Accuracy'), dict(type='ConfusionMatrix')]
    options = {'test_evaluator': metrics}
    found = testing.test(config, 'a.pth', options=options)
    assert found[testing.CONFUSION].sum() == 12
    assert {*Path('configs').iterdir()} == before


def test_what_is_written_into_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('HOME', str(tmp_path / 'home'))
    config = write_config(tmp_path)
    model = build_runner(config).model
    torch.save(dict(state_dict=model.state_dict()), 'a.pth')
    testing.test(config, 'a.pth', out='~/a.pkl', show_dir='~/drawn')
    assert (tmp_path / 'home/a.pkl').is_file()
    assert (tmp_path / 'home/drawn/confusion_matrix.png').is_file()
