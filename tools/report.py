#!/usr/bin/env python
"""Collect runs into a report: tables, training curves, pictures."""

from mmdrloc.commands.report import main

if __name__ == '__main__':
    main()
