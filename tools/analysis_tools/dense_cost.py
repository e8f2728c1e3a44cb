#!/usr/bin/env python
"""Measure what the backbones of dense recipes need for one image.

Prints a Markdown table, for each size: seconds of a forward and a backward
pass, and megabytes that wait for the backward pass. The latter do not depend
on the machine, but on the kernels of its kind.
"""

import time
from typing import Any, Dict, List, Tuple

import torch
from torch import Tensor, nn

from mmdrloc.apis.cli import add_options, command_parser, read_options
from mmdrloc.checkpoints.transfer.fit import build_backbone
from mmdrloc.datasets.recipes import read_config
from mmdrloc.utils.errors import usage_errors_in_one_sentence

Size = Tuple[int, int]
EXAMPLES = """examples:
  python tools/analysis_tools/dense_cost.py \\
      configs/coco/mask-rcnn_{vit-b16,resnet-50}_1x.py
  python tools/analysis_tools/dense_cost.py \\
      configs/coco/mask-rcnn_vit-b16_1x.py --sizes 512x512 \\
      --cfg-options model.backbone.with_cp=True
"""


def size(text: str) -> Size:
    """Width and height in pixels, from a text like 1333x800."""
    width, height = text.split('x')
    return int(width), int(height)


def measure(backbone: nn.Module, image: Tensor) -> Tuple[float, float]:
    """Train the backbone on an image, without an update.

    Args:
        backbone (nn.Module): In training mode.
        image (Tensor): (1, 3, height, width).

    Returns:
        tuple[float, float]: Seconds, and megabytes that were kept for the
        backward pass beside parameters, buffers and the image.
    """
    kept: Dict[int, int] = {}
    own = {
        tensor.untyped_storage().data_ptr()
        for tensor in [image, *backbone.parameters(), *backbone.buffers()]
    }

    def keep(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    begin = time.perf_counter()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        maps = backbone(image)
    sum(cells.sum() for cells in maps).backward()
    return time.perf_counter() - begin, sum(kept.values()) / 2**20


def row(config: str, backbone: nn.Module, sizes: List[Size]) -> str:
    """Measure a backbone and write a line of the table.

    Args:
        config (str): The recipe.
        backbone (nn.Module): Its network.
        sizes (list[tuple[int, int]]): Widths and heights in pixels.

    Returns:
        str: In millions of parameters, seconds and megabytes.
    """
    backbone.train()
    cells = [f'{sum(p.numel() for p in backbone.parameters()) / 1e6:.1f}']
    for width, height in sizes:
        seconds, kept = measure(backbone, torch.randn(1, 3, height, width))
        cells += [f'{seconds:.1f}', f'{kept:,.0f}']
    return f'| `{config}` | {" | ".join(cells)} |'


def main() -> None:
    """Run the command line."""
    parser = command_parser(__doc__, EXAMPLES)
    parser.add_argument('configs', nargs='+', help='recipes of dense tasks')
    parser.add_argument(
        '--sizes',
        type=size,
        nargs='+',
        default=[(1333, 800), (512, 512)],
        metavar='WIDTHxHEIGHT',
        help='of the image in pixels (default: 1333x800 512x512)',
    )
    add_options(parser, '--cfg-options')
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        heads = [f'{w}x{h}: s | kept: MB' for w, h in args.sizes]
        print(f'| recipe | parameters (M) | {" | ".join(heads)} |')
        print('|' + '---|' * (2 + 2 * len(heads)))
        for path in args.configs:
            cfg = read_config(path)
            cfg.merge_from_dict(read_options(args.options))
            print(row(path, build_backbone(cfg), args.sizes), flush=True)


if __name__ == '__main__':
    main()
