"""Checkpoints that a runner cannot go on from, or test with."""

from typing import Any, Dict, List

from mmengine.hooks import EMAHook
from mmengine.runner import Runner

from mmdrloc.utils.batch_size import is_iter_based
from mmdrloc.utils.errors import UsageError


def refuse_unresumable(
    runner: Runner, checkpoint: Dict[str, Any], filename: str
) -> None:
    """Refuse a checkpoint with which a training cannot go on.

    What does not fit the model or the optimizer is found where it is loaded.

    Args:
        runner (Runner): With optimizers and schedulers built.
        checkpoint (dict): Read, not yet used.
        filename (str): What it was read from.

    Raises:
        UsageError: With all reasons.
    """
    meta = checkpoint.get('meta') or {}
    states = [checkpoint.get(name) for name in ('optimizer', 'message_hub')]
    counts = [meta.get(name) for name in ('epoch', 'iter')]
    is_state = all(isinstance(state, dict) for state in states)
    problems = []
    if not is_state or not all(isinstance(count, int) for count in counts):
        problems.append(
            'it holds no state of a training (weights alone are what '
            '--weights starts from)'
        )
    else:
        # A loop that begins behind its end does nothing, and says nothing.
        what, count, end = 'iteration', counts[1], runner.max_iters
        if not is_iter_based(runner):
            what, count, end = 'epoch', counts[0], runner.max_epochs
        if count > end:
            problems.append(
                f'it has done {what} {count}, the config ends at {end}'
            )
        # MMEngine restores as many as there are, and leaves the others.
        saved = len(checkpoint.get('param_schedulers') or ())
        own = len(runner.param_schedulers or ())
        if saved != own:
            problems.append(
                f'it has {saved} parameter schedulers, the config has {own}'
            )
    averages = any(isinstance(hook, EMAHook) for hook in runner.hooks)
    if averages != ('ema_state_dict' in checkpoint):
        having, lacking = 'it', 'the config'
        if averages:
            having, lacking = lacking, having
        problems.append(
            f'{having} has averaged weights (EMAHook), {lacking} has none'
        )
    if problems:
        raise UsageError(
            f'{filename} cannot be resumed: {"; ".join(problems)}. Give the '
            'config that it was trained with, or begin a new run in another '
            '--work-dir with --cfg-options load_from=PATH.'
        )


def refuse_other_order(
    runner: Runner, checkpoint: Dict[str, Any], filename: str
) -> None:
    """Refuse weights to which the numbers of the classes mean others."""
    then = _classes(checkpoint.get('meta', {}).get('dataset_meta'))
    dataset = runner.test_dataloader.dataset
    now = _classes(getattr(dataset, 'metainfo', None))
    if then != now and sorted(then) == sorted(now):
        raise UsageError(
            f'{filename} was trained with the classes of these data in '
            f'another order ({", ".join(then[:5])}, ...): list them so in '
            'metainfo=dict(classes=...).'
        )


def _classes(metainfo: Any) -> List[str]:
    classes = metainfo.get('classes') if isinstance(metainfo, dict) else None
    names = classes if isinstance(classes, (list, tuple)) else ()
    return [str(name) for name in names]
