"""What else of a recipe follows from the data."""

from typing import List

from mmengine.config import Config


def fit_to_data(cfg: Config) -> List[str]:
    """Have a recipe ask for nothing that its data do not have.

    Args:
        cfg (Config): A recipe with the data of one's choice; changed in
            place.

    Returns:
        list[str]: What the user should know of it.
    """
    _fit_topk(cfg)
    _fit_order(cfg)
    # Recipes leave masks out by themselves: their head is None.
    head = (cfg.get('model') or {}).get('roi_head') or {}
    if cfg.get('has_masks', True) or 'mask_head' not in head:
        return []
    return [
        'the objects of these data have boxes and no masks (`segmentation`): '
        'no masks are learnt.'
    ]


def _fit_topk(cfg: Config) -> None:
    """No best five of two classes, nor of five."""
    head = (cfg.get('model') or {}).get('head') or {}
    nodes = []
    for phase in ('train', 'val', 'test'):
        found = cfg.get(f'{phase}_evaluator') or []
        nodes += [found] if isinstance(found, dict) else found
    for node in [head, *nodes]:
        topk = node.get('topk')
        if isinstance(topk, (list, tuple)):
            kept = tuple(k for k in topk if k < cfg.num_classes)
            node['topk'] = kept or (1,)


def _fit_order(cfg: Config) -> None:
    """Shuffle as is best for the data, where a recipe just shuffles."""
    sampler = (cfg.get('train_dataloader') or {}).get('sampler') or {}
    plain = sampler.get('type') == 'DefaultSampler' and sampler.get('shuffle')
    if plain and cfg.get('train_sampler'):
        cfg.train_dataloader.sampler = cfg.train_sampler
