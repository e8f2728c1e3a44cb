"""What else of a recipe follows from the data."""

from typing import Any, Dict, Iterator, List

from mmengine.config import Config

from mmdrloc.errors import UsageError

PHASES = ('train', 'val', 'test')


def fit_to_data(cfg: Config) -> List[str]:
    """Have a recipe ask for nothing that its data do not have.

    Args:
        cfg (Config): A recipe with the data of one's choice; changed in
            place. Data with ``has_masks = False`` have boxes alone.

    Returns:
        list[str]: What the user should know of it.

    Raises:
        UsageError: If that cannot be done.
    """
    _fit_topk(cfg)
    return [] if cfg.get('has_masks', True) else _leave_out_masks(cfg)


def _fit_topk(cfg: Config) -> None:
    """No best five of two classes, nor of five."""
    head = (cfg.get('model') or {}).get('head') or {}
    for node in [head, *_evaluators(cfg)]:
        topk = node.get('topk')
        if isinstance(topk, (list, tuple)):
            node.topk = tuple(k for k in topk if k < cfg.num_classes) or (1,)


def _leave_out_masks(cfg: Config) -> List[str]:
    steps = [step for step in _loading_steps(cfg) if step.get('with_mask')]
    if not steps:
        return []
    head = cfg.model.get('roi_head') or {}
    if head.get('mask_head') is None:
        raise UsageError(
            'the objects of these data have boxes and no masks '
            f'(`segmentation`), and {cfg.model.type} learns masks: choose '
            'another recipe, or add masks.'
        )
    head.mask_head = head.mask_roi_extractor = None
    for step in steps:
        step.with_mask = False
    for evaluator in _evaluators(cfg):
        if 'segm' in evaluator.get('metric', ()):
            evaluator.metric = ['bbox']
    return [
        'the objects of these data have boxes and no masks (`segmentation`): '
        'the mask head is left out.'
    ]


def _loading_steps(cfg: Config) -> Iterator[Dict[str, Any]]:
    for phase in PHASES:
        dataset = (cfg.get(f'{phase}_dataloader') or {}).get('dataset') or {}
        while 'dataset' in dataset:  # repeated, say
            dataset = dataset.dataset
        for step in dataset.get('pipeline') or ():
            if str(step.type).split('.')[-1] == 'LoadAnnotations':
                yield step


def _evaluators(cfg: Config) -> Iterator[Dict[str, Any]]:
    for phase in PHASES:
        evaluators = cfg.get(f'{phase}_evaluator') or []
        yield from [evaluators] if isinstance(evaluators, dict) else evaluators
