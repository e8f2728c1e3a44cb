#!/usr/bin/env python
"""Write a trained model as a folder that others open."""

from mmdrloc.commands.publish import main

if __name__ == '__main__':
    main()
