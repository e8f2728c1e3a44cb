"""Mixed precision on CPUs, and learning rates by layers in dense models."""

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Iterator, List

import torch
from mmengine.optim import OptimWrapper
from mmpretrain.engine.optimizers import (
    LearningRateDecayOptimWrapperConstructor,
)
from torch import nn

from mmdrloc.registry import OPTIM_WRAPPER_CONSTRUCTORS, OPTIM_WRAPPERS
from mmdrloc.utils.errors import UsageError

CPU_INFO = Path('/proc/cpuinfo')


def cpu_has_bfloat16() -> bool:
    """Whether the CPU multiplies bfloat16 matrices in hardware.

    Without it autocast is slower than float32. False also where the system
    does not tell (not Linux).
    """
    words = CPU_INFO.read_text().split() if CPU_INFO.exists() else ()
    return not {'avx512_bf16', 'amx_bf16'}.isdisjoint(words)


@OPTIM_WRAPPERS.register_module()
class CPUAmpOptimWrapper(OptimWrapper):
    """Optimizer wrapper that trains under bfloat16 autocast on the CPU.

    MMEngine's ``AmpOptimWrapper`` asks for an accelerator. bfloat16 has
    float32's range, so there is no loss scale.
    """

    @contextmanager
    def optim_context(self, model: nn.Module) -> Iterator[None]:
        """Autocast the forward pass, beside what the parent does."""
        with (
            super().optim_context(model),
            torch.autocast('cpu', dtype=torch.bfloat16),
        ):
            yield


@OPTIM_WRAPPER_CONSTRUCTORS.register_module()
class LayerDecayConstructor(LearningRateDecayOptimWrapperConstructor):
    """mmpretrain's constructor for any model with a ``backbone``.

    mmpretrain's asks the model how deep a parameter is, which its
    classifiers alone can tell; this one asks the backbone. It also obeys the
    ``lr_mult`` of ``custom_keys``, which mmpretrain's ignores.
    """

    def add_params(
        self, params: List[dict], module: nn.Module, **kwargs: Any
    ) -> None:
        """Add the parameters of a module, each with a learning rate.

        Raises:
            UsageError: Without a ``weight_decay``, which mmpretrain reads.
        """
        if self.base_wd is None:
            raise UsageError(
                'the decay of rates by layer needs optim_wrapper.optimizer.'
                'weight_decay: give it, 0 for none.'
            )
        if kwargs.get('get_layer_depth') is None:
            kwargs['get_layer_depth'] = partial(
                module.backbone.get_layer_depth, prefix='backbone.'
            )
        first = len(params)
        super().add_params(params, module, **kwargs)
        for group in params[first:]:
            group['lr'] *= group.pop('lr_mult', 1)
