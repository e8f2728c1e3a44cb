"""One step of training and one of validation, of which nothing is left."""

import copy
import random
from contextlib import contextmanager
from typing import Any, Callable, ContextManager, Iterator, List

import numpy as np
import torch
from mmengine.dataset import pseudo_collate
from mmengine.logging import MessageHub
from mmengine.optim import OptimWrapper, OptimWrapperDict
from mmengine.runner import Runner
from mmengine.runner.amp import autocast
from mmengine.runner.base_loop import BaseLoop
from mmpretrain.utils import get_ori_model
from torch import nn
from torch.utils.data import DataLoader

from .dry_metrics import try_metrics
from .faults import cause, running_fault
from .labels import unwrapped

# Two: BatchNorm over a 1x1 map cannot train on one, Mixup wants an even
# number.
IMAGES = 2


def check_steps(runner: Runner) -> List[str]:
    """Try one step of each loop that will run.

    Args:
        runner (Runner): With the loops built that will run, and its weights.

    Returns:
        List[str]: One sentence for each step that fails.
    """
    with nothing_left(runner.message_hub):
        model = copy.deepcopy(get_ori_model(runner.model))
        findings = []
        if isinstance(runner._train_loop, BaseLoop):
            findings += _try_training(runner, model)
        if isinstance(runner._val_loop, BaseLoop):
            findings += _try_validation(runner, model)
        return _once(findings)


def _once(findings: List[str]) -> List[str]:
    """What fails in both steps for the same reason is said of the first."""
    reasons = {finding.partition(' fails')[2]: '' for finding in findings}
    for finding in reversed(findings):
        reasons[finding.partition(' fails')[2] or finding] = finding
    return [finding for finding in reasons.values() if finding]


@contextmanager
def nothing_left(hub: MessageHub) -> Iterator[None]:
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


def _try_training(runner: Runner, model: nn.Module) -> List[str]:
    # Models with several optimizers step them in their own way.
    if isinstance(runner.optim_wrapper, OptimWrapperDict):
        return []
    batch, findings = batch_of(runner._train_loop.dataloader, 'train')
    if batch is None:
        return findings
    model.train()
    updates = NoUpdates(runner.optim_wrapper)
    # Of the class: the instance's may be compiled.
    return _failing(
        lambda: type(model).train_step(model, batch, updates),
        'a training step, tried before the first update,',
        model,
    )


def _try_validation(runner: Runner, model: nn.Module) -> List[str]:
    """Predict a batch and hand it to the metrics."""
    loop = runner._val_loop
    batch, findings = batch_of(loop.dataloader, 'val')
    if batch is None:
        return findings
    model.eval()
    outputs: List[Any] = []

    def step() -> None:
        with autocast(enabled=getattr(loop, 'fp16', False)):
            outputs.extend(model.val_step(batch))

    doing = 'a validation step, tried before the first update,'
    findings = _failing(step, doing, model)
    return findings or try_metrics(runner, batch, outputs)


def batch_of(loader: DataLoader, what: str, images: int = IMAGES) -> Any:
    """The first images as a batch, without the loader's workers.

    Args:
        loader (DataLoader): Of a loop.
        what (str): Whose, 'train' or 'val'.
        images (int): In the batch; the first ones again and again beyond
            ``IMAGES``. Defaults to ``IMAGES``.

    Returns:
        tuple[Any, list[str]]: The batch or None, and what is wrong.
    """
    dataset = loader.dataset
    collate: Callable = loader.collate_fn or pseudo_collate
    count = min(IMAGES, len(dataset))
    pipelines = _copied_pipelines(dataset)
    try:
        items = [dataset[index] for index in range(count)]
    except Exception as error:  # a transform may be anyone's
        return None, [
            f'the first images of the {what} data cannot be read through '
            f'the pipeline: {cause(error)}.'
        ]
    finally:
        for leaf, pipeline in pipelines:
            leaf.pipeline = pipeline
    try:
        return collate([items[i % count] for i in range(images)]), []
    except Exception as error:  # as its type is
        return None, [
            f'{what}_dataloader.collate_fn cannot make a batch of the first '
            f'{count} images: {cause(error)}.'
        ]


def _copied_pipelines(dataset: Any) -> List[Any]:
    """Give the data sets copies of their pipelines, which may have caches."""
    kept = []
    for leaf in {id(d): d for d in [dataset, *unwrapped(dataset)]}.values():
        pipeline = getattr(leaf, 'pipeline', None)
        if pipeline is not None:
            kept.append((leaf, pipeline))
            leaf.pipeline = copy.deepcopy(pipeline)
    return kept


def _failing(
    step: Callable[[], None], doing: str, model: nn.Module
) -> List[str]:
    try:
        with torch.no_grad():
            step()
    except Exception as error:  # a model may be anyone's
        return [running_fault(error, doing, model)]
    return []
