"""Runs as tables: mean and deviation over seeds, last and best."""

from collections import Counter
from itertools import chain
from statistics import mean
from typing import Collection, List, Optional, Sequence

from mmdrloc.utils.errors import counted
from .metrics import (
    IN_PRINT,
    TOP1,
    WHICH,
    Metric,
    by_config,
    by_key,
    by_seed,
    mean_std,
    metrics_of,
    values,
)
from .paired import Pair, gain_over_images, gains, interval, no_interval, pairs
from .published import Published, PublishedValue, published_of, published_text
from .runs import RunResult


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ['---'] * len(header), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)


def task_table(
    runs: Sequence[RunResult], published: Published, baseline: str = ''
) -> str:
    """Tables of runs on the same data in Markdown, one for each metric.

    A row for each config has its last and best value and, where there are
    any, published values and DRLoc's skill. Below is its gain over its
    baseline, or over the config ``baseline``, paired by seed, with the
    interval; at the end what was not trained as its config says.
    """
    found = {pair[0][0].config: pair for pair in pairs(runs, baseline)}
    tables = []
    printed = [
        metric
        for metric in IN_PRINT
        if any(_published_of(run, metric, published) for run in runs)
    ]
    for metric in (*metrics_of(runs[0]), *printed):
        if all(metric.key in run.result['last'] for run in runs):
            rows = [
                row
                for config, alike in by_config(runs).items()
                for row in _rows(alike, found.get(config), metric, published)
            ]
            titles = [metric.title, 'seeds', *WHICH, 'published', 'skill']
            # Nothing published, no skill: no such column.
            columns = [c for c in zip(titles, *rows) if any(c[1:])]
            header, *lines = zip(*columns)
            tables.append(markdown(header, lines))
    return '\n\n'.join(tables + _notes(runs))


def _rows(
    runs: Sequence[RunResult],
    pair: Optional[Pair],
    metric: Metric,
    published: Published,
) -> List[List[str]]:
    """What a config has, and gains."""
    skill = by_seed(
        (run.seed, run.result['drloc_skill'])
        for run in runs
        if 'drloc_skill' in run.result
    )
    cells = [
        mean_std(values(runs, metric, which), metric.digits) for which in WHICH
    ]
    printed = published_text(_published_of(runs[0], metric, published))
    name = f'`{runs[0].config}`'
    rows = [[name, _seeds_of(runs), *cells, printed, mean_std(skill)]]
    if pair:
        found = [gains(pair, metric, which) for which in WHICH]
        seeds = ', '.join(map(str, found[0]))
        cells = [_gain(one.values(), metric.digits) for one in found]
        # The best of more validations is higher by that alone.
        if len({len(run.result['validations']) for run in chain(*pair)}) > 1:
            cells[-1] = ''
        name = f'gain over `{pair[1][0].config}`'
        rows.append([name, seeds, *cells, '', ''])
        ends = gain_over_images(pair) if metric == TOP1 else None
        if ends:
            cells = [_between(*ends, metric.digits), '', '', '']
            rows.append(['if images are drawn anew too', '', *cells])
    return rows


def _gain(numbers: Collection[float], digits: int) -> str:
    gained, missing = f'{mean(numbers):+.{digits}f}', no_interval(numbers)
    if missing:
        return f'{gained} ({missing}: no interval)'
    return f'{gained} {_between(*interval(numbers), digits)}'


def _between(low: float, high: float, digits: int) -> str:
    return f'[{low:+.{digits}f}, {high:+.{digits}f}]'


def _seeds_of(runs: Sequence[RunResult]) -> str:
    """The seeds of runs, with a count of those that were run again."""
    times = Counter(run.seed for run in runs)
    return ', '.join(
        str(seed) if number == 1 else f'{seed} ({number} runs)'
        for seed, number in times.items()
    )


def _published_of(
    run: RunResult, metric: Metric, published: Published
) -> List[PublishedValue]:
    name = metric.title.removesuffix(' (%)')
    found = published_of(run, published)
    return [r for r in found if r.get('metric', 'top-1 accuracy') == name]


def _notes(runs: Sequence[RunResult]) -> List[str]:
    """Say which runs are not the whole experiment of their config."""
    names = by_key((m, f'`{run.config}`') for run in runs for m in _marks(run))
    everyone = {f'`{run.config}`' for run in runs}
    marks = by_key((frozenset(some), mark) for mark, some in names.items())
    told = [
        ', '.join(of_these)
        # What all have in common needs no names.
        + (f' ({", ".join(sorted(some))})' if some < everyone else '')
        for some, of_these in marks.items()
    ]
    return [f'Not as in the recipe: {"; ".join(told)}.'] if told else []


def _marks(run: RunResult) -> List[str]:
    """List where a run differs from its recipe and dataset."""
    result, marks = run.result, []
    if not run.finished:
        done, planned = result['updates']['done'], run.planned
        marks.append(f'{done} of {counted(planned, "update")} so far')
    actual = {**result.get('length', {}), **result['dataset']}
    actual['global_batch'] = result['global_batch']
    marks += [
        f'{actual[name]} of {number} {name}'
        if name in ('epochs', 'iterations') and actual[name] < number
        else f'{name.replace("_", " ")} {actual[name]} instead of {number}'
        for name, number in result.get('reference', {}).items()
        # An epoch recipe that --iters shortened has no epochs.
        if actual.get(name) not in (None, number)
    ]
    # What all have in common is no part of their names.
    how = (result.get('run') or {}).get('how', ())
    marks += [part for part in how if part not in run.manner]
    return [*marks, *(f'`{option}`' for option in run.unnamed)]
