# Supervised contrast: the crops of SimCLR, at 512 images an update and with
# the schedule that IDMM has for DeiT.
_base_ = ['./simclr_pretrain.py', '../schedules/idmm_deit_800e.py']

method = dict(
    type='mmdrloc.SupCon',
    temperature=0.5,
    neck=dict(_base_.method.neck, out_channels=256),
    data_preprocessor=_base_.method.data_preprocessor,
    _delete_=True,
)
train_dataloader = dict(batch_size=128)
auto_scale_lr = dict(base_batch_size=512)
