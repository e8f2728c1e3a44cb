#!/usr/bin/env python
"""Evaluate a checkpoint of a classifier, a detector or a segmentor."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('test')
