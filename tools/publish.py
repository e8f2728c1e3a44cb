#!/usr/bin/env python
"""Write a checkpoint and a config of a trained model for others."""

from mmdrloc.commands.publish import main

if __name__ == '__main__':
    main()
