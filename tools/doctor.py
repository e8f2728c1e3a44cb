#!/usr/bin/env python
"""Say what is wrong with this installation: ``mmdrloc doctor``."""

from mmdrloc.commands.doctor import main

if __name__ == '__main__':
    main()
