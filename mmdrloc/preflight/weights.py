"""Pickled data, which need ``--trust``."""

from typing import List

from mmengine.config import Config

from mmdrloc.checkpoints.reading import TRUST_IT, files_are_trusted
from mmdrloc.utils.config_walk import dicts_in


def pickled_data(cfg: Config) -> List[str]:
    """Files that data sets unpickle themselves, past MMEngine's readers.

    mmseg does with images, mmdet's OpenImages with its class hierarchy.
    """
    if files_are_trusted():
        return []
    return [
        f'{place}.{key} would run what the files contain: {TRUST_IT}'
        for place, node in dicts_in(dict(cfg.items()))
        for key in ('decode_backend', 'hierarchy_file')
        if (key, node.get(key)) == ('decode_backend', 'pickle')
        or (key == 'hierarchy_file' and node.get(key))
    ]
