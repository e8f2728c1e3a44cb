"""The list of recipes is that of the configs, and words find in it."""

from mmdrloc import commands
from mmdrloc.catalogue import recipes
from mmdrloc.doctor import CHECKOUT

CONFIGS = CHECKOUT / 'configs'


def test_each_recipe_is_listed_once():
    names = [recipe.name for recipe in recipes()]
    files = {
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in CONFIGS.glob('[!_]*/**/*.py')
    }
    assert len(names) == len(set(names)) and set(names) == files


def test_words_find_recipes():
    found = recipes('SWIN', 'drloc', 'cifar-100', 'published')
    assert 'scratch_100e/swin-tiny_drloc' in {r.name for r in found}
    for recipe in found:
        assert 'swin' in recipe.name and 'drloc' in recipe.name
        assert 'CIFAR-100' in recipe.datasets
        assert any(text.startswith('CIFAR-100 ') for text in recipe.published)
    assert all(recipe.measured for recipe in recipes('measured'))
    assert recipes('no such thing') == []


def test_they_are_shown(capsys):
    commands.main(['recipes', 'quickstart/swin-2stage_drloc'])
    name, measured = capsys.readouterr().out.splitlines()
    assert name == 'quickstart/swin-2stage_drloc  Image Classification'
    assert measured.startswith('  measured: ')
