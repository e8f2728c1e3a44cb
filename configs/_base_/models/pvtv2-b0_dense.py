# PVTv2-B0 for detectors and segmentors, as timm has it. Recipes take it from
# here as `_base_.pvtv2_b0`.
pvtv2_b0 = dict(
    type='mmpretrain.TIMMBackbone',
    model_name='pvt_v2_b0',
    features_only=True,
    drop_path_rate=0.1,
)
