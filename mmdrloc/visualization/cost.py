"""Parameters and multiply-accumulates of a classifier, in three countings."""

from typing import Any, List, NamedTuple, Optional

import torch
from mmengine.analysis import FlopAnalyzer
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope

from mmdrloc.models.building import building_from
from mmdrloc.utils.errors import UsageError

ATTENTION = 'aten::scaled_dot_product_attention'
# Operators with learnt matrices; norms and activations are not counted.
LEARNT = ('conv', 'linear', 'addmm')
# Products of activations, as other versions of attention write them.
PRODUCTS = ('bmm', 'matmul', 'einsum', ATTENTION.split('::')[1])


class Cost(NamedTuple):
    """What a network costs.

    Args:
        parameters (int): Numbers that are learnt or frozen.
        full (int): Multiply-accumulates of one image: linear layers,
            convolutions and the two products inside attention.
        linear (int): Of linear layers and convolutions alone.
        outside_attention (int): As ``full``, without all that belongs to
            modules called ``attn``: what tools report that do not look into
            attention modules.
    """

    parameters: int
    full: int
    linear: int
    outside_attention: int


def cost_of_config(cfg: Config, size: Optional[int] = None) -> Cost:
    """Build the classifier of a config, and count while it looks at an image.

    Args:
        cfg (Config): Of a classifier.
        size (int, optional): Of the image, for a backbone without
            ``img_size``. Defaults to None.

    Returns:
        Cost: At that size, in numbers, not in millions.

    Raises:
        UsageError: If the model is no classifier of a known image size.
    """
    with building_from(cfg):
        init_default_scope(cfg.get('default_scope', 'mmpretrain'))
        backbone = cfg.model.backbone
        size = backbone.get('img_size', size)
        if size is None or 'num_classes' not in cfg.model.head:
            raise UsageError(
                f'{cfg.filename} is no classifier whose backbone has an '
                'img_size: give one of configs/mae/vit-light*.py, or the '
                '--size of the images of another classifier'
            )
        own = dict(backbone=dict(backbone, init_cfg=None), train_cfg=None)
        model = MODELS.build({**cfg.model, **own}).eval()
        height, width = (size, size) if isinstance(size, int) else size
        analyzer = FlopAnalyzer(model, torch.zeros(1, 3, height, width))
        analyzer.unsupported_ops_warnings(False)
        analyzer.uncalled_modules_warnings(False)
        analyzer.set_op_handle(ATTENTION, _attention_products)
        by_module = {
            name: _of(counts, LEARNT + PRODUCTS)
            for name, counts in analyzer.by_module_and_operator().items()
        }
        attention = [n for n in by_module if n.split('.')[-1] == 'attn']
        return Cost(
            parameters=sum(p.numel() for p in model.parameters()),
            full=by_module[''],
            linear=_of(analyzer.by_operator(), LEARNT),
            outside_attention=by_module['']
            - sum(by_module[name] for name in attention),
        )


def _of(counts: Any, operators: tuple) -> int:
    return int(sum(counts.get(operator, 0) for operator in operators))


def _attention_products(inputs: List[Any], outputs: List[Any]) -> int:
    """Queries with keys, then weights with values, for jit's analyser."""
    query, key, value = (tensor.type().sizes() for tensor in inputs[:3])
    batch_and_heads = query[0] * query[1]
    return batch_and_heads * query[2] * key[2] * (query[3] + value[3])
