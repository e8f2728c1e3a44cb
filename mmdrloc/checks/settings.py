"""What the settings of a config say, before anything is built."""

from typing import List, Sequence

from mmengine.config import Config

from .containers import bad_containers
from .keys import unread, unread_top_level
from .kinds import wrong_kinds
from .names import bad_name, bad_scope
from .places import places
from .ranges import impossible_numbers
from .relations import bad_relations


def bad_settings(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look for names, keys and values that no class takes.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.

    Returns:
        List[str]: One sentence for each finding, in the config's order.
    """
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
