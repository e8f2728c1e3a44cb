"""A report of any number of runs."""

from os.path import relpath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from mmdrloc.utils.errors import UsageError, counted, mention
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import Place, shipped
from .figures import draw_curves, draw_gain
from .html import write_page
from .identity import Identity
from .paired import caveats, in_a_sentence, paired_section
from .published import read_published
from .runs import Run, load_runs, write_results
from .tables import (
    baseline_of,
    by_config,
    by_task,
    code,
    gains,
    metrics_of,
    spread,
    task_table,
    values,
)

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


def report(
    runs: Sequence[Any],
    out: Place,
    title: str = 'Results',
    pictures: Sequence[Place] = (),
    baseline: Optional[str] = None,
) -> Path:
    """Write tables, curves and pictures, with the published values.

    Args:
        runs (Sequence[str | Path | mmdrloc.apis.Run]): Runs, their folders,
            those of comparisons, or .json files of several. What holds no
            run, and a run whose metrics no table shows, is left out with a
            note.
        out (str | Path): An .html file that holds its pictures, a .md file
            with the curves beside it, a .png file of the gain, or a .json
            file that keeps the runs.
        title (str): The heading. Defaults to 'Results'.
        pictures (Sequence[str | Path]): PNG files to show.
        baseline (str, optional): The config that the others are compared
            with, as tables name it. By default that of the DRLoc recipes.

    Returns:
        Path: ``out``.

    Raises:
        UsageError: If the file is of another kind, one of the pictures is
            not there, no run has a metric that tables show, or there is
            nothing to compare.
    """
    files, path = [Path(picture) for picture in pictures], Path(out)
    # Not isinstance: apis.Run imports torch.
    found = load_runs([getattr(run, 'folder', run) for run in runs])
    records = [run for run in found if metrics_of(run)]
    unknown = [
        f'{run.place}: no table shows {", ".join(run.result["last"])}'
        for run in found
        if run not in records
    ]
    if not records:
        raise UsageError('; '.join(unknown))
    mention(f'left out: {one}' for one in unknown)
    for file in files:
        if not file.is_file():
            raise UsageError(f'there is no picture {file}')
    kind = path.suffix.lower()
    content = records, title, files, baseline
    if kind == '.json':
        write_results([run.result for run in records], path)
    elif kind == '.png':
        draw_gain(records, path, baseline)
    elif kind == '.html':
        with TemporaryDirectory() as folder:
            text, shown = _compose(Path(folder, 'report.md'), *content)
            write_page(text, path, title, shown)
    elif kind == '.md':
        text, _ = _compose(path, *content)
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding='utf-8', errors='replace')
    else:
        raise UsageError(
            f'{path}: name a file that ends with .md or .html (a report), '
            '.png (the gain over the baseline) or .json (the runs in one file)'
        )
    return path


def _compose(
    path: Path,
    runs: Sequence[Run],
    title: str,
    pictures: Sequence[Path],
    baseline: Optional[str],
) -> Tuple[str, Dict[str, Path]]:
    """The report in Markdown, and the files behind the addresses in it.

    The curves are drawn beside ``path``.
    """
    files: Dict[str, Path] = {}
    published = read_published(shipped('configs') / 'published.yml')

    def shown(caption: str, file: Path) -> str:
        address = quote(relpath(file, path.parent))
        files[address] = file
        return f'![{caption}]({address})\n\n*{caption}*'

    parts = [f'# {title}', *verdict(runs), *caveats(runs)]
    is_printed = any(run.identity in published for run in runs)
    parts.append(f'{READING} {PRINTED}' if is_printed else READING)
    if baseline:
        parts += ['## Paired differences', paired_section(runs, baseline)]
    for number, group in enumerate(_groups(runs), 1):
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


def _groups(runs: Sequence[Run]) -> List[List[Run]]:
    """In the order of the story."""
    return sorted(by_task(runs), key=lambda runs: STAGES.index(_stage(runs)))


def _stage(group: Sequence[Run]) -> str:
    if any(isinstance(run.identity.weights, Identity) for run in group):
        return 'Carried'
    configs = by_config(group)
    twins = any(baseline_of(config, configs) for config in configs)
    return 'Gained' if twins else 'Trained'


def verdict(runs: Sequence[Run]) -> List[str]:
    """What came out, in up to six sentences."""
    sentences = []
    for group in _groups(runs):
        configs = by_config(group)
        metric = metrics_of(group[0])[0]
        dataset = group[0].dataset
        compared = set()
        for config, twins in configs.items():
            # A start from weights is compared with the recipe's own start.
            recipe, carried, _ = config.partition(' from ')
            other = baseline_of(config, configs) or (carried and recipe)
            others = configs.get(other, [])
            has_pairs = gains(twins, others, metric, 'last')
            if twins[0].finished and has_pairs:
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
    data = runs[0].result['dataset']
    done = sorted({run.result['updates']['done'] for run in runs})
    classes = data['classes']
    return (
        f'{data["train_images"]} images to train, {data["val_images"]} to '
        f'validate, {classes} {"class" if classes == 1 else "classes"}; '
        f'batch size {runs[0].result["global_batch"]}, '
        f'{" or ".join(map(str, done[:-1] + [counted(done[-1], "update")]))}.'
    )


def _provenance(runs: Sequence[Run]) -> List[str]:
    results = [run.result for run in runs]
    lines = [
        f'- {code(result["command"])}: {result["wall_time_s"]:.0f} s, '
        f'{result["images_per_s"] or 0:.1f} images/s, '
        f'revision {(result["git_revision"] or "unknown")[:12]}'
        for result in results
    ]
    machines = '; '.join(dict.fromkeys(one['machine'] for one in results))
    versions = ', '.join(
        f'{k} {v}' for k, v in results[0]['versions'].items() if v
    )
    last = f'Machine: {machines}. Versions of the first run: {versions}.'
    return ['\n'.join(lines), last]
