# The paper's recipe for UperNet: mmseg's with drop path 0.2, and tests at six
# sizes (tools/test.py --tta) without flips, of which the paper says nothing.
# upernet_swin-tiny_stock.py flips the images as well.
_base_ = './upernet_swin-tiny_stock.py'

model = dict(backbone=dict(drop_path_rate=0.2))

sizes, flips, *rest = _base_.tta_pipeline[1].transforms
tta_pipeline = [
    _base_.tta_pipeline[0],
    dict(type='TestTimeAug', transforms=[sizes, flips[:1], *rest]),
]
del sizes, flips, rest
