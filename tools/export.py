#!/usr/bin/env python
"""Write a trained classifier as an ONNX file."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('export')
