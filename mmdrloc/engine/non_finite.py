"""Where in a training a number that is not finite came up first."""

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import torch
from mmengine.dist import all_gather_object, all_reduce
from torch import Tensor, nn

from mmdrloc.utils.errors import few

GRADIENTS = 'grad_norm'
# Names in a message, at most.
SHOWN = 10


@dataclass
class Step:
    """What is remembered of an iteration until somebody looks.

    Args:
        iteration (int): Counted from 1.
        values (dict[str, Tensor | float]): The losses, and ``grad_norm``
            where the weights were updated. They stay on their device.
        images (list[str]): Of the batch.
    """

    iteration: int
    values: Dict[str, Union[Tensor, float]]
    images: List[str]


@dataclass
class Finding:
    """Something that is not finite.

    Args:
        iteration (int): The first one in which it was found, from 1.
        components (list[str]): Names of losses, ``grad_norm`` or names of
            weights.
        images (list[str]): That the iteration was computed from, as far as
            they can be the cause. Defaults to none.
    """

    iteration: int
    components: List[str]
    images: List[str] = field(default_factory=list)

    def __str__(self) -> str:
        text = few(self.components, SHOWN)
        if self.images:
            text += f'. Images of the batch: {few(self.images, SHOWN)}'
        return text


def images_of(data_batch: Any) -> List[str]:
    """Name the images of a batch.

    Args:
        data_batch (Any): What a loader gave.

    Returns:
        list[str]: Paths, or numbers in the data set where there is none;
        nothing of a batch that is not of the three libraries' kind.
    """
    if not isinstance(data_batch, dict):
        return []
    samples = data_batch.get('data_samples')
    if not isinstance(samples, (list, tuple)):
        return []
    return [
        str(
            getattr(sample, 'img_path', None)
            or f'image {getattr(sample, "sample_idx", "without a number")}'
        )
        for sample in samples
    ]


def gradient_norm(parameters: Iterable[nn.Parameter]) -> Optional[Tensor]:
    """The norm of all gradients together, without a wait for the device.

    Args:
        parameters (Iterable[nn.Parameter]): With gradients or without.

    Returns:
        Tensor, optional: One number. None without gradients.
    """
    gradients = [p.grad for p in parameters if p.grad is not None]
    if not gradients:
        return None
    # clip_grad_norm_ would read and write them all once more. The public
    # get_total_norm came after torch 2.1.
    norms = torch._foreach_norm(gradients)
    return torch.stack([norm.float() for norm in norms]).norm()


def weights_of(model: nn.Module, but: Sequence[str] = ()) -> Dict[str, Tensor]:
    """The floating-point parameters and buffers.

    Args:
        model (nn.Module): Not wrapped.
        but (Sequence[str]): Names to leave out. Defaults to ().

    Returns:
        dict[str, Tensor]: By name.
    """
    return {
        name: tensor.detach()
        for name, tensor in chain(
            model.named_parameters(), model.named_buffers()
        )
        if tensor.is_floating_point() and name not in but
    }


def infinite_names(tensors: Dict[str, Union[Tensor, float]]) -> List[str]:
    """The names of those that hold anything that is not finite.

    Args:
        tensors (dict[str, Tensor | float]): By name.

    Returns:
        list[str]: In order.
    """
    return [
        name
        for name, tensor in tensors.items()
        if not torch.as_tensor(tensor).isfinite().all()
    ]


def any_infinite(
    values: Sequence[Union[Tensor, float]],
    device: torch.device,
    together: bool,
) -> bool:
    """Whether any number is not finite: one wait, however many they are.

    Args:
        values (Sequence[Tensor | float]): May be none.
        device (torch.device): Where most of them are.
        together (bool): Whether to ask all processes, all of which ask.

    Returns:
        bool: The same on all processes that asked.
    """
    row = torch.cat(
        [torch.zeros(1, device=device)]
        + [
            torch.as_tensor(v, dtype=torch.float32, device=device).reshape(-1)
            for v in values
        ]
    )
    found = row.isfinite().logical_not().any().int()
    if together:
        all_reduce(found, 'max')
    return bool(found.item())


def find(steps: Sequence[Step], parts: int) -> Optional[Finding]:
    """Find the first step in which something was not finite.

    Args:
        steps (Sequence[Step]): In order.
        parts (int): Iterations whose gradients enter an update.

    Returns:
        Finding, optional: None if all is finite.
    """
    steps = list(steps)
    for index, step in enumerate(steps):
        names = infinite_names(step.values)
        losses = [name for name in names if name != GRADIENTS]
        if losses:
            # The sum is not finite because of its parts.
            losses = [name for name in losses if name != 'loss'] or losses
            return Finding(step.iteration, losses, step.images)
        if names:
            update = steps[max(0, index + 1 - parts) : index + 1]
            images = [image for part in update for image in part.images]
            return Finding(step.iteration, names, images)
    return None


def earliest(finding: Optional[Finding]) -> Optional[Finding]:
    """Agree with the other processes on what came first.

    Args:
        finding (Finding, optional): What this process has found.

    Returns:
        Finding, optional: The same on all processes, with the images of all
        that have found it.
    """
    findings = [f for f in all_gather_object(finding) if f is not None]
    if not findings:
        return None
    # A loss spoils the gradients of all processes: the loss is the cause.
    first = min(
        findings, key=lambda f: (f.iteration, f.components == [GRADIENTS])
    )
    return replace(
        first,
        images=[
            image
            for f in findings
            if f.iteration == first.iteration
            and f.components == first.components
            for image in f.images
        ],
    )
