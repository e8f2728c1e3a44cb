"""A report of any number of runs."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .figures import draw_curves, draw_gain
from .html import write_page
from .identity import Identity
from .paired import caveats, in_a_sentence, paired_section
from .published import Published
from .results import write_results
from .runs import Run
from .tables import (
    baseline_of,
    by_config,
    by_task,
    code,
    metrics_of,
    paired_differences,
    spread,
    task_table,
    values,
)

KINDS = ('.md', '.html', '.png', '.json')
# Sentences that a verdict has at most; tables have the rest.
SENTENCES = 6
# The story: what was trained, what a twin gained, what was carried on.
STAGES = ('Trained', 'Gained', 'Carried')
READING = (
    'Mean ± sample standard deviation over the seeds. *Last* is the value '
    'after the last iteration, *best* the best of all validations (chosen on '
    'the data it is measured on, so too good).'
)
PRINTED = (
    '*Published* is what the paper prints; the accuracies are, by its code, '
    'the highest of all epochs, as *best* is.'
)


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
    one file that holds its pictures. If it ends in .png: the gain, see
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
            '.png (the gain over the baseline) or .json (the runs in one file)'
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
    else:
        content = runs, title, pictures, published, baseline
        with TemporaryDirectory() as folder:
            place = Path(folder, 'report.md') if kind == '.html' else path
            text, files = _compose(place, *content)
            if kind == '.html':
                write_page(text, files, path, title)
                return
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding='utf-8', errors='replace')


def _compose(
    path: Path,
    runs: Sequence[Run],
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
        return f'![{caption}]({address})\n\n*{caption}*'

    groups = sorted(
        by_task(runs), key=lambda group: STAGES.index(_stage(group))
    )
    parts = [f'# {title}', *verdict(groups), *caveats(runs)]
    is_printed = any(run.identity in published for run in runs)
    parts.append(f'{READING} {PRINTED}' if is_printed else READING)
    if baseline:
        parts += ['## Paired differences', paired_section(runs, baseline)]
    for number, group in enumerate(groups, 1):
        curves = path.with_name(f'{path.stem}_curves_{number}.png')
        draw_curves(group, curves)
        name = group[0].dataset
        parts += [
            f'## {_stage(group)}: {name}',
            _data(group),
            task_table(group, published),
            shown(f'Training curves on {name}, a line a seed', curves),
        ]
    if pictures:
        parts.append('## Pictures')
        parts += [shown(one.stem.replace('_', ' '), one) for one in pictures]
    parts += ['## How these runs were made', *_provenance(runs)]
    return '\n\n'.join(parts) + '\n', files


def _stage(group: Sequence[Run]) -> str:
    if any(isinstance(run.identity.weights, Identity) for run in group):
        return 'Carried'
    configs = by_config(group)
    twins = any(baseline_of(config, configs) for config in configs)
    return 'Gained' if twins else 'Trained'


def verdict(groups: Sequence[Sequence[Run]]) -> List[str]:
    """What came out, in a sentence for each comparison or config.

    Args:
        groups (Sequence[Sequence[Run]]): Of :func:`by_task`.

    Returns:
        list[str]: The sentence, or one list of the first of them.
    """
    sentences = []
    for group in groups:
        configs = by_config(group)
        metric = metrics_of(group[0])[0]
        dataset = group[0].dataset
        compared = set()
        for config, twins in configs.items():
            # A start from weights is compared with the recipe's own start.
            recipe, carried, _ = config.partition(' from ')
            other = baseline_of(config, configs) or (carried and recipe)
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
    if len(sentences) == 1:
        return sentences
    return ['\n'.join(f'- {sentence}' for sentence in sentences[:SENTENCES])]


def _data(runs: Sequence[Run]) -> str:
    dataset = runs[0].result['dataset']
    count = dataset['classes']
    lengths = {run.result['updates']['done'] for run in runs}
    return (
        f'{dataset["train_images"]} images to train, '
        f'{dataset["val_images"]} to validate, '
        f'{count} {"class" if count == 1 else "classes"}; batch size '
        f'{runs[0].result["global_batch"]}, '
        f'{" or ".join(map(str, sorted(lengths)))} iterations.'
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
