"""Put a dataset into a loaded config: ``--dataset NAME|FILE|FOLDER``."""

import copy
import os
from collections import Counter
from typing import Any, Iterator, List

from mmengine.config import Config, ConfigDict

from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import UsageError
from .catalog import KEPT, Description
from .choice import choose

LOADERS = ('train_dataloader', 'val_dataloader', 'test_dataloader')
DENSE = ('roi_head', 'bbox_head', 'mask_head', 'panoptic_head', 'query_head')
TASKS = dict(mmdet='detection', mmseg='segmentation')


def use_dataset(cfg: Config, dataset: str) -> List[str]:
    """Put a dataset into a config of mmpretrain, mmdet or mmseg.

    Datasets, the number of classes and what metrics read are replaced in
    loaders, heads and evaluators. Pipelines, samplers, batch sizes and
    wrappers of datasets stay.

    Args:
        cfg (Config): Ours or anyone's; changed in place.
        dataset (str): A name of :data:`CATALOG`, a file that describes a
            dataset, or a folder of images.

    Returns:
        list[str]: What was changed and what the user should know of it.

    Raises:
        UsageError: If there is no such dataset, or it does not fit.
    """
    for key in ('model', 'train_dataloader'):
        if not isinstance(cfg.get(key), dict):
            raise UsageError(
                f'--dataset {dataset} needs a config with a {key}, and this '
                'one has none: give a recipe.'
            )
    task = task_of(cfg)
    data, notes = choose(dataset, task)
    for name in LOADERS:
        if cfg.get(name):
            new = _replace(cfg, name, data, notes)
            if task == 'classification':
                _set_pipeline(cfg, name, new, data)
    _set_num_classes(cfg, data)
    notes += FIT[task](cfg, data)
    for key in KEPT:
        cfg.pop(key, None)
        if key in data:
            cfg[key] = data[key]
    if 'data_root' in cfg:  # OpenMMLab's bases name it once more
        cfg.data_root = data['train_dataset'].get('data_root')
    return notes


def task_of(cfg: Config) -> str:
    """What a model does, by its heads or its library."""
    if 'decode_head' in cfg.model:
        return 'segmentation'
    if any(head in cfg.model for head in DENSE):
        return 'detection'
    return TASKS.get(cfg.get('default_scope'), 'classification')


def _kind(node: Any) -> str:
    """The class that a dict names, without its scope."""
    kind = node.get('type') if isinstance(node, dict) else None
    return str(getattr(kind, '__name__', kind)).rpartition('.')[2]


def _replace(
    cfg: Config, name: str, data: Description, notes: List[str]
) -> ConfigDict:
    """Replace the dataset of a loader, inside of its wrappers."""
    holder = cfg[name]
    while isinstance((holder.get('dataset') or {}).get('dataset'), dict):
        holder = holder.dataset
    old = holder.get('dataset') or {}
    if 'datasets' in old:
        notes.append(f'{name}: one dataset in place of a {_kind(old)}.')
        old = next((d for _, d in dicts_in(old) if 'pipeline' in d), {})
    part = 'train' if name == LOADERS[0] else 'val'
    new = ConfigDict(copy.deepcopy(data[f'{part}_dataset']))
    if 'pipeline' in old:
        new['pipeline'] = old['pipeline']
    if part == 'val' and isinstance(old.get('indices'), list):
        # As many images as before, evenly spaced: they lie class by class.
        count = data.get('num_val', 0)
        step = count // len(old['indices']) or 1
        new.indices = list(range(0, count, step)) or None
    holder.dataset = new
    return new


def _set_num_classes(cfg: Config, data: Description) -> None:
    """In the heads, those of another purpose left alone, and for Mixup."""
    model, number = cfg.model, data['num_classes']
    for preprocessor in (cfg, model):
        if 'num_classes' in (preprocessor.get('data_preprocessor') or {}):
            preprocessor.data_preprocessor.num_classes = number
    if _kind(model).endswith('IDMM'):  # each image is a class
        model.head.num_classes = data['num_train']
        return
    found = [
        (node, key)
        for place, node in dicts_in(model)
        if place.split('.')[0] not in ('backbone', 'rpn_head', 'train_cfg')
        and not place.endswith('data_preprocessor')
        for key in ('num_classes', 'num_things_classes')
        if isinstance(node.get(key), int) and node[key] > 0
    ]
    counted = Counter(node[key] for node, key in found)
    old = counted.most_common(1)[0][0] if found else 0
    for node, key in found:
        if node[key] == old:
            node[key] = number
            for _, loss in dicts_in(node):
                weights = loss.get('class_weight')
                # DETR and its like weigh "no object" as well.
                if isinstance(weights, list) and len(weights) == old + 1:
                    loss['class_weight'] = [weights[0]] * number + weights[-1:]


