"""Records of runs are read as what they should be, or not at all."""

import json

import pytest
from made_up_run import changed, write_run

from mmdrloc.reporting.metrics import by_config
from mmdrloc.reporting.paired import pairs
from mmdrloc.reporting.runs import (
    curves_in,
    load_runs,
    read_result,
    read_results,
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
        ('dataset', None),
    ],
    ids=str,
)
def test_something_else(record, key, value):
    path, content = record
    content[key] = value
    path.write_text(json.dumps(content))
    with pytest.raises(UsageError, match='is damaged') as error:
        read_result(path)
    assert str(path) in str(error.value) and '\n' not in str(error.value)


@pytest.mark.parametrize(
    'content', ['', '[1]', '{"half', '[' * 100_000, '{"runs": []}', '{}']
)
def test_no_record(tmp_path, content):
    (tmp_path / 'result.json').write_text(content)
    with pytest.raises(UsageError, match='result.json is damaged'):
        read_results(tmp_path / 'result.json')
    with pytest.raises(UsageError, match='none is damaged'):
        read_results(tmp_path / 'none')


def test_a_file_beside_the_folders_of_its_runs(tmp_path):
    folders = [write_run(tmp_path, 'net', seed, [50.0]) for seed in (0, 1)]
    results = [read_result(folder / 'result.json') for folder in folders]
    write_results(results, tmp_path / 'runs.json')
    places = [*folders, tmp_path / 'runs.json']
    for given in (places, places[::-1], places[1:]):
        runs = load_runs(given)
        assert [run.seed for run in runs] == [0, 1]
        assert runs[1].place == folders[1]  # where its curves are


@pytest.mark.parametrize(
    'other',
    [
        dict(global_batch=8),
        dict(dataset=dict(train_images=50)),
        dict(run=dict(how=['mixed precision'])),
        dict(run=dict(how=['auto_scale_lr.enable=True'])),
    ],
    ids=str,
)
def test_runs_that_were_trained_otherwise_are_other_configs(tmp_path, other):
    for seed in range(3):
        write_run(tmp_path, 'plain', seed, [50.0 + seed])
        write_run(tmp_path, 'net', seed, [52.0], baseline='plain')
        place = write_run(tmp_path / 'b', 'net', seed, [9.0], baseline='plain')
        with changed(place) as result:
            for key, value in other.items():
                is_part = isinstance(value, dict)
                result[key] = {**result[key], **value} if is_part else value
    runs = load_runs([tmp_path, tmp_path / 'b'])
    configs = by_config(runs)
    assert sorted(map(len, configs.values())) == [3, 3, 3]
    [(ours, theirs)] = pairs(runs)
    assert {run.place.parent for run in ours} == {tmp_path}
    assert {run.identity.recipe for run in theirs} == {'plain'}
    # Alone they are called as they are.
    assert {run.config for run in load_runs([tmp_path / 'b'])} == {'net'}


def test_configs_of_one_name_that_differ_are_no_more_seeds(tmp_path):
    for seed, settings in enumerate(['a', 'a', 'b', None]):
        place = write_run(tmp_path, 'net', seed, [50.0])
        with changed(place) as result:
            result['run']['settings'] = settings
    names = [run.config for run in load_runs([tmp_path])]
    assert names == ['net (config a)'] * 2 + [
        'net (config b)',
        'net (config unknown)',
    ]
    assert {run.config for run in load_runs([tmp_path / 'net_2'])} == {'net'}


def test_folders_of_a_machine_are_left_out(tmp_path, record):
    path, content = record
    content['config']['path'] = '/somewhere/configs/net.py'
    write_results([content], tmp_path / 'runs.json')
    assert '/somewhere' not in (tmp_path / 'runs.json').read_text()
    assert read_results(tmp_path / 'runs.json')[0]['config']['name'] == 'net'


def test_of_an_iteration_that_was_run_twice_the_later_counts(tmp_path):
    folder = write_run(tmp_path, 'net', 0, [50.0])
    early = folder / '2026_a/vis_data/scalars.json'
    lines = [dict(lr=1e-3, loss_cls=9.0, step=step) for step in (5, 10)]
    early.write_text('\n'.join(map(json.dumps, lines)))
    assert curves_in(folder)['loss_cls'] == [(5, 9.0), (10, 1.0), (15, 1.5)]
