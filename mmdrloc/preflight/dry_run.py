"""Dry run: one training and one validation step, of which nothing is left."""

import copy
import logging
import math
import random
import re
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any, Callable, ContextManager, Dict, Iterator, List, Set

import numpy as np
import torch
from mmengine.dataset import pseudo_collate
from mmengine.evaluator import DumpResults
from mmengine.hooks import CheckpointHook, EarlyStoppingHook
from mmengine.logging import MessageHub
from mmengine.optim import OptimWrapper, OptimWrapperDict
from mmengine.runner import Runner
from mmengine.runner.amp import autocast
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.utils.errors import (
    UnexpectedError,
    UsageError,
    cause,
    nearest,
    refuse,
)
from .data import unwrapped
from .runner import loops_of, unwrapped_model

# Two: BatchNorm over a 1x1 map cannot train on one, Mixup wants an even
# number.
IMAGES = 2
# Widths that do not meet, as torch says it: what comes in, what is expected.
WIDTHS = (
    re.compile(r'shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)'),
    re.compile(r'to have (?P<b>\d+) channels, but got (?P<a>\d+) channels'),
    re.compile(r'normalized_shape=\[(?P<b>\d+)\].*size\s?\[.*?(?P<a>\d+)\]'),
)


def dry_run(runner: Runner) -> None:
    """Try one step of training and of validation, with the metrics.

    Two images of each data set, a copy of the model; nothing of it is left,
    neither in the random states nor in the messages.

    Args:
        runner (Runner): With the loops built that will run, and its weights.

    Raises:
        UsageError: With what fails.
    """
    problems: Dict[str, str] = {}
    kept = None
    with _nothing_left(runner.message_hub):
        model = copy.deepcopy(unwrapped_model(runner))
        for phase, loop in loops_of(runner).items():
            step = _train if phase == 'train' else _validate
            try:
                batch = _batch_of(loop.dataloader, phase)
                step(runner, model, loop, batch)
            except Exception as error:  # a class may be anyone's
                if not isinstance(error, UsageError) or error.__cause__:
                    kept = error
                # What fails in both for the same reason is said once.
                said = _where(error, model)
                name = 'training' if phase == 'train' else 'validation'
                problems.setdefault(
                    said,
                    f'a {name} step, tried before the first update, '
                    f'fails{said}.',
                )
    refuse(list(problems.values()), kept)


def _where(error: Exception, model: nn.Module) -> str:
    """In which module of the model an error came up, and what it says."""
    names = {id(module): name for name, module in model.named_modules()}
    place = ''
    for frame, _ in walk_tb(error.__traceback__):
        module = frame.f_locals.get('self')
        if isinstance(module, nn.Module) and names.get(id(module)):
            name = names[id(module)]
            place = f' in model.{name} ({type(module).__name__})'
    text = cause(error)
    for pattern in WIDTHS:
        found = pattern.search(text)
        if found:
            groups = found.groupdict() or dict(a=found[1], b=found[2])
            text += (
                f'; {groups["a"]} channels come in where {groups["b"]} are '
                'expected: make `in_channels` the width of what is before it'
            )
    if 'is invalid for input of size' in text:
        text += (
            '; sizes do not divide: compare the number of heads, the width '
            'and the size of the images'
        )
    return f'{place}: {text}'


@contextmanager
def _nothing_left(hub: MessageHub) -> Iterator[None]:
    """Put random states and messages back where they were."""
    states = random.getstate(), np.random.get_state()
    messages = copy.deepcopy(vars(hub))
    devices = range(torch.cuda.device_count())
    if not torch.cuda.is_initialized():
        devices = range(0)
    with torch.random.fork_rng(devices):
        try:
            yield
        finally:
            random.setstate(states[0])
            np.random.set_state(states[1])
            vars(hub).update(messages)


class NoUpdates:
    """An optimizer wrapper that computes as another does, and stops there."""

    def __init__(self, wrapper: OptimWrapper) -> None:
        self.wrapper = wrapper

    def optim_context(self, model: nn.Module) -> ContextManager:
        """Compute in the wrapper's precision."""
        return self.wrapper.optim_context(model)

    def update_params(self, *args: Any, **kwargs: Any) -> None:
        """Leave the weights as they are."""


