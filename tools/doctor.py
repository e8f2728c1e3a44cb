#!/usr/bin/env python
"""Say what is wrong with this installation."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('doctor')
