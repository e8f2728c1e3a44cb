# vit-4layers.py with another task of no second forward pass: a quarter of the
# cells is blank, and their pixels are filled in beside the labels.
# Train: mmdrloc train evidence/vit-4layers_masked-pixels
# Measured: 48.33 ± 0.59 % top-1 with positions that learn at ten times the
#     rate and weight 1 (seeds 0-4, 10,000 test photos).
_base_ = './vit-4layers.py'
model = dict(
    type='mmdrloc.MaskedPixelsClassifier',
    source='layers.3',
    in_channels=96,
    patch_size=4,
    mask_ratio=0.25,
    pixel_weight=0.5,
)
