"""What a training step keeps in memory, reckoned without doing it."""

import copy
import logging
import weakref
from typing import Any, Dict, NamedTuple, Optional, Tuple

import torch
from mmengine.optim import OptimWrapper, OptimWrapperDict
from mmengine.runner import Runner
from mmengine.utils import digit_version
from mmpretrain.utils import get_ori_model
from torch import nn
from torch._subclasses.fake_tensor import FakeCopyMode, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

from mmdrloc.utils.batch_size import batch_size
from .dry_run import NoUpdates, batch_of, nothing_left

aten = torch.ops.aten
# From here on the tests compare it with what is taken. PyTorch 2.1 keeps fake
# tensors in another way, and would be told up to 40 % too much.
OLDEST_TORCH = '2.10'
# In the first, the optimizer makes its state; the second has it all along.
STEPS = 2
LOGGER = logging.getLogger(FakeTensorMode.__module__)


class StepMemory(NamedTuple):
    """What the steps of a training need on one device.

    Args:
        peak (int): Bytes of all tensors at the fullest moment.
        lasting (int): Bytes that stay between two steps: parameters, buffers,
            the state of the optimizer and gradients that are summed.
    """

    peak: int
    lasting: int

    def __str__(self) -> str:
        return (
            f'a training step takes about {_gigabytes(self.peak)} on each '
            f'device, {_gigabytes(self.lasting)} of it whatever the batch'
        )


def _gigabytes(count: int) -> str:
    """With two digits."""
    return f'{float(f"{count / 1e9:.2g}"):g} GB'


def estimate_step_memory(runner: Runner) -> Optional[StepMemory]:
    """Reckon what a step needs, from shapes and types alone.

    Args:
        runner (Runner): As it is when its training begins.

    Returns:
        StepMemory, optional: None where a step cannot go without numbers, as
        those that match boxes cannot, and with PyTorch before
        ``OLDEST_TORCH``.
    """
    wrapper = runner.optim_wrapper
    if digit_version(torch.__version__) < digit_version(OLDEST_TORCH):
        return None
    # Models with several optimizers step them in their own way.
    if isinstance(wrapper, OptimWrapperDict):
        return None
    images = batch_size(runner.train_dataloader)
    with nothing_left(runner.message_hub):
        batch, _ = batch_of(runner.train_dataloader, 'train', images)
        # Of an operator that fails it would show the stack.
        LOGGER.disabled = True
        try:
            return _estimate(get_ori_model(runner.model), wrapper, batch)
        except Exception:  # a model may be anyone's, and nothing hangs on it
            return None
        finally:
            LOGGER.disabled = False


def _estimate(
    model: nn.Module, wrapper: OptimWrapper, batch: Any
) -> StepMemory:
    """Train copies that have shapes and no numbers."""
    fake = FakeTensorMode(allow_non_fake_inputs=True)
    with FakeCopyMode(fake):
        # Together, so that the one has the other's parameters.
        model, wrapper = copy.deepcopy((model, wrapper))
    tally = Tally(next(model.parameters()).device)
    for tensor in [*model.parameters(), *model.buffers()]:
        tally.add(tensor)
    model.train()
    with fake, tally:
        for _ in range(STEPS):
            # Of the class: the instance's may be compiled.
            type(model).train_step(model, batch, Updates(wrapper))
        return StepMemory(tally.peak, tally.now)


class Updates(NoUpdates):
    """Updates that ask for no number: without a loss scale and clipping."""

    def update_params(self, loss: torch.Tensor) -> None:
        """Update.

        Args:
            loss (Tensor): Of one number.
        """
        loss.backward()
        self.wrapper.optimizer.step()
        # Gradients that are summed are there in the next forward pass too.
        if self.wrapper._accumulative_counts == 1:
            self.wrapper.optimizer.zero_grad()


class Tally(TorchDispatchMode):
    """Counts the memory of tensors from their making to their end."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self.device = device
        #: Bytes of the tensors that there are, and at most were.
        self.now = self.peak = 0
        self.sizes: Dict[int, int] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func is aten._local_scalar_dense.default:
            # The count of an optimizer's steps, a measure for the log.
            return 1
        if func is aten._unique2.default:
            outputs = _all_distinct(args[0])
        else:
            outputs = func(*args, **(kwargs or {}))
        for leaf in tree_flatten(outputs)[0]:
            if isinstance(leaf, torch.Tensor):
                self.add(leaf)
        return outputs

    def add(self, tensor: torch.Tensor) -> None:
        """Count what a tensor lies in, once.

        Args:
            tensor (Tensor): Any; those of other devices are left out.
        """
        storage = tensor.untyped_storage()
        key = storage._cdata
        if tensor.device != self.device or key in self.sizes:
            return
        self.sizes[key] = storage.nbytes()
        self.now += self.sizes[key]
        self.peak = max(self.peak, self.now)
        weakref.finalize(storage, self._end, key)

    def _end(self, key: int) -> None:
        self.now -= self.sizes.pop(key)


def _all_distinct(values: torch.Tensor) -> Tuple[torch.Tensor, ...]:
    """What ``unique`` returns at most; DRLoc asks for it on CPUs."""
    return (
        values.new_empty(values.numel()),
        torch.empty_like(values, dtype=torch.long),
        values.new_empty(0, dtype=torch.long),
    )
