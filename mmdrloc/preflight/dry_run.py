"""Dry run: one training and one validation step that leave nothing behind."""

import copy
import logging
import math
import random
import re
from contextlib import contextmanager
from traceback import walk_tb
from types import SimpleNamespace
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np
import torch
from mmengine.dataset import pseudo_collate
from mmengine.logging import MessageHub
from mmengine.runner import Runner
from mmengine.runner.amp import autocast
from mmengine.runner.base_loop import BaseLoop
from mmpretrain.utils import get_ori_model
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.utils.batch_size import batch_size
from mmdrloc.utils.errors import UnexpectedError, UsageError, cause, refuse
from mmdrloc.utils.images import evenly_spaced

# BatchNorm over a 1x1 map cannot train on one image, Mixup needs an even
# number.
IMAGES = 2
PHASES = ('train', 'val', 'test')
# How torch says that widths do not fit: `a` comes in, `b` is expected.
WIDTHS = (
    re.compile(r'cannot be multiplied \(\d+x(?P<a>\d+) and (?P<b>\d+)x\d+\)'),
    re.compile(r'to have (?P<b>\d+) channels, but got (?P<a>\d+) channels'),
    re.compile(r'normalized_shape=\[(?P<b>\d+)\].*size\s?\[.*?(?P<a>\d+)\]'),
)
# Metrics with one of these settings write files.
WRITING = ('format_only', 'output_dir', 'outfile_prefix', 'out_file_path')
# Errors of a metric that more images would not mend.
FAULTS = (AttributeError, KeyError, NotImplementedError, TypeError)


def loops_of(runner: Runner) -> Dict[str, BaseLoop]:
    """Find the built loops; the runner's properties build the others."""
    loops = {p: getattr(runner, f'_{p}_loop') for p in PHASES}
    return {p: loop for p, loop in loops.items() if isinstance(loop, BaseLoop)}


def dry_run(runner: Runner) -> None:
    """Try one step of training and of validation, with the metrics.

    It takes two images of each dataset and a copy of the model, and puts
    random states and messages back.

    Args:
        runner (Runner): With its loops built.

    Raises:
        UsageError: With what fails.
    """
    with _nothing_left(runner.message_hub), torch.no_grad():
        model = copy.deepcopy(get_ori_model(runner.model))
        for phase, loop in loops_of(runner).items():
            name, step = 'validation', _validate
            if phase == 'train':
                name, step = 'training', _train
            try:
                step(runner, model, loop)
            except Exception as error:  # a class may be anyone's
                said = f'dry run of {name} fails{_where(error, model)}.'
                is_plain = type(error) is UsageError and not error.__cause__
                refuse([said], None if is_plain else error)


def _where(error: Exception, model: nn.Module) -> str:
    """Say in which module of the model an error came up, and what it is."""
    names = {id(module): name for name, module in model.named_modules()}
    place, text = '', cause(error)
    for frame, _ in walk_tb(error.__traceback__):
        module = frame.f_locals.get('self')
        if isinstance(module, nn.Module) and names.get(id(module)):
            kind = type(module).__name__
            place = f' in model.{names[id(module)]} ({kind})'
    widths = next(filter(None, (p.search(text) for p in WIDTHS)), None)
    if widths:
        text = (
            f'{widths["a"]} channels come in where {widths["b"]} are '
            'expected: make `in_channels` the width of what is before it'
        )
    return f'{place}: {text}'


@contextmanager
def _nothing_left(hub: MessageHub) -> Iterator[None]:
    """Put random states and messages back where they were."""
    states = random.getstate(), np.random.get_state()
    messages = copy.deepcopy(vars(hub))
    cuda = torch.cuda.device_count() * torch.cuda.is_initialized()
    with torch.random.fork_rng(range(cuda)):
        try:
            yield
        finally:
            random.setstate(states[0])
            np.random.set_state(states[1])
            vars(hub).update(messages)


