"""Checkpoints into backbones: read safely, convert, audit."""

from .arrival import audit_loading, fitting
from .audit import Audit, audit_state_dict
from .backbone import (
    convert_checkpoint,
    extract_backbone,
    to_origin,
    write_checkpoint,
)
from .fit import fit_to_config
from .origins import ORIGINS, detect_origin
from .proof import compare_features

__all__ = [
    'ORIGINS',
    'Audit',
    'audit_loading',
    'audit_state_dict',
    'compare_features',
    'convert_checkpoint',
    'detect_origin',
    'extract_backbone',
    'fit_to_config',
    'fitting',
    'to_origin',
    'write_checkpoint',
]
