#!/usr/bin/env python
"""Predict images."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('predict')
