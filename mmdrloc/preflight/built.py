"""Data sets and models, built, against each other."""

from numbers import Integral
from typing import Any, Dict, Iterator, List, Tuple

from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from mmpretrain.utils import get_ori_model
from torch import nn

from .findings import shown
from .labels import (
    check_same_classes,
    classes_of,
    empty,
    labels_beyond,
    unwrapped,
)


def check_runner(runner: Runner) -> List[str]:
    """Look for data sets and models that do not fit each other.

    Args:
        runner (Runner): With the loops built that will run.

    Returns:
        List[str]: One sentence for each finding.
    """
    datasets = _datasets_of(runner)
    model = get_ori_model(runner.model)
    if hasattr(model, 'check_datasets'):  # of labels it reads none
        return model.check_datasets(datasets)
    # The others are compared with the first one.
    findings = _check_classes(*next(iter(datasets.items())), model)
    findings += check_same_classes(datasets)
    for phase, dataset in datasets.items():
        if len(dataset) == 0:
            findings.append(empty(phase, dataset))
            continue
        findings += _check_annotated_classes(phase, dataset)
        findings += _check_labels(phase, dataset, model)
    return findings


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


def _check_classes(phase: str, dataset: Any, model: nn.Module) -> List[str]:
    classes = classes_of(dataset)
    if classes is None:
        return []
    findings = []
    for name, num_classes in _class_counts(model):
        if num_classes != len(classes):
            findings.append(
                f'model.{name} has num_classes={num_classes}, the {phase} '
                f'data has {len(classes)} classes{shown(classes)}: set '
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


def _zero_label_hint(dataset: Any) -> str:
    if getattr(dataset, 'reduce_zero_label', False):
        return ' (reduce_zero_label=True: without the class of label 0)'
    return ''


def _check_annotated_classes(phase: str, dataset: Any) -> List[str]:
    """A name that the annotations do not have shifts the labels after it."""
    findings = []
    for leaf in unwrapped(dataset):
        found = getattr(leaf, 'cat_ids', None)
        classes = classes_of(leaf)
        if found is None or classes is None or len(found) == len(classes):
            continue
        findings.append(
            f'{phase} data: {leaf.ann_file} has {len(found)} of the '
            f'{len(classes)} classes in metainfo{shown(classes)}: correct '
            'the names.'
        )
    return findings


def _check_labels(phase: str, dataset: Any, model: nn.Module) -> List[str]:
    """Labels of a classification set are below its number of classes.

    Where the set names no classes, the model's number counts.
    """
    findings = []
    for leaf in unwrapped(dataset):
        classes = classes_of(leaf)
        counts = [count for _, count in _class_counts(model)]
        limit = min(counts, default=None) if classes is None else len(classes)
        if limit is None or not _has_single_labels(leaf):
            continue
        findings += labels_beyond(phase, leaf.get_gt_labels(), limit)
    return findings


def _has_single_labels(dataset: Any) -> bool:
    if len(dataset) == 0 or not hasattr(dataset, 'get_gt_labels'):
        return False
    return isinstance(dataset.get_data_info(0).get('gt_label'), Integral)
