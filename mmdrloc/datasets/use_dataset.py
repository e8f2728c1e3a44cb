"""Put a dataset into a loaded config: ``--dataset NAME|FILE|FOLDER``."""

import copy
import os
from collections import Counter
from typing import Any, Dict, List, Sequence

from mmengine.config import Config, ConfigDict
from mmengine.registry import MODELS

from mmdrloc.utils.config_walk import class_of, dicts_in, kind_of
from mmdrloc.utils.errors import UsageError, few
from .catalog import KEPT, Description
from .choice import PARTS, choose

LOADERS = ('train_dataloader', 'val_dataloader', 'test_dataloader')
TASKS = dict(mmdet='detection', mmseg='segmentation')
# Any dataset of a task can be judged by these.
METRICS: Dict[str, Dict[str, Any]] = dict(
    detection=dict(type='mmdrloc.CocoMetric', metric='bbox'),
    segmentation=dict(type='mmseg.IoUMetric', iou_metrics=['mIoU']),
)
# Keys that count classes, and parts in which they count something else.
COUNTS = ('num_classes', 'num_things_classes')
APART = ('backbone', 'rpn_head', 'train_cfg')


def use_dataset(
    cfg: Config, dataset: str, classes: Sequence[str] = ()
) -> List[str]:
    """Put a dataset into a config of mmpretrain, mmdet or mmseg.

    Datasets, the number of classes and what metrics read are replaced in
    loaders, heads and evaluators; pipelines, samplers, batch sizes and
    wrappers stay. The dataset is a name, a file that describes it or a folder.

    Args:
        cfg (Config): Changed in place.
        dataset (str): What :func:`mmdrloc.datasets.choice.choose` takes.
        classes (Sequence[str]): Those of a trained model: a classifier's
            images of some of them keep its numbers. Defaults to ().

    Returns:
        list[str]: What was changed and what the user should know of it.

    Raises:
        UsageError: If there is no such dataset, or it does not fit.
    """
    for key in ('model', 'train_dataloader'):
        if not isinstance(cfg.get(key), dict):
            raise UsageError(
                f'--dataset needs a config with a {key}: give a recipe.'
            )
    task = TASKS.get(cfg.get('default_scope'), 'classification')
    is_folder = os.path.isdir(os.path.expanduser(dataset))
    is_supcon = kind_of(cfg.model) == 'SupCon'  # a pre-training with labels
    labels = is_supcon or not (is_folder and is_pretraining(cfg))
    data, notes = choose(dataset, task, labels)
    for part in PARTS if task == 'classification' else ():
        own = data[part].get('metainfo', {})
        if classes and {*own.get('classes', ())} <= {*classes}:
            own['classes'], data['num_classes'] = classes, len(classes)
    if classes and data.get('num_classes') != len(classes):
        cure = 'list all of these in this order, and no others'
        if task == 'classification':
            cure = 'take images of these alone'
        raise UsageError(
            f'{data["dataset_name"]} has {data.get("num_classes")} classes, '
            f'and the model was trained with {len(classes)} ({few(classes)}): '
            f'{cure}.'
        )
    for name in LOADERS:
        if cfg.get(name):
            notes += _replace(cfg, name, data)
    _set_num_classes(cfg, data)
    _fit(cfg, data, notes)
    for key in KEPT:
        cfg.pop(key, None)
    cfg.update({key: data[key] for key in KEPT if key in data})
    return notes


def is_pretraining(cfg: Config) -> bool:
    """Whether a model learns without a task, to be fine-tuned."""
    from mmpretrain.models import BaseSelfSupervisor  # takes seconds

    kind = class_of(cfg.get('model') or {}, MODELS, cfg.get('default_scope'))
    return isinstance(kind, type) and issubclass(kind, BaseSelfSupervisor)


