"""What else of a recipe follows from the data."""

from mmengine.config import Config


def fit_topk(cfg: Config) -> None:
    """Ask for no best five of two classes, nor of five.

    Args:
        cfg (Config): A recipe with the data of one's choice; changed in
            place.
    """
    nodes = [(cfg.get('model') or {}).get('head') or {}]
    for phase in ('val', 'test'):
        evaluators = cfg.get(f'{phase}_evaluator') or []
        nodes += [evaluators] if isinstance(evaluators, dict) else evaluators
    for node in nodes:
        topk = node.get('topk')
        if isinstance(topk, (list, tuple)):
            node.topk = tuple(k for k in topk if k < cfg.num_classes) or (1,)
