#!/usr/bin/env python
"""Convert a checkpoint of any known origin; take its backbone out."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('transfer')
