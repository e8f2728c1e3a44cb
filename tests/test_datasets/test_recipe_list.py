"""The list of recipes is that of the configs; names say what they train."""

import recipe_configs
from mmpretrain.models import BaseSelfSupervisor

from mmdrloc.datasets.recipe_list import Recipe, is_pretraining, recipes
from mmdrloc.registry import MODELS
from mmdrloc.utils.config_walk import class_of


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


def test_names_say_which_recipes_are_pretrainings():
    for name in recipe_configs.recipes():
        cfg = recipe_configs.resolve(name)
        kind = class_of(cfg.model, MODELS, cfg.default_scope)
        is_one = issubclass(kind, BaseSelfSupervisor)
        assert is_pretraining(name) == is_one, name
