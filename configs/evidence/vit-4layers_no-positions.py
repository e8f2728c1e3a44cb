# vit-4layers.py without position embeddings: it sees a bag of patches.
# Train: mmdrloc train evidence/vit-4layers_no-positions
# Measured: 41.30 ± 0.20 % top-1 (seeds 0-2, 2,000 of the test photos).
_base_ = [
    '../_base_/models/vit-4layers.py',
    '../_base_/datasets/cifar10-5k_bs32_32.py',
    '../_base_/schedules/evidence_bs32_adamw_1500it.py',
    '../_base_/default_runtime.py',
]
model = dict(
    backbone=dict(
        # BEiT's is the same but for this option.
        type='BEiTViT',
        use_abs_pos_emb=False,
        use_rel_pos_bias=False,
        layer_scale_init_value=0.0,
        final_norm=True,
    )
)
default_hooks = dict(checkpoint=dict(by_epoch=False, interval=250))
