#!/usr/bin/env python
"""Count parameters and multiply-accumulates of classifiers.

Counted by MMEngine for one image: linear layers, convolutions and norms; not
the two products inside attention. The DRLoc head, which is for training
alone, does not count.
"""

import argparse
from typing import Tuple

from mmengine.analysis import get_model_complexity_info
from mmengine.config import Config, DictAction
from mmengine.registry import MODELS, init_default_scope

from mmdrloc.utils.errors import usage_errors_in_one_sentence


def count(cfg: Config, size: int) -> Tuple[int, int]:
    """Count for one image.

    Args:
        cfg (Config): Of a classifier.
        size (int): Pixels along a side of the image, for a backbone without
            ``img_size``.

    Returns:
        tuple[int, int]: Parameters, multiply-accumulates.
    """
    init_default_scope('mmpretrain')
    model = dict(cfg.model, train_cfg=None)
    if model.pop('auxiliary_head', None):
        model['type'] = 'mmpretrain.ImageClassifier'
    size = cfg.model.backbone.get('img_size', size)
    shape = (3, size, size) if isinstance(size, int) else (3, *size)
    info = get_model_complexity_info(
        MODELS.build(model).eval(), shape, show_table=False, show_arch=False
    )
    return info['params'], info['flops']


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('configs', nargs='+', help='configs of classifiers')
    parser.add_argument(
        '--size',
        type=int,
        default=224,
        help='pixels of an image, where the backbone has no img_size '
        '(default: 224)',
    )
    parser.add_argument(
        '--cfg-options', nargs='+', action=DictAction, default={}
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        print('| config | parameters (M) | operations (G) |\n|---|---|---|')
        for path in args.configs:
            cfg = Config.fromfile(path)
            cfg.merge_from_dict(args.cfg_options)
            parameters, operations = count(cfg, args.size)
            print(
                f'| `{path}` | {parameters / 1e6:.3f} '
                f'| {operations / 1e9:.3f} |'
            )


if __name__ == '__main__':
    main()
