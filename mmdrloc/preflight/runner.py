"""Check datasets and model of a built runner against each other."""

from pathlib import Path
from typing import Any, Collection, Dict, Iterator, List, Optional, Tuple

import numpy as np
from mmengine.config import Config
from mmengine.dataset import InfiniteSampler
from mmengine.dist import get_world_size, is_main_process
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.utils.batch_size import batch_size
from mmdrloc.utils.config_walk import at
from mmdrloc.utils.errors import (
    cause,
    did_you_mean,
    few,
    first_few,
    in_brackets,
    refuse,
)
from mmdrloc.utils.images import evenly_spaced, find_bad_images, problem_with
from .data import leaf_datasets
from .dry_run import loops_of
from .rules import MULTIPLIERS

# How many images and label maps are read, evenly spaced: all of a small set.
MOST_IMAGES = 10_000
MOST_LABEL_MAPS = 1000
# Heads whose classes are not those of the data.
OTHER_HEADS = {'rpn_head', 'semantic_head'}
# Pre-trainings whose loss is of images against others of their batch.
COMPARING = ('SimCLR', 'SupCon', 'MoCoV3')
# The label that mmseg ignores by default.
IGNORED = 255


def check_runner(runner: Runner) -> None:
    """Refuse datasets that are broken or do not fit the model.

    Raises:
        UsageError: With all problems.
    """
    loops = loops_of(runner)
    datasets = {p: loop.dataloader.dataset for p, loop in loops.items()}
    model = get_ori_model(runner.model)
    if hasattr(model, 'check_datasets'):  # its classes are not the data's
        problems, fewest = model.check_datasets(datasets), None
    else:  # the validation data are compared with the training data below
        problems = other_classes(*next(iter(datasets.items())), model)
        fewest = min((n for _, n in _class_counts(model)), default=None)
    problems += _parts_of_nothing(runner.cfg, model)
    if 'train' in loops:
        problems += unfilled_queue(model, loops['train'].dataloader)
        problems += lone_images(model, loops['train'].dataloader)
    train, val = map(classes_of, map(datasets.get, ('train', 'val')))
    if None not in (train, val) and train != val:
        problems.append(
            f'the training data has the classes{in_brackets(train)}, the '
            f'validation data{in_brackets(val)}: labels would mean different '
            'things, give both the same metainfo.'
        )
    judges: List[Any] = [*model.modules()]
    for phase, loop in loops.items():
        judges += loop.evaluator.metrics if phase != 'train' else ()
    ignored = [getattr(judge, 'ignore_index', IGNORED) for judge in judges]
    for phase, dataset in datasets.items() if is_main_process() else ():
        problems += bad_samples(phase, dataset, fewest, ignored)
    refuse(problems)


def _parts_of_nothing(cfg: Config, model: nn.Module) -> List[str]:
    """Find options for parts of a model that it has not."""
    options = at(cfg, 'run.options') or ()
    names = [name for name, _ in model.named_parameters()]
    words = {word for name in names for word in name.split('.')}
    return [
        f'{MULTIPLIERS}.{key}: no parameter of the model has that in its name'
        f'{did_you_mean(key, words)}'
        for key in at(cfg, MULTIPLIERS) or {}
        if any(o.startswith(f'{MULTIPLIERS}.{key}.') for o in options)
        and not any(key in name for name in names)
    ]


def other_classes(phase: str, dataset: Any, model: nn.Module) -> List[str]:
    """Find modules whose number of classes is not that of a dataset."""
    classes = classes_of(dataset)
    # In panoptic data, boxes and masks are of things alone.
    things = getattr(dataset, 'metainfo', {}).get('thing_classes', classes)
    return [
        f'model.{name} has num_classes={count}, the {phase} data has '
        f'{len(classes)} classes{in_brackets(classes)}: set '
        f'num_classes={len(classes)}, or correct the metainfo of the data.'
        for name, count in _class_counts(model)
        if classes is not None and count not in (len(classes), len(things))
    ]


def _class_counts(model: nn.Module) -> Iterator[Tuple[str, int]]:
    # An RPN tells objects from background, mmseg's STDCHead edges; the
    # semantic head of HTC and of Panoptic FPN has labels of its own. A
    # preprocessor without Mixup or CutMix needs no number. The last stage of
    # mmpretrain's VGG classifies.
    for name, module in model.named_modules():
        parts = name.split('.')
        counts = 'head' in name and not OTHER_HEADS & {*parts}
        if name == 'model':  # of mmpretrain's TimmClassifier
            counts = True
        if type(module).__name__ == 'STDCHead':
            counts = False
        if name == 'backbone':
            counts = hasattr(module, 'classifier')
        if parts[-1] == 'data_preprocessor':
            counts = getattr(module, 'batch_augments', None) is not None
        num_classes = getattr(module, 'num_classes', None)
        if counts and isinstance(num_classes, int):
            yield name, num_classes


