"""What a config says and names, looked at before anything is built."""

from typing import List, Sequence

from mmengine.config import Config

from .building import broken_parts
from .containers import bad_containers
from .data import bad_data
from .keys import unread, unread_top_level
from .kinds import wrong_kinds
from .names import bad_name, bad_scope
from .places import places
from .ranges import impossible_numbers
from .relations import bad_relations
from .schedules import empty_schedules
from .weights import pickled_data


def check_config(
    cfg: Config,
    phases: Sequence[str],
    skip_data_check: bool = False,
) -> List[str]:
    """Look for what no class takes, and for what the disk does not have.

    Args:
        cfg (Config): The whole config, command line merged.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.
        skip_data_check (bool): Whether to leave the content of the data
            unread. Defaults to False.

    Returns:
        List[str]: One sentence for each finding.
    """
    findings = _missing_keys(cfg, phases) + bad_settings(cfg, phases)
    if bad_containers(cfg, phases) or bad_scope(cfg.get('default_scope')):
        return findings
    if findings:
        findings += broken_parts(cfg, phases, findings)
    findings += bad_data(cfg, _readable(phases, findings), skip_data_check)
    if 'train' in phases:
        if not _are_about(findings, 'param_scheduler', 'train_cfg'):
            findings += empty_schedules(cfg)
    findings += pickled_data(cfg)
    return list(dict.fromkeys(findings))


def bad_settings(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look for names, keys and values that no class takes."""
    findings = unread_top_level(cfg)
    broken = bad_containers(cfg, phases)
    broken += bad_scope(cfg.get('default_scope'))
    if broken:
        return findings + broken
    for place in places(cfg, phases):
        numbers = impossible_numbers(place)
        said = {finding.split(' ')[0] for finding in numbers}
        findings += bad_name(place) + unread(place) + numbers
        findings += [
            finding
            for finding in wrong_kinds(place)
            if finding.split(' ')[0] not in said
        ]
    return findings + bad_relations(cfg, phases)


def _readable(phases: Sequence[str], findings: List[str]) -> List[str]:
    """The phases whose data sets are described without a fault."""
    return [
        phase
        for phase in phases
        if not _are_about(findings, f'{phase}_dataloader.dataset')
    ]


def _are_about(findings: List[str], *places: str) -> bool:
    return any(finding.startswith(places) for finding in findings)


def _missing_keys(cfg: Config, phases: Sequence[str]) -> List[str]:
    needed = ['model']
    for phase in phases:
        parts = [f'{phase}_dataloader', f'{phase}_cfg']
        parts.append(
            'optim_wrapper' if phase == 'train' else f'{phase}_evaluator'
        )
        # Where only some of them are there, what is lacking is said of them.
        if phase == 'train' or not any(cfg.get(part) for part in parts):
            needed += parts
    return [
        f'the config has no `{key}`: inherit it from a file in _base_ or '
        'write it.'
        for key in needed
        if cfg.get(key) is None
    ]
