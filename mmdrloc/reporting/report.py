"""A report of any number of runs."""

import os
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from mmdrloc.reporting.results import is_text, write_results
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .curves import draw_curves, draw_twins
from .gain import draw_gain
from .html import write_page
from .markup import code, text
from .paired import course_section, paired_section
from .published import Published
from .runs import Run
from .tables import (
    DIFFERENCES,
    MEASURED,
    SHOWN,
    Metric,
    by_config,
    by_task,
    cells_of,
    markdown,
    marks_of,
    metrics_of,
    task_table,
)

KINDS = ('.md', '.html', '.png', '.json')


def write_report(
    runs: Sequence[Run],
    path: Path,
    title: str = 'Results',
    pictures: Sequence[Path] = (),
    published: Published = MappingProxyType({}),
    baseline: Optional[str] = None,
) -> None:
    """Write tables, curves and pictures, or what they are made of.

    In Markdown, with the curves beside it, or, if the name ends in .html, as
    one file that holds its pictures. If it ends in .png: what twins gain, see
    :func:`draw_gain`; if in .json: the runs themselves, in a small file that
    :func:`load_runs` reads.

    Args:
        runs (Sequence[Run]): What to report.
        path (Path): File to be written.
        title (str): Its heading. Defaults to 'Results'.
        pictures (Sequence[Path]): PNG files to be shown after the tables.
            Defaults to ().
        published (Published): Values to be shown beside the measured ones.
            Defaults to none.
        baseline (str, optional): Name of the config that the others are
            compared to in a section with confidence intervals. Defaults to
            None: no such section.

    Raises:
        UsageError: If the file is of another kind, one of the pictures is
            not there, a run has no metric that tables show, or there is
            nothing to compare.
    """
    if path.suffix.lower() not in KINDS:
        raise UsageError(
            f'{path}: name a file that ends with .md or .html (a report), '
            '.png (what twins gain) or .json (the runs in one file)'
        )
    if not is_text(title):
        raise UsageError(f'the title {title!r} is no text')
    for run in runs:
        if not metrics_of(run):
            raise UsageError(
                f'{run.place}: of the metrics of this run '
                f'({", ".join(map(text, run.last))}) none is known to the '
                'report: leave it out'
            )
    if path.suffix.lower() == '.json':
        write_results([run.result for run in runs], path)
        return
    if path.suffix.lower() == '.png':
        draw_gain(runs, path, baseline)
        return
    if path.suffix.lower() == '.html':
        with TemporaryDirectory() as folder:
            source = Path(folder, 'report.md')
            write_report(runs, source, title, pictures, published, baseline)
            write_page(source, path, title, pictures)
        return
    parts = [f'# {title}', _how_to_read(runs, published)]
    if baseline:
        parts += ['## Paired differences', paired_section(runs, baseline)]
        course = course_section(runs, baseline)
        parts += [course] if course else []
    tables = overviews(runs, published)
    if tables:
        twins = path.with_name(f'{path.stem}_twins.png')
        draw_twins(runs, twins)
        parts += ['## All data sets', *tables]
        parts.append(f'![training curves of twins]({twins.name})')
    for number, group in enumerate(by_task(runs), 1):
        curves = path.with_name(f'{path.stem}_curves_{number}.png')
        draw_curves(group, curves)
        parts += [
            f'## {_heading(group)}',
            _data(group),
            task_table(group, published),
            f'![training curves]({curves.name})',
        ]
    if pictures:
        parts.append('## Pictures')
    for picture in pictures:
        if not picture.is_file():
            raise UsageError(f'there is no picture {picture}')
        relative = os.path.relpath(picture, path.parent)
        parts.append(f'![{text(picture.stem)}]({quote(relative)})')
    parts += ['## How these runs were made', *_provenance(runs)]
    with atomic_path(path) as temporary:
        temporary.write_text('\n\n'.join(parts) + '\n')


