"""Dry run: one training and one validation step, of which nothing is left."""

import copy
import logging
import math
import random
from contextlib import contextmanager
from functools import partial
from typing import (
    Any,
    Callable,
    ContextManager,
    Dict,
    Iterator,
    List,
    Optional,
    Set,
    Tuple,
)

import numpy as np
import torch
from mmengine.dataset import pseudo_collate
from mmengine.dist import is_main_process
from mmengine.evaluator import DumpResults
from mmengine.hooks import CheckpointHook, EarlyStoppingHook
from mmengine.logging import MessageHub
from mmengine.model import is_model_wrapper
from mmengine.optim import OptimWrapper, OptimWrapperDict
from mmengine.runner import Runner
from mmengine.runner.amp import autocast
from mmengine.runner.base_loop import BaseLoop
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.utils.errors import (
    UnexpectedError,
    UsageError,
    cause,
    mention,
    nearest,
    refuse,
)
from mmdrloc.utils.images import evenly_spaced
from .data import unwrapped
from .widths import IMAGES, TRIED, errors_of, where

NEVER_FOR_WANT_OF_IMAGES = (
    AttributeError,
    KeyError,
    NotImplementedError,
    TypeError,
)


def unwrapped_model(runner: Runner) -> nn.Module:
    """The model without what distributes it."""
    model = runner.model
    return model.module if is_model_wrapper(model) else model


def loops_of(runner: Runner) -> Dict[str, BaseLoop]:
    """The loops that are built, by phase.

    The runner's public properties would build the others.
    """
    loops = dict(
        train=runner._train_loop, val=runner._val_loop, test=runner._test_loop
    )
    return {p: loop for p, loop in loops.items() if isinstance(loop, BaseLoop)}


def dry_run(runner: Runner) -> None:
    """Try one step of training and of validation, with the metrics.

    Two images of each data set, a copy of the model; nothing of it is left,
    neither in the random states nor in the messages.

    Args:
        runner (Runner): With the loops built that will run, and its weights.

    Raises:
        UsageError: With what fails.
    """
    refuse(*step_problems(runner))


def step_problems(runner: Runner) -> Tuple[List[str], Optional[Exception]]:
    """What fails in a dry run, and an error whose traceback is of use."""
    problems: Dict[str, str] = {}
    kept = None
    with _nothing_left(runner.message_hub):
        model = copy.deepcopy(unwrapped_model(runner))
        for phase, loop in loops_of(runner).items():
            step = _train if phase == 'train' else _validate
            for error in errors_of(model, partial(step, runner, model, loop)):
                if not isinstance(error, UsageError) or error.__cause__:
                    kept = error
                # What fails in both for the same reason is said once.
                said = where(error, model)
                name = 'training' if phase == 'train' else 'validation'
                problems.setdefault(said, f'{TRIED} of {name} fails{said}.')
    return list(problems.values()), kept


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


def _train(runner: Runner, model: nn.Module, loop: Any) -> None:
    batch = _batch_of(loop.dataloader)
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


def _validate(runner: Runner, model: nn.Module, loop: Any) -> None:
    """Predict a batch and hand it to the metrics."""
    batch = _batch_of(loop.dataloader)
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

    COCO's metrics take all the annotations.
    """
    kept, metric.results = metric.results, []
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # these values say nothing
    is_collected = False
    try:
        metric.process(batch, samples)
        is_collected = True
        if hasattr(metric, '_coco_api'):
            return {}
        return metric.compute_metrics(metric.results)
    except Exception as error:  # a metric may be anyone's
        said = (
            f'val_evaluator ({type(metric).__name__}) cannot use what the '
            f'model predicts: {cause(error)}'
        )
        if not is_collected or isinstance(error, NEVER_FOR_WANT_OF_IMAGES):
            raise UnexpectedError(said) from error
        if is_main_process():
            mention(
                [
                    f'{said}. If more than {IMAGES} images do not help, the '
                    'first validation will fail.'
                ]
            )
        return {}
    finally:
        metric.results = kept
        logging.disable(disabled)


def _wanted(runner: Runner) -> List[Any]:
    """What hooks look for among the metrics: (setting, name)."""
    wanted = []
    for hook in runner.hooks:
        if isinstance(hook, CheckpointHook):
            wanted += [('save_best', name) for name in hook.save_best or ()]
        elif isinstance(hook, EarlyStoppingHook):
            wanted.append(('monitor', hook.monitor))
    return [pair for pair in wanted if pair[1] != 'auto']


def _batch_of(loader: DataLoader) -> Any:
    """Two images as a batch, without the loader's workers."""
    dataset = loader.dataset
    collate: Callable = loader.collate_fn or pseudo_collate
    pipelines = _copied_pipelines(dataset)
    try:
        items = [
            dataset[at] for at in evenly_spaced(range(len(dataset)), IMAGES)
        ]
    finally:
        for leaf, pipeline in pipelines:
            leaf.pipeline = pipeline
    try:
        return collate(items)
    except Exception as error:  # as its type is
        raise UnexpectedError(
            f'the `collate_fn` of its dataloader cannot make a batch of '
            f'{len(items)} images: {cause(error)}'
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
