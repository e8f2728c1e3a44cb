"""Save and restore what an exact resume needs beside MMEngine's state."""

from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import torch
from mmengine.dist import all_gather_object, all_reduce, all_reduce_params
from mmengine.hooks import CheckpointHook, EarlyStoppingHook, EMAHook, Hook
from mmengine.logging import HistoryBuffer
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from torch import Tensor, from_numpy

from mmdrloc.checkpoints.saved import written_checkpoints
from mmdrloc.registry import HOOKS
from mmdrloc.utils.errors import UsageError


@HOOKS.register_module()
class ResumeHook(Hook):
    """Adds to checkpoints what an exact resume needs beside MMEngine's state.

    That is the number of training images, the optimizer's class, the place in
    the epoch, gradients that wait for their update, and the state of early
    stopping. Histories of scalars become tensors, which every torch reads as
    data (MMEngine's own buffers need ``--trust`` before torch 2.6).
    """

    # Before hooks that read their part of a checkpoint.
    priority = 'VERY_HIGH'

    def __init__(self) -> None:
        self.gradients: Dict[str, Tensor] = {}

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Add to a checkpoint, in place."""
        meta = checkpoint['meta']
        began = getattr(runner.train_loop, 'epoch_began', None)
        in_epoch = meta['epoch'] == runner.epoch
        meta['resume'] = dict(
            **_identity(runner),
            epoch_began=began if in_epoch else None,
            early_stopping=[
                (hook.wait_count, float(hook.best_score))
                for hook in _early_stopping(runner)
            ],
        )
        # OneCycleLR keeps a function, which its constructor sets anew.
        for state in checkpoint.get('param_schedulers', ()):
            for name in [n for n, value in state.items() if callable(value)]:
                del state[name]
        hub = checkpoint['message_hub']
        hub['log_scalars'] = {
            name: tuple(map(from_numpy, buffer.data))
            for name, buffer in hub['log_scalars'].items()
        }
        hub['runtime_info'] = {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in hub['runtime_info'].items()
        }
        if not runner.optim_wrapper.should_update():
            checkpoint['gradients'] = {
                name: parameter.grad.cpu()
                for name, parameter in _parameters(runner).items()
                if parameter.grad is not None
            }

    def after_load_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Restore what is there; refuse other training data."""
        if not runner.cfg.get('resume'):
            return
        noted = checkpoint['meta'].get('resume') or {}
        for name, now in _identity(runner).items():
            if noted.get(name, now) != now:
                raise UsageError(
                    f'the run was started with {noted[name]} {name}, not '
                    f'{now}. Use another --work-dir, or --overwrite.'
                )
        histories = checkpoint['message_hub']['log_scalars']
        for name, kept in histories.items():
            if isinstance(kept, tuple):
                histories[name] = HistoryBuffer(*map(Tensor.numpy, kept))
        info = checkpoint['message_hub']['runtime_info']
        # The folder may be a copy: MMEngine would remove the original's files.
        here = {p.name: str(p) for p in written_checkpoints(runner.work_dir)}
        for key, path in info.items():
            if key.startswith('best_ckpt') and path:
                info[key] = here.get(Path(path).name)
        # After a new best one it saves again, if it has saved before.
        for hook in runner.hooks:
            if isinstance(hook, CheckpointHook):
                hook.last_ckpt = info.get('last_ckpt')
        runner.train_loop.epoch_began = noted.get('epoch_began')
        waited = noted.get('early_stopping', [])
        for hook, state in zip(_early_stopping(runner), waited):
            hook.wait_count, hook.best_score = state
        self.gradients = checkpoint.get('gradients', {})

    def before_train(self, runner: Runner) -> None:
        """Put gradients back that wait for their update."""
        begins = all_gather_object(runner.iter)
        if len(set(begins)) > 1:
            raise UsageError(
                f'the processes would go on from the iterations {begins}: '
                'give a --work-dir on a disk that all machines see.'
            )
        for name, parameter in _parameters(runner).items():
            if name in self.gradients:
                parameter.grad = self.gradients[name].to(parameter.device)
        self.gradients = {}


def share_gradients(runner: Runner) -> None:
    """Give several processes the mean of gradients that wait for an update.

    A checkpoint has one set of them, and the update comes to the same. All
    processes call it before each save, also in a run that nobody interrupts.
    """
    if runner.world_size == 1 or runner.optim_wrapper.should_update():
        return
    parameters = _parameters(runner)
    waiting = {n for n, p in parameters.items() if p.grad is not None}
    for name in sorted(set().union(*all_gather_object(waiting))):
        parameter = parameters[name]
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        all_reduce(parameter.grad, 'mean')


def share_statistics(runner: Runner) -> None:
    """Give several processes the mean of their running statistics.

    Each has its own of BatchNorm, in averaged weights too, and a checkpoint
    one. All processes call it before each validation and save; as running
    means are linear in those of the batches, the trained network is the same.
    """
    averages = [
        hook.ema_model.module
        for hook in runner.hooks
        if isinstance(hook, EMAHook)
    ]
    statistics = (
        buffer
        for network in (get_ori_model(runner.model), *averages)
        for name, buffer in network.named_buffers()
        if name.endswith(('running_mean', 'running_var'))
    )
    all_reduce_params(statistics, op='mean')


def _identity(runner: Runner) -> Dict[str, Any]:
    """What a checkpoint is resumed with, in the words of a message."""
    return {
        'training images': len(runner.train_dataloader.dataset),
        'as optimizer': type(runner.optim_wrapper.optimizer).__name__,
    }


def _parameters(runner: Runner) -> Dict[str, Any]:
    return dict(get_ori_model(runner.model).named_parameters())


def _early_stopping(runner: Runner) -> List[EarlyStoppingHook]:
    return [h for h in runner.hooks if isinstance(h, EarlyStoppingHook)]
