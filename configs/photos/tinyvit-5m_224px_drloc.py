# tinyvit-5m_224px.py with DRLoc on the cells of its last layers.
# Train: mmdrloc train photos/tinyvit-5m_224px_drloc --dataset FOLDER \
#      --weights tiny_vit_5m_224.dist_in22k.safetensors
# Measured: 93.48 ± 0.59 % top-1 on 300 flowers (100 updates), seeds 0 to 2;
#     87.29 ± 1.50 % on 500 clothes (150 updates).
#     All photos: 96.51 ± 0.21 % of flowers, 92.77 ± 0.34 % of clothes (400).
_base_ = './tinyvit-5m_224px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='timm_model.stages.3',
        in_channels=320,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
