# ResNet-18 from random weights, 100 epochs at 36 px, with the stem of small
# images: one of the light networks beside MAE's; its recipe is ours.
# Train: mmdrloc train mae/resnet-18
_base_ = './resnet-light.py'
model = dict(
    backbone=dict(stem_channels=64, base_channels=64),
    head=dict(in_channels=512),
)
