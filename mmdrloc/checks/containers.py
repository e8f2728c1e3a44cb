"""Parts of a config that are not what they are made of: dicts and lists."""

from typing import Any, Iterator, List, Sequence, Tuple

from mmengine.config import Config

from .kinds import shortened

DICT, ITEMS = 'a dict', 'a list of dicts'
TOP = dict(
    model=(DICT,),
    optim_wrapper=(DICT,),
    param_scheduler=(ITEMS, DICT),
    default_hooks=(DICT,),
    custom_hooks=(ITEMS,),
    data_preprocessor=(DICT,),
    visualizer=(DICT,),
    log_processor=(DICT,),
    randomness=(DICT,),
    env_cfg=(DICT,),
    auto_scale_lr=(DICT,),
)
PHASE = dict(dataloader=(DICT,), cfg=(DICT,), evaluator=(DICT, ITEMS))


def bad_containers(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look at the outermost settings: whether each can be gone through."""
    return [
        f'{name} is {shortened(value)}: it must be {" or ".join(wanted)}.'
        for name, value, wanted in _parts(cfg, phases)
        if value is not None and not any(_is(value, kind) for kind in wanted)
    ]


def _parts(
    cfg: Config, phases: Sequence[str]
) -> Iterator[Tuple[str, Any, Sequence[str]]]:
    for name, wanted in TOP.items():
        yield name, cfg.get(name), wanted
    for phase in phases:
        for part, wanted in PHASE.items():
            yield f'{phase}_{part}', cfg.get(f'{phase}_{part}'), wanted
        loader = cfg.get(f'{phase}_dataloader')
        if not isinstance(loader, dict):
            continue
        for key in ('dataset', 'sampler', 'collate_fn'):
            value = loader.get(key)
            if not callable(value):
                yield f'{phase}_dataloader.{key}', value, (DICT,)
        dataset = loader.get('dataset')
        if isinstance(dataset, dict):
            pipeline = dataset.get('pipeline')
            yield f'{phase}_dataloader.dataset.pipeline', pipeline, (ITEMS,)
    model = cfg.get('model')
    if isinstance(model, dict):
        for key in ('backbone', 'data_preprocessor'):
            yield f'model.{key}', model.get(key), (DICT,)
    wrapper = cfg.get('optim_wrapper')
    if isinstance(wrapper, dict):
        yield 'optim_wrapper.optimizer', wrapper.get('optimizer'), (DICT,)
    hooks = cfg.get('default_hooks')
    for name, hook in hooks.items() if isinstance(hooks, dict) else ():
        yield f'default_hooks.{name}', hook, (DICT,)


def _is(value: Any, kind: str) -> bool:
    if kind == DICT:
        return isinstance(value, dict)
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, dict) or callable(item) for item in value
    )