def overviews(runs: Sequence[Run], published: Published) -> List[str]:
    """Tables in the shape of the papers'.

    Args:
        runs (Sequence[Run]): Of any number of configs and data sets.
        published (Published): What to show beside the measured values.

    Returns:
        list[str]: A Markdown table for each first metric that was measured
        on several data sets.
    """
    by_metric: Dict[Metric, List[List[Run]]] = defaultdict(list)
    for group in by_task(runs):
        by_metric[metrics_of(group[0])[0]].append(group)
    return [
        _overview(metric, groups, published)
        for metric, groups in by_metric.items()
        if len({group[0].dataset for group in groups}) > 1
    ]


def _overview(
    metric: Metric, groups: Sequence[List[Run]], published: Published
) -> str:
    datasets = sorted({group[0].dataset for group in groups})
    rows: Dict[Tuple[str, str], Dict[str, str]] = defaultdict(dict)
    families: Dict[str, Tuple[str, bool]] = {}
    for group in groups:
        configs = by_config(group)
        for config, its_runs in configs.items():
            baseline = its_runs[0].baseline_config
            families[config] = (baseline or config, baseline is not None)
            partial = ' †' if any(map(marks_of, its_runs)) else ''
            cells = cells_of(config, configs, metric, published)
            for name, cell in cells.items():
                if cell:
                    cell += partial if name in MEASURED else ''
                    rows[config, name][group[0].dataset] = cell
    # Twins below their baseline; rows without any value are left out.
    lines = [
        [code(model), name, *(rows[model, name].get(d, '') for d in datasets)]
        for model in sorted(families, key=lambda name: (families[name], name))
        for name in (*SHOWN, *DIFFERENCES)
        if (model, name) in rows
    ]
    return markdown(['model', metric.title, *map(text, datasets)], lines)


def _how_to_read(runs: Sequence[Run], published: Published) -> str:
    sentences = [
        'Mean ± sample standard deviation over the seeds. *Last* is the '
        'value after the last update, *best* the best of all '
        'validations (chosen on the data it is measured on, so too good). '
        'One seed says little.'
    ]
    if any(run.identity in published for run in runs):
        sentences.append(
            '*Published* is what the paper prints; the accuracies are, by '
            'its code, the highest of all epochs, as *best* is. Published '
            'differences are computed from the published values.'
        )
    if any(map(marks_of, runs)):
        sentences.append(
            'Where there are *notes* (in the table of all data sets: †), not '
            'the whole experiment was run: such a value is not to be '
            'compared with a published one.'
        )
    return ' '.join(sentences)


def _heading(runs: Sequence[Run]) -> str:
    names = ', '.join(metric.title for metric in metrics_of(runs[0]))
    return f'{text(runs[0].dataset)}: {names}'


def _data(runs: Sequence[Run]) -> str:
    dataset = runs[0].result['dataset']
    count = dataset['classes']
    return (
        f'{dataset["train_images"]} images to train, '
        f'{dataset["val_images"]} to validate, '
        f'{count} {"class" if count == 1 else "classes"}; '
        f'{runs[0].result["global_batch"]} images an update.'
    )


def _provenance(runs: Sequence[Run]) -> List[str]:
    lines = []
    for run in runs:
        result = run.result
        speed = result['images_per_s']
        lines.append(
            f'- {code(result["command"])}: '
            f'{result["wall_time_s"]:.0f} s, '
            + ('' if speed is None else f'{speed:.1f} images/s, ')
            + f'revision {text((result["git_revision"] or "unknown")[:12])}'
        )
    machines = dict.fromkeys(text(run.result['machine']) for run in runs)
    versions = ', '.join(
        text(f'{name} {version}')
        for name, version in runs[0].result['versions'].items()
    )
    return [
        '\n'.join(lines),
        f'Machine: {"; ".join(machines)}. '
        f'Versions of the first run: {versions}.',
    ]
