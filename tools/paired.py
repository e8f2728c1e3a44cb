#!/usr/bin/env python
"""Train twins and their baseline over several seeds, and compare them."""

from mmdrloc.commands.compare import main

if __name__ == '__main__':
    main()
