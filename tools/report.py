#!/usr/bin/env python
"""Collect runs into a report: tables, training curves, pictures."""

import argparse
from pathlib import Path

from mmdrloc.errors import usage_errors_in_one_sentence
from mmdrloc.reporting.published import read_published
from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.runs import load_runs

PUBLISHED = Path(__file__).resolve().parents[1] / 'configs/published.yml'
EXAMPLES = """examples:
  python tools/report.py work_dirs/swin-2stage* --out work_dirs/report.md
  python tools/report.py work_dirs/swin-2stage* --out work_dirs/report.html
  python tools/report.py work_dirs/swin-2stage* --out digits.json
  python tools/report.py digits.json --out gain.png
"""


def parse_args() -> argparse.Namespace:
    """Read the command line.

    Returns:
        argparse.Namespace: The arguments.
    """
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        'runs',
        nargs='+',
        help='work folders of runs, or a .json file of several',
    )
    parser.add_argument(
        '--out',
        type=Path,
        required=True,
        help='file to be written: .html for one file that holds its '
        'pictures and opens offline, .md for Markdown, with the curves '
        'beside it; .png for what twins gain against updates, with their '
        'skill; .json for the runs themselves, in a few kilobytes each',
    )
    parser.add_argument('--title', default='Results', help='its heading')
    parser.add_argument(
        '--pictures',
        type=Path,
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
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with usage_errors_in_one_sentence():
        write_report(
            load_runs(args.runs),
            args.out,
            args.title,
            args.pictures,
            read_published(PUBLISHED),
            args.baseline,
        )
    print(f'written: {args.out}')


if __name__ == '__main__':
    main()
