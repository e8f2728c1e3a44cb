"""Datasets and transforms that OpenMMLab lacks, read while training.

What writes datasets, once, is in ``tools/dataset_converters``.
"""
