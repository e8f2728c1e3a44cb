"""Intervals in README and pages follow from the results that are kept."""

import re
from itertools import permutations, product
from pathlib import Path
from statistics import mean

import pytest

from mmdrloc.reporting.metrics import by_config, by_task, metrics_of
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
# Such as '+3.63 [2.41, 4.85]'; the mean may be missing, or in bold.
QUOTED = re.compile(
    r'(?:(?P<mean>[-+]?\d+\.\d\d)\**\s+)?'
    r'\[(?P<low>[-+]?\d+\.\d\d),\s+(?P<high>[-+]?\d+\.\d\d)\]'
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
    found = {tuple(f'{number:.2f}' for number in one) for one in found}
    # Comparisons whose runs are kept as tables alone.
    for path in RESULTS.glob('*.md'):
        found |= set(quoted(path))
    return found


def quoted(path):
    """(mean or None, low, high) of all intervals in a text."""
    for match in QUOTED.finditer(path.read_text()):
        numbers = match.group('mean', 'low', 'high')
        yield tuple(n and f'{float(n):.2f}' for n in numbers)


@pytest.mark.parametrize('page', PAGES, ids=str)
def test_every_interval_follows_from_the_results(page, known):
    ends = {one[1:] for one in known}
    wrong = [
        one
        for one in quoted(ROOT / page)
        if one not in known and (one[0] is not None or one[1:] not in ends)
    ]
    assert not wrong


def test_first_gains_of_the_readme_are_those_of_its_page():
    readme = (ROOT / 'README.md').read_text()
    gains = re.findall(r'\*\*\+(\d+(?:\.\d+)?)\s\w+\*\*', readme)
    means = [float(m) for m, *_ in quoted(ROOT / 'docs/when_it_helps.md') if m]
    assert gains
    for gain in gains:
        digits = len(gain.partition('.')[2])
        assert gain in {f'{mean:.{digits}f}' for mean in means}
