"""Save and restore what an exact resume needs beside MMEngine's state."""

from typing import Any, Dict, List, Optional

from mmengine.dist import all_gather_object
from mmengine.hooks import EarlyStoppingHook, Hook
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from mmpretrain.utils import get_ori_model
from torch import Tensor

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
        self.gradients: Dict[str, Tensor] = {}

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
                for name, parameter in _parameters(runner).items()
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
        self._compare(runner, noted.get('record'), meta.get('cfg'))
        self._go_to(runner, meta, noted)
        # None in a checkpoint that was made elsewhere.
        for hook, state in zip(  # noqa: B905
            _early_stopping(runner), noted.get('early_stopping', [])
        ):
            hook.wait_count = state['wait_count']
            hook.best_score = state['best_score']
        self.gradients = checkpoint.get('gradients', {})

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
        if self.gradients and runner.world_size == 1:
            parameters = _parameters(runner)
            for name, gradient in self.gradients.items():
                parameters[name].grad = gradient.to(parameters[name].device)
        self.gradients = {}

    def _compare(self, runner: Runner, then: Any, config: Any) -> None:
        if isinstance(then, dict):
            found = differences(then, self.record)
        else:  # written by MMEngine alone
            then = parsed(config)
            found = differences(then, self.record, both=True)
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
        before = (noted.get('record') or self.record)['iterations in an epoch']
        if not 0 < done <= length or before != length:
            loop.epoch_began = None
        else:
            loop.epoch_began = began


def _parameters(runner: Runner) -> Dict[str, Any]:
    return dict(get_ori_model(runner.model).named_parameters())


def _early_stopping(runner: Runner) -> List[EarlyStoppingHook]:
    return [h for h in runner.hooks if isinstance(h, EarlyStoppingHook)]
