# A CvT for small photos and two processor cores, 0.7 million parameters: of
# CvT-13 the first two stages, narrower. At 32 px they have 8x8 and 4x4 cells.
# Classification and the dense tasks take it from here as `_base_.cvt_mini`.
cvt_mini = dict(
    type='mmdrloc.CvT',
    arch=dict(embed_dims=[64, 128], depths=[1, 3], num_heads=[1, 2]),
    variant='drloc',
)
