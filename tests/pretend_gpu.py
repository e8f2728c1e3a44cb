"""A GPU that is not there: what a step does with one, and where it waits.

Tensors of the device are meta tensors, which have shape and type but no
numbers, and are called 'cuda' wherever the step asks; tensors of the host are
real. So whatever needs a number of the device is a wait, and is refused.

PyTorch's own fake tensors are the same with a better disguise, but builds for
CUDA want a driver for them: 2.1 to make one, 2.10 for the backward pass.
"""

import sys
from contextlib import ExitStack, contextmanager
from unittest import mock

import torch
from mmengine.model import BaseDataPreprocessor
from mmengine.model.averaged_model import BaseAveragedModel
from torch.nn.functional import one_hot
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

aten = torch.ops.aten
DEVICE_OF = torch.Tensor.device.__get__
IS_CUDA = torch.Tensor.is_cuda.__get__
TO_CUDA = torch.Tensor.cuda
INDEXING = (aten.index, aten.index_put, aten.index_put_, aten.index_select)
COPYING = (aten._to_copy, aten.copy_)
NEEDING_NUMBERS = {
    torch.Tag.dynamic_output_shape,
    torch.Tag.data_dependent_output,
}
MIXING = 'mmpretrain draws on the host who is mixed with whom'
# The end of a file's path and a function in it: why what is called there may
# wait, or bring something over.
PERMITTED = {
    (
        'mmengine/model/base_model/data_preprocessor.py',
        'cast_data',
    ): 'the images of the batch go over, once a step',
    (
        'mmpretrain/models/utils/data_preprocessor.py',
        'forward',
    ): 'the labels of the batch go over, once a step',
    ('mmpretrain/models/utils/batch_augments/mixup.py', 'mix'): MIXING,
    ('mmpretrain/models/utils/batch_augments/cutmix.py', 'mix'): MIXING,
    (
        'mmengine/optim/optimizer/optimizer_wrapper.py',
        '_clip_grad',
    ): 'MMEngine logs the norm of gradients that it clips',
    (
        'mmdrloc/models/selfsup/dino.py',
        'read',
    ): 'how often the running average was updated is known to it alone',
}


class Waits(AssertionError):
    """The step waits for the device."""


class Misplaced(AssertionError):
    """A tensor or a generator is on the wrong device."""


class PretendGPU(TorchDispatchMode):
    """While it is entered, ``device='cuda'`` works, and no step may wait.

    Args:
        permitted (dict): Places that may, as in ``PERMITTED``.
    """

    def __init__(self, permitted=PERMITTED):
        super().__init__()
        self.permitted = permitted
        #: Places that did.
        self.met = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        tensors = [
            leaf
            for leaf in tree_flatten((args, kwargs))[0]
            if isinstance(leaf, torch.Tensor)
        ]
        if not any(tensor.is_meta for tensor in tensors) and not is_meta(
            kwargs.get('device')
        ):
            return func(*args, **kwargs)
        self.refuse(_wait(func, args, kwargs))
        self.refuse(_misplaced(func, tensors))
        if func.overloadpacket is aten._local_scalar_dense:  # permitted
            return torch.zeros((), dtype=args[0].dtype).item()
        if func.overloadpacket is aten._foreach_norm:  # not in torch 2.1
            return [tensor.new_empty(()) for tensor in args[0]]
        return func(*args, **kwargs)

    def refuse(self, fault):
        """Raise it, unless it happens in a permitted place."""
        if fault is None:
            return
        frame = sys._getframe(1)
        while frame is not None:
            code = frame.f_code
            for path, name in self.permitted:
                if code.co_name == name and code.co_filename.endswith(path):
                    self.met.add((path, name))
                    return
            frame = frame.f_back
        raise fault


