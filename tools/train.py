#!/usr/bin/env python
"""Train a classifier, a detector or a segmentor."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('train')
