#!/usr/bin/env python
"""Check the installation."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('doctor')
