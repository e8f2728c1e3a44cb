# CvT-13 of cvt-13.py for detectors and segmentors: maps of strides 4, 8, 16.
network = dict(type='mmdrloc.CvT', arch='13', out_indices=(0, 1, 2))
maps = [64, 192, 384]
