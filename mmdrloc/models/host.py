"""What a model with a DRLoc head does, whatever its task."""

from contextlib import contextmanager
from typing import Any, Iterator

import torch
from torch import nn

from mmdrloc.registry import MODELS
from .grid_tap import expand_sources


class DRLocHost:
    """Puts a DRLoc head beside the heads of a model with a ``backbone``.

    A mixin that stands before the library's class among the bases. With the
    same seed, the parameters of the host are those that the library's class
    alone would have: the head is built and initialised after it and takes
    nothing from the global random state.
    """

    #: Key of the head in configs and checkpoints.
    head_name: str
    #: The library's class makes it.
    backbone: nn.Module

    def add_head(self, config: dict) -> None:
        """Build the head for the backbone, which stands already.

        Args:
            config (dict): Config of :class:`DRLocHead`, or of another
                MMEngine module with its ``tap`` and ``loss``; globs in
                ``source`` are expanded to the modules of the backbone.
        """
        config = dict(config)
        if 'source' in config:
            sources = expand_sources(self.backbone, config['source'])
            config['source'] = sources
        with preserved_rng(self.backbone):
            head = MODELS.build(config)
        setattr(self, self.head_name, head)

    def init_weights(self) -> None:
        """Initialise the host, then the head."""
        # Out of the host's reach, or its init_cfg would reach the head too.
        head = getattr(self, self.head_name)
        delattr(self, self.head_name)
        super().init_weights()
        setattr(self, self.head_name, head)
        with preserved_rng(head):
            head.init_weights()


class AuxiliaryHost(DRLocHost):
    """A host of mmpretrain's kind, whose images are of one size.

    Takes ``auxiliary_head``, the config of :class:`DRLocHead`, and all
    arguments of the library's class, which follows among the bases.
    """

    head_name = 'auxiliary_head'

    def __init__(
        self, *args: Any, auxiliary_head: dict, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.add_head(auxiliary_head)


@contextmanager
def preserved_rng(module: nn.Module) -> Iterator[None]:
    """Put the global random state back, on the devices of a module too."""
    devices = {
        parameter.device
        for parameter in module.parameters()
        if parameter.is_cuda
    }
    with torch.random.fork_rng(devices=list(devices)):
        yield
