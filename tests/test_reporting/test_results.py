"""Records of runs are read as what they should be, or not at all."""

import json

import pytest
from made_up_run import write_run

from mmdrloc.reporting.results import (
    read_result,
    read_results,
    read_scalars,
    write_results,
)
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def record(tmp_path):
    path = write_run(tmp_path, 'net', 0, [50.0]) / 'result.json'
    return path, json.loads(path.read_text())


@pytest.mark.parametrize(
    'key,value',
    [
        ('config', 'net'),
        ('config', {}),
        ('seed', '0'),
        ('seed', True),
        ('wall_time_s', 1e400),
        ('wall_time_s', 10**400),
        ('machine', None),
        ('finished', 'yes'),
        ('dataset', None),
        ('validations', {}),
        ('validations', [3]),
        ('last', {'a': 3}),
        ('last', {'a': {'value': 'b'}}),
        ('best', {}),
        ('run', 3),
    ],
    ids=str,
)
def test_something_else(record, key, value):
    path, content = record
    content[key] = value
    path.write_text(json.dumps(content))
    with pytest.raises(UsageError, match='is not as tools/train.py') as error:
        read_result(path)
    assert str(path) in str(error.value) and '\n' not in str(error.value)


@pytest.mark.parametrize(
    'content', ['', '[1]', '{"half', '3', '[' * 100_000, '\0', 'null']
)
def test_no_record(tmp_path, content):
    (tmp_path / 'result.json').write_text(content)
    with pytest.raises(UsageError, match='result.json is damaged'):
        read_result(tmp_path / 'result.json')
    (tmp_path / 'bytes.json').write_bytes(b'{"a": "\xff"}')
    for name in ('bytes.json', '.', 'none'):
        with pytest.raises(UsageError, match='is damaged'):
            read_result(tmp_path / name)


def test_line_that_was_cut_off(tmp_path):
    path = tmp_path / 'scalars.json'
    path.write_text('{"lr": 0, "step": 1}\n\n{"lr": 0, "step": 2}\n{"ste')
    assert read_scalars(path) == [dict(lr=0, step=1), dict(lr=0, step=2)]
    for line in ('{"ste', '3', '[]'):
        path.write_text('{"lr": 0, "step": 1}\n' + line + '\n')
        assert read_scalars(path) == [dict(lr=0, step=1)]


@pytest.mark.parametrize(
    'runs,words',
    [
        ([], 'holds no runs'),
        (3, 'holds no runs'),
        ([3], 'run 1 in .*runs.json is not as'),
        ([dict(seed=0)], "run 1 in .*'config' is missing"),
    ],
    ids=str,
)
def test_a_file_of_something_else(tmp_path, runs, words):
    path = tmp_path / 'runs.json'
    path.write_text(json.dumps(dict(runs=runs)))
    with pytest.raises(UsageError, match=words):
        read_results(path)


def test_folders_of_a_machine_are_left_out(tmp_path, record):
    path, content = record
    content['config']['path'] = '/somewhere/configs/net.py'
    write_results([content], tmp_path / 'runs.json')
    assert '/somewhere' not in (tmp_path / 'runs.json').read_text()
    assert read_results(tmp_path / 'runs.json')[0]['config']['name'] == 'net'