def no_batches(loader: DataLoader) -> List[str]:
    """Say that a loader has no batch: MMEngine would train on nothing."""
    count, processes = len(loader.dataset), get_world_size()
    if count and (len(loader) > 0 or _is_endless(loader)):
        return []
    return [
        f'the dataset ({type(loader.dataset).__name__}) has {count} images '
        f'for {processes} process(es), less than one batch of '
        f'{batch_size(loader)} each: look at its paths, `indices` and filter, '
        'lower the batch_size of its dataloader, or set drop_last=False.'
    ]


def _is_endless(loader: DataLoader) -> bool:
    """Whether its sampler never ends, and fills every batch."""
    sampler = getattr(loader.batch_sampler, 'sampler', loader.sampler)
    return isinstance(sampler, InfiniteSampler)


def unfilled_queue(model: nn.Module, loader: DataLoader) -> List[str]:
    """Say that whole batches do not fill the queue of mmpretrain's MoCo."""
    length = getattr(model, 'queue_len', None)
    images = batch_size(loader) * get_world_size()
    if not length:
        return []
    problems = []
    if length % images:
        problems.append(
            f'model.queue_len={length} is no multiple of the {images} images '
            f'of a step: set it to {images * max(1, length // images)}.'
        )
    if not _is_endless(loader) and len(loader) * images > len(loader.dataset):
        is_short = len(loader.dataset) < images  # nothing would be left
        remedy = 'lower its batch_size' if is_short else 'set drop_last=True'
        problems.append(
            'the last batch of an epoch is smaller, which the queue of '
            f'{type(model).__name__} does not take: {remedy} in '
            'train_dataloader.'
        )
    return problems


def lone_images(model: nn.Module, loader: DataLoader) -> List[str]:
    """Say that a batch of one image has none to compare it with."""
    name, images = type(model).__name__, batch_size(loader) * get_world_size()
    count = len(loader.dataset)
    is_cut = not _is_endless(loader) and len(loader) * images > count
    if name not in COMPARING or 1 not in (images, count % images * is_cut):
        return []
    return [
        f'{name} compares the images of a batch, and one has a single image: '
        'set batch_size=2 or more and drop_last=True in train_dataloader.'
    ]


def classes_of(dataset: Any) -> Optional[Tuple[str, ...]]:
    """The class names of a dataset; None if it has none."""
    classes = getattr(dataset, 'metainfo', {}).get('classes')
    return None if classes is None else tuple(classes)


def bad_samples(
    phase: str,
    dataset: Any,
    num_classes: Optional[int],
    ignored: Collection[int],
) -> List[str]:
    """Look for broken images and labels of a built dataset."""
    problems = []
    for leaf in {id(d): d for d in leaf_datasets(dataset)}.values():
        is_elsewhere = getattr(leaf, 'backend_args', None)
        if is_elsewhere or not hasattr(leaf, 'get_data_info') or not len(leaf):
            continue
        limit = num_classes and len(classes_of(leaf) or range(num_classes))
        found = _bad_images(leaf)
        # Attributes tell the libraries' base classes apart, so that no
        # library is imported for it.
        if hasattr(leaf, 'get_gt_labels') and limit:  # mmpretrain
            found += _bad_labels(leaf, limit, phase == 'train')
        elif hasattr(leaf, 'get_label_map') and limit:  # mmseg
            voids = {*ignored} - {None}
            found += _bad_label_maps(leaf, limit, voids, phase == 'train')
        problems += [f'{phase} data: {problem}.' for problem in found]
    return problems


def _some(dataset: Any, most: int = MOST_IMAGES) -> Iterator[Dict[str, Any]]:
    for index in evenly_spaced(range(len(dataset)), most):
        yield dataset.get_data_info(index)


def _bad_images(dataset: Any) -> List[str]:
    """Find images that are missing, damaged or of another size than noted."""
    sizes = {}
    for info in _some(dataset):
        path = info.get('img_path')
        if isinstance(path, (str, Path)) and '://' not in str(path):
            sizes[str(path)] = info.get('width'), info.get('height')
    bad = find_bad_images(list(sizes), list(sizes.values()))
    return first_few(
        [f'{text}: replace it, or remove it from the set' for text in bad],
        'images are missing, damaged or of another size',
    )


