#!/usr/bin/env python
"""Train DRLoc recipes and their baseline over several seeds."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('compare')
