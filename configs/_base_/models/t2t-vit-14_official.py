# T2T-ViT-14 as the official DRLoc code has it: without drop path.
_base_ = './t2t-vit-14.py'

model = dict(backbone=dict(drop_path_rate=0.0))
