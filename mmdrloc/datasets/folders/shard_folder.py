"""A folder of photos in tar files, as a data set to classify."""

import io
from pathlib import Path
from typing import Any, Dict, List

from mmengine.fileio import get

from mmdrloc.datasets.lists import read_list
from mmdrloc.datasets.tar_index import path_in_shard, read_shards
from mmdrloc.datasets.tar_shards import CLASSES
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.images import evenly_spaced
from .folder import SAMPLE, TRAIN, VAL, FolderData, are_small, subfolder


def holds_shards(folder: Path) -> bool:
    """Whether a folder has tar files to train on.

    Args:
        folder (Path): The user's.
    """
    train = subfolder(folder, TRAIN)
    return train is not None and any((folder / train).glob('*.tar'))


def describe(folder: Path) -> FolderData:
    """Describe a folder of shards as the file of a data set would.

    Args:
        folder (Path): The user's, with ``train/*.tar``.

    Returns:
        FolderData: The variables of a data set.

    Raises:
        UsageError: If shards, or the names of the classes, are missing.
    """
    names = dict(train=subfolder(folder, TRAIN), val=subfolder(folder, VAL))
    if names['val'] is None or not (folder / CLASSES).is_file():
        lacking = CLASSES if names['val'] else 'folder val'
        raise UsageError(
            f'{folder} has shards to train on and no {lacking}: looked for '
            f'train/*.tar, val/*.tar and {CLASSES}, the names of the classes '
            'one a line, in the order of their numbers.'
        )
    metainfo = dict(classes=read_list(str(folder / CLASSES)))
    counts: Dict[str, int] = {}
    paths: List[str] = []
    for split, name in names.items():
        shards = read_shards(folder / name, '*.tar')
        counts[split] = sum(len(shard.names) for shard in shards.values())
        paths += [
            path_in_shard(str(folder / name / file), shard, at)
            for file, shard in shards.items()
            for at in (0, len(shard.names) - 1)
        ]
    sample = evenly_spaced(paths, SAMPLE)

    def part(name: str) -> Dict[str, Any]:
        return dict(
            type='mmdrloc.TarShards',
            data_root=str(folder),
            data_prefix=names[name],
            metainfo=metainfo,
        )

    return FolderData(
        dict(
            num_classes=len(metainfo['classes']),
            num_train=counts['train'],
            num_val=counts['val'],
            small_images=are_small(io.BytesIO(get(path)) for path in sample),
            metainfo=metainfo,
            train_dataset=part('train'),
            val_dataset=part('val'),
            train_sampler=dict(type='mmdrloc.ShardSampler'),
        ),
        [],
    )
