# What every classification run shares.
_base_ = './default_runtime.py'
default_scope = 'mmpretrain'

default_hooks = dict(
    visualization=dict(type='VisualizationHook', enable=False)
)
visualizer = dict(type='UniversalVisualizer')
