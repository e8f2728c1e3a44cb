# dinov2-small_126px.py with DRLoc on the cells of its last layers.
# Train: mmdrloc train photos/dinov2-small_126px_drloc --dataset FOLDER \
#      --weights vit_small_patch14_dinov2.lvd142m.safetensors
# Measured: 95.24 ± 0.62 % top-1 on 300 flowers (100 updates), 90.52 ± 0.61 %
#     on 500 clothes (150), seeds 0-2, --amp.
#     All photos: 96.29 ± 0.63 % of flowers, 93.74 ± 0.45 % of clothes (400).
_base_ = './dinov2-small_126px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=384,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
