"""A report of any number of runs."""

from os.path import relpath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple
from urllib.parse import quote

from mmdrloc.utils.errors import UsageError, first_few
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import Place, shipped
from .figures import draw_gain, draw_group
from .html import write_page
from .metrics import by_config, by_task
from .paired import CONFIDENCE, few_images, pairs, verdict
from .published import published_by_training, published_of
from .runs import RESULT, RunResult, load_runs, write_results
from .tables import task_table

# Sentences that a verdict has at most; tables have the rest.
SENTENCES = 12
KINDS = ('.md', '.html', '.png', '.json')
READING = (
    'Mean ± sample standard deviation over the seeds. *Last* is the value '
    'after the last iteration, *best* the best of all validations (chosen on '
    'the data it is measured on, so optimistically biased).'
)
COMPARED = (
    'A *gain* is the mean difference over the seeds that both have, with its '
    f'{100 * CONFIDENCE:.0f} % confidence interval (Student t, paired by '
    'seed), and where it is known which images were right also with that of '
    'seeds and test images drawn anew (crossed random effects). An interval '
    'that holds 0 does not tell the two apart.'
)
SKILL = (
    '*Skill* is 1 - loss of DRLoc / loss of the best constant answer: 0 is a '
    'guess, 1 is perfect.'
)
LINES = 'curves have a line for each seed'
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
    """Write what came out, pictures, and tables with the published values.

    Args:
        runs (Sequence[str | Path | mmdrloc.apis.Run]): Runs, their folders,
            those of comparisons, or .json files of several. What holds no
            run is left out with a note.
        out (str | Path): An .html file that holds its pictures, a .md file
            with the pictures beside it, a .png file of the gain, or a .json
            file that keeps the runs.
        title (str): The heading. Defaults to 'Results'.
        pictures (Sequence[str | Path]): PNG files to show.
        baseline (str, optional): The config that the others are compared
            with, as tables name it. By default that of the DRLoc recipes.

    Returns:
        Path: ``out``.

    Raises:
        UsageError: If the file is of another kind, one of the pictures is
            not there, no run has a metric, or there is nothing to compare.
    """
    path = Path(out)
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise UsageError(
            f'{path}: name a file that ends with .md or .html (a report), '
            '.png (the gain over the baseline) or .json (the runs in one file)'
        )
    if path.name == RESULT:
        raise UsageError(
            f"{path} is where a run's record is: take another name."
        )
    # Not isinstance: apis.Run imports torch.
    loaded = load_runs([getattr(run, 'folder', run) for run in runs])
    for file in pictures:
        if not Path(file).is_file():
            raise UsageError(f'there is no picture {file}')
    baseline = baseline or ''
    named = {r.config for r in loaded if r.identity.title == baseline}
    if len(named) == 1:  # by its whole name
        [baseline] = named
    if baseline and not any(pairs(loaded, baseline)):
        raise UsageError(
            f'there is no run of {baseline}, or no other config with its '
            'data, metrics and seeds: the configs are '
            f'{", ".join(by_config(loaded))}'
        )
    if kind == '.json':
        write_results([run.result for run in loaded], path)
        return path
    if kind == '.png':
        draw_gain(loaded, path, baseline)
        return path
    with TemporaryDirectory() as folder:
        beside = Path(folder, 'report.md') if kind == '.html' else path
        own = [Path(picture) for picture in pictures]
        text, shown = _compose(beside, loaded, title, own, baseline)
        if kind == '.html':
            write_page(text, path, title, shown)
        else:
            with atomic_path(path) as temporary:
                temporary.write_text(text, 'utf-8', errors='replace')
    return path


def _compose(
    path: Path,
    runs: Sequence[RunResult],
    title: str,
    pictures: Sequence[Path],
    baseline: str,
) -> Tuple[str, Dict[str, Path]]:
    """The report in Markdown, and the files behind the addresses in it.

    Curves and the like are drawn beside ``path``.
    """
    files: Dict[str, Path] = {}

    def shown(caption: str, *some: Path) -> str:
        addresses = [quote(relpath(file, path.parent)) for file in some]
        files.update(zip(addresses, some))
        images = ' '.join(f'![{caption}]({one})' for one in addresses)
        return f'{images}\n\n*{caption}*'

    came_out = first_few(verdict(runs, baseline), 'in the tables', SENTENCES)
    if len(came_out) > 1:
        came_out = ['\n'.join(f'- {sentence}' for sentence in came_out)]
    parts = [f'# {title}', *came_out, *few_images(runs)]
    parts += [shown(one.stem.replace('_', ' '), one) for one in pictures]
    published = published_by_training(shipped('configs') / 'published.yml')
    tables = []
    for number, group in enumerate(by_task(runs), 1):
        drawn = draw_group(group, path.with_name(f'{path.stem}_{number}'))
        if drawn:
            has_curves = any('_curves_' in place.name for place in drawn)
            lines = f'; {LINES}' * has_curves
            parts.append(shown(f'{group[0].dataset}{lines}', *drawn))
        tables += [f'## {group[0].dataset}', _data(group)]
        tables.append(task_table(group, published, baseline))
    reading = {
        READING: True,
        COMPARED: any(pairs(runs, baseline)),
        SKILL: any('drloc_skill' in run.result for run in runs),
        PRINTED: any(published_of(run, published) for run in runs),
    }
    told = ' '.join(text for text, is_due in reading.items() if is_due)
    parts += [*tables, told, '## How these runs were made', *_provenance(runs)]
    return '\n\n'.join(parts) + '\n', files


def _data(runs: Sequence[RunResult]) -> str:
    def all_of(numbers: Iterable[int]) -> str:
        return ' or '.join(map(str, sorted({*numbers})))

    results = [run.result for run in runs]
    data = [result['dataset'] for result in results]
    return (
        f'Training images: {all_of(one["train_images"] for one in data)}, '
        f'validation images: {data[0]["val_images"]}, '
        f'classes: {data[0]["classes"]}, '
        f'batch size: {all_of(one["global_batch"] for one in results)}, '
        f'updates: {all_of(one["updates"]["done"] for one in results)}.'
    )


def _short(revisions: str) -> str:
    """Of one revision, or of those between which a run was resumed."""
    return ', then '.join(one[:12] for one in revisions.split(', then '))


def _provenance(runs: Sequence[RunResult]) -> List[str]:
    results = [run.result for run in runs]
    lines = [
        f'- `{result["command"]}`: {result["wall_time_s"]:.0f} s, '
        f'{result["images_per_s"] or 0:.1f} images/s, '
        f'revision {_short(result["git_revision"] or "unknown")}'
        for result in results
    ]
    machines = '; '.join(dict.fromkeys(one['machine'] for one in results))
    versions = ', '.join(
        f'{k} {v}' for k, v in results[0]['versions'].items() if v
    )
    last = f'Machine: {machines}. Versions of the first run: {versions}.'
    return ['\n'.join(lines), last]
