"""Convert a checkpoint of any known origin; take its backbone out."""

from mmdrloc.commands.transfer import main

if __name__ == '__main__':
    main()
