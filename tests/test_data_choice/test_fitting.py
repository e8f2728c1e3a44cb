"""What of a recipe has to follow from the data."""

import pytest
from mmengine.config import Config
from tiny_recipes import write_recipes

from mmdrloc.data_choice import fit_topk
from mmdrloc.recipes import read_recipe


@pytest.mark.parametrize('number,topk', [(2, (1,)), (5, (1,)), (6, (1, 5))])
def test_best_five(tmp_path, number, topk):
    nets = write_recipes(tmp_path)
    file = nets.parent / '_base_/datasets/nuts.py'
    file.write_text(f'{file.read_text()}num_classes = {number}\n')
    cfg = read_recipe(nets / 'tiny.py', 'nuts')
    assert tuple(cfg.val_evaluator.topk) == topk
    assert tuple(cfg.test_evaluator.topk) == topk


def test_wherever_it_is_asked_for():
    evaluator = [dict(type='F1'), dict(type='Accuracy', topk=[3, 5])]
    cfg = Config(
        dict(
            num_classes=3,
            model=dict(head=dict(topk=(1, 5))),
            val_evaluator=evaluator,
            test_evaluator=dict(type='Accuracy', topk=1),
        )
    )
    fit_topk(cfg)
    assert cfg.model.head.topk == cfg.val_evaluator[1].topk == (1,)
    assert cfg.test_evaluator.topk == 1
