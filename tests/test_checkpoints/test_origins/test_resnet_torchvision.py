"""torchvision's ResNet: the same network under almost the same names."""

import torch
import torchvision
from golden import assert_loads, assert_round_trip, random_weights
from mmpretrain.models import ImageClassifier

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin

ORIGIN = ORIGINS['resnet-torchvision']


def test_logits_and_round_trip():
    network = torchvision.models.ResNet(
        torchvision.models.resnet.Bottleneck, [3, 4, 6, 3], num_classes=6
    ).eval()
    weights = random_weights(network)
    theirs = {
        name: tensor / 30 if name.endswith('.weight') else tensor
        for name, tensor in weights.items()
    }
    network.load_state_dict(theirs)
    assert detect_origin(theirs) is ORIGIN
    model = ImageClassifier(
        backbone=dict(type='ResNet', depth=50),
        neck=dict(type='GlobalAveragePooling'),
        head=dict(type='LinearClsHead', num_classes=6, in_channels=2048),
    ).eval()
    assert_loads(model, ORIGIN.to_ours(theirs).weights)
    images = torch.rand(1, 3, 64, 64)
    with torch.no_grad():
        torch.testing.assert_close(
            model(images, mode='tensor'), network(images)
        )
    assert_round_trip(ORIGIN, theirs)
