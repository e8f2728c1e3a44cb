#!/usr/bin/env python
"""Count parameters and multiply-accumulates of classifiers.

Prints a Markdown table: for each config parameters, and operations of one
image counted in full (linear layers, convolutions, the products inside
attention), of linear layers and convolutions alone, and in full without
attention modules.
"""

from mmdrloc.apis.cli import add_options, command_parser, read_options
from mmdrloc.datasets.recipes import read_config
from mmdrloc.utils.errors import usage_errors_in_one_sentence
from mmdrloc.visualization.cost import Cost, cost_of_config

EXAMPLES = """examples:
  python tools/analysis_tools/count.py configs/mae/vit-light.py
  python tools/analysis_tools/count.py configs/mae/vit-light.py \\
      --cfg-options model.backbone.patch_size=6
"""


def row(name: str, cost: Cost) -> str:
    """A line of the table, in millions of parameters, G of operations."""
    operations = ' | '.join(f'{count / 1e9:.3f}' for count in cost[1:])
    return f'| `{name}` | {cost.parameters / 1e6:.3f} | {operations} |'


def main() -> None:
    """Run the command line."""
    parser = command_parser(__doc__, EXAMPLES)
    parser.add_argument('configs', nargs='+', help='configs of classifiers')
    parser.add_argument(
        '--size',
        type=int,
        help='pixels of an image, where the backbone has no img_size',
    )
    add_options(parser, '--cfg-options')
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        print(
            '| config | parameters (M) | full (G) | linear only (G) '
            '| without attention (G) |'
        )
        print('|---|---|---|---|---|')
        for path in args.configs:
            cfg = read_config(path)
            cfg.merge_from_dict(read_options(args.options))
            print(row(path, cost_of_config(cfg, args.size)))


if __name__ == '__main__':
    main()
