"""Data sets and transforms that OpenMMLab lacks, read while training.

What writes data sets, once, is in ``tools/dataset_converters``.
"""