def _wait(func, args, kwargs):
    """A fault if the host waits for the device, or None."""
    packet = func.overloadpacket
    if packet in COPYING:
        source = args[0]
        target = kwargs.get('device') or source
        blocks = not kwargs.get('non_blocking', False)
        if packet is aten.copy_:
            target, source = args[:2]
            blocks = len(args) < 3 or not args[2]
        if source.is_meta and not is_meta(target):
            return Waits(f'{func} brings {shape_of(source)} to the host')
        if is_meta(target) and not source.is_meta and blocks:
            return Waits(
                f'{func} brings {shape_of(source)} over without '
                'non_blocking=True'
            )
    elif packet in INDEXING:
        # What is filled by a single number needs no list of places.
        is_filled = len(args) > 2 and getattr(args[2], 'dim', int)() == 0
        if not is_filled and any(
            leaf.dtype in (torch.bool, torch.uint8)
            for leaf in tree_flatten(args[1:2])[0]
            if isinstance(leaf, torch.Tensor)
        ):
            return Waits(f'{func} by a mask')
    elif NEEDING_NUMBERS & set(func.tags):
        return Waits(f'{func} needs numbers of the device')
    return None


def _misplaced(func, tensors):
    """A fault if the host's tensors meet the device's, or None."""
    packet = func.overloadpacket
    if packet in COPYING:
        return None
    for tensor in tensors:
        # A kernel takes a single number of the host as an argument.
        if not tensor.is_meta and (tensor.dim() or packet in INDEXING):
            return Misplaced(
                f'{func} meets {shape_of(tensor)} that is on the host'
            )
    return None


class Disguise(TorchFunctionMode):
    """Calls meta tensors 'cuda', and sees generators as they were made.

    Args:
        gpu (PretendGPU): What refuses.
    """

    def __init__(self, gpu):
        super().__init__()
        self.gpu = gpu

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func == DEVICE_OF:
            return torch.device('cuda' if args[0].is_meta else 'cpu')
        if func == IS_CUDA:
            return args[0].is_meta
        if func == TO_CUDA:
            return args[0].to('meta')
        if func == one_hot and args[0].is_meta:  # not in torch 2.1
            labels, classes = args
            return labels.new_empty((*labels.shape, classes))
        args, kwargs = tree_map(_undisguised, (args, kwargs))
        there = is_meta(kwargs.get('device')) or any(
            is_meta(argument) for argument in args
        )
        if func in (torch.tensor, torch.as_tensor) and there:
            if not isinstance(args[0], torch.Tensor):
                self.gpu.refuse(
                    Waits(f'torch.{func.__name__}() of the host on the device')
                )
        generator = kwargs.get('generator')
        if generator is not None:
            if is_meta(generator.belongs_to) != there:
                raise Misplaced(f'{func.__name__} by a generator elsewhere')
            if there:  # numbers that are never drawn
                kwargs = {**kwargs, 'generator': None}
        return func(*args, **kwargs)


class GeneratorOnPaper(torch.Generator):
    """Of the host, as there is no other, but it knows where it belongs."""

    def __new__(cls, device='cpu'):
        generator = super().__new__(cls)
        generator.belongs_to = _undisguised(torch.device(device))
        return generator


def is_meta(value):
    """Whether a tensor, or the name of a device, stands for the GPU."""
    if isinstance(value, torch.Tensor):
        return value.is_meta
    return isinstance(value, (str, torch.device)) and str(value) == 'meta'


def shape_of(tensor):
    return f'a tensor of shape {tuple(tensor.shape)}'


def _undisguised(value):
    is_name = isinstance(value, (str, torch.device))
    if is_name and str(value).split(':')[0] == 'cuda':
        return torch.device('meta')
    return value


@contextmanager
def pretend_gpu(model=None, permitted=PERMITTED):
    """Enter a GPU that is not there.

    Args:
        model (nn.Module, optional): To be moved there, in place.
        permitted (dict): Places that may wait.
    """
    gpu = PretendGPU(permitted)
    if model is not None:
        move(model)
    with ExitStack() as stack:
        stack.enter_context(mock.patch('torch.Generator', GeneratorOnPaper))
        stack.enter_context(gpu)
        stack.enter_context(Disguise(gpu))
        yield gpu


def move(model):
    """As ``model.to('cuda')`` would, but its parameters are new objects."""
    torch.nn.Module.to(model, 'meta')
    for module in model.modules():
        if isinstance(module, BaseDataPreprocessor):
            module._device = torch.device('cuda')
        elif isinstance(module, BaseAveragedModel):
            module.avg_parameters = dict(module.module.named_parameters())
