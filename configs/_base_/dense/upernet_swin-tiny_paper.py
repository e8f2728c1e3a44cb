# The paper's recipe for UperNet: mmseg's with drop path 0.2. Its test at six
# sizes is mmseg's test-time augmentation: tools/test.py --tta.
_base_ = './upernet_swin-tiny_stock.py'

model = dict(backbone=dict(drop_path_rate=0.2))