def _train(runner: Runner, model: nn.Module, loop: Any, batch: Any) -> None:
    # Models with several optimizers step them in their own way.
    if isinstance(runner.optim_wrapper, OptimWrapperDict):
        return
    model.train()
    with torch.no_grad():
        # Of the class: the instance's may be compiled.
        values = type(model).train_step(
            model, batch, NoUpdates(runner.optim_wrapper)
        )
    for name, value in values.items():
        if 'loss' in name and not math.isfinite(float(value)):
            raise UsageError(
                f'{name} is {float(value)}: look at the mean and std of the '
                'data_preprocessor, the weights of the losses and the images'
            )


def _validate(runner: Runner, model: nn.Module, loop: Any, batch: Any) -> None:
    """Predict a batch and hand it to the metrics."""
    model.eval()
    with torch.no_grad(), autocast(enabled=getattr(loop, 'fp16', False)):
        outputs = model.val_step(batch)
    samples = [o.to_dict() if hasattr(o, 'to_dict') else o for o in outputs]
    names: Set[str] = set()
    all_known = True
    for metric in loop.evaluator.metrics:
        own = {} if _writes(metric) else _values_of(metric, batch, samples)
        prefix = f'{metric.prefix}/' if metric.prefix else ''
        names |= {f'{prefix}{name}' for name in own}
        all_known &= bool(own)
    for setting, name in _wanted(runner) if all_known else ():
        if name not in names:
            near = nearest(name, names, 0) or min(names)
            raise UsageError(
                f"{setting} is '{name}', the validation gives "
                f"{', '.join(sorted(names))}: write {setting}='{near}'"
            )


def _writes(metric: Any) -> bool:
    """Whether seeing a batch leaves files behind."""
    return isinstance(metric, DumpResults) or any(
        getattr(metric, name, None)
        for name in ('format_only', 'output_dir', 'outfile_prefix')
    )


def _values_of(metric: Any, batch: Any, samples: List[Any]) -> Dict[str, Any]:
    """What a metric makes of a few images.

    They may not do for a value, but what is none of their number's fault will
    not go away. COCO's metrics take all the annotations.
    """
    kept, metric.results = metric.results, []
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # these values say nothing
    try:
        metric.process(batch, samples)
        if hasattr(metric, '_coco_api'):
            return {}
        return metric.compute_metrics(metric.results)
    except (AttributeError, KeyError, NotImplementedError, TypeError) as error:
        raise UnexpectedError(
            f'val_evaluator ({type(metric).__name__}) cannot use what the '
            f'model predicts: {cause(error)}'
        ) from error
    except Exception:  # too few images
        return {}
    finally:
        metric.results = kept
        logging.disable(before)


def _wanted(runner: Runner) -> List[Any]:
    """What hooks look for among the metrics: (setting, name)."""
    wanted = []
    for hook in runner.hooks:
        if isinstance(hook, CheckpointHook):
            wanted += [('save_best', name) for name in hook.save_best or ()]
        elif isinstance(hook, EarlyStoppingHook):
            wanted.append(('monitor', hook.monitor))
    return [pair for pair in wanted if pair[1] != 'auto']


def _batch_of(loader: DataLoader, phase: str) -> Any:
    """The first images as a batch, without the loader's workers."""
    dataset = loader.dataset
    collate: Callable = loader.collate_fn or pseudo_collate
    count = min(IMAGES, len(dataset))
    pipelines = _copied_pipelines(dataset)
    try:
        items = [dataset[index] for index in range(count)]
    finally:
        for leaf, pipeline in pipelines:
            leaf.pipeline = pipeline
    try:
        return collate(items)
    except Exception as error:  # as its type is
        raise UnexpectedError(
            f'{phase}_dataloader.collate_fn cannot make a batch of the first '
            f'{count} images: {cause(error)}'
        ) from error


def _copied_pipelines(dataset: Any) -> List[Any]:
    """Give the data sets copies of their pipelines, which may have caches."""
    kept = []
    for leaf in {id(d): d for d in [dataset, *unwrapped(dataset)]}.values():
        pipeline = getattr(leaf, 'pipeline', None)
        if pipeline is not None:
            kept.append((leaf, pipeline))
            leaf.pipeline = copy.deepcopy(pipeline)
    return kept
