# deit-tiny.py in 200 epochs, as the official scripts fine-tune.
# Train: python tools/train.py configs/idmm/finetune/deit-tiny_200e.py \
#      --weights work_dirs/idmm_deit-tiny_flowers102
# Published: 79.9 top-1 on Flowers102 from idmm on the same images
_base_ = './deit-tiny.py'

train_cfg = dict(max_epochs=200)
