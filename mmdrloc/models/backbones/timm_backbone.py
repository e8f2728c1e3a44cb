"""Any network of timm that has intermediate features."""

from typing import Any, Dict, Sequence, Tuple

from mmpretrain.models.backbones import TIMMBackbone as Base
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from mmdrloc.registry import MODELS


@MODELS.register_module()
class TIMMBackbone(Base):
    """mmpretrain's ``TIMMBackbone``, to fine-tune any network of timm.

    With ``features_only=True`` the maps of all families are (B, C, H, W),
    those of ``out_indices``, the earliest first. They come from timm's
    ``forward_intermediates``, and tensors keep timm's names, behind
    ``timm_model.model.``; without it, behind ``timm_model.``.

    Args:
        *args: As in mmpretrain.
        features_only (bool): Whether to put out the maps of stages or
            blocks, instead of what timm's classifier would pool.
        norm_eval (bool): Whether batch normalisation keeps the statistics
            that it starts with, as for batches of a few images.
        frozen (Sequence[str]): Modules of timm's network that are not
            trained, such as 'stages.0'.
        **kwargs: As in mmpretrain.
    """

    def __init__(
        self,
        *args: Any,
        features_only: bool = False,
        norm_eval: bool = False,
        frozen: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        if features_only:
            kwargs.update(features_only=True, feature_cls='getter')
        super().__init__(*args, **kwargs)
        self.norm_eval = norm_eval
        network = timm_network(self)
        self._frozen = tuple(frozen)
        for name in frozen:
            network.get_submodule(name).requires_grad_(False)

    def forward(self, images: Tensor) -> Tuple[Tensor, ...]:
        """See the parent; maps lie in memory as mmcv's RoIAlign reads them."""
        return tuple(map(Tensor.contiguous, super().forward(images)))

    def train(self, mode: bool = True) -> 'TIMMBackbone':
        """Set the mode, but leave what is kept as it is in evaluation."""
        super().train(mode)
        # By name: SyncBN takes the places of others.
        network = timm_network(self)
        for name in self._frozen:
            network.get_submodule(name).eval()
        for module in self.modules() if self.norm_eval else ():
            if isinstance(module, _BatchNorm):
                module.eval()
        return self


def timm_network(backbone: nn.Module) -> nn.Module:
    """Find timm's own network, also inside its ``features_only``."""
    return getattr(backbone.timm_model, 'model', backbone.timm_model)


def in_mmpretrain(config: Dict[str, Any]) -> Dict[str, Any]:
    """The config of mmpretrain's class for the same trained network."""
    config = dict(config, type='mmpretrain.TIMMBackbone')
    for only_in_training in ('norm_eval', 'frozen'):
        config.pop(only_in_training, None)
    if config.get('features_only'):
        config['feature_cls'] = 'getter'
    return config
