"""Learning rates by layers in dense models."""

from functools import partial
from typing import Any, List

from mmpretrain.engine.optimizers import (
    LearningRateDecayOptimWrapperConstructor,
)
from torch import nn

from mmdrloc.registry import OPTIM_WRAPPER_CONSTRUCTORS


@OPTIM_WRAPPER_CONSTRUCTORS.register_module()
class LayerDecayConstructor(LearningRateDecayOptimWrapperConstructor):
    """mmpretrain's constructor for any model with a ``backbone``.

    mmpretrain's asks the model how deep a parameter is, which its
    classifiers alone can tell; this one asks the backbone.
    """

    def add_params(
        self, params: List[dict], module: nn.Module, **kwargs: Any
    ) -> None:
        """Add the parameters of a module, each with a learning rate."""
        if kwargs.get('get_layer_depth') is None:
            kwargs['get_layer_depth'] = partial(
                module.backbone.get_layer_depth, prefix='backbone.'
            )
        super().add_params(params, module, **kwargs)
