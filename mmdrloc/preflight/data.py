"""Files of data sets, before anything is built: there, and well-formed."""

import filecmp
import os
from functools import partial
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from mmengine.config import Config
from mmengine.registry import DATASETS

from mmdrloc.datasets.catalog import described
from mmdrloc.utils.config_walk import class_of, dicts_in
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import few, shown
from .coco_file import read_coco

# What mmpretrain fetches by itself.
DOWNLOADED = ('CIFAR10', 'CIFAR100', 'MNIST', 'FashionMNIST')


def bad_data(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look for files and folders that are missing, and into COCO's files.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run.

    Returns:
        list[str]: One sentence for each problem.
    """
    problems = []
    for phase in phases:
        loader = cfg.get(f'{phase}_dataloader')
        dataset = loader.get('dataset') if isinstance(loader, dict) else None
        for config in unwrapped(dataset):
            if not isinstance(config, dict) or _downloads(config):
                continue
            missing = [p for p in _paths_of(config) if not _is_there(*p)]
            problems += [
                f'{phase} data: there is no {kind} {path}; {_cure(cfg)}'
                for kind, path in missing
            ]
            # Of several processes the first one reads.
            if not missing and _is_coco(cfg, config) and process_rank() == 0:
                problems += [
                    f'{phase} data: {problem}'
                    for problem in _check_coco(cfg, phase, config)
                ]
    return problems


def unwrapped(dataset: Any) -> Iterator[Any]:
    """The data sets inside the wrappers (concatenation, repetition, ...).

    Args:
        dataset (Any): Of a loader: built, or its config.

    Yields:
        Any: What wraps nothing; the data set itself if it does not.
    """
    is_config = isinstance(dataset, dict)
    get = dataset.get if is_config else partial(getattr, dataset)
    inner = get('datasets', None) or get('dataset', None)
    if inner is None:
        yield dataset
        return
    for item in inner if isinstance(inner, (list, tuple)) else [inner]:
        yield from unwrapped(item)


def _downloads(config: Dict[str, Any]) -> bool:
    kind = str(config.get('type')).split('.')[-1]
    return kind in DOWNLOADED and config.get('download', True)


def _paths_of(config: Dict[str, Any]) -> Iterator[Tuple[str, str]]:
    """What a data set will read: pairs of 'file' or 'folder' and a path."""
    root = config.get('data_root') or ''
    prefix = config.get('data_prefix') or {}
    prefixes = [prefix] if isinstance(prefix, str) else list(prefix.values())
    for folder in [p for p in prefixes if isinstance(p, str) and p] or [root]:
        yield 'folder', _joined(root, folder)
    if config.get('ann_file'):
        yield 'file', _joined(root, config['ann_file'])


def _joined(root: Any, path: Any) -> str:
    path = os.path.expanduser(str(path))
    return path if path == root else os.path.join(str(root), path)


def _is_there(kind: str, path: str) -> bool:
    if not path or '://' in path:
        return True
    return os.path.isfile(path) if kind == 'file' else os.path.isdir(path)


def _cure(cfg: Config) -> str:
    command = described(cfg).get('data_made_by')
    if command:
        return f'make it with `{command}`.'
    return 'put the data there or correct `data_root` in the config.'


def _is_coco(cfg: Config, config: Dict[str, Any]) -> bool:
    """Whether mmdet's reader of COCO reads it, not one that inherits it.

    mmdet is imported by whoever names one of its data sets, not by others.
    """
    if 'Coco' not in str(config.get('type')) or not config.get('ann_file'):
        return False
    kind = class_of(config, DATASETS, cfg.get('default_scope'))
    reader = getattr(kind, 'load_data_list', None)
    return getattr(reader, '__module__', '') == 'mmdet.datasets.coco'


def _check_coco(cfg: Config, phase: str, config: Dict[str, Any]) -> List[str]:
    """An annotation file, its categories and the metric's own file."""
    path = _joined(config.get('data_root') or '', config['ann_file'])
    if '://' in path:
        return []
    # Of several data sets in one the metric's file may hold all.
    is_alone = cfg[f'{phase}_dataloader']['dataset'] == config
    evaluators = [
        node
        for _, node in dicts_in(cfg.get(f'{phase}_evaluator') or {})
        if phase != 'train' and is_alone
    ]
    names, problems = read_coco(
        path,
        not any(node.get('format_only') for node in evaluators),
        any(
            node.get('with_mask')
            for _, node in dicts_in(config.get('pipeline'))
        ),
    )
    problems += [
        f'{phase}_evaluator.ann_file is {node["ann_file"]}, which is another '
        f'file than {path}: give the same one.'
        for node in evaluators
        if os.path.isfile(str(node.get('ann_file')))
        and not filecmp.cmp(str(node['ann_file']), path, shallow=False)
    ]
    classes = (config.get('metainfo') or {}).get('classes')
    if problems or not isinstance(classes, (list, tuple)):
        return problems
    missing = [name for name in classes if name not in names]
    numbered = [name for name in names if name in classes]
    if missing:
        problems.append(
            f'{path} has {len(classes) - len(missing)} of the {len(classes)} '
            f'classes in metainfo: {few(missing)} are not among its '
            f'categories{shown(names)}: correct the names in '
            'metainfo=dict(classes=[...]).'
        )
    elif numbered != list(classes):
        problems.append(
            f'{path} has the categories in the order{shown(numbered)}, by '
            f'which mmdet numbers them, and metainfo has{shown(classes)}: '
            "list the classes in the file's order."
        )
    return problems
