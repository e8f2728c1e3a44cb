"""Mixed precision on processors that compute in bfloat16."""

from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import torch
from mmengine.optim import OptimWrapper
from torch import nn

from mmdrloc.registry import OPTIM_WRAPPERS

CPU_INFO = Path('/proc/cpuinfo')


def cpu_has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 matrices in hardware.

    Without it autocast is slower than float32. False also where the system
    does not tell (not Linux).
    """
    words = CPU_INFO.read_text().split() if CPU_INFO.exists() else ()
    return not {'avx512_bf16', 'amx_bf16'}.isdisjoint(words)


@OPTIM_WRAPPERS.register_module()
class CPUAmpOptimWrapper(OptimWrapper):
    """Optimizer wrapper that trains under bfloat16 autocast on the CPU.

    MMEngine's ``AmpOptimWrapper`` asks for an accelerator. bfloat16 has
    float32's range, so there is no loss scale. Takes the arguments of
    ``OptimWrapper``.
    """

    @contextmanager
    def optim_context(self, model: nn.Module) -> Iterator[None]:
        """Autocast the forward pass, beside what the parent does."""
        with (
            super().optim_context(model),
            torch.autocast('cpu', dtype=torch.bfloat16),
        ):
            yield
