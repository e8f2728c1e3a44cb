"""Parts of a config that are not what they are made of: dicts and lists."""

from typing import Any, List, Sequence

from mmengine.config import Config

from .kinds import shortened

DICT, ITEMS = 'a dict', 'a list of dicts'
# What may be something else that makes one.
MADE = ('dataset', 'sampler', 'collate_fn')
TOP = {
    'model': (DICT,),
    'model.backbone': (DICT,),
    'model.data_preprocessor': (DICT,),
    'optim_wrapper': (DICT,),
    'optim_wrapper.optimizer': (DICT,),
    'param_scheduler': (ITEMS, DICT),
    'default_hooks': (DICT,),
    'custom_hooks': (ITEMS,),
    'data_preprocessor': (DICT,),
    'visualizer': (DICT,),
    'log_processor': (DICT,),
    'randomness': (DICT,),
    'env_cfg': (DICT,),
    'auto_scale_lr': (DICT,),
}
PHASE = {
    'dataloader': (DICT,),
    'dataloader.dataset': (DICT,),
    'dataloader.dataset.pipeline': (ITEMS,),
    'dataloader.sampler': (DICT,),
    'dataloader.collate_fn': (DICT,),
    'cfg': (DICT,),
    'evaluator': (DICT, ITEMS),
}


def bad_containers(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look at the outermost settings: whether each can be gone through."""
    parts = dict(TOP)
    for phase in phases:
        parts.update({f'{phase}_{part}': PHASE[part] for part in PHASE})
    if isinstance(cfg.get('default_hooks'), dict):
        parts.update(
            {f'default_hooks.{n}': (DICT,) for n in cfg.default_hooks}
        )
    return [
        f'{place} is {shortened(value)}: it must be {" or ".join(wanted)}.'
        for place, wanted in parts.items()
        for value in [_at(cfg, place)]
        if value is not None and not any(_is(value, kind) for kind in wanted)
    ]


def _at(cfg: Config, place: str) -> Any:
    """What is there; None if that is no matter of its own."""
    node: Any = cfg
    for key in place.split('.'):
        node = node.get(key) if isinstance(node, (Config, dict)) else None
    return None if key in MADE and callable(node) else node


def _is(value: Any, kind: str) -> bool:
    if kind == DICT:
        return isinstance(value, dict)
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, dict) or callable(item) for item in value
    )
