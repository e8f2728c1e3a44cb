"""What the data sets of a config read: each kind in its own way."""

import os
from typing import Any, Callable, Dict, List, Optional, Sequence

from mmengine.config import Config

from .classification_data import read_classification
from .detection_data import read_detection
from .findings import Reading, few, mention
from .labels import check_same_classes, repeated_classes, unwrapped
from .segmentation_data import read_segmentation
from .sources import (
    Source,
    build_lazily,
    cure,
    downloads,
    kind_of,
    missing_data,
)

# What launchers call a process's number on its machine.
LOCAL_RANKS = ('LOCAL_RANK', 'SLURM_LOCALID', 'OMPI_COMM_WORLD_LOCAL_RANK')


def bad_data(
    cfg: Config, phases: Sequence[str], skip_content: bool = False
) -> List[str]:
    """What is missing on the disk, or wrong in what is there.

    Of several processes on a machine the first one reads; the others find it
    reading when they meet, and are ended with it.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run.
        skip_content (bool): Whether to look for files and folders alone.
            Defaults to False.
    """
    skip_content |= not _is_first_on_machine()
    findings, notes = [], []
    first: Dict[str, Any] = {}
    images: Dict[str, List[str]] = {}
    for phase in phases:
        loader = cfg.get(f'{phase}_dataloader') or {}
        for config in unwrapped(loader.get('dataset')):
            if not isinstance(config, dict) or downloads(config):
                continue
            problems, dataset = missing_data(config), None
            read = None if problems else _reader_of(cfg, config)
            if read is not None and not skip_content:
                kind = kind_of(cfg, config)
                dataset, problems = build_lazily(kind, config)
            findings += [
                f'{phase} data: {problem}; {cure(cfg)}' for problem in problems
            ]
            if dataset is None:
                continue
            reading = read(Source(cfg, phase, config, dataset))
            findings += reading.findings
            notes += reading.notes + repeated_classes(phase, dataset)
            images.setdefault(phase, []).extend(reading.images)
            first.setdefault(phase, dataset)
    mention(notes + _trained_and_tested(images))
    return findings + check_same_classes(first)


def _is_first_on_machine() -> bool:
    ranks = [os.environ[name] for name in LOCAL_RANKS if name in os.environ]
    return not ranks or ranks[0] == '0'


def _reader_of(
    cfg: Config, config: Dict[str, Any]
) -> Optional[Callable[[Source], Reading]]:
    """What can look into a data set.

    The libraries' base classes are told by what they alone have: a library
    that is not used need not be there.
    """
    readers = dict(
        get_gt_labels=read_classification,  # mmpretrain
        load_proposals=read_detection,  # mmdet
        get_label_map=read_segmentation,  # mmseg
    )
    kind = kind_of(cfg, config)
    for sign, reader in readers.items():
        if hasattr(kind, sign):
            return reader
    return None


def _trained_and_tested(images: Dict[str, List[str]]) -> List[str]:
    """Images that are trained on must not say how good a model is."""
    trained = set(images.get('train', ()))
    notes = []
    for phase in ('val', 'test'):
        both = [path for path in images.get(phase, ()) if path in trained]
        if both:
            notes.append(
                f'{len(both)} images of the {phase} data are trained on too '
                f'({few(both, 1)}): the result will say nothing of new '
                'images.'
            )
    return notes
