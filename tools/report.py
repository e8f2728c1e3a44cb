#!/usr/bin/env python
"""Collect runs into a report: tables, training curves, pictures."""

from mmdrloc.apis.cli import run

if __name__ == '__main__':
    run('report')
