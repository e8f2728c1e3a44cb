# CvT-13 as the official DRLoc code has it: without drop path.
_base_ = './cvt-13.py'

model = dict(backbone=dict(drop_path_rate=0.0))
