"""What the data sets of a config read: files, folders, labels, images."""

import os
from numbers import Integral
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from mmengine.config import Config
from mmengine.registry import DATASETS

from mmdrloc.datasets.image_check import find_bad_images
from .findings import first_line, shown
from .labels import check_same_classes, classes_of, empty, labels_beyond

# Bad images that are named one by one; of more, their number is told.
MOST_NAMED = 5

DOWNLOADED = ('CIFAR10', 'CIFAR100', 'MNIST', 'FashionMNIST')


def bad_data(cfg: Config, phases: Sequence[str]) -> List[str]:
    """What is missing on the disk, or wrong in what is there."""
    findings = []
    readable: Dict[str, Any] = {}
    for phase in phases:
        loader = cfg.get(f'{phase}_dataloader') or {}
        for config in _leaf_datasets(loader.get('dataset')):
            if _downloads(config):
                continue
            dataset = None
            problems = _missing_data(config)
            if not problems:
                dataset, problems = _read_classification(cfg, config)
            findings += [
                f'{phase} data: {problem}; {_cure(cfg)}'
                for problem in problems
            ]
            if dataset is not None:
                findings += _check_content(cfg, phase, dataset)
                readable.setdefault(phase, dataset)
    return findings + check_same_classes(readable)


def _missing_data(dataset: Dict[str, Any]) -> List[str]:
    """Annotation files and image folders that are not there."""
    problems = [_problem_with(*place) for place in _paths_of(dataset)]
    return [problem for problem in problems if problem]


def _leaf_datasets(dataset: Any) -> Iterator[Dict[str, Any]]:
    """The data sets inside the wrappers (concatenation, repetition, ...)."""
    if not isinstance(dataset, dict):
        return
    inner = dataset.get('datasets') or dataset.get('dataset')
    if inner is None:
        yield dataset
    for item in inner if isinstance(inner, (list, tuple)) else [inner]:
        yield from _leaf_datasets(item)


def _downloads(dataset: Dict[str, Any]) -> bool:
    """Whether mmpretrain fetches the data set by itself."""
    kind = str(dataset.get('type')).split('.')[-1]
    return kind in DOWNLOADED and dataset.get('download', True)


def _paths_of(dataset: Dict[str, Any]) -> Iterator[Tuple[str, str]]:
    """What a data set will read: pairs of 'file' or 'folder' and a path."""
    root = dataset.get('data_root') or ''
    prefix = dataset.get('data_prefix') or {}
    prefixes = [prefix] if isinstance(prefix, str) else list(prefix.values())
    folders = [p for p in prefixes if isinstance(p, str) and p] or [root]
    for folder in folders:
        yield 'folder', _joined(root, folder)
    if dataset.get('ann_file'):
        yield 'file', _joined(root, dataset['ann_file'])


def _joined(root: str, path: str) -> str:
    path = os.path.expanduser(path)
    return path if path == root else os.path.join(root, path)


def _problem_with(kind: str, path: str) -> Optional[str]:
    if not path or '://' in path:
        return None
    if kind == 'file':
        return None if os.path.isfile(path) else f'there is no file {path}'
    if not os.path.isdir(path):
        return f'there is no folder {path}'
    return None if any(os.scandir(path)) else f'the folder {path} is empty'


def _cure(cfg: Config) -> str:
    command = cfg.get('data_made_by')
    if command:
        return f'make it with `{command}`.'
    return 'put the data there or correct `data_root` in the config.'


def _read_classification(
    cfg: Config, config: Dict[str, Any]
) -> Tuple[Any, List[str]]:
    """Build a data set without its pipeline, or say why that fails.

    Those of detection and segmentation are left out: they are large, and
    the runner builds them anyway.
    """
    options = dict(config)
    kind = options.pop('type', None)
    scope = options.pop('_scope_', cfg.get('default_scope'))
    if isinstance(kind, str):
        with DATASETS.switch_scope_and_registry(scope) as registry:
            kind = registry.get(kind)
    if not hasattr(kind, 'get_gt_labels'):
        return None, []
    options.update(pipeline=[], serialize_data=False, lazy_init=False)
    try:
        return kind(**options), []
    except Exception as error:  # a data set may be anyone's
        reason = first_line(error)
        return None, [
            f'the data set ({kind.__name__}) cannot be built: {reason}'
        ]


def _check_content(cfg: Config, phase: str, dataset: Any) -> List[str]:
    """Look at folders, labels and images of a classification set."""
    samples = dataset.data_list
    if not samples:
        return [empty(phase, dataset)]
    findings = _check_folders(phase, dataset)
    classes = classes_of(dataset)
    head = (cfg.get('model') or {}).get('head') or {}
    limit = head.get('num_classes') if classes is None else len(classes)
    labels = [sample.get('gt_label') for sample in samples]
    if limit is not None and isinstance(labels[0], Integral):
        findings += labels_beyond(phase, labels, limit)
    return findings + _check_images(phase, samples)


def _check_folders(phase: str, dataset: Any) -> List[str]:
    """Class names and folders are the same, in the same order.

    Folders are numbered by their names, whatever the order in the metainfo.
    Classes that are no folder's name (ImageNet's) say nothing about folders.
    """
    folders = tuple(getattr(dataset, 'folder_to_idx', ()))
    classes = classes_of(dataset) or ()
    if folders == classes or not set(folders) & set(classes):
        return []
    here = sorted(set(folders) - set(classes))
    there = sorted(set(classes) - set(folders))
    return [
        f'the {phase} data has folders{shown(here or folders)} where the '
        f'classes in metainfo are{shown(there or classes)}: rename the '
        'folders, or list the classes in the order of the folders.'
    ]


def _check_images(phase: str, samples: Sequence[Dict[str, Any]]) -> List[str]:
    paths = [sample.get('img_path', '://') for sample in samples]
    bad = find_bad_images(
        [path for path in paths if '://' not in path],
        f'checking images: {phase}',
    )
    findings = [
        f'{phase} data: {problem}: replace it, or remove it from the set.'
        for problem in bad[:MOST_NAMED]
    ]
    if len(bad) > MOST_NAMED:
        findings.append(
            f'{phase} data: {len(bad) - MOST_NAMED} more images are missing '
            'or damaged.'
        )
    return findings
