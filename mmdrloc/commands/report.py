"""Collect runs into a report: tables, training curves, pictures."""

from typing import Optional

from .arguments import Words, command_parser
from .program import calling

EXAMPLES = """examples:
  python tools/report.py work_dirs/swin-2stage* --out work_dirs/report.md
  python tools/report.py work_dirs/swin-2stage* --out work_dirs/report.html
  python tools/report.py work_dirs/swin-2stage* --out digits.json
  python tools/report.py digits.json --out gain.png
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(__doc__, EXAMPLES, prog)
    parser.add_argument(
        'runs',
        nargs='+',
        help='work folders of runs, or a .json file of several',
    )
    parser.add_argument(
        '--out',
        required=True,
        help='file to be written: .html for one file that holds its '
        'pictures and opens offline, .md for Markdown, with the curves '
        'beside it; .png for what twins gain against updates, with their '
        'skill; .json for the runs themselves, in a few kilobytes each',
    )
    parser.add_argument('--title', default='Results', help='its heading')
    parser.add_argument(
        '--pictures',
        nargs='*',
        default=[],
        help='PNG files to be shown in it',
    )
    parser.add_argument(
        '--baseline',
        metavar='CONFIG',
        help='name of a config, as the report shows it: compare the others '
        'with it, seed by seed, with confidence intervals',
    )
    arguments = vars(parser.parse_args(argv))
    with calling() as apis:
        print(f'written: {apis.report(**arguments)}')