def _replace(cfg: Config, name: str, data: Description) -> List[str]:
    """Replace the dataset of a loader, inside of its wrappers."""
    part = 'train' if name == LOADERS[0] else 'val'
    holder, notes = cfg[name], []
    while 'dataset' in holder['dataset']:
        holder = holder['dataset']
    old = holder['dataset']
    if 'datasets' in old:
        notes.append(f'{name}: one dataset in place of a {kind_of(old)}.')
        old = next(d for _, d in dicts_in(old) if 'pipeline' in d)
    new = holder['dataset'] = ConfigDict(
        copy.deepcopy(data[f'{part}_dataset']), pipeline=old['pipeline']
    )
    # As in the libraries' own datasets; their tools count on it.
    classes = new.get('metainfo', {}).get('classes')
    if classes and not isinstance(classes, str):  # a file that has them
        new['metainfo']['classes'] = tuple(classes)
    number, some = data.get('num_val'), old.get('indices')
    if part == 'val' and isinstance(some, list) and some and number:
        # About as many images as before, evenly spaced: they lie class by
        # class. Of its own data the same ones.
        new['indices'] = list(range(0, number, number // len(some) or 1))
    elif some is not None:
        notes.append(
            f"{name}: all images, without the `indices` of the config's data."
        )
    if data['task'] == 'classification':
        # Small images are tested as a whole; some lie in memory.
        size = 'small' if data.get('small_images') else 'large'
        steps = part == 'val' and cfg.get(f'{size}_test_pipeline')
        steps = new['pipeline'] = copy.deepcopy(steps or new['pipeline'])
        if kind_of(steps[0]) == 'LoadImageFromFile':
            steps[0]['type'] = 'mmdrloc.LoadImage'
        elif 'Load' not in kind_of(steps[0]):
            new['pipeline'] = [dict(type='mmdrloc.LoadImage'), *steps]
            # The config's own images lay in memory as RGB, these are BGR.
            for holder in (cfg, cfg.model):
                settings = holder.get('data_preprocessor')
                if settings and not settings.get('to_rgb'):
                    settings['to_rgb'] = True
    return notes


def _set_num_classes(cfg: Config, data: Description) -> None:
    """Replace the most frequent number of classes in heads and losses."""
    if 'num_classes' in cfg.get('data_preprocessor', {}):  # for Mixup
        cfg.data_preprocessor.num_classes = data['num_classes']
    is_idmm = kind_of(cfg.model).endswith('IDMM')  # each image is a class
    key = 'num_train' if is_idmm else 'num_classes'
    if key not in data:
        raise UsageError(
            f'{data["dataset_name"]} does not say its {key}, the number of '
            'classes of this model: add it.'
        )
    number = data[key]
    nodes = [n for at, n in dicts_in(cfg.model) if not at.startswith(APART)]
    if not any(n.get(key) for n in nodes for key in COUNTS):
        # As mmpretrain's VGG, whose last stage classifies.
        nodes = [cfg.model.get('backbone') or {}]
    found = Counter(n[key] for n in nodes for key in COUNTS if n.get(key))
    for old, _ in found.most_common(1):
        for node in nodes:
            node.update({k: number for k in COUNTS if node.get(k) == old})
            weights = node.get('class_weight')
            # DETR and its like weigh "no object" as well.
            if isinstance(weights, list) and len(weights) == old + 1:
                node['class_weight'] = [weights[0]] * number + weights[-1:]


def _fit(cfg: Config, data: Description, notes: List[str]) -> None:
    """Fit masks, loading of labels, metrics and class weights to the data."""
    has_masks = data.get('has_masks', True)
    roi_head = cfg.model.get('roi_head', {})
    if not has_masks:
        if {'mask_head', 'panoptic_head'} & cfg.model.keys():
            raise UsageError(
                f'the objects of {data["dataset_name"]} have boxes and no '
                f'masks, which {kind_of(cfg.model)} learns: use another model.'
            )
        if 'mask_head' in roi_head:
            roi_head.mask_head = None
            notes.append('the data have boxes only: no masks are learnt.')
    for part in ('val_evaluator', 'test_evaluator'):
        if cfg.get(part):
            _set_metrics(cfg, part, data, notes)
    for place, node in [*dicts_in(dict(cfg.items()))]:
        if kind_of(node) == 'LoadAnnotations':
            node.pop('reduce_zero_label', None)  # the dataset says it
            if not has_masks and 'with_mask' in node:
                node['with_mask'] = False
        if isinstance(node.get('topk'), (list, tuple)):
            # No best five of two classes, nor of five.
            kept = tuple(k for k in node['topk'] if k < data['num_classes'])
            node['topk'] = kept or (1,)
        if 'loss_decode' in place and kind_of(node) == 'CrossEntropyLoss':
            weights = copy.deepcopy(data.get('class_weight'))
            if bool(weights) != bool(node.get('class_weight')):
                # With weights mmseg leaves no pixels out: 0 is background.
                cfg.model.data_preprocessor.seg_pad_val = 0 if weights else 255
            if weights or 'class_weight' in node:
                node['class_weight'] = weights


def _set_metrics(
    cfg: Config, part: str, data: Description, notes: List[str]
) -> None:
    """Keep the metrics of the task; in place of others it has its own."""
    metric = METRICS.get(data['task'])
    if metric is None:
        return
    given = cfg[part] if isinstance(cfg[part], list) else [cfg[part]]
    own = [node for node in given if kind_of(node) == kind_of(metric)]
    if len(own) < len(given):
        others = [kind_of(node) for node in given if node not in own]
        notes.append(f'{part}: {metric["type"]} in place of {few(others)}.')
    own = own or [ConfigDict(metric)]
    for node in own if data['task'] == 'detection' else ():
        if 'dataset_path' in data:  # a file of any numbering
            node['type'] = 'mmdrloc.CocoMetric'
        val = data['val_dataset']
        root = val.get('data_root') or ''
        node['ann_file'] = os.path.join(root, val.get('ann_file', ''))
        if not data.get('has_masks', True):
            node['metric'] = ['bbox']
    cfg[part] = own if isinstance(cfg[part], list) else own[0]
