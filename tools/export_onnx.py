#!/usr/bin/env python
"""Write a trained classifier or segmentor as an ONNX file."""

from mmdrloc.commands.export import main

if __name__ == '__main__':
    main()
