"""Runs as tables: mean and deviation over seeds, last and best."""

from collections import Counter
from statistics import mean, stdev
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence

from mmdrloc.utils.errors import counted
from .published import Published, Record, published_text
from .runs import Run

# A number for each seed.
Numbers = Dict[int, float]
# Of a run: after the last iteration, and the best of all validations.
WHICH = ('last', 'best')


class Metric(NamedTuple):
    """The evaluator's name, the table's, and what makes it a percentage."""

    key: str
    title: str
    factor: float


METRICS = (
    Metric('accuracy/top1', 'top-1 accuracy (%)', 1.0),
    Metric('coco/bbox_mAP', 'box AP (%)', 100.0),
    Metric('coco/bbox_mAP_50', 'box AP50 (%)', 100.0),
    Metric('coco/segm_mAP', 'mask AP (%)', 100.0),
    Metric('mIoU', 'mIoU (%)', 1.0),
    Metric('reconstruction/loss', 'reconstruction loss', 1.0),
)
# Shown where they are published.
IN_PRINT = (
    Metric('coco/bbox_mAP_75', 'box AP75 (%)', 100.0),
    Metric('coco/segm_mAP_50', 'mask AP50 (%)', 100.0),
    Metric('coco/segm_mAP_75', 'mask AP75 (%)', 100.0),
    Metric('mAcc', 'mAcc (%)', 1.0),
)


def code(name: str) -> str:
    """A name as Markdown shows names."""
    return f'`{name}`'


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ['---'] * len(header), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)


def metrics_of(run: Run) -> List[Metric]:
    """The metrics of a run that tables show."""
    return [metric for metric in METRICS if metric.key in run.result['last']]


def grouped(pairs: Iterable[tuple]) -> Dict:
    """The second ones of pairs by the first ones, in the order given."""
    groups: Dict = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def by_config(runs: Sequence[Run]) -> Dict[str, List[Run]]:
    """Runs of each config, in the order given."""
    return grouped((run.config, run) for run in runs)


def by_task(runs: Sequence[Run]) -> List[List[Run]]:
    """Runs that belong together: same data, same metrics."""
    tasks = grouped(((run.dataset, *metrics_of(run)), run) for run in runs)
    return [*tasks.values()]


def by_seed(found: Iterable[tuple]) -> Numbers:
    """Numbers by their seeds; of a seed with several their mean."""
    return {seed: mean(numbers) for seed, numbers in grouped(found).items()}


def values(runs: Sequence[Run], metric: Metric, which: str) -> Numbers:
    """A metric of the runs of one config, in the table's unit."""
    return by_seed(
        (run.seed, metric.factor * run.result[which][metric.key]['value'])
        for run in runs
    )


def differences(ours: Numbers, theirs: Numbers) -> Numbers:
    """Differences of what two configs have with the same seed."""
    return {seed: ours[seed] - theirs[seed] for seed in ours if seed in theirs}


def gains(
    runs: Sequence[Run], others: Sequence[Run], metric: Metric, which: str
) -> Numbers:
    """Differences of two configs, paired by seed, in the table's unit."""
    return differences(
        values(runs, metric, which), values(others, metric, which)
    )


def course(
    runs: Sequence[Run], key: str, factor: float = 1.0, unit: str = 'iter'
) -> Dict[int, Numbers]:
    """A metric of one config, or its skill, at all validations."""
    found = grouped(
        (one[unit], (run.seed, factor * {**one, **one['metrics']}[key]))
        for run in runs
        for one in run.result['validations']
        if key in one or key in one['metrics']
    )
    return {step: by_seed(pairs) for step, pairs in found.items()}


def spread(by_seeds: Numbers, sign: str = '') -> str:
    """Mean and, of several, sample standard deviation: '95.13 ± 0.42'."""
    numbers = by_seeds.values()
    if not numbers:
        return ''
    text = f'{mean(numbers):{sign}.2f}'
    return f'{text} ± {stdev(numbers):.2f}' if len(numbers) > 1 else text


