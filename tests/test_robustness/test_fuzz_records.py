"""Records of runs that somebody changed: a report, or a sentence."""

import json

import pytest
from fuzzing import DEPTHS, fuzz, mutated
from hypothesis import strategies as st
from made_up_run import write_run

from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.runs import load_runs
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def runs(tmp_path):
    names = ('swin-2stage_digits', 'swin-2stage_drloc_digits')
    return [write_run(tmp_path, name, 0, [50.0, 60.0]) for name in names]


def reported(runs, out, baseline=None):
    try:
        write_report(load_runs(runs), out, baseline=baseline)
    except UsageError as error:
        assert str(error).strip()
        return False
    if out.suffix == '.json':
        assert len(load_runs([out])) == len(runs)  # what is kept is read
    return out.stat().st_size > 0


@DEPTHS
def test_results(depth, runs, tmp_path):
    """In all formats, with and without a comparison."""
    path = runs[0] / 'result.json'
    whole = json.loads(path.read_text())
    outcomes = []

    def check(result, suffix, baseline):
        path.write_text(json.dumps(result))
        out = tmp_path / f'out{suffix}'
        outcomes.append(reported(runs, out, baseline))

    fuzz(
        check,
        depth,
        25,
        mutated(whole, most=2),
        st.sampled_from(['.md', '.html', '.png', '.json']),
        st.sampled_from([None, 'swin-2stage_digits', 'no such']),
    )
    assert True in outcomes and False in outcomes
