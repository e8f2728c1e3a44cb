import os

import pytest
from benchmarking import reading
from benchmarking.timing import time_interleaved


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(reading, 'SIZE', (24, 32))
    monkeypatch.setattr(reading, 'A_SHARD', 4)


def test_photos_a_second(small, tmp_path, monkeypatch):
    read, dropped = [], []
    get, advise = reading.get, os.posix_fadvise
    monkeypatch.setattr(
        reading, 'get', lambda path: read.append((path, get(path)))
    )
    monkeypatch.setattr(
        os, 'posix_fadvise', lambda *how: dropped.append(advise(*how))
    )
    outcome = reading.compare_reading(10, rounds=2, runs=2, disk=tmp_path)
    for table in outcome.tables:
        names = [row[0] for row in table.rows]
        assert names == [reading.FILES, reading.SHUFFLED, reading.IN_RUNS]
        assert table.rows[0][2] == '1.00 (1.00 to 1.00)'
        assert [len(s) for s in table.seconds.values()] == [2, 2, 2]
    # Two tables, a round before those that count, all ten in each.
    assert len(read) == 2 * 3 * 3 * 10
    # Before each pass of the first table, ten files or three shards.
    assert len(dropped) == 3 * (10 + 3 + 3)
    by_path = {}
    for path, content in read:
        by_path.setdefault(path, set()).add(content)
    assert len(by_path) == 20
    assert all(len(contents) == 1 for contents in by_path.values())
    # The same photos in both forms.
    files = [c for p, c in by_path.items() if not p.startswith('tar://')]
    shards = [c for p, c in by_path.items() if p.startswith('tar://')]
    assert sorted(map(sorted, files)) == sorted(map(sorted, shards))
    assert list(tmp_path.iterdir()) == []


def test_what_comes_before_is_called_each_time():
    calls = []
    time_interleaved(
        dict(a=lambda: calls.append('a'), b=lambda: calls.append('b')),
        rounds=1,
        device=reading.torch.device('cpu'),
        before=dict(b=lambda: calls.append('drop')),
    )
    assert calls.count('drop') == 2
    assert all(
        calls[at + 1] == 'b' for at, c in enumerate(calls) if c == 'drop'
    )
