"""PVTv2, which mmpretrain wraps as it is."""

import timm
import torch
from golden import assert_loads, assert_round_trip, random_weights
from mmpretrain.models import ImageClassifier

from mmdrloc.checkpoints.origins import ORIGINS, detect_origin

ORIGIN = ORIGINS['pvtv2-timm']


def test_logits_and_round_trip():
    network = timm.create_model('pvt_v2_b0', num_classes=6).eval()
    theirs = random_weights(network)
    network.load_state_dict(theirs)
    assert detect_origin(theirs) is ORIGIN
    model = ImageClassifier(
        backbone=dict(type='TIMMBackbone', model_name='pvt_v2_b0'),
        neck=dict(type='GlobalAveragePooling'),
        head=dict(type='LinearClsHead', num_classes=6, in_channels=256),
    ).eval()
    assert_loads(model, ORIGIN.to_ours(theirs).weights)
    images = torch.rand(1, 3, 64, 64)
    with torch.no_grad():
        torch.testing.assert_close(
            model(images, mode='tensor'), network(images)
        )
    assert_round_trip(ORIGIN, theirs)
