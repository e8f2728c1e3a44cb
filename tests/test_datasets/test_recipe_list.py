"""The list of recipes is that of the configs, and words find in it."""

from pathlib import Path

from mmdrloc.datasets.recipe_list import recipes

CONFIGS = Path(__file__).resolve().parents[2] / 'configs'


def test_each_recipe_is_listed_once():
    names = [recipe.name for recipe in recipes()]
    files = {
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in CONFIGS.glob('[!_]*/**/*.py')
    }
    assert len(names) == len(set(names)) and set(names) == files


def test_names_say_network_and_methods():
    found = {recipe.name: recipe for recipe in recipes()}
    recipe = found['idmm/pretrain/idmm_deit-tiny_drloc']
    assert recipe.network == 'deit-tiny'
    assert recipe.methods == ('idmm', 'drloc')
    recipe = found['coco/mask-rcnn_swin-tiny_1x-paper']
    assert (recipe.network, recipe.methods) == ('swin-tiny', ())
