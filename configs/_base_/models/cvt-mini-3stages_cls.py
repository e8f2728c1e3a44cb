# CvT-mini for photos of 64 pixels and more: a stage more at its front, half as
# wide. At 64 px they have 16x16, 8x8 and 4x4 cells, 0.8 million parameters.
_base_ = './cvt-mini_cls.py'

model = dict(
    backbone=dict(
        arch=dict(
            embed_dims=[32, 64, 128], depths=[1, 1, 3], num_heads=[1, 1, 2]
        ),
    ),
)
