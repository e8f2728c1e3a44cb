"""Whether a training can go on from a checkpoint."""

from typing import Any, List, Mapping

from mmengine.runner import EpochBasedTrainLoop, Runner


def unresumable(runner: Runner, checkpoint: Mapping[str, Any]) -> List[str]:
    """Say why a training cannot go on from a checkpoint.

    What does not fit the model or the optimizer is found where it is loaded.

    Args:
        runner (Runner): With optimizers and schedulers built.
        checkpoint (Mapping[str, Any]): Read, not yet used.

    Returns:
        list[str]: A clause each; empty if it can.
    """
    states = ('optimizer', 'message_hub')
    if not all(isinstance(checkpoint.get(name), dict) for name in states):
        return [
            'it holds no state of a training (weights alone are what '
            '--weights starts from)'
        ]
    meta = checkpoint.get('meta') or {}
    done = [meta.get(name) for name in ('epoch', 'iter')]
    if not all(type(count) is int and count >= 0 for count in done):
        return ['it does not say its epoch and iteration']
    epoch, iteration = done
    # A loop that begins behind its end does nothing, and says nothing.
    if isinstance(runner.train_loop, EpochBasedTrainLoop):
        what, count, end = 'epoch', epoch, runner.max_epochs
    else:
        what, count, end = 'iteration', iteration, runner.max_iters
    problems = []
    if count > end:
        problems.append(
            f'it has done {what} {count}, the config ends at {end}'
        )
    # MMEngine restores as many as there are, and leaves the others.
    saved, own = checkpoint.get('param_schedulers'), runner.param_schedulers
    if len(saved or ()) != len(own or ()):
        problems.append(
            f'it has {len(saved or ())} parameter schedulers, the config has '
            f'{len(own or ())}'
        )
    return problems
