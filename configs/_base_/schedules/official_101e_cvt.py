# The official code knows norms by their one dimension. Those of its CvT have
# four (1, C, 1, 1) and are decayed.
_base_ = './official_101e.py'

optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys={'.norm': dict(decay_mult=1.0)})
)
