"""What cannot work is found before the first iteration, all of it at once.

Two moments: :func:`check_config` sees files and folders, and reads the
classification data sets, before anything is built; :func:`check_runner` sees
the data sets and the model, built.
"""

import os
from numbers import Integral
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from mmengine.config import Config
from mmengine.model import is_model_wrapper
from mmengine.registry import DATASETS
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch import nn

from mmdrloc.datasets.image_check import find_bad_images
from mmdrloc.errors import UsageError
from mmdrloc.models import IDMM
from mmdrloc.transfer import load_checkpoint

# Bad images that are named one by one; of more, their number is told.
MOST_NAMED = 5

DOWNLOADED = ('CIFAR10', 'CIFAR100', 'MNIST', 'FashionMNIST')


def refuse(findings: Sequence[str]) -> None:
    """Stop if there is anything to mend.

    Args:
        findings (Sequence[str]): One sentence each.

    Raises:
        UsageError: With every finding, if there is one.
    """
    if len(findings) == 1:
        raise UsageError(findings[0])
    if findings:
        raise UsageError(
            '\n  - '.join(
                [f'{len(findings)} things keep this from running:', *findings]
            )
        )


def check_config(
    cfg: Config, phases: Sequence[str], trust: bool = False
) -> List[str]:
    """Look for what the config names and the disk does not have.

    Checkpoints are also read once, as data: MMEngine's own loader would run
    what a hostile one contains.

    Args:
        cfg (Config): The whole config, command line merged.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.
        trust (bool): Whether checkpoints may be unpickled.
            Defaults to False.

    Returns:
        List[str]: One sentence for each finding.
    """
    findings = _missing_keys(cfg, phases) + _bad_data(cfg, phases)
    if 'train' in phases:
        findings += _empty_schedules(cfg)
        findings += _bad_weights(cfg, trust)
    findings += _bad_checkpoint(cfg.get('load_from'), trust)
    return list(dict.fromkeys(findings))


def check_runner(runner: Runner) -> List[str]:
    """Look for data sets and models that do not fit each other.

    Args:
        runner (Runner): With the loops built that will run.

    Returns:
        List[str]: One sentence for each finding.
    """
    datasets = _datasets_of(runner)
    model = runner.model
    model = model.module if is_model_wrapper(model) else model
    if isinstance(model, IDMM):
        return _check_instances(datasets['train'], model)
    # The others are compared with the first one.
    findings = _check_classes(*next(iter(datasets.items())), model)
    findings += _check_same_classes(datasets)
    for phase, dataset in datasets.items():
        if len(dataset) == 0:
            findings.append(_empty(phase, dataset))
            continue
        findings += _check_annotated_classes(phase, dataset)
        findings += _check_labels(phase, dataset, model)
    return findings


# ---- the config ----------------------------------------------------------


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


def _empty_schedules(cfg: Config) -> List[str]:
    """Schedulers that end before they begin, which MMEngine cannot build.

    One that names no end takes the length of the training. Where that is
    counted in the other unit, it is not known before the data are read.
    """
    findings = []
    for name, scheduler in _schedulers(
        cfg.get('param_scheduler'), 'param_scheduler'
    ):
        by_epoch = scheduler.get('by_epoch', True)
        unit = 'epoch' if by_epoch else 'iteration'
        longest = 'max_epochs' if by_epoch else 'max_iters'
        begin = scheduler.get('begin', 0)
        length = (cfg.get('train_cfg') or {}).get(longest)
        end = scheduler.get('end', length)
        if end is None or begin < end:
            continue
        start = f'{name} ({scheduler["type"]}) begins at {unit} {begin}'
        if 'end' in scheduler:
            findings.append(
                f'{start} and ends at {unit} {end}: raise its `end`, or '
                'lower its `begin`.'
            )
        else:
            findings.append(
                f'{start}, when the training of {length} {unit}s is over: '
                f'raise train_cfg.{longest}, or lower its `begin` and the '
                '`end` of the one before it (a shorter warm-up).'
            )
    return findings


