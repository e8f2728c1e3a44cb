"""Intervals in README and pages follow from the results that are kept."""

import re
from collections import defaultdict
from itertools import permutations, product
from pathlib import Path
from statistics import mean

import pytest

from mmdrloc.reporting.metrics import TOP1, by_config, by_task, metrics_of
from mmdrloc.reporting.paired import (
    gain_by_iteration,
    gain_over_images,
    gains,
    interval,
)
from mmdrloc.reporting.runs import load_runs

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / 'docs/results'
PAGES = [
    path.relative_to(ROOT)
    for pattern in ('README.md', 'docs/*.md', 'configs/*/README.md')
    for path in sorted(ROOT.glob(pattern))
]
# Such as '+3.63 [2.41, 4.85]'; the mean may be missing, rounded or in bold.
QUOTED = re.compile(
    r'(?:(?P<mean>[-+]?\d+\.\d+)\**(?:\s+points?)?\**\s+)?'
    r'\[(?P<low>[-+]?\d+\.\d\d),\s+(?P<high>[-+]?\d+\.\d\d)\]'
)
# What is said of the interval behind it.
NONE_SHOWN = re.compile(
    r'no (?:gain|difference)[^|;.:[]*?, [-+]\d+\.\d+ '
    r'\[(-?\d+\.\d+), (-?\d+\.\d+)\]'
)


@pytest.fixture(scope='module')
def known():
    """(mean, low, high) of all comparisons that the results allow."""
    found = set()
    for path in RESULTS.glob('*.json'):
        for group in by_task(load_runs([path])):
            metrics = metrics_of(group[0])
            pairs = permutations(by_config(group).values(), 2)
            for (one, other), metric in product(pairs, metrics):
                # All seeds, and the first three.
                for runs in (one, [run for run in one if run.seed < 3]):
                    # In the end too, where lengths differ.
                    gained = [
                        gains((runs, other), metric),
                        *gain_by_iteration((runs, other), metric).values(),
                    ]
                    wider = runs and gain_over_images((runs, other))
                    if wider:
                        found.add((sum(wider) / 2, *wider))
                    for numbers in gained:
                        if len(numbers) > 1:
                            ends = interval(numbers.values())
                            found.add((mean(numbers.values()), *ends))
    # Over three draws of the images, each by its first three seeds.
    draws = []
    for name in ('tuning_vit', 'tuning_vit_draw1', 'tuning_vit_draw2'):
        runs = load_runs([RESULTS / f'{name}.json'])
        first = by_config([run for run in runs if run.seed < 3])
        without, with_loss = sorted(
            first.values(), key=lambda some: 'drloc_skill' in some[0].result
        )
        draws.append(mean(gains((with_loss, without), TOP1).values()))
    found.add((mean(draws), *interval(draws)))
    found = {tuple(f'{number:.2f}' for number in one) for one in found}
    # Comparisons whose runs are kept as tables alone.
    for path in RESULTS.glob('*.md'):
        found |= set(quoted(path))
    return found


def quoted(path):
    """(mean or None, low, high) of all intervals in a text."""
    for match in QUOTED.finditer(path.read_text()):
        numbers = match.group('mean', 'low', 'high')
        digits = len((numbers[0] or '').partition('.')[2])
        mean, *ends = (n and f'{float(n):.2f}' for n in numbers)
        yield mean and f'{float(mean):.{digits}f}', *ends


@pytest.mark.parametrize(
    'page', [page for page in PAGES if [*quoted(ROOT / page)]], ids=str
)
def test_every_interval_follows_from_the_results(page, known):
    means = defaultdict(set)
    for mean_, *ends in known:
        means[(*ends,)].add(mean_)
    for mean_, *ends in quoted(ROOT / page):
        assert (*ends,) in means, ends
        if mean_ is not None:
            middle = sum(map(float, ends)) / 2  # where a table has ends alone
            gaps = [
                abs(float(m or middle) - float(mean_)) for m in means[(*ends,)]
            ]
            digits = len(mean_.partition('.')[2])
            assert min(gaps) <= 0.5 * 10**-digits + 0.006, (mean_, ends)


def test_no_gain_is_said_of_intervals_around_zero():
    found = 0
    for page in PAGES:
        for low, high in NONE_SHOWN.findall((ROOT / page).read_text()):
            found += 1
            assert float(low) <= 0 <= float(high), (page, low, high)
    assert found > 5
