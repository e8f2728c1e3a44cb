"""Convert a checkpoint of any known origin; take its backbone out."""

import argparse
import json
from pathlib import Path

from mmdrloc.console.console import CONSOLE, add_verbose
from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.files import atomic_path
from mmdrloc.reading import trust_files
from mmdrloc.recipes import read_config
from mmdrloc.transfer import (
    ORIGINS,
    compare_features,
    convert_checkpoint,
    extract_backbone,
    fit_to_config,
    to_origin,
    write_checkpoint,
)

SUFFIXES = ('.pth', '.pt', '.safetensors')
EXAMPLES = f"""origins: {', '.join(ORIGINS)}

examples:
  # the backbone of a trained classifier, checked against the detector
  python tools/transfer.py work_dirs/swin/epoch_30.pth backbone.pth \\
      --config CONFIG

  # then, in a config of mmdet or mmseg:
  model = dict(backbone=dict(init_cfg=dict(
      type='Pretrained', checkpoint='backbone.pth', prefix='backbone.')))

  # a published checkpoint into a classifier for tools/test.py
  python tools/transfer.py swin_tiny.pth classifier.pth --with-head

  # and a trained one back into the format of another library
  python tools/transfer.py epoch_300.pth swin_timm.pth --to swin-timm
"""


def parse_args() -> argparse.Namespace:
    """Read the command line.

    Returns:
        argparse.Namespace: The arguments.
    """
    parser = argparse.ArgumentParser(
        description='Write the backbone of a checkpoint, whoever made it, '
        'to a file for classification, Mask R-CNN, UperNet and others, and '
        'say what was kept and what was left behind.',
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('checkpoint', type=Path, help='the checkpoint')
    parser.add_argument(
        'out', type=Path, help='the file to write, .pth or .safetensors'
    )
    parser.add_argument(
        '--origin',
        metavar='NAME',
        help='the format of the checkpoint (told by its tensors)',
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        '--config',
        metavar='CONFIG',
        help='check that the backbone fits the one in this config, and '
        'resize position embeddings to it',
    )
    what.add_argument(
        '--with-head',
        action='store_true',
        help='keep the heads too: a whole classifier',
    )
    what.add_argument(
        '--to',
        metavar='NAME',
        help='write the whole classifier in the format of another origin',
    )
    parser.add_argument(
        '--proof',
        metavar='CONFIG',
        help="compare the last feature maps of --config's backbone and of "
        "this classifier's, at three image sizes",
    )
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
    add_verbose(parser)
    args = parser.parse_args()
    if args.proof and not args.config:
        parser.error('--proof compares with --config: give both')
    return args


def transfer(args: argparse.Namespace) -> None:
    """Read, convert, write, report.

    Args:
        args (argparse.Namespace): The command line.

    Raises:
        UsageError: If the checkpoint would be overwritten, is not
            understood, or does not fit.
    """
    if args.out.resolve() == args.checkpoint.resolve():
        raise UsageError(
            f'{args.out} is the checkpoint itself: name another output file.'
        )
    if args.out.suffix not in SUFFIXES:
        raise UsageError(f'{args.out} must end with {" or ".join(SUFFIXES)}.')
    audit_json = args.audit_json and args.audit_json.resolve()
    if audit_json in (args.out.resolve(), args.checkpoint.resolve()):
        raise UsageError(
            f'--audit-json {args.audit_json} is a checkpoint: name another '
            'file.'
        )
    trust_files(args.trust)
    checkpoint, audit = convert_checkpoint(args.checkpoint, args.origin)
    meta = checkpoint['meta']
    if args.to:
        weights, audit = to_origin(checkpoint['state_dict'], args.to)
        checkpoint = dict(state_dict=weights)
    elif not args.with_head:
        checkpoint, audit = extract_backbone(checkpoint, audit)
    if args.config:
        checkpoint, audit = fit_to_config(
            checkpoint, audit, read_config(args.config)
        )
    differences = []
    if args.proof:
        differences = compare_features(
            checkpoint['state_dict'],
            read_config(args.proof),
            read_config(args.config),
        )
    write_checkpoint(checkpoint, args.out)
    print(f'{args.checkpoint} is of origin {meta["origin"]}')
    print(audit.table())
    if meta['averaged']:
        print('The weights are the averaged ones (EMA).')
    for difference in differences:
        height, width = difference.image_size
        print(
            f'features at {height}x{width} px, {difference.shape}: greatest '
            f'difference {difference.greatest:g}'
        )
    print(f'{len(checkpoint["state_dict"])} tensors written to {args.out}')
    if args.audit_json:
        with atomic_path(args.audit_json) as temporary:
            temporary.write_text(json.dumps(vars(audit), indent=2) + '\n')


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with usage_errors_in_one_sentence(), CONSOLE.opened(args.verbose):
        transfer(args)


if __name__ == '__main__':
    main()
