# Supervised contrast (SupCon) of DeiT-Tiny in 800 epochs.
# Train: mmdrloc train idmm/pretrain/supcon_deit-tiny
_base_ = './simclr_deit-tiny.py'
model = dict(
    type='mmdrloc.SupCon',
    temperature=0.5,
    neck=dict(out_channels=256),
    head=None,
)
train_dataloader = dict(batch_size=128)
auto_scale_lr = dict(base_batch_size=512)
