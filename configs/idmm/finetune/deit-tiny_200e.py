# deit-tiny.py in 200 epochs, as the official scripts fine-tune.
# Train with: --weights work_dirs/idmm_deit-tiny_flowers102
_base_ = './deit-tiny.py'

train_cfg = dict(max_epochs=200)
