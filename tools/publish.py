#!/usr/bin/env python
"""Write a trained model as a folder that others open."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('publish')
