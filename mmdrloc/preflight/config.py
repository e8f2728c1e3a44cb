"""Check a config before anything is built; find all that is wrong with it."""

import copy
from contextlib import contextmanager
from typing import Callable, Iterator, List, Sequence

from mmengine.config import Config

from mmdrloc.utils.errors import UsageError, cause, refuse
from .building import MISSING, UNEXPECTED, UNKNOWN, build_parts, sentence
from .data import bad_data
from .rules import broken_rules
from .runner import other_classes
from .widths import bad_widths

PHASES = ('train', 'val', 'test')


def preflight(cfg: Config, phases: Sequence[str]) -> None:
    """Refuse a config that cannot work; see :func:`check_config`.

    Raises:
        UsageError: With all problems.
    """
    refuse(check_config(cfg, phases))


def check_config(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look at settings and files of data; build if one is broken.

    A config without a problem here is built by its runner, not twice.

    Args:
        cfg (Config): The whole config, command line merged.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.

    Returns:
        List[str]: One sentence for each problem.
    """
    problems = broken_rules(cfg, phases)
    if any(p.startswith(('default_scope', 'default_hooks')) for p in problems):
        return problems  # nothing can be built
    problems += bad_data(cfg, phases)
    if problems:
        known = tuple(problems)
        for problem in broken_parts(cfg, phases):
            key = problem.split(' ')[0].rstrip(':')
            if not any(other.startswith(key) for other in known):
                problems.append(problem)
    return list(dict.fromkeys(problems))


def broken_parts(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Build each part by itself, and try those that could be together.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.

    Returns:
        list[str]: One sentence for each problem; it begins with the key.
    """
    cfg = copy.deepcopy(cfg)
    built, problems = build_parts(cfg, phases)
    model = built.get('model')
    if model is None or hasattr(model, 'check_datasets'):
        return problems
    for phase in phases:
        dataset = built.get(f'{phase}_dataloader.dataset')
        if dataset is None:
            continue
        if phase == phases[0]:
            collate = built.get(f'{phase}_dataloader.collate_fn')
            problems += bad_widths(model, dataset, collate)
        try:
            if 'classes' not in dataset.metainfo:
                dataset.full_init()
        except Exception:  # it is missing or broken, which is said elsewhere
            continue
        found = other_classes(phase, dataset, model)
        if found:
            return problems + found
    return problems


@contextmanager
def building_explained(
    cfg: Config, is_over: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Say what cannot be built, all of it, where building raises.

    Args:
        cfg (Config): The whole config.
        is_over (Callable[[], bool]): Whether all is built, and errors are
            left as they are. Defaults to never.

    Raises:
        UsageError: With one sentence for each part that is broken.
    """
    cfg = copy.deepcopy(cfg)
    try:
        yield
    except Exception as error:  # a class may be anyone's
        if is_over():
            raise
        phases = [p for p in PHASES if cfg.get(f'{p}_cfg') is not None]
        problems = broken_parts(cfg, phases)
        said = sentence(error, '', dict(cfg.items()))
        place, text = said.split(' ')[0].rstrip(':'), cause(error)
        is_known = any(problem.startswith(place) for problem in problems)
        if not problems or (said != f'{text}.' and not is_known):
            problems.insert(0, said)
        is_plain = isinstance(error, UsageError) or any(
            pattern.search(text) for pattern in (UNKNOWN, UNEXPECTED, MISSING)
        )
        refuse(problems, None if is_plain else error)
