"""Swin without relative positions."""

from mmpretrain.models.backbones import SwinTransformer

from mmdrloc.registry import MODELS


@MODELS.register_module()
class SwinWithoutPositions(SwinTransformer):
    """A Swin whose relative positions are 0 and stay so.

    As in section 4.1 of the paper; the arguments and names are mmpretrain's.
    """

    def init_weights(self) -> None:
        """Initialise, and take the positions away."""
        super().init_weights()
        for name, parameter in self.named_parameters():
            if name.endswith('relative_position_bias_table'):
                parameter.requires_grad_(False).zero_()
