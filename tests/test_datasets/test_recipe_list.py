"""The list of recipes is that of the configs; names say what they train."""

import recipe_configs

from mmdrloc.datasets.recipe_list import recipes


def test_each_recipe_is_listed_once():
    names = [recipe.name for recipe in recipes()]
    assert sorted(names) == recipe_configs.recipes()


def test_names_say_network_and_methods():
    found = {recipe.name: recipe for recipe in recipes()}
    recipe = found['idmm/pretrain/idmm_deit-tiny_drloc']
    assert recipe.network == 'deit-tiny'
    assert recipe.methods == ('idmm', 'drloc')
    recipe = found['coco/mask-rcnn_swin-tiny_1x-paper']
    assert (recipe.network, recipe.methods) == ('swin-tiny', ())