def baseline_of(config: str, configs: Dict[str, List[Run]]) -> Optional[str]:
    """Which of several configs on the same data is the baseline of one.

    None for what is no twin or not finished, or where its baseline was not
    run to its end.
    """
    run = configs[config][0]
    baseline = run.baseline and f'{run.baseline.title}{run.length}'
    return baseline if run.finished and baseline in configs else None


def seeds_of(runs: Sequence[Run]) -> str:
    """The seeds of runs, with a count of those that were run again."""
    times = Counter(run.seed for run in runs)
    return ', '.join(
        str(seed) if number == 1 else f'{seed} ({number} runs)'
        for seed, number in times.items()
    )


def task_table(runs: Sequence[Run], published: Published) -> str:
    """Tables of one group of :func:`by_task` in Markdown, one a metric.

    A row a config has its last and best value and, where there are any,
    published values and DRLoc's skill; below a twin is its gain over its
    baseline, paired by seed; at the end what was not trained as its config
    says.
    """
    printed = [
        metric
        for metric in IN_PRINT
        if all(metric.key in run.result['last'] for run in runs)
        and any(_published_of(run, metric, published) for run in runs)
    ]
    metrics = [*metrics_of(runs[0]), *printed]
    tables = [_table(by_config(runs), one, published) for one in metrics]
    return '\n\n'.join(tables + _notes(runs))


def _table(
    configs: Dict[str, List[Run]], metric: Metric, published: Published
) -> str:
    rows = []
    for config, runs in configs.items():
        measured = [spread(values(runs, metric, w)) for w in WHICH]
        printed = published_text(_published_of(runs[0], metric, published))
        skill = spread(
            by_seed(
                (run.seed, run.result['drloc_skill'])
                for run in runs
                if 'drloc_skill' in run.result
            )
        )
        row = [code(config), seeds_of(runs), *measured, printed, skill]
        rows.append(row)
        other = baseline_of(config, configs)
        if other:
            pairs = [gains(runs, configs[other], metric, w) for w in WHICH]
            gained = [spread(numbers, '+') for numbers in pairs]
            rows.append([f'gain over {code(other)}', '', *gained, '', ''])
    header = [metric.title, 'seeds', 'last', 'best', 'published', 'skill']
    # Nothing published, no skill: no such column.
    used = [n for n in range(6) if n < 4 or any(row[n] for row in rows)]
    header, *rows = [[row[n] for n in used] for row in [header, *rows]]
    return markdown(header, rows)


def _published_of(
    run: Run, metric: Metric, published: Published
) -> List[Record]:
    name = metric.title.removesuffix(' (%)')
    found = published.get(run.identity, ())
    return [r for r in found if r.get('metric', 'top-1 accuracy') == name]


def _notes(runs: Sequence[Run]) -> List[str]:
    """Say which runs are not the whole experiment of their config."""
    configs = by_config(runs)
    marks = grouped(
        (mark, code(config))
        for config, its_runs in configs.items()
        for mark in dict.fromkeys(m for r in its_runs for m in _marks_of(r))
    )
    told = [
        # What all have in common needs no names.
        mark if len(names) == len(configs) else f'{mark} ({", ".join(names)})'
        for mark, names in marks.items()
    ]
    return [f'Not the whole experiment: {"; ".join(told)}.'] if told else []


def _marks_of(run: Run) -> List[str]:
    """List where a run differs from its recipe and data set."""
    result, data = run.result, run.result['dataset']
    batch = result['global_batch']
    actual = {**result.get('length', {}), **data, 'global_batch': batch}
    return [so_far(run)] * (not run.finished) + [
        f'{name.replace("_", " ")} {actual[name]} instead of {number}'
        for name, number in result.get('reference', {}).items()
        # An epoch recipe that --iters shortened has no epochs.
        if actual.get(name) not in (None, number)
    ]


def so_far(run: Run) -> str:
    """How far an unfinished run is, '10 of 20 updates so far'."""
    done = run.result['updates']['done']
    return f'{done} of {counted(run.planned, "update")} so far'
