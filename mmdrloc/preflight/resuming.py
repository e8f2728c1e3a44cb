"""A checkpoint against the training that is to go on from it."""

from numbers import Real
from typing import Any, Dict, Iterator, List, Mapping, Tuple

from mmengine.optim import OptimWrapperDict
from mmengine.runner import EpochBasedTrainLoop, Runner
from torch import Tensor

from mmdrloc.models.arguments import is_whole

# What a training adds to the `meta` of its checkpoints for this check.
OPTIMIZER_TYPE = 'optimizer_type'
# What optimizers keep for each value of a parameter; some factorise more.
OF_EVERY_VALUE = ('momentum_buffer', 'exp_avg', 'exp_avg_sq')


def optimizer_types(runner: Runner) -> Dict[str, str]:
    """The classes of a runner's optimizers.

    Args:
        runner (Runner): With its optimizers built.

    Returns:
        dict[str, str]: By the name among several; '' for the only one.
    """
    return {
        name: type(wrapper.optimizer).__name__
        for name, wrapper in _wrappers(runner)
    }


def unresumable(runner: Runner, checkpoint: Mapping[str, Any]) -> List[str]:
    """Why a training cannot go on from a checkpoint.

    Args:
        runner (Runner): With optimizers and schedulers built.
        checkpoint (Mapping[str, Any]): Read, not yet used.

    Returns:
        list[str]: A clause each, weights not looked at; empty if it can.
    """
    problems = _progress(checkpoint) + _message_hub(checkpoint)
    if not problems:
        problems = _past_the_end(runner, checkpoint['meta'])
    if not isinstance(checkpoint.get('optimizer'), dict):
        return [
            *problems,
            'it holds no state of an optimizer (weights alone are what '
            '`load_from` starts with)',
        ]
    saved = checkpoint['optimizer']
    names = checkpoint['meta'].get(OPTIMIZER_TYPE, {}) if not problems else {}
    for name, wrapper in _wrappers(runner):
        state = saved.get(name) if name else saved
        kind = type(wrapper.optimizer).__name__
        known = names.get(name) if isinstance(names, dict) else None
        if known not in (None, kind):
            problems.append(
                f'its optimizer is {known}, that of the config is {kind}'
            )
        problems += _optimizer(state, wrapper.optimizer)
    return problems + _schedulers(runner, checkpoint)


def _progress(checkpoint: Mapping[str, Any]) -> List[str]:
    meta = checkpoint.get('meta', {})
    wrong = [
        name
        for name in ('epoch', 'iter')
        if not _counts_from_0(meta.get(name))
    ]
    if not _counts_from_0(meta.get('seed') or 0):
        wrong.append('seed')
    if wrong:
        return [f'its meta does not say the {" and the ".join(wrong)}']
    return []


def _counts_from_0(value: Any) -> bool:
    return is_whole(value) and value >= 0


def _past_the_end(runner: Runner, meta: Mapping[str, Any]) -> List[str]:
    """A loop that begins behind its end does nothing, and says nothing."""
    by_epoch = isinstance(runner.train_loop, EpochBasedTrainLoop)
    what, end = 'iteration', runner.max_iters
    if by_epoch:
        what, end = 'epoch', runner.max_epochs
    done = meta['epoch' if by_epoch else 'iter']
    if done <= end:
        return []
    return [f'it has done {what} {done}, and the config ends with {end}']


def _message_hub(checkpoint: Mapping[str, Any]) -> List[str]:
    hub = checkpoint.get('message_hub')
    parts = ('log_scalars', 'runtime_info', 'resumed_keys')
    if isinstance(hub, dict) and all(
        isinstance(hub.get(part), dict) for part in parts
    ):
        return []
    return ['its message hub is missing or of another shape']


