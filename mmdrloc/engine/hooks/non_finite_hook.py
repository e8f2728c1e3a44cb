"""A training whose numbers are no longer finite ends."""

from collections import deque
from dataclasses import asdict
from typing import Any, Deque, Dict, Iterable, Optional, Sequence

import torch
from mmengine.hooks import CheckpointHook, Hook, LoggerHook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from torch import Tensor, nn
from torch.optim import Optimizer

from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import accumulative_counts
from mmdrloc.utils.errors import UsageError
from ..non_finite import (
    GRADIENTS,
    Finding,
    Step,
    any_infinite,
    earliest,
    find,
    gradient_norm,
    images_of,
    infinite_names,
    weights_of,
)
from ..skipped_steps import SkippedSteps
from .result_hook import ResultHook

# Iterations without a look, at most.
LONGEST_INTERVAL = 100
# A loss scale is halved after each step that overflows. Steps that succeed
# keep it at 1 or well above.
SMALLEST_LOSS_SCALE = 2.0**-20
CURE = (
    'Lower the learning rate (optim_wrapper.optimizer.lr), look at the '
    'images, or leave such steps out: --skip-bad-steps N.'
)


@HOOKS.register_module()
class NonFiniteHook(Hook):
    """End a training whose losses, gradients or weights are not finite.

    Each iteration remembers its losses and the norm of its gradients as
    they are on the device, and the names of its images. They are read
    together with the weights: at the logging interval, before each save and
    validation, and at the end. So no step waits for the device, and nothing
    is saved or deleted after the first number that is not finite. All
    processes look at the same time and end with the same message.

    Gradients that a loss scaler finds infinite are its own matter, until
    its scale has fallen to nothing.

    Args:
        skip (int): Steps with losses or gradients that are not finite to
            leave out before the training ends: they change neither weights,
            nor the optimizer's state, running averages or statistics. With
            accumulated gradients, a step is all that enters an update.
            Judging a step waits for the device. Defaults to 0.
    """

    # Before anything is saved or deleted, and before ReduceLossesHook mixes
    # this process's losses with the others'.
    priority = 'HIGHEST'

    def __init__(self, skip: int = 0) -> None:
        if skip < 0:
            raise UsageError(f'skip={skip} steps is below 0')
        self.skip = skip
        self.steps: Deque[Step] = deque()
        self.norm: Any = None
        self.clipped: Any = None
        self.training = False

    def before_train(self, runner: Runner) -> None:
        """See when to look and where the numbers are."""
        self.model = get_ori_model(runner.model)
        self.interval = min(
            [LONGEST_INTERVAL]
            + [h.interval for h in runner.hooks if isinstance(h, LoggerHook)]
        )
        self.saves = [
            (hook.interval, hook.save_begin)
            for hook in runner.hooks
            if isinstance(hook, CheckpointHook) and not hook.by_epoch
        ]
        self.parts = accumulative_counts(runner)
        self.steps = deque(maxlen=self.interval + self.parts)
        self.infinite_from_the_start = _infinite_buffers(self.model)
        self.wrapper = runner.optim_wrapper
        scaler = getattr(self.wrapper, 'loss_scaler', None)
        self.scaler = scaler if scaler and scaler.is_enabled() else None
        self.message_hub = runner.message_hub
        self.clips = getattr(self.wrapper, 'grad_name', None) == GRADIENTS
        if self.clips:
            self.clip = self.wrapper.clip_func
            self.wrapper.clip_func = self._clip
        self.wrapper.optimizer.register_step_pre_hook(self._before_step)
        self.skipped = SkippedSteps(runner, self.model) if self.skip else None
        self.iteration = runner.iter
        self.training = True

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Keep what a bad step would change."""
        if self.skipped:
            self.skipped.put_averages_back()
            self.skipped.begin_iteration()

    def after_train_iter(
        self,
        runner: Runner,
        data_batch: Any,
        outputs: Dict[str, Tensor],
        **_: Any,
    ) -> None:
        """Remember the numbers, and look at them where it is time."""
        values = {
            name: value.detach() if isinstance(value, Tensor) else value
            for name, value in outputs.items()
            if 'loss' in name
        }
        if self.norm is not None:
            values[GRADIENTS], self.norm = self.norm, None
        self.steps.append(Step(runner.iter + 1, values, images_of(data_batch)))
        self.iteration = runner.iter + 1
        if self.skipped:
            updated = self.wrapper.should_update()
            if self.skipped.end_iteration(updated):
                self._count(runner)
            if updated:
                self.steps.clear()
        if self._is_time(runner):
            self._look(runner)

    def after_train_epoch(self, runner: Runner) -> None:
        """Look before anything is saved."""
        self._look(runner)

    def before_val(self, runner: Runner) -> None:
        """Look before anything is measured, and called the best."""
        if not self.training:  # a validation on its own
            return
        if self.skipped:
            self.skipped.put_averages_back()
        self._look(runner)

    def before_save_checkpoint(self, runner: Runner, **_: Any) -> None:
        """Look at what is about to be saved."""
        if not self.training:
            return
        if self.skipped:
            self.skipped.put_averages_back()
        # Perhaps not all processes save.
        self._look(runner, together=False)

    def after_train(self, runner: Runner) -> None:
        """Look before the training is called finished."""
        self._look(runner)
        self.training = False
        if self.clips:
            self.wrapper.clip_func = self.clip

    def _clip(self, parameters: Iterable[nn.Parameter], **kwargs: Any) -> None:
        """Clip and log the norm, for which MMEngine's wrapper would wait."""
        self.clipped = self.clip(parameters, **kwargs)
        self.message_hub.update_scalar(f'train/{GRADIENTS}', self.clipped)

    def _before_step(
        self, optimizer: Optimizer, args: Any, kwargs: Any
    ) -> None:
        """Note the norm of the gradients; called by the optimizer."""
        if self.scaler is None:
            self.norm = self._norm(optimizer)
        if self.skipped:
            self.skipped.before_step(optimizer, self.norm)

    def _norm(self, optimizer: Optimizer) -> Any:
        if self.clips:  # which has measured it, and has changed them
            return self.clipped
        return gradient_norm(
            p for group in optimizer.param_groups for p in group['params']
        )

    def _is_time(self, runner: Runner) -> bool:
        # CheckpointHook may delete before it saves.
        return (
            self.every_n_train_iters(runner, self.interval)
            or any(
                self.every_n_train_iters(runner, interval, begin)
                for interval, begin in self.saves
            )
            or self.is_last_train_iter(runner)
        )

    def _look(self, runner: Runner, together: bool = True) -> None:
        """End the training if anything is not finite.

        Args:
            runner (Runner): The runner.
            together (bool): Whether all processes look. Defaults to True.

        Raises:
            UsageError: With iteration, component and images.
        """
        steps: Sequence[Step] = self.steps
        if self.skipped:
            steps = ()  # each was judged
        weights = weights_of(self.model, but=self.infinite_from_the_start)
        values = [t.sum(dtype=torch.float32) for t in weights.values()]
        values += [v for step in steps for v in step.values.values()]
        device = next(self.model.parameters()).device
        if any_infinite(values, device, together):
            finding = find(steps, self.parts) or self._find_weights(weights)
            finding = earliest(finding) if together else finding
            if finding is not None:  # else the sum of large weights
                self._stop(runner, finding)
        if self.scaler and self.scaler.get_scale() < SMALLEST_LOSS_SCALE:
            what = ['the gradients, again and again: no loss scale is left']
            self._stop(runner, Finding(self.iteration, what))

    def _find_weights(self, weights: Dict[str, Tensor]) -> Optional[Finding]:
        names = infinite_names(weights)
        return Finding(self.iteration, names) if names else None

    def _count(self, runner: Runner) -> None:
        """Count a step that was left out; one too many ends the training."""
        count = runner.message_hub.get_info('skipped_steps', 0) + 1
        runner.message_hub.update_info('skipped_steps', count)
        finding = earliest(find(self.steps, self.parts))
        runner.logger.warning(
            f'Skipped a step ({count} of at most {self.skip}), not finite in '
            f'iteration {finding.iteration}: {finding}.'
        )
        if count > self.skip:
            self._stop(runner, finding, f' after {self.skip} skipped steps')

    def _stop(self, runner: Runner, finding: Finding, after: str = '') -> None:
        for hook in runner.hooks:
            if isinstance(hook, ResultHook):
                hook.note_stop(runner, asdict(finding))
        raise UsageError(
            f'training stopped{after}, not finite in iteration '
            f'{finding.iteration} of {runner.max_iters}: {finding}. '
            f'Checkpoints written before are as they were. {CURE}'
        )


def _infinite_buffers(model: nn.Module) -> Sequence[str]:
    """Buffers that are not meant to be finite, such as masks."""
    parameters = [name for name, _ in model.named_parameters()]
    return infinite_names(weights_of(model, but=parameters))
