"""Weights that a config starts from: they are there, and can be read."""

from pathlib import Path
from typing import Any, Iterator, List, Tuple, Union

from mmengine.config import Config

from mmdrloc.checkpoints.reading import (
    files_are_trusted,
    load_checkpoint_once,
    local_file,
    weights_of,
)
from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.models.pretrained import is_pretrained, no_file
from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import UsageError

# Other keys of models that name a file of weights: mmseg's and mmdet's, timm's
# and those of mmdet's teachers.
PATHS = ('pretrained', 'checkpoint_path', 'teacher_ckpt')


def bad_weights(cfg: Config) -> List[str]:
    """Pretrained weights anywhere in the model that cannot be had."""
    problems = []
    for module, checkpoint in _pretrained(cfg):
        if not checkpoint:
            problems.append(no_file(module))
        elif not isinstance(checkpoint, str):
            problems.append(
                f'{module} starts from {checkpoint!r}, which names no file: '
                "set `checkpoint='...'` in its init_cfg, or remove that."
            )
        else:
            says = f'{module} starts from {{}}, which is not there'
            problems += _bad_checkpoint(checkpoint, says)
    return problems


def bad_start(cfg: Config) -> List[str]:
    """What is wrong with the checkpoint that is loaded or resumed."""
    path = cfg.get('load_from')
    if path is None and cfg.get('resume') and cfg.get('work_dir'):
        path = last_checkpoint(cfg.work_dir)
    if not isinstance(path, (str, Path, type(None))):
        return [f'load_from is {path!r}: it must be a path, in quotes.']
    return [] if path is None else _bad_checkpoint(path)


def _bad_checkpoint(
    path: Union[str, Path], says: str = 'there is no checkpoint {}'
) -> List[str]:
    """What is wrong with a file of weights; an address is fetched first."""
    try:
        file = local_file(str(path))
        if not file.exists():
            return [f'{says.format(path)}: correct the path.']
        weights_of(load_checkpoint_once(file), path)
    except UsageError as error:
        return [str(error)]
    return []


def pickled_data(cfg: Config) -> List[str]:
    """Data that mmseg unpickles by itself, image by image."""
    if files_are_trusted():
        return []
    return [
        f"{place}.decode_backend='pickle' would run what the files contain: "
        'repeat with --trust if you trust where they come from.'
        for place, node in dicts_in(dict(cfg.items()))
        if node.get('decode_backend') == 'pickle'
    ]


def _pretrained(cfg: Config) -> Iterator[Tuple[str, Any]]:
    """Whatever starts from a file: its module, the name of the file."""
    for place, node in dicts_in(cfg.get('model'), 'model'):
        if is_pretrained(node.get('type')):
            yield place.partition('.init_cfg')[0], node.get('checkpoint')
        for key in PATHS:
            if isinstance(node.get(key), str) and node[key]:
                yield place, node[key]