def _optimizer(state: Any, optimizer: Any) -> List[str]:
    """Parameter groups, then what the optimizer knows of each parameter."""
    if not isinstance(state, dict) or not _has_groups(state):
        return ['it has no parameter groups for the optimizer']
    own = optimizer.param_groups
    groups = state['param_groups']
    counts = [len(group['params']) for group in groups]
    if counts != [len(group['params']) for group in own]:
        return [
            f'its optimizer has {_groups(counts)}, that of the config has '
            f'{_groups([len(group["params"]) for group in own])}'
        ]
    # Of other versions of torch some switches are unknown, numbers are not.
    settings = [
        key for key, value in optimizer.defaults.items() if _is_setting(value)
    ]
    lacking = {key for key in settings for g in groups if key not in g}
    if lacking:
        return [
            f'its optimizer has no {", ".join(sorted(lacking))}, it is '
            f'another one than {type(optimizer).__name__}'
        ]
    wrong = {k for k in settings for g in groups if not _is_setting(g[k])}
    if wrong:
        return [f'the {", ".join(sorted(wrong))} of its optimizer cannot be']
    parameters = [p for group in own for p in group['params']]
    numbers = [n for group in groups for n in group['params']]
    return _states(state['state'], dict(zip(numbers, parameters)))


def _is_setting(value: Any) -> bool:
    """Whether something is what optimizers count with: none is negative."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_setting, value))
    if isinstance(value, Tensor):
        return value.numel() == 1 and _is_setting(value.item())
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return is_number and 0 <= value < float('inf')


def _states(
    states: Dict[Any, Any], parameters: Dict[Any, Tensor]
) -> List[str]:
    if not all(isinstance(state, dict) for state in states.values()):
        return ['the state of its optimizer is of another shape']
    if not set(states) <= set(parameters):
        return ['the state of its optimizer is of another shape']
    for number, state in states.items():
        for key, value in state.items():
            if not isinstance(value, Tensor):
                continue
            shape = parameters[number].shape
            if key in OF_EVERY_VALUE and value.shape != shape:
                return [
                    f'{key} of its optimizer is {tuple(value.shape)} where '
                    f'the parameter is {tuple(shape)}'
                ]
            if value.is_floating_point() and not value.isfinite().all():
                return [f'{key} of its optimizer holds NaN or infinity']
    return []


def _schedulers(runner: Runner, checkpoint: Mapping[str, Any]) -> List[str]:
    own = runner.param_schedulers
    saved = checkpoint.get('param_schedulers', [])
    if _counts(saved) == _counts(own or []):
        return []
    return [
        f'it has {_described(saved)}, the config has {_described(own or [])}'
    ]


def _counts(schedulers: Any) -> Any:
    if isinstance(schedulers, dict):
        return {name: _counts(one) for name, one in schedulers.items()}
    is_list = isinstance(schedulers, list) and all(
        not isinstance(one, (list, Tensor, str)) for one in schedulers
    )
    return len(schedulers) if is_list else None


def _described(schedulers: Any) -> str:
    counts = _counts(schedulers)
    if isinstance(counts, dict):
        counts = sum(filter(None, counts.values()))
    return f'{counts or "no"} parameter scheduler{"s" * (counts != 1)}'


def _groups(counts: List[int]) -> str:
    """Such as '2 parameter groups (80 and 99 parameters)'."""
    many = len(counts)
    inside = ' and '.join(map(str, counts[:5])) + ', ...' * (many > 5)
    return f'{many} parameter group{"s" * (many != 1)} ({inside} parameters)'


def _has_groups(state: Dict[str, Any]) -> bool:
    groups = state.get('param_groups')
    return (
        isinstance(state.get('state'), dict)
        and isinstance(groups, list)
        and all(
            isinstance(group, dict) and isinstance(group.get('params'), list)
            for group in groups
        )
    )


def _wrappers(runner: Runner) -> Iterator[Tuple[str, Any]]:
    wrapper = runner.optim_wrapper
    if isinstance(wrapper, OptimWrapperDict):
        yield from wrapper.items()
    else:
        yield '', wrapper
