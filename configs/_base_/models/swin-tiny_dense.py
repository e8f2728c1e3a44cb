# Swin-T for detectors and segmentors: mmpretrain's own, so that weights come
# from classification by their names. It starts from those that --weights
# names. Recipes take it from here as `_base_.swin_tiny` and add a drop path.
swin_tiny = dict(
    type='mmpretrain.SwinTransformer',
    arch='tiny',
    out_indices=(0, 1, 2, 3),
    # The same arithmetic as mmdet's and mmseg's Swin on maps of any size.
    pad_small_map=True,
    init_cfg=dict(type='Pretrained', prefix='backbone.'),
)
