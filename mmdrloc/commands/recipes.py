"""List the recipes, or those that match all of some words.

A word is a part of the name (network and method), the task or a data set, or
it is `published` or `measured`.
"""

from typing import Optional

from .arguments import Words, command_parser
from .program import errors_told

EXAMPLES = """examples:
  mmdrloc recipes
  mmdrloc recipes swin drloc cifar-10
  mmdrloc recipes segmentation measured
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(__doc__, EXAMPLES, prog)
    parser.add_argument('words', nargs='*', help='what to look for')
    words = parser.parse_args(argv).words
    with errors_told():
        from mmdrloc.datasets.recipe_list import recipes

        found = recipes(*words)
    for recipe in found:
        print(f'{recipe.name}  {recipe.task}'.rstrip())
        if recipe.published:
            print(f'  published: {"; ".join(recipe.published)}')
        if recipe.measured:
            print(f'  measured: {recipe.measured}')
    if not found:
        parser.exit(1, f'no recipe has all of: {", ".join(words)}\n')