def _evaluators(cfg: Config) -> Iterator[ConfigDict]:
    for name in ('val_evaluator', 'test_evaluator'):
        found = cfg.get(name) or []
        yield from [found] if isinstance(found, dict) else found


def _set_metric(cfg: Config, kind: str, **options: Any) -> List[str]:
    """Have a metric that any dataset of a task can be judged by."""
    others = [n for n in _evaluators(cfg) if _kind(n) != kind.split('.')[1]]
    for node in others:
        node.clear()
        node.update(type=kind, **options)
    return [f'{kind} takes the place of the metric.'] if others else []


def _set_pipeline(
    cfg: Config, name: str, dataset: ConfigDict, data: Description
) -> None:
    """Load images from files and from memory; test small ones as a whole."""
    size = 'small' if data.get('small_images') else 'large'
    steps = cfg.get(f'{size}_test_pipeline')
    if steps and name != LOADERS[0]:
        dataset.pipeline = copy.deepcopy(steps)
    steps = dataset.setdefault('pipeline', [])
    if steps and _kind(steps[0]) == 'LoadImageFromFile':
        steps[0].type = 'mmdrloc.LoadImage'
    elif not steps or _kind(steps[0]) != 'LoadImage':
        steps.insert(0, ConfigDict(type='mmdrloc.LoadImage'))


def _fit_classifier(cfg: Config, data: Description) -> List[str]:
    """No best five of two classes, nor of five."""
    for node in [cfg.model.get('head') or {}, *_evaluators(cfg)]:
        if isinstance(node.get('topk'), (list, tuple)):
            kept = tuple(k for k in node.topk if k < data['num_classes'])
            node.topk = kept or (1,)
    return []


def _fit_detector(cfg: Config, data: Description) -> List[str]:
    """COCO's metric reads the annotations; no masks where there are none."""
    val, has_masks = data['val_dataset'], data.get('has_masks', True)
    notes = _set_metric(cfg, 'mmdet.CocoMetric', metric='bbox')
    for node in _evaluators(cfg):
        node.ann_file = data.get('val_ann_file') or os.path.join(
            val.get('data_root') or '', val.get('ann_file', '')
        )
        if not has_masks:
            node.metric = ['bbox']
    if has_masks:
        return notes
    head = cfg.model.get('roi_head') or {}
    if cfg.model.get('mask_head') or cfg.model.get('panoptic_head'):
        raise UsageError(
            f'the objects of {data["dataset_name"]} have boxes and no masks, '
            f'which {_kind(cfg.model)} learns: give data with masks.'
        )
    for _, node in dicts_in(dict(cfg.items())):
        if _kind(node) == 'LoadAnnotations':
            node['with_mask'] = False
    if 'mask_head' in head:
        head['mask_head'] = None
        notes.append(
            'the objects of these data have boxes and no masks '
            '(`segmentation`): no masks are learnt.'
        )
    return notes


def _fit_segmentor(cfg: Config, data: Description) -> List[str]:
    """Label 0, the weights of classes, and the metric."""
    for _, node in dicts_in(dict(cfg.items())):
        if _kind(node) == 'LoadAnnotations' and 'reduce_zero_label' in node:
            node['reduce_zero_label'] = data['reduce_zero_label']
    weights = data.get('class_weight')
    losses = [
        node
        for place, node in dicts_in(cfg.model)
        if 'loss_decode' in place and _kind(node) == 'CrossEntropyLoss'
    ]
    if any(bool(node.get('class_weight')) != bool(weights) for node in losses):
        # With weights mmseg cannot leave pixels out: 0 is the background.
        cfg.model.setdefault('data_preprocessor', ConfigDict()).seg_pad_val = (
            0 if weights else 255
        )
    for node in losses:
        if weights or node.get('class_weight'):
            node['class_weight'] = copy.deepcopy(weights)
    return _set_metric(cfg, 'mmseg.IoUMetric', iou_metrics=['mIoU'])


FIT = dict(
    classification=_fit_classifier,
    detection=_fit_detector,
    segmentation=_fit_segmentor,
)
