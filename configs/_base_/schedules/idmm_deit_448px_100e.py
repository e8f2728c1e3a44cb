# On from 224 to 448 pixels: idmm_deit_800e.py in 100 epochs with 5e-5 at 128
# images an update (4 GPUs with 32 each).
_base_ = './idmm_deit_800e.py'

optim_wrapper = dict(optimizer=dict(lr=5e-5))
train_cfg = dict(max_epochs=100)
auto_scale_lr = dict(base_batch_size=128)
