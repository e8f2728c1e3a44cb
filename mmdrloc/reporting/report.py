"""A report of any number of runs."""

import os
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .curves import draw_curves, draw_twins
from .gain import draw_gain
from .html import write_page
from .paired import caveats, in_a_sentence, paired_section
from .published import Published
from .results import write_results
from .runs import Run
from .tables import (
    DIFFERENCES,
    MEASURED,
    SHOWN,
    Metric,
    baseline_of,
    by_config,
    by_task,
    cells_of,
    code,
    markdown,
    marks_of,
    metrics_of,
    paired_differences,
    spread,
    task_table,
    values,
)

KINDS = ('.md', '.html', '.png', '.json')
# Sentences that a verdict has at most; tables have the rest.
SENTENCES = 6


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
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise UsageError(
            f'{path}: name a file that ends with .md or .html (a report), '
            '.png (what twins gain) or .json (the runs in one file)'
        )
    for run in runs:
        if not metrics_of(run):
            raise UsageError(
                f'{run.place}: of the metrics of this run '
                f'({", ".join(run.last)}) none is known to the report: leave '
                'it out'
            )
    for picture in pictures:
        if not picture.is_file():
            raise UsageError(f'there is no picture {picture}')
    if kind == '.json':
        write_results([run.result for run in runs], path)
    elif kind == '.png':
        draw_gain(runs, path, baseline)
    elif kind == '.html':
        with TemporaryDirectory() as folder:
            source = Path(folder, 'report.md')
            text, files = _compose(
                runs, source, title, pictures, published, baseline
            )
            write_page(text, files, path, title)
    else:
        text, _ = _compose(runs, path, title, pictures, published, baseline)
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding='utf-8', errors='replace')


def _compose(
    runs: Sequence[Run],
    path: Path,
    title: str,
    pictures: Sequence[Path],
    published: Published,
    baseline: Optional[str],
) -> Tuple[str, Dict[str, Path]]:
    """The report in Markdown, and the file of each picture's address."""
    files: Dict[str, Path] = {}

    def shown(caption: str, file: Path) -> str:
        address = quote(os.path.relpath(file, path.parent))
        files[address] = file
        return f'![{caption}]({address})'

    parts = [f'# {title}', *verdict(runs), _how_to_read(runs, published)]
    if baseline:
        parts += ['## Paired differences', paired_section(runs, baseline)]
    tables = overviews(runs, published)
    if tables:
        twins = path.with_name(f'{path.stem}_twins.png')
        draw_twins(runs, twins)
        parts += ['## All data sets', *tables]
        parts.append(shown('training curves of twins', twins))
    for number, group in enumerate(by_task(runs), 1):
        curves = path.with_name(f'{path.stem}_curves_{number}.png')
        draw_curves(group, curves)
        parts += [
            f'## {_heading(group)}',
            _data(group),
            task_table(group, published),
            shown('training curves', curves),
        ]
    if pictures:
        parts.append('## Pictures')
        parts += [shown(picture.stem, picture) for picture in pictures]
    parts += ['## How these runs were made', *_provenance(runs)]
    return '\n\n'.join(parts) + '\n', files


def verdict(runs: Sequence[Run]) -> List[str]:
    """What came out, in a sentence for each comparison or config.

    Args:
        runs (Sequence[Run]): Any number.

    Returns:
        list[str]: Paragraphs: the sentence, or a list of them, and one that
        says where they rest on few seeds or images.
    """
    sentences = []
    for group in by_task(runs):
        configs = by_config(group)
        metric = metrics_of(group[0])[0]
        dataset = group[0].dataset
        compared = set()
        for config, twins in configs.items():
            other = baseline_of(config, configs)
            others = configs.get(other, [])
            if paired_differences(twins, others, metric, 'last'):
                what = f'{dataset}, {code(config)} against {code(other)}'
                sentences.append(in_a_sentence(what, twins, others))
                compared |= {config, other}
        sentences += [
            f'{dataset}, {code(config)}: {metric.title} '
            f'{spread(values(its_runs, metric, "last"))} at the end, '
            f'{spread(values(its_runs, metric, "best"))} at best.'
            for config, its_runs in configs.items()
            if config not in compared
        ]
    listed = '\n'.join(f'- {sentence}' for sentence in sentences[:SENTENCES])
    return [sentences[0] if len(sentences) == 1 else listed, *caveats(runs)]


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
    return markdown(['model', metric.title, *datasets], lines)


def _how_to_read(runs: Sequence[Run], published: Published) -> str:
    sentences = [
        'Mean ± sample standard deviation over the seeds. *Last* is the '
        'value after the last update, *best* the best of all validations '
        '(chosen on the data it is measured on, so too good).'
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
    return f'{runs[0].dataset}: {names}'


def _data(runs: Sequence[Run]) -> str:
    dataset = runs[0].result['dataset']
    count = dataset['classes']
    return (
        f'{dataset["train_images"]} images to train, '
        f'{dataset["val_images"]} to validate, '
        f'{count} {"class" if count == 1 else "classes"}; '
        f'batch size {runs[0].result["global_batch"]}.'
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
            + f'revision {(result["git_revision"] or "unknown")[:12]}'
        )
    machines = '; '.join(dict.fromkeys(run.result['machine'] for run in runs))
    versions = ', '.join(
        f'{name} {version}'
        for name, version in runs[0].result['versions'].items()
    )
    return [
        '\n'.join(lines),
        f'Machine: {machines}. Versions of the first run: {versions}.',
    ]
