"""A step that is not finite is left out as if it had never been."""

from copy import deepcopy
from typing import Any, List, Tuple

import torch
from mmengine.hooks import EMAHook
from mmengine.runner import Runner
from torch import Tensor, nn
from torch.optim import Optimizer

from .non_finite import any_infinite


class SkippedSteps:
    """Keeps what a bad update would change, and puts it back.

    The losses are taken from the model's own output, before the backward
    pass. An optimizer leaves alone what has no gradient, with its state: so
    a bad update loses its gradients just before the optimizer sees them.
    What the forward pass has changed by then (statistics of normalisation,
    queues, teachers) comes from a copy, and so does the running average
    that ``EMAHook`` keeps.

    Args:
        runner (Runner): About to train.
        model (nn.Module): Its model, not wrapped.
    """

    def __init__(self, runner: Runner, model: nn.Module) -> None:
        self.model = model
        self.emas = [h for h in runner.hooks if isinstance(h, EMAHook)]
        self.losses: List[Tensor] = []
        self.begun = self.bad = self.averages_moved = False
        model.register_forward_hook(self._note_losses)

    def begin_iteration(self) -> None:
        """Copy what may change, once an update."""
        if not self.begun:
            self.copies = [t.detach().clone() for t in self._untrained()]
            self.averages = [
                deepcopy(hook.ema_model.state_dict()) for hook in self.emas
            ]
            self.begun = True

    def before_step(self, optimizer: Optimizer, norm: Any) -> None:
        """Take the gradients away from the optimizer if they are bad.

        Args:
            optimizer (Optimizer): About to step.
            norm (Tensor | float, optional): Of the gradients. None where
                gradients that are not finite are no fault.
        """
        self._judge([] if norm is None else [norm])
        if self.bad:
            optimizer.zero_grad(set_to_none=True)

    def end_iteration(self, updated: bool) -> bool:
        """Put back what a bad iteration has changed.

        Args:
            updated (bool): Whether the iteration was to end in an update.

        Returns:
            bool: Whether a bad update ends here.
        """
        # One that only accumulates, or a loss scaler that did not call the
        # optimizer.
        if self.losses:
            self._judge([])
        if self.bad:
            with torch.no_grad():
                for tensor, copy in zip(self._untrained(), self.copies):
                    tensor.copy_(copy)
        if not updated:
            return False
        ended_badly = self.averages_moved = self.bad
        self.begun = self.bad = False
        return ended_badly

    def put_averages_back(self) -> None:
        """Undo what ``EMAHook`` has done in a bad update, after its end."""
        if self.averages_moved:
            for hook, state in zip(self.emas, self.averages):
                hook.ema_model.load_state_dict(state)
            self.averages_moved = False

    def _judge(self, gradients: List[Any]) -> None:
        """See whether anything is bad: all processes, one wait."""
        device = next(self.model.parameters()).device
        if any_infinite(self.losses + gradients, device, together=True):
            self.bad = True
        self.losses = []

    def _untrained(self) -> List[Tensor]:
        """All that no optimizer changes."""
        frozen = [p for p in self.model.parameters() if not p.requires_grad]
        return frozen + list(self.model.buffers())

    def _note_losses(
        self, model: nn.Module, inputs: Tuple[Any, ...], outputs: Any
    ) -> None:
        if not (model.training and isinstance(outputs, dict)):
            return
        for name, value in outputs.items():
            if 'loss' in name:
                parts = [value] if isinstance(value, Tensor) else value
                self.losses += [part.detach() for part in parts]
