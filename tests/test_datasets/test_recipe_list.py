"""The list of recipes is that of the configs; names say what they train."""

import recipe_configs

from mmdrloc.datasets.recipe_list import Recipe, recipes


def test_each_recipe_is_listed_once():
    names = [recipe.name for recipe in recipes()]
    assert sorted(names) == recipe_configs.recipes()


def test_names_say_the_network():
    found = {recipe.name: recipe.network for recipe in recipes()}
    assert found['idmm/pretrain/idmm_deit-tiny_drloc'] == 'deit-tiny'
    assert found['coco/mask-rcnn_swin-tiny_1x-paper'] == 'swin-tiny'
    # DINO is a method, DINOv2 stands for a network.
    dinov2 = Recipe('camvid/upernet_dinov2-small_drloc', '', (), (), '')
    assert dinov2.network == 'dinov2-small'
    assert dinov2.methods == ('drloc',)
