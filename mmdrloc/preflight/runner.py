"""Data sets, model, batches and disk of a built runner, against each other."""

import inspect
import shutil
from typing import Any, Iterator, List, Tuple

from mmengine.dataset import InfiniteSampler
from mmengine.dist import get_world_size, is_main_process
from mmengine.hooks import CheckpointHook
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.utils.batch_size import batch_size
from mmdrloc.utils.errors import nearest, refuse, shown
from .dry_run import loops_of, step_problems, unwrapped_model
from .samples import IGNORED, bad_samples, classes_of

# The weights and Adam's two moments of each.
COPIES_OF_WEIGHTS = 3


def check_runner(runner: Runner) -> None:
    """Refuse data sets, models and disks that do not fit each other.

    Args:
        runner (Runner): With the loops built that will run.

    Raises:
        UsageError: With all problems.
    """
    datasets = {
        phase: loop.dataloader.dataset
        for phase, loop in loops_of(runner).items()
    }
    model = unwrapped_model(runner)
    problems = []
    if 'train' in datasets:
        problems += no_batches(runner.train_dataloader) + _full_disk(runner)
        problems += _bad_checkpoint_hooks(runner)
    if hasattr(model, 'check_datasets'):  # of labels it reads none
        refuse(problems + model.check_datasets(datasets))
        return
    # The others are compared with the first one.
    problems += other_classes(*next(iter(datasets.items())), model)
    train, val = map(classes_of, map(datasets.get, ('train', 'val')))
    if None not in (train, val) and train != val:
        problems.append(
            f'the training data has the classes{shown(train)}, the '
            f'validation data{shown(val)}: labels would mean different '
            'things, give both the same metainfo.'
        )
    counts = [count for _, count in _class_counts(model)]
    ignored = _ignored(runner, model)
    for phase, dataset in datasets.items() if is_main_process() else ():
        problems += bad_samples(
            phase, dataset, min(counts, default=None), ignored
        )
    # What else fails may come of them; other processes may have no problem.
    if problems and get_world_size() == 1:
        failing, _ = step_problems(runner)
        problems += [text for text in failing if 'in_channels' in text]
    refuse(problems)


def other_classes(phase: str, dataset: Any, model: nn.Module) -> List[str]:
    """Where the model counts other classes than a data set has."""
    classes = classes_of(dataset)
    if classes is None:
        return []
    reduced = ''
    if getattr(dataset, 'reduce_zero_label', False):
        reduced = ' (reduce_zero_label=True: without the class of label 0)'
    return [
        f'model.{name} has num_classes={count}, the {phase} data has '
        f'{len(classes)} classes{shown(classes)}: set '
        f'num_classes={len(classes)}, or correct the metainfo of the data '
        f'set{reduced}.'
        for name, count in _class_counts(model)
        if count != len(classes)
    ]


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


def _ignored(runner: Runner, model: nn.Module) -> List[int]:
    """Labels that heads of segmentors and metrics leave out."""
    judges: List[Any] = [m for m in model.modules()]
    for phase, loop in loops_of(runner).items():
        if phase != 'train':
            judges += loop.evaluator.metrics
    found = [getattr(judge, 'ignore_index', None) for judge in judges]
    return [IGNORED, *(n for n in found if isinstance(n, int))]


def no_batches(loader: DataLoader) -> List[str]:
    """Look for a loader that gives nothing: MMEngine trains on nothing."""
    count, processes = len(loader.dataset), get_world_size()
    kind = type(loader.dataset).__name__
    if count == 0:
        return [
            f'the data set ({kind}) holds no image: look at its paths, its '
            '`indices` and its filter, and at num_batch_per_epoch.'
        ]
    sampler = getattr(loader.batch_sampler, 'sampler', loader.sampler)
    # Those that never end fill every batch.
    if len(loader) > 0 or isinstance(sampler, InfiniteSampler):
        return []
    return [
        f'the data set ({kind}) has {count} images for {processes} '
        f'process(es), less than one batch of {batch_size(loader)} each, and '
        'drop_last leaves incomplete ones out: lower the batch_size of its '
        'dataloader, or set drop_last=False.'
    ]


def _bad_checkpoint_hooks(runner: Runner) -> List[str]:
    """What would come up only when the first checkpoint is saved."""
    taken = inspect.signature(Runner.save_checkpoint).parameters
    problems = []
    for hook in runner.hooks:
        if not isinstance(hook, CheckpointHook):
            continue
        for key in set(hook.args) - set(taken):
            near = nearest(key, inspect.signature(CheckpointHook).parameters)
            remedy = f'did you mean `{near}`?' if near else 'remove it.'
            problems.append(
                f'default_hooks.checkpoint.{key}: CheckpointHook takes no '
                f'`{key}`: {remedy}'
            )
    return problems


def _full_disk(runner: Runner) -> List[str]:
    """Whether one fits; a full disk later is said where it is written."""
    state = [*runner.model.parameters(), *runner.model.buffers()]
    needed = COPIES_OF_WEIGHTS * sum(t.nbytes for t in state)
    free = shutil.disk_usage(runner.work_dir).free
    if needed <= free:
        return []
    return [
        f'a checkpoint needs about {needed / 2**30:.1f} GiB, and '
        f'{runner.work_dir} has {free / 2**30:.1f} GiB left: free some, or '
        'choose another --work-dir.'
    ]
