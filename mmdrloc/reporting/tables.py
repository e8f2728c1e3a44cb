"""Runs as tables: mean and deviation over seeds, last and best."""

from collections import Counter
from statistics import mean
from typing import Collection, Dict, List, Sequence

from .metrics import (
    IN_PRINT,
    METRICS,
    TOP1,
    WHICH,
    Metric,
    by_config,
    by_seed,
    grouped,
    spread,
    values,
)
from .paired import (
    Pair,
    gain_over_images,
    gains,
    interval,
    no_interval,
    pairs,
    so_far,
)
from .published import Published, Record, published_text
from .runs import Run


def code(name: str) -> str:
    """A name as Markdown shows names."""
    return f'`{name}`'


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ['---'] * len(header), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)


def task_table(
    runs: Sequence[Run], published: Published, baseline: str = ''
) -> str:
    """Tables of runs on the same data in Markdown, one for each metric.

    A row for each config has its last and best value and, where there are
    any, published values and DRLoc's skill. Below is its gain over its
    baseline, or over the config ``baseline``, paired by seed, with the
    interval; at the end what was not trained as its config says.
    """
    found = {pair[0][0].config: pair for pair in pairs(runs, baseline)}
    tables = [
        _table(by_config(runs), found, metric, published)
        for metric in (*METRICS, *IN_PRINT)
        if all(metric.key in run.result['last'] for run in runs)
        and (
            metric in METRICS
            or any(_published_of(run, metric, published) for run in runs)
        )
    ]
    return '\n\n'.join(tables + _notes(runs))


def _table(
    configs: Dict[str, List[Run]],
    pairs_by_config: Dict[str, Pair],
    metric: Metric,
    published: Published,
) -> str:
    rows = []
    for config, runs in configs.items():
        skill = by_seed(
            (run.seed, run.result['drloc_skill'])
            for run in runs
            if 'drloc_skill' in run.result
        )
        row = [code(config), _seeds_of(runs)]
        row += [spread(values(runs, metric, which)) for which in WHICH]
        row.append(published_text(_published_of(runs[0], metric, published)))
        rows.append([*row, spread(skill)])
        pair = pairs_by_config.get(config)
        if pair:
            found = [gains(pair, metric, which) for which in WHICH]
            what = f'gain over {code(pair[1][0].config)}'
            seeds = ', '.join(map(str, found[0]))
            cells = [_gain(numbers.values()) for numbers in found]
            rows.append([what, seeds, *cells, '', ''])
            ends = gain_over_images(pair) if metric == TOP1 else None
            if ends:
                cells = ['', f'[{ends[0]:+.2f}, {ends[1]:+.2f}]', '', '', '']
                rows.append(['if images are drawn anew too', *cells])
    header = [metric.title, 'seeds', 'last', 'best', 'published', 'skill']
    # Nothing published, no skill: no such column.
    used = [n for n in range(6) if n < 4 or any(row[n] for row in rows)]
    header, *rows = [[row[n] for n in used] for row in [header, *rows]]
    return markdown(header, rows)


def _gain(numbers: Collection[float]) -> str:
    missing = no_interval(numbers)
    if missing:
        return f'{mean(numbers):+.2f} ({missing}: no interval)'
    low, high = interval(numbers)
    return f'{mean(numbers):+.2f} [{low:+.2f}, {high:+.2f}]'


def _seeds_of(runs: Sequence[Run]) -> str:
    """The seeds of runs, with a count of those that were run again."""
    times = Counter(run.seed for run in runs)
    return ', '.join(
        str(seed) if number == 1 else f'{seed} ({number} runs)'
        for seed, number in times.items()
    )


def _published_of(
    run: Run, metric: Metric, published: Published
) -> List[Record]:
    name = metric.title.removesuffix(' (%)')
    found = published.get(run.identity, ())
    return [r for r in found if r.get('metric', 'top-1 accuracy') == name]


def _notes(runs: Sequence[Run]) -> List[str]:
    """Say which runs are not the whole experiment of their config."""
    marks = grouped((m, code(run.config)) for run in runs for m in _marks(run))
    everyone = {code(run.config) for run in runs}
    told = [
        # What all have in common needs no names.
        f'{mark} ({", ".join(dict.fromkeys(names))})'
        if {*names} < everyone
        else mark
        for mark, names in marks.items()
    ]
    return [f'Shortened: {"; ".join(told)}.'] if told else []


def _marks(run: Run) -> List[str]:
    """List where a run differs from its recipe and data set."""
    result, data = run.result, run.result['dataset']
    batch = result['global_batch']
    actual = {**result.get('length', {}), **data, 'global_batch': batch}
    return [so_far(run)] * (not run.finished) + [
        f'{actual[name]} instead of {number} {name.replace("_", " ")}'
        for name, number in result.get('reference', {}).items()
        # An epoch recipe that --iters shortened has no epochs.
        if actual.get(name) not in (None, number)
    ]
