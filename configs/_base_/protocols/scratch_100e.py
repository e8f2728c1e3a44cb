# From scratch in 100 epochs: scratch_300e.py with a shorter cosine.
_base_ = './scratch_300e.py'

train_cfg = dict(max_epochs=100)
