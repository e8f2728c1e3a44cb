"""How a model computes, and not what: for training as fast as it goes."""

from typing import Any

import torch
from mmengine.hooks import Hook
from mmengine.model import is_model_wrapper
from mmengine.runner import Runner
from torch import nn

from mmdrloc.errors import UsageError
from mmdrloc.registry import HOOKS


class ComputingHook(Hook):
    """Prepares the model when all that copies or loads it is over."""

    def before_train(self, runner: Runner) -> None:
        """Prepare the model, under its wrapper if it has one.

        Args:
            runner (Runner): The runner.
        """
        model = runner.model
        self.prepare(model.module if is_model_wrapper(model) else model)

    def prepare(self, model: nn.Module) -> None:
        """Change the model in place.

        Args:
            model (nn.Module): As it was built.
        """
        raise NotImplementedError


@HOOKS.register_module()
class CompileHook(ComputingHook):
    """Compile the backbone.

    MMEngine's ``compile=True`` compiles the whole step, in which DRLoc draws
    its pairs and sets its tap: that fails. The backbone is one graph, with the
    tap inside.

    Args:
        **options: As in ``torch.compile``.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    def prepare(self, model: nn.Module) -> None:
        """Compile ``backbone``; the first iteration does the work.

        Args:
            model (nn.Module): With a ``backbone``.

        Raises:
            UsageError: If nothing can be compiled on its device.
        """
        device = next(model.parameters()).device
        try:
            torch.compile(torch.neg, **self._options)(
                torch.ones(1, device=device)
            )
        except RuntimeError as error:
            reason = str(error).strip().split('\n')[0]
            raise UsageError(
                f'torch.compile does not work here ({reason}): mend that, or '
                'leave mmdrloc.CompileHook out'
            ) from error
        model.backbone.compile(**self._options)


@HOOKS.register_module()
class ChannelsLastHook(ComputingHook):
    """Keep maps with the channels last in memory, as convolutions like it.

    The values are the same; only convolutions gain.
    """

    def prepare(self, model: nn.Module) -> None:
        """Change the layout of the convolutions' weights; maps follow.

        Args:
            model (nn.Module): Any.
        """
        model.to(memory_format=torch.channels_last)
