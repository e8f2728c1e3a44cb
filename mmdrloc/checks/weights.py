"""Weights that a config starts from."""

import shlex
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

from mmengine.config import Config

from mmdrloc.errors import UsageError
from mmdrloc.transfer import load_checkpoint


def bad_weights(cfg: Config, trust: bool) -> List[str]:
    """Pretrained weights anywhere in the model that cannot be had."""
    command = _maker_of_weights(cfg)
    findings = []
    for module, checkpoint in _pretrained(cfg.get('model'), 'model'):
        problems = bad_checkpoint(checkpoint, trust)
        if problems and command and not Path(checkpoint).exists():
            problems = [
                f'{module} starts from {checkpoint}, which is not there: '
                f'{_remedy(command, checkpoint)}.'
            ]
        findings += problems
    return findings


def bad_checkpoint(path: Optional[str], trust: bool) -> List[str]:
    """What is wrong with a file of weights (addresses are not looked at)."""
    if path is None or '://' in path:
        return []
    try:
        load_checkpoint(Path(path).expanduser(), trust)
    except UsageError as error:
        return [str(error)]
    return []


def _maker_of_weights(cfg: Config) -> Optional[str]:
    for hook in cfg.get('custom_hooks') or []:
        if hook.get('type') == 'mmdrloc.TransferCheckHook':
            return hook.get('made_by')
    return None


def _remedy(command: str, checkpoint: str) -> str:
    """How to get a file that is not there.

    Args:
        command (str): Makes the backbone's weights, out of its first
            argument.
        checkpoint (str): The file.

    Returns:
        str: What to do, without a full stop.
    """
    if shlex.split(command)[2:3] == [checkpoint]:
        return (
            f'`{command}` reads it, too; train what writes it first, as the '
            'header of the config says'
        )
    return f'make it with `{command}`'


def _pretrained(node: Any, where: str) -> Iterator[Tuple[str, str]]:
    """Every ``init_cfg`` of type Pretrained: its module, its checkpoint."""
    if isinstance(node, dict):
        if str(node.get('type')).split('.')[-1] == 'Pretrained':
            yield where, node['checkpoint']
        for key, value in node.items():
            inside = where if key == 'init_cfg' else f'{where}.{key}'
            yield from _pretrained(value, inside)
    elif isinstance(node, (list, tuple)):
        for value in node:
            yield from _pretrained(value, where)
