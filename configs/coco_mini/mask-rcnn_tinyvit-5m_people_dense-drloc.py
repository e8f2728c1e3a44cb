# mask-rcnn_tinyvit-5m_people.py with DRLoc while it is trained,
# signed offsets.
# Train: mmdrloc train coco_mini/mask-rcnn_tinyvit-5m_people_dense-drloc \
#      --weights tiny_vit_5m_224.dist_in22k.safetensors
# Measured: 5.57 ± 0.12 box AP, seeds 0 to 2.
_base_ = './mask-rcnn_tinyvit-5m_people.py'
model = dict(
    type='mmdrloc.DRLocMaskRCNN',
    drloc_head=dict(
        type='mmdrloc.DRLocHead',
        source='timm_model.model.stages.3',
        in_channels=320,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
