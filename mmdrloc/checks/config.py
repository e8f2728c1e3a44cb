"""What a config names, looked at before anything is built."""

from typing import List, Sequence

from mmengine.config import Config

from .data import bad_data
from .schedules import empty_schedules
from .weights import bad_start, bad_weights, pickled_data


def check_config(
    cfg: Config,
    phases: Sequence[str],
    skip_data_check: bool = False,
) -> List[str]:
    """Look for what the config names and the disk does not have.

    Checkpoints are also read once, those behind addresses fetched.

    Args:
        cfg (Config): The whole config, command line merged.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.
        skip_data_check (bool): Whether to leave the content of the data
            unread. Defaults to False.

    Returns:
        List[str]: One sentence for each finding.
    """
    findings = _missing_keys(cfg, phases)
    findings += bad_data(cfg, phases, skip_data_check)
    if 'train' in phases:
        findings += empty_schedules(cfg)
        findings += bad_weights(cfg)
    findings += bad_start(cfg) + pickled_data(cfg)
    return list(dict.fromkeys(findings))


def _missing_keys(cfg: Config, phases: Sequence[str]) -> List[str]:
    needed = ['model']
    for phase in phases:
        needed += [f'{phase}_dataloader', f'{phase}_cfg']
        needed.append(
            'optim_wrapper' if phase == 'train' else f'{phase}_evaluator'
        )
    return [
        f'the config has no `{key}`: inherit it from a file in _base_ or '
        'write it.'
        for key in needed
        if cfg.get(key) is None
    ]
