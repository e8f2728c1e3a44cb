"""ResNet as torchvision and the official DRLoc code save it."""

from .drloc_mlp import DRLOC_RULES
from .origin import Origin, Rule

ORIGIN = Origin(
    name='resnet-torchvision',
    title="torchvision's and the official DRLoc code's ResNet",
    network='mmpretrain.ResNet',
    marks=('conv1.weight', 'layer1.0.bn1.running_mean'),
    rules=(
        Rule('conv1.weight', 'backbone.conv1.weight'),
        Rule('bn1.{t}', 'backbone.bn1.{t}'),
        Rule('layer{s}.{b}.{n}.{t}', 'backbone.layer{s}.{b}.{n}.{t}'),
        Rule(
            'layer{s}.{b}.downsample.{n}.{t}',
            'backbone.layer{s}.{b}.downsample.{n}.{t}',
        ),
        Rule('fc.{t}', 'head.fc.{t}'),
        *DRLOC_RULES,
    ),
)
