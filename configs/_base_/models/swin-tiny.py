# Swin-T as mmpretrain has it: 28.288 M parameters, drop path 0.2.
_base_ = 'mmpretrain::_base_/models/swin_transformer/tiny_224.py'
