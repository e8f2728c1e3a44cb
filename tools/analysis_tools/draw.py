#!/usr/bin/env python
"""Draw what a trained model makes of its images."""

from pathlib import Path
from typing import Callable, Dict

from mmengine.runner import Runner, set_random_seed
from row_gradients import draw_row_gradients
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.apis.cli import Parser
from mmdrloc.apis.run import config_and_checkpoint
from mmdrloc.checkpoints.load import load_trained
from mmdrloc.checkpoints.reading import files_as_data
from mmdrloc.datasets.recipes import read_config
from mmdrloc.models.building import building_from
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.visualization.pair_distances import draw_pair_distances
from mmdrloc.visualization.reconstructions import draw_reconstructions

EXAMPLES = """examples:
  python tools/analysis_tools/draw.py pair-distances RUN --out pairs.png
  python tools/analysis_tools/draw.py reconstructions RUN --out mae.png
  python tools/analysis_tools/draw.py row-gradients RUN --out rows.png
"""
DRAW: Dict[str, Callable[[nn.Module, DataLoader, Path], None]] = {
    'pair-distances': draw_pair_distances,
    'reconstructions': draw_reconstructions,
    'row-gradients': draw_row_gradients,
}


def main() -> None:
    """Run the command line."""
    parser = Parser(description=__doc__, epilog=EXAMPLES)
    parser.add_argument(
        'what',
        choices=DRAW,
        help='true against predicted distances of pairs of grid cells; or '
        'masked images and what is made of them; or which rows of the '
        'classifier of IDMM get a gradient from its training images, and '
        'from what',
    )
    parser.add_argument('model', help='a run, or the config of a checkpoint')
    parser.add_argument(
        'checkpoint', nargs='?', help='(default: the last one of the run)'
    )
    parser.add_argument(
        '--out', type=Path, required=True, help='PNG file to be written'
    )
    parser.add_argument(
        '--trust',
        action='store_true',
        help='let files run the code that they contain',
    )
    args = parser.parse_intermixed_args()
    with usage_errors_in_one_sentence(), files_as_data(args.trust):
        config, checkpoint = config_and_checkpoint(args.model, args.checkpoint)
        cfg = read_config(config)
        if args.what == 'row-gradients':
            # A pre-training validates nothing: its training images are shown.
            cfg.val_dataloader = cfg.train_dataloader
        if cfg.get('val_dataloader') is None:
            raise UsageError(
                f'{config} has no validation images, of which {args.what} '
                'are drawn, as most pre-trainings: give another run.'
            )
        set_random_seed(0)
        model = load_trained(cfg, checkpoint).model
        with building_from(cfg):
            loader = Runner.build_dataloader(cfg.val_dataloader)
        DRAW[args.what](model, loader, args.out)
    print(f'written: {args.out}')


if __name__ == '__main__':
    main()
