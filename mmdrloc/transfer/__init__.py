"""Checkpoints into backbones: read safely, extract, audit."""

from .audit import Audit, audit_state_dict
from .backbone import extract_backbone, write_checkpoint
from .checkpoint import load_checkpoint, load_weights

__all__ = [
    'Audit',
    'audit_state_dict',
    'extract_backbone',
    'load_checkpoint',
    'load_weights',
    'write_checkpoint',
]
