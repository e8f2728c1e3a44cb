"""From a training to a model that others use."""

from .onnx import export_onnx
from .publish import open_published, publish

__all__ = ['export_onnx', 'open_published', 'publish']
