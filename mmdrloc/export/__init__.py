"""From a training to a model that others use."""

from .onnx import export_onnx
from .publish import publish, published_files

__all__ = ['export_onnx', 'publish', 'published_files']
