"""Convert a checkpoint of any known origin; take its backbone out."""

from typing import Optional

from .arguments import Words, add_shared, command_parser
from .program import calling

EXAMPLES = """examples:
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

Origins: docs/checkpoints.md; another name says which there are.
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(
        'Write the backbone of a checkpoint, whoever made it, to a file for '
        'classification, Mask R-CNN, UperNet and others, and say what was '
        'kept and what was left behind.',
        EXAMPLES,
        prog,
    )
    parser.add_argument('checkpoint', help='the checkpoint')
    parser.add_argument('out', help='the file to write, .pth or .safetensors')
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
    add_shared(parser, '--trust')
    parser.add_argument(
        '--audit-json',
        metavar='PATH',
        help='also write the names of the kept and the dropped tensors here',
    )
    add_shared(parser, '--verbose')
    arguments = vars(parser.parse_args(argv))
    with calling() as apis:
        print(apis.transfer(**arguments))
