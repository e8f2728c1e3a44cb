# SimCLR as IDMM's poster compares it: two crops of 112 pixels. A recipe adds
# the network to `method`; the projection of mmpretrain, as wide as features.
_base_ = './idmm_pretrain.py'

method = dict(
    type='mmpretrain.SimCLR',
    neck=dict(
        type='mmpretrain.NonLinearNeck',
        hid_channels=192,
        out_channels=128,
        num_layers=2,
        with_avg_pool=False,
    ),
    head=dict(
        type='mmpretrain.ContrastiveHead',
        loss=dict(type='mmpretrain.CrossEntropyLoss'),
        temperature=0.1,
    ),
    data_preprocessor=_base_.method.data_preprocessor,
    _delete_=True,
)

crop = dict(type='mmpretrain.RandomResizedCrop', scale=112, backend='pillow')
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=2,
        transforms=[[crop, *_base_.color]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(drop_last=True, dataset=dict(pipeline=pretraining))
