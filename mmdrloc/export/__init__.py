"""Models without this package: folders for others, ONNX files."""