def _schedulers(node: Any, where: str) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Every scheduler: its place in the config, its settings.

    There may be one, several in a list, or either for each optimizer.
    """
    if isinstance(node, (list, tuple)):
        for index, item in enumerate(node):
            yield from _schedulers(item, f'{where}[{index}]')
    elif isinstance(node, dict) and 'type' in node:
        yield where, node
    elif isinstance(node, dict):
        for key, item in node.items():
            yield from _schedulers(item, f'{where}.{key}')


def _bad_data(cfg: Config, phases: Sequence[str]) -> List[str]:
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
    return findings + _check_same_classes(readable)


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
        reason = _first_line(error)
        return None, [
            f'the data set ({kind.__name__}) cannot be built: {reason}'
        ]


def _check_content(cfg: Config, phase: str, dataset: Any) -> List[str]:
    """Look at folders, labels and images of a classification set."""
    samples = dataset.data_list
    if not samples:
        return [_empty(phase, dataset)]
    findings = _check_folders(phase, dataset)
    classes = _classes_of(dataset)
    head = (cfg.get('model') or {}).get('head') or {}
    limit = head.get('num_classes') if classes is None else len(classes)
    labels = [sample.get('gt_label') for sample in samples]
    if limit is not None and isinstance(labels[0], Integral):
        findings += _labels_beyond(phase, labels, limit)
    return findings + _check_images(phase, samples)


def _check_folders(phase: str, dataset: Any) -> List[str]:
    """Class names and folders are the same, in the same order.

    Folders are numbered by their names, whatever the order in the metainfo.
    Classes that are no folder's name (ImageNet's) say nothing about folders.
    """
    folders = tuple(getattr(dataset, 'folder_to_idx', ()))
    classes = _classes_of(dataset) or ()
    if folders == classes or not set(folders) & set(classes):
        return []
    here = sorted(set(folders) - set(classes))
    there = sorted(set(classes) - set(folders))
    return [
        f'the {phase} data has folders{_shown(here or folders)} where the '
        f'classes in metainfo are{_shown(there or classes)}: rename the '
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


def _first_line(error: Exception) -> str:
    """What an error says, fit to be followed by something else."""
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].rstrip('.')


def _bad_weights(cfg: Config, trust: bool) -> List[str]:
    """Pretrained weights anywhere in the model that cannot be had."""
    command = _maker_of_weights(cfg)
    findings = []
    for module, checkpoint in _pretrained(cfg.get('model'), 'model'):
        problems = _bad_checkpoint(checkpoint, trust)
        if problems and command and not Path(checkpoint).exists():
            problems = [
                f'{module} starts from {checkpoint}, which is not there: '
                f'make it with `{command}`.'
            ]
        findings += problems
    return findings


def _bad_checkpoint(path: Optional[str], trust: bool) -> List[str]:
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


# ---- the runner ----------------------------------------------------------


def _datasets_of(runner: Runner) -> Dict[str, Any]:
    """The data sets of the loops that are built, by phase.

    The runner's public properties would build the others.
    """
    loops = dict(
        train=runner._train_loop, val=runner._val_loop, test=runner._test_loop
    )
    return {
        phase: loop.dataloader.dataset
        for phase, loop in loops.items()
        if isinstance(loop, BaseLoop)
    }


def _empty(phase: str, dataset: Any) -> str:
    return (
        f'the {phase} data set ({type(dataset).__name__}) holds no image '
        'after filtering: compare the class names in its metainfo and '
        'its paths with the annotations.'
    )


def _check_instances(dataset: Any, model: IDMM) -> List[str]:
    """Where each training image is a class, the head has as many."""
    if len(dataset) == model.num_instances:
        return []
    return [
        f'model.head has num_classes={model.num_instances}, the train data '
        f'has {len(dataset)} images, each a class of its own: set '
        f'num_classes={len(dataset)}.'
    ]


def _classes_of(dataset: Any) -> Optional[Tuple[str, ...]]:
    classes = getattr(dataset, 'metainfo', {}).get('classes')
    return None if classes is None else tuple(classes)


def _check_classes(phase: str, dataset: Any, model: nn.Module) -> List[str]:
    classes = _classes_of(dataset)
    if classes is None:
        return []
    findings = []
    for name, num_classes in _class_counts(model):
        if num_classes != len(classes):
            findings.append(
                f'model.{name} has num_classes={num_classes}, the {phase} '
                f'data has {len(classes)} classes{_shown(classes)}: set '
                f'num_classes={len(classes)}, or correct the metainfo of the '
                f'data set{_zero_label_hint(dataset)}.'
            )
    return findings


def _class_counts(model: nn.Module) -> Iterator[Tuple[str, int]]:
    """Where the model counts classes: name of the module, number.

    An RPN tells objects from background whatever the classes are. The
    preprocessor needs the number for Mixup and CutMix only.
    """
    for name, module in model.named_modules():
        parts = name.split('.')
        is_head = any('head' in part for part in parts)
        if parts[-1] == 'data_preprocessor':
            counts = getattr(module, 'batch_augments', None) is not None
        else:
            counts = is_head and 'rpn_head' not in parts
        num_classes = getattr(module, 'num_classes', None)
        if counts and isinstance(num_classes, int):
            yield name, num_classes


def _shown(classes: Sequence[str], most: int = 12) -> str:
    names = ', '.join(classes[:most])
    return f' ({names}{", ..." if len(classes) > most else ""})'


def _zero_label_hint(dataset: Any) -> str:
    if getattr(dataset, 'reduce_zero_label', False):
        return ' (reduce_zero_label=True: without the class of label 0)'
    return ''


def _check_annotated_classes(phase: str, dataset: Any) -> List[str]:
    """A name that the annotations do not have shifts the labels after it."""
    findings = []
    for leaf in _unwrapped(dataset):
        found = getattr(leaf, 'cat_ids', None)
        classes = _classes_of(leaf)
        if found is None or classes is None or len(found) == len(classes):
            continue
        findings.append(
            f'{phase} data: {leaf.ann_file} has {len(found)} of the '
            f'{len(classes)} classes in metainfo{_shown(classes)}: correct '
            'the names.'
        )
    return findings


def _check_labels(phase: str, dataset: Any, model: nn.Module) -> List[str]:
    """Labels of a classification set are below its number of classes.

    Where the set names no classes, the model's number counts.
    """
    findings = []
    for leaf in _unwrapped(dataset):
        classes = _classes_of(leaf)
        counts = [count for _, count in _class_counts(model)]
        limit = min(counts, default=None) if classes is None else len(classes)
        if limit is None or not _has_single_labels(leaf):
            continue
        findings += _labels_beyond(phase, leaf.get_gt_labels(), limit)
    return findings


def _labels_beyond(phase: str, labels: Sequence[int], limit: int) -> List[str]:
    low, high = int(np.min(labels)), int(np.max(labels))
    if low >= 0 and high < limit:
        return []
    return [
        f'the {phase} data has labels from {low} to {high}, expected are 0 '
        f'to {limit - 1}: correct the annotations, or the classes and '
        'num_classes.'
    ]


def _has_single_labels(dataset: Any) -> bool:
    if len(dataset) == 0 or not hasattr(dataset, 'get_gt_labels'):
        return False
    return isinstance(dataset.get_data_info(0).get('gt_label'), Integral)


def _check_same_classes(datasets: Dict[str, Any]) -> List[str]:
    train = _classes_of(datasets.get('train'))
    val = _classes_of(datasets.get('val'))
    if train is None or val is None or train == val:
        return []
    return [
        f'the training data has the classes{_shown(train)}, the validation '
        f'data{_shown(val)}: labels would mean different things, give both '
        'the same metainfo.'
    ]


def _unwrapped(dataset: Any) -> Iterator[Any]:
    inner = getattr(dataset, 'datasets', None) or getattr(
        dataset, 'dataset', None
    )
    if inner is None:
        yield dataset
        return
    for item in inner if isinstance(inner, (list, tuple)) else [inner]:
        yield from _unwrapped(item)
