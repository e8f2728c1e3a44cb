"""The twins for one's own photos; docs/own_images.md is trained elsewhere."""

from pathlib import Path

from mmengine.config import Config

FOLDER = Path(__file__).parents[2] / 'configs/photos'


def test_twins_differ_in_the_method_alone():
    plain = Config.fromfile(FOLDER / 'swin-mini_photos.py').to_dict()
    twin = Config.fromfile(FOLDER / 'swin-mini_drloc_photos.py').to_dict()
    assert twin['model'].pop('auxiliary_head')['source'] == 'stages.1'
    assert twin['model'].pop('type') == 'mmdrloc.DRLocClassifier'
    assert plain['model'].pop('type') == 'ImageClassifier'
    assert twin == plain
