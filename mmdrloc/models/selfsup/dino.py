"""Self-distillation without labels (DINO)."""

from typing import Any, Dict, List, Tuple

import torch
import torch.nn.functional as F
from mmengine.dist import all_reduce
from mmengine.model import BaseModule
from mmpretrain.models.selfsup import BaseSelfSupervisor
from mmpretrain.models.utils import CosineEMA
from mmpretrain.structures import DataSample
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError


@MODELS.register_module()
class DINONeck(BaseModule):
    """Three linear layers, a bottleneck of length 1, and K prototypes.

    The prototypes are of length 1, too (the authors' ``norm_last_layer``).

    Args:
        in_channels (int): Of the features.
        num_prototypes (int): K. Defaults to 65536.
        hid_channels (int): Of the two hidden layers. Defaults to 2048.
        bottleneck_channels (int): Of the third layer, and of the prototypes.
            Defaults to 256.
    """

    def __init__(
        self,
        in_channels: int,
        num_prototypes: int = 65536,
        hid_channels: int = 2048,
        bottleneck_channels: int = 256,
    ) -> None:
        super().__init__(dict(type='TruncNormal', layer='Linear', std=0.02))
        self.layers = nn.Sequential(
            nn.Linear(in_channels, hid_channels),
            nn.GELU(),
            nn.Linear(hid_channels, hid_channels),
            nn.GELU(),
            nn.Linear(hid_channels, bottleneck_channels),
        )
        # As PyTorch's linear layers: a length of 1 / sqrt(3) on average,
        # beside which an update is as large as the authors'.
        bound = bottleneck_channels**-0.5
        shape = num_prototypes, bottleneck_channels
        self.prototypes = nn.Parameter(
            torch.empty(shape).uniform_(-bound, bound)
        )

    def forward(self, features: Tuple[Tensor]) -> Tensor:
        """Cosines to the prototypes, (V, K).

        The last of the features is (V, C), or maps (V, C, H, W), which are
        averaged.
        """
        last = features[-1]
        if last.dim() == 4:
            last = last.mean((2, 3))
        # Squares of half precision would vanish.
        bottleneck = F.normalize(self.layers(last).float(), dim=1)
        return F.linear(bottleneck, F.normalize(self.prototypes, dim=1))


@MODELS.register_module()
class DINO(BaseSelfSupervisor):
    """A student learns to answer as a running average of itself, the teacher.

    Caron et al., Emerging Properties in Self-Supervised Vision Transformers,
    2021. All crops have one size here and are forwarded together. The
    student drops paths if its backbone does; the teacher never does. ``neck``
    is the config of :class:`DINONeck`, the other arguments are those of
    ``BaseSelfSupervisor``.
    """

    #: Leading crops that the teacher sees.
    num_global = 2
    student_temperature, teacher_temperature = 0.1, 0.04
    #: What the centre keeps.
    center_momentum = 0.9

    def __init__(self, backbone: dict, neck: dict, **kwargs: Any) -> None:
        super().__init__(backbone=backbone, neck=neck, **kwargs)
        teacher = MODELS.build(backbone)
        for module in teacher.modules():
            if hasattr(module, 'drop_prob'):  # mmcv's and timm's DropPath
                module.drop_prob = 0.0
        # It begins as the student in the first step, with its buffers.
        self.teacher = CosineEMA(nn.Sequential(teacher, self.neck))
        prototypes = len(self.neck.prototypes)
        self.register_buffer('center', torch.zeros(prototypes))

    def loss(
        self, inputs: List[Tensor], data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """Cross-entropies of all pairs of a global and another crop.

        ``inputs`` has a (B, 3, H, W) for each crop, the global ones first;
        fewer than these raise a ``UsageError``.
        """
        if len(inputs) < self.num_global:
            raise UsageError(
                f'DINO has {len(inputs)} crop of an image and compares '
                f'{self.num_global}: set num_views=2 of the transform '
                'MultiView'
            )
        student = self.neck(self.backbone(torch.cat(inputs)))
        with torch.no_grad():
            self.teacher.update_parameters(
                nn.Sequential(self.backbone, self.neck)
            )
            teacher = self.teacher(torch.cat(inputs[: self.num_global]))
        student = F.log_softmax(student / self.student_temperature, dim=1)
        target = F.softmax(
            (teacher - self.center) / self.teacher_temperature, dim=1
        )
        losses = [
            -(expected * told).sum(1).mean()
            for i, expected in enumerate(target.chunk(self.num_global))
            for j, told in enumerate(student.chunk(len(inputs)))
            if i != j
        ]
        # It follows the mean over the batches of all processes.
        mean = teacher.float().mean(0)
        all_reduce(mean, 'mean')
        self.center.lerp_(mean, 1 - self.center_momentum)
        return dict(loss=torch.stack(losses).mean())