def _train(runner: Runner, model: nn.Module, loop: Any) -> None:
    """Compute the losses of a batch, and stop there."""
    batch = _batch_of(loop.dataloader, IMAGES)
    no_updates = SimpleNamespace(
        optim_context=runner.optim_wrapper.optim_context,
        update_params=lambda *args, **kwargs: None,
    )
    for module in model.modules():
        if hasattr(module, 'roi_layers'):  # mmdet's RoI extractors
            module.register_forward_pre_hook(
                _refuse_misread_maps, with_kwargs=True
            )
    with torch.enable_grad():  # what gives none to the backbone is refused
        # The method of the class: that of the instance may be compiled.
        values = type(model).train_step(model.train(), batch, no_updates)
    for name, value in values.items():
        if 'loss_drloc' in name and not value.requires_grad:
            raise UsageError(
                f'{name} has no gradient, so that nothing would be learned by '
                'it: the loss must compute with the predictions, and neither '
                'detach nor round them'
            )
        if 'loss' in name and not math.isfinite(float(value)):
            raise UsageError(
                f'{name} is {float(value)}: look at data_preprocessor.std, '
                'the weights of the losses and the images'
            )


def _refuse_misread_maps(
    module: nn.Module, inputs: Tuple[Any, ...], named: Dict[str, Any]
) -> None:
    """RoIAlign of mmcv takes maps for contiguous, and says nothing."""
    maps = inputs[0] if inputs else named['feats']
    reads_all = all(
        getattr(one, 'use_torchvision', False) for one in module.roi_layers
    )
    if not reads_all and not all(one.is_contiguous() for one in maps):
        raise UsageError(
            'RoIAlign would misread the maps that come in, as they are not '
            'contiguous: let the backbone put out maps after `.contiguous()`, '
            'as mmdrloc.TIMMBackbone does for networks of timm'
        )


def _validate(runner: Runner, model: nn.Module, loop: Any) -> None:
    """Predict a batch and hand it to the metrics."""
    # Images of several sizes fit into no batch, if they are tested alone.
    batch = _batch_of(
        loop.dataloader, min(IMAGES, batch_size(loop.dataloader))
    )
    model.eval()
    with autocast(enabled=getattr(loop, 'fp16', False)):
        outputs = model.val_step(batch)
    samples = [o.to_dict() if hasattr(o, 'to_dict') else o for o in outputs]
    names: List[str] = []
    for metric in loop.evaluator.metrics:
        prefix = f'{metric.prefix}/' if metric.prefix else ''
        own = _values_of(metric, batch, samples)
        if not own:
            return
        names += [f'{prefix}{name}' for name in own]
    for hook in runner.hooks:  # CheckpointHook, EarlyStoppingHook
        wanted = [*(getattr(hook, 'save_best', None) or ())]
        wanted.append(getattr(hook, 'monitor', 'auto'))
        for name in {*wanted} - {*names, 'auto'}:
            raise UsageError(
                f"{type(hook).__name__} looks for the metric '{name}', the "
                f'validation gives {", ".join(names)}: name one of these'
            )


def _values_of(metric: Any, batch: Any, samples: List[Any]) -> Dict[str, Any]:
    """Compute a metric of a few images; nothing if they are too few."""
    if any(getattr(metric, name, None) for name in WRITING):
        return {}
    kept, metric.results = metric.results, []
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # these values say nothing
    try:
        metric.process(batch, samples)
        if hasattr(metric, '_coco_api'):  # it needs results of all images
            return {}
        return metric.compute_metrics(metric.results)
    except FAULTS as error:
        raise UnexpectedError(
            f'val_evaluator ({type(metric).__name__}) cannot use what the '
            f'model predicts: {cause(error)}'
        ) from error
    except Exception:  # more images may help
        return {}
    finally:
        metric.results = kept
        logging.disable(disabled)


def _batch_of(loader: DataLoader, count: int) -> Any:
    # Where the loader has workers, one of its kind reads: a file that a
    # dataset opens at its first image must not be open when others fork.
    indices = evenly_spaced(range(len(loader.dataset)), count)
    reader = DataLoader(
        loader.dataset,
        batch_sampler=[indices],
        collate_fn=loader.collate_fn or pseudo_collate,
        num_workers=min(loader.num_workers, 1),
        multiprocessing_context=loader.multiprocessing_context,
        worker_init_fn=loader.worker_init_fn,
    )
    return next(iter(reader))
