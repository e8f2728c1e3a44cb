"""Evaluate a checkpoint of a classifier, a detector or a segmentor."""

from mmdrloc.commands.test import main

if __name__ == '__main__':
    main()