def _bad_labels(dataset: Any, limit: int, is_train: bool) -> List[str]:
    """Find labels of no class, classes without images, misnamed folders."""
    label = dataset.get_data_info(0).get('gt_label')
    if label is None or np.ndim(label):  # several of an image
        return []
    labels = dataset.get_gt_labels()
    if labels.min() < 0 or labels.max() >= limit:
        return [
            f'it has labels from {labels.min()} to {labels.max()}, expected '
            f'are 0 to {limit - 1}: correct them, or the classes'
        ]
    infos = [*_some(dataset)]
    given = {(info.get('img_path'), info['gt_label']) for info in infos}
    if len(given) > len({path for path, _ in given if path} or given):
        return [f'images have several labels: correct {dataset.ann_file}']
    classes = classes_of(dataset) or ()
    # Folders are numbered in the order of their names. Classes that are no
    # folder's name (as ImageNet's) cannot be compared.
    folders = tuple(getattr(dataset, 'folder_to_idx', ()))
    if folders != classes and {*folders} & {*classes}:
        return [
            f'its folders are{in_brackets(folders)}, the classes in metainfo'
            f'{in_brackets(classes)}: rename the folders, or list the classes '
            'in the order of the folders'
        ]
    if is_train and len(classes) == 1:
        return [f'there is one class alone ({classes[0]}): 2 are needed']
    present = {*labels.tolist()}
    without = [c for at, c in enumerate(classes) if at not in present]
    # By `indices=...`, or drawn.
    is_part = getattr(dataset, '_indices', None) is not None
    is_part |= hasattr(dataset, 'num_images')
    if is_train and folders and without and not is_part:
        return [f'no image is in the folders {few(without)}: remove them']
    return []


def _bad_label_maps(
    dataset: Any, limit: int, ignored: set, is_train: bool
) -> List[str]:
    """Find files that are no label maps, or have values of no class."""
    steps = getattr(dataset.pipeline, 'transforms', ())
    loads = [s for s in steps if type(s).__name__ == 'LoadAnnotations']
    bad, reduced, seen = [], '', set()
    if getattr(dataset, 'reduce_zero_label', False):
        reduced = ' (reduce_zero_label=True: 0 is none, 1 the first class)'
    for info in _some(dataset, MOST_LABEL_MAPS) if loads else ():
        path = info.get('seg_map_path')
        try:
            labels = np.asarray(loads[0](dict(info))['gt_seg_map'])
            most = _most_of_16_bits(path)
        except Exception as error:  # damaged files fail in many ways
            bad.append(f'{path} cannot be read ({cause(error)})')
            continue
        values = {*np.unique(labels).tolist()}
        seen |= values
        wrong = sorted(v for v in values - ignored if not 0 <= v < limit)
        size = problem_with(info['img_path'], labels.shape[1::-1])
        if labels.ndim != 2:
            bad.append(
                f'{path} is a picture with colors, and a label map has the '
                'number of the class as the one value of each pixel'
            )
        elif most > 255:
            bad.append(
                f'{path} has values up to {most}, of which mmseg keeps the '
                'last 8 bits: write it with 8 bits'
            )
        elif wrong:
            bad.append(
                f'{path} has the labels {few(wrong)}, expected are 0 to '
                f'{limit - 1} and {few(sorted(ignored))} for what is ignored'
                f'{reduced}: correct it, the classes (classes.txt or '
                'metainfo) or ignore_index'
            )
        elif size and 'the annotations say' in size:
            bad.append(size.replace('the annotations say', f'{path} has'))
    if loads and not (seen - ignored or bad):
        return [
            'no label map has a pixel of any class, all are ignored: look at '
            'reduce_zero_label and ignore_index'
        ]
    if is_train and limit > 1 and seen == {0, 255} and not bad:
        return [
            'its label maps have no other values than 0 and 255, which is '
            'ignored: write 1, the number of the second class, in place of 255'
        ]
    return first_few(bad, 'label maps are damaged or have such labels')


def _most_of_16_bits(path: str) -> int:
    """The highest value of an image of more than 8 bits; of others 0."""
    with Image.open(path) as image:
        if image.mode.startswith('I'):
            return int(np.asarray(image).max())
    return 0
