"""Mixins that put a DRLoc head into a model of any task."""

from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Sequence

import torch
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .grid_tap import expand_sources


class DRLocHost:
    """Puts a DRLoc head beside the heads of a model with a ``backbone``.

    A mixin that stands before the library's class among the bases. The host
    starts as the library's class with the same seed: the head comes after it
    and takes nothing from the global random state.

    Args:
        *args: As in the library's class.
        auxiliary_head (dict): The config of the head: of a
            :class:`DRLocHead`, whose ``source`` may be a glob, or of another
            MMEngine module with its ``tap`` and ``loss``.
        **kwargs: As in the library's class.
    """

    #: Key of the head in configs and checkpoints.
    head_name = 'auxiliary_head'
    #: The library's class makes it.
    backbone: nn.Module

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        config = kwargs.pop(self.head_name, None)
        if not isinstance(config, dict):
            raise UsageError(
                f'model: {type(self).__name__} needs {self.head_name}='
                "dict(type='mmdrloc.DRLocHead', ...)"
            )
        config = dict(config)
        super().__init__(*args, **kwargs)
        if 'source' in config:
            sources = expand_sources(self.backbone, config['source'])
            config['source'] = sources
        with preserved_rng(self.backbone):
            setattr(self, self.head_name, MODELS.build(config))

    def init_weights(self) -> None:
        """Initialise the host, then the head."""
        # Out of the host's reach, or its init_cfg would reach the head too.
        head = getattr(self, self.head_name)
        delattr(self, self.head_name)
        super().init_weights()
        setattr(self, self.head_name, head)
        with preserved_rng(head):
            head.init_weights()


class DenseDRLocHost(DRLocHost):
    """A detector or segmentor: images differ in shape, batches are padded.

    Here the key is ``drloc_head``: mmseg has an ``auxiliary_head`` of its own.
    """

    head_name = 'drloc_head'
    drloc_head: nn.Module

    def loss(self, inputs: Tensor, data_samples: List[Any]) -> Dict[str, Any]:
        """The library's losses, and those of :meth:`DRLocHead.loss`.

        The (B, 3, height, width) inputs are padded at the right and below;
        ``img_shape`` of a sample is its (height, width) without.
        """
        with self.drloc_head.tap(self.backbone) as tap:
            losses = super().loss(inputs, data_samples)
        grids = tap.grids()
        shapes = [sample.img_shape for sample in data_samples]
        valid_sizes = [
            cells_of_images(shapes, inputs.shape[2:], grid) for grid in grids
        ]
        losses.update(self.drloc_head.loss(grids, valid_sizes=valid_sizes))
        return losses


def cells_of_images(
    image_shapes: Sequence[Sequence[int]],
    batch_shape: Sequence[int],
    grid: Tensor,
) -> Tensor:
    """How many rows and columns of a grid belong to each image, (B, 2).

    A cell belongs to an image if its patch lies wholly within it (partly, if
    the padded shape is no multiple of the stride), so that no pair touches
    the padding; the smallest image has one cell. Sizes are (height, width).
    """
    lengths = torch.tensor([shape[:2] for shape in image_shapes], device='cpu')
    cells, padded = torch.tensor([grid.shape[2:], batch_shape], device='cpu')
    return (lengths * cells // padded).clamp(min=1)


@contextmanager
def preserved_rng(module: nn.Module) -> Iterator[None]:
    """Put the global random state back, on the devices of a module too."""
    devices = {p.device for p in module.parameters() if p.is_cuda}
    with torch.random.fork_rng(devices=list(devices)):
        yield
