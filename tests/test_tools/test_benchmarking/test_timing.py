import pytest
import torch
from benchmarking import timing

CPU = torch.device('cpu')


def test_contenders_take_turns_and_the_first_call_is_not_counted():
    calls = []
    contenders = {name: lambda n=name: calls.append(n) for name in 'abc'}
    seconds = timing.time_interleaved(contenders, 3, CPU)
    assert [''.join(calls[i : i + 3]) for i in (0, 3, 6, 9)] == [
        'cab',
        'abc',
        'bca',
        'cab',
    ]
    assert {name: len(s) for name, s in seconds.items()} == dict(a=3, b=3, c=3)


def test_time_is_that_of_the_call(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(timing.time, 'perf_counter', lambda: clock[0])

    def work(length):
        clock[0] += length

    seconds = timing.time_interleaved(
        dict(short=lambda: work(1.0), long=lambda: work(3.0)), 2, CPU
    )
    assert seconds == dict(short=[1.0, 1.0], long=[3.0, 3.0])


def test_a_gpu_is_waited_for_before_and_after(monkeypatch):
    events = []
    monkeypatch.setattr(
        torch.cuda, 'synchronize', lambda device: events.append('wait')
    )
    timing.time_interleaved(
        dict(a=lambda: events.append('a')), 1, torch.device('cuda')
    )
    assert events == ['wait', 'a', 'wait'] * 2


def test_quartiles():
    assert timing.spread([4.0, 1.0, 3.0, 2.0, 5.0]) == (2.0, 3.0, 4.0)
    assert timing.spread([7.0]) == (7.0, 7.0, 7.0)
    assert timing.Spread(0.001, 0.0123, 0.02).text(1e3, 1) == (
        '12.3 (1.0 to 20.0)'
    )


def test_ratios_are_taken_round_by_round():
    # The machine was three times slower in the second round.
    assert timing.ratios([1.0, 3.0], [2.0, 6.0]).median == pytest.approx(0.5)
