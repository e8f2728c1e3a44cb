"""A resumed run is the one that was begun, or does not begin."""

from typing import Any, Dict, List, Optional

import torch
from mmengine.dist import all_gather_object
from mmengine.hooks import EarlyStoppingHook, Hook
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from mmpretrain.utils import get_ori_model

from mmdrloc.preflight.run_record import differences, longer, parsed, record_of
from mmdrloc.registry import HOOKS
from mmdrloc.utils.errors import UsageError

MOST_SHOWN = 20


@HOOKS.register_module()
class ResumeHook(Hook):
    """Puts into checkpoints what a resumed run needs beside MMEngine's.

    That is: what the run is, so that one with another model, optimizer,
    schedule, batch, data, seed or length is not continued by mistake; where
    in an epoch it was; gradients that wait for their update; and how long
    early stopping has waited.

    Args:
        anyway (bool): Whether to continue a run although it differs.
            Defaults to False.
    """

    # Before hooks that take their part of a checkpoint.
    priority = 'VERY_HIGH'

    def __init__(self, anyway: bool = False) -> None:
        self.anyway = anyway
        self.record: Optional[Dict[str, Any]] = None
        self.gradients: Dict[str, torch.Tensor] = {}

    def before_run(self, runner: Runner) -> None:
        """Note what is about to be trained."""
        if isinstance(runner._train_loop, BaseLoop):
            self.record = record_of(runner)

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Add to a checkpoint, in place."""
        meta = checkpoint['meta']
        began = getattr(runner.train_loop, 'epoch_began', None)
        in_epoch = meta['epoch'] == runner.epoch and began is not None
        meta['resume'] = dict(
            record=self.record,
            epoch_began=began if in_epoch else meta['iter'],
            early_stopping=[
                dict(
                    wait_count=hook.wait_count,
                    best_score=float(hook.best_score),
                )
                for hook in _early_stopping(runner)
            ],
        )
        if runner.world_size == 1 and not runner.optim_wrapper.should_update():
            checkpoint['gradients'] = {
                name: parameter.grad.cpu()
                for name, parameter in get_ori_model(
                    runner.model
                ).named_parameters()
                if parameter.grad is not None
            }

    def after_load_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Compare with the run that was begun, and take what is there.

        Raises:
            UsageError: If the runs differ and nobody said to go on.
        """
        if not runner._resume or self.record is None:
            return
        meta = checkpoint['meta']
        noted = meta.get('resume') or {}
        try:
            self._compare(runner, meta, noted.get('record'))
            self._go_to(runner, meta, noted)
            states = noted.get('early_stopping', [])
            # None in a checkpoint that was made elsewhere.
            for hook, state in zip(_early_stopping(runner), states):  # noqa: B905
                hook.wait_count = state['wait_count']
                hook.best_score = state['best_score']
            self.gradients = _gradients(
                runner, checkpoint.get('gradients', {})
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise UsageError(
                'what the checkpoint says of its run cannot be read '
                f'({type(error).__name__}: {error}): resume from another one'
            ) from error

    def before_train(self, runner: Runner) -> None:
        """Put gradients back that wait for their update.

        Raises:
            UsageError: If the processes begin at different iterations.
        """
        begins = all_gather_object(runner.iter)
        if len(set(begins)) > 1:
            raise UsageError(
                f'the processes would go on from the iterations {begins}: '
                'give a --work-dir on a disk that all machines see.'
            )
        if not self.gradients or runner.world_size > 1:
            return
        parameters = dict(get_ori_model(runner.model).named_parameters())
        for name, gradient in self.gradients.items():
            parameters[name].grad = gradient.to(parameters[name].device)
        self.gradients = {}
        runner.logger.info(
            'The gradients of the unfinished accumulation are restored.'
        )

    def _compare(
        self, runner: Runner, meta: Dict[str, Any], then: Any
    ) -> None:
        if isinstance(then, dict):
            found = differences(then, self.record)
        else:
            then = parsed(meta.get('cfg'))
            found = differences(then, self.record, both=True)
        if not then:
            runner.logger.warning(
                'This checkpoint does not say what it was trained with: '
                'whether the config is still the same cannot be told.'
            )
        for line in longer(then, self.record):
            runner.logger.warning(
                f'The run is to last longer than it was begun for ({line}). '
                'Schedules that are in the checkpoint keep their end; what '
                'counts from the end of the training counts from the new one.'
            )
        if not found:
            return
        listed = '\n'.join(f'  {line}' for line in found[:MOST_SHOWN])
        if len(found) > MOST_SHOWN:
            listed += f'\n  and {len(found) - MOST_SHOWN} more'
        if not self.anyway:
            raise UsageError(
                'the run in the checkpoint was begun with other settings:\n'
                f'{listed}\n'
                'Set them as they were, begin a new run in another '
                '--work-dir, or add --resume-anyway.'
            )
        runner.logger.warning(
            f'Resumed although it was begun with other settings:\n{listed}\n'
            "The seed, the optimizer's and the schedules' values are those "
            'of the checkpoint.'
        )

    def _go_to(
        self, runner: Runner, meta: Dict[str, Any], noted: Dict[str, Any]
    ) -> None:
        """Tell the loop where in an epoch it goes on."""
        loop = runner.train_loop
        if not hasattr(loop, 'epoch_began'):
            return
        length = len(runner.train_dataloader)
        began = noted.get('epoch_began', meta['epoch'] * length)
        done = meta['iter'] - began
        ours = (noted.get('record') or self.record)['iterations in an epoch']
        if done < 0 or done > length or ours != length:
            done = 0
        loop.epoch_began = None if done == 0 else meta['iter'] - done


def _gradients(runner: Runner, saved: Any) -> Dict[str, torch.Tensor]:
    """What the model has parameters for."""
    parameters = dict(get_ori_model(runner.model).named_parameters())
    for name, gradient in saved.items():
        if gradient.shape != parameters[name].shape:
            raise UsageError(
                f'the gradient of {name} in the checkpoint has another shape '
                'than the model: resume from another checkpoint'
            )
    return saved


def _early_stopping(runner: Runner) -> List[EarlyStoppingHook]:
    return [h for h in runner.hooks if isinstance(h, EarlyStoppingHook)]
