"""What can be said of a config before anything is built."""

from typing import List, Sequence

from mmengine.config import Config

from mmdrloc.utils.errors import refuse
from .building import broken_parts
from .data import bad_data
from .rules import broken_rules
from .weights import pickled_data


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
    # What is no dict, and names of no library, cannot be looked into.
    if any(
        problem.startswith('default_scope') or problem.endswith('a dict.')
        for problem in problems
    ):
        return problems
    problems += bad_data(cfg, phases) + pickled_data(cfg)
    if problems:
        for problem in broken_parts(cfg, phases):
            key = problem.split(' ')[0].rstrip(':')
            if not any(known.startswith(key) for known in problems):
                problems.append(problem)
    return list(dict.fromkeys(problems))
