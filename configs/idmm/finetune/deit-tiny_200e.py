# deit-tiny_800e.py in 200 epochs, as the official scripts fine-tune.
# Train: mmdrloc train idmm/finetune/deit-tiny_200e \
#      --weights work_dirs/idmm_deit-tiny_flowers102
_base_ = './deit-tiny_800e.py'

train_cfg = dict(max_epochs=200)
