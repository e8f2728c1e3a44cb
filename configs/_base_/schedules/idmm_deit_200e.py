# idmm_deit_800e.py in 200 epochs, as the official scripts fine-tune.
_base_ = './idmm_deit_800e.py'

train_cfg = dict(max_epochs=200)
