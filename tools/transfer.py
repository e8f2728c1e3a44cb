"""Take the backbone out of a classification checkpoint."""

import argparse
import json
from pathlib import Path

from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.files import atomic_path
from mmdrloc.transfer import extract_backbone, write_checkpoint

EXAMPLES = """examples:
  python tools/transfer.py work_dirs/swin/epoch_30.pth backbone.pth

  # then, in a config of mmdet or mmseg:
  model = dict(backbone=dict(init_cfg=dict(
      type='Pretrained', checkpoint='backbone.pth', prefix='backbone.')))
"""


def parse_args() -> argparse.Namespace:
    """Read the command line.

    Returns:
        argparse.Namespace: The arguments.
    """
    parser = argparse.ArgumentParser(
        description='Write the backbone of a checkpoint of mmpretrain or '
        'mmdrloc to a file for Mask R-CNN, UperNet and others, and say what '
        'was kept and what was left behind.',
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('checkpoint', type=Path, help='the trained checkpoint')
    parser.add_argument('out', type=Path, help='the backbone file to write')
    parser.add_argument(
        '--trust',
        action='store_true',
        help='unpickle the checkpoint even if it holds more than tensors and '
        'plain values; this runs any code that it contains',
    )
    parser.add_argument(
        '--audit-json',
        type=Path,
        metavar='PATH',
        help='also write the names of the kept and the dropped tensors here',
    )
    return parser.parse_args()


def transfer(args: argparse.Namespace) -> None:
    """Read, extract, write, report.

    Args:
        args (argparse.Namespace): The command line.

    Raises:
        UsageError: If the checkpoint would be overwritten.
    """
    if args.out.resolve() == args.checkpoint.resolve():
        raise UsageError(
            f'{args.out} is the checkpoint itself: name another output file.'
        )
    backbone, audit = extract_backbone(args.checkpoint, args.trust)
    write_checkpoint(backbone, args.out)
    print(audit.table())
    if backbone['meta']['averaged']:
        print('The weights are the averaged ones (EMA).')
    print(f'{len(audit.loaded)} backbone tensors written to {args.out}')
    if args.audit_json:
        with atomic_path(args.audit_json) as temporary:
            temporary.write_text(json.dumps(vars(audit), indent=2) + '\n')


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with usage_errors_in_one_sentence():
        transfer(args)


if __name__ == '__main__':
    main()
