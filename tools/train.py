"""Train a classifier, a detector or a segmentor."""

from mmdrloc.commands.train import main

if __name__ == '__main__':
    main()
