"""Tables of made-up runs, whose right answers are known."""

import pytest
from made_up_run import cells, changed, write_run, write_twins

from mmdrloc.reporting.identity import Identity
from mmdrloc.reporting.paired import verdict
from mmdrloc.reporting.runs import load_runs
from mmdrloc.reporting.tables import task_table


@pytest.fixture
def folders(tmp_path):
    return write_twins(tmp_path)


def test_table_has_last_best_and_paired_difference(folders):
    header, _, plain, drloc, difference = cells(
        task_table(load_runs(folders), {})
    )
    assert header == ['top-1 accuracy (%)', 'seeds', 'last', 'best']
    assert plain == ['`net`', '0, 1', '92.00 ± 2.83', '92.00 ± 2.83']
    assert drloc[2:] == ['93.00 ± 2.83', '94.00 ± 4.24']
    # 91 - 90 and 95 - 94; 91 - 90 and 97 - 94.
    assert difference[0] == 'gain over `net`'
    assert difference[2:] == [
        '+1.00 (2 seeds: no interval)',
        '+2.00 (2 seeds: no interval)',
    ]


def test_the_best_of_more_validations_is_no_gain(tmp_path):
    for seed in range(3):
        write_run(tmp_path, 'net', seed, [50.0 + seed])
        values = [60.0 + 2 * seed, 51.0 + seed]
        write_run(tmp_path, 'twin', seed, values, baseline='net')
    *_, gain = cells(task_table(load_runs([tmp_path]), {}))
    assert gain[2:] == ['+1.00 (the same for each seed: no interval)', '']


def test_a_metric_that_is_no_percentage_keeps_its_digits(tmp_path):
    for name, value, baseline in (
        ('net', 0.351, None),
        ('twin', 0.352, 'net'),
    ):
        for seed, more in enumerate((0, 0.0002, 0.0004)):
            numbers = [value + more * (2 if baseline else 1)]
            place = write_run(tmp_path, name, seed, numbers, baseline=baseline)
            text = (place / 'result.json').read_text()
            (place / 'result.json').write_text(
                text.replace('accuracy/top1', 'my/f1')
            )
    runs = load_runs([tmp_path])
    *_, gain = cells(task_table(runs, {}))
    assert gain[2] == '+0.0012 [+0.0007, +0.0017]'
    [sentence] = verdict(runs)
    assert '0.352 against 0.351, +0.001 ' in sentence


def test_how_all_were_trained_is_told(tmp_path):
    for seed in range(2):
        with changed(write_run(tmp_path, 'net', seed, [50.0])) as result:
            result['run']['how'] = ['mixed precision']
    table = task_table(load_runs([tmp_path]), {})
    assert '`net`' in table
    assert 'Not as in the recipe: mixed precision.' in table


def test_runs_of_other_lengths_are_kept_apart(tmp_path):
    folders = [
        write_run(
            tmp_path / str(planned),
            config,
            0,
            [accuracy],
            baseline=baseline,
            planned=planned,
        )
        for planned, config, baseline, accuracy in (
            (20, 'net', None, 50.0),
            (20, 'twin', 'net', 53.0),
            (100, 'net', None, 60.0),
            (100, 'twin', 'net', 61.0),
            (140, 'twin', 'net', 99.0),
        )
    ]
    # Of an experiment of its own, which has one length alone.
    folders.append(write_run(tmp_path, 'other', 0, [70.0], planned=50))
    published = {
        Identity('net', 'digits'): [dict(table='Table 1', value=80.0)]
    }
    _, _, *rows = cells(task_table(load_runs(folders), published))
    told = {row[0]: row[2] for row in rows if row[0][0] == '`'}
    assert told == {
        '`net (20 updates)`': '50.00',
        '`twin (20 updates)`': '53.00',
        '`net (100 updates)`': '60.00',
        '`twin (100 updates)`': '61.00',
        '`twin (140 updates)`': '99.00',
        '`other`': '70.00',
    }
    # The shorter first.
    gains = [row[2][:5] for row in rows if row[0].startswith('gain')]
    assert gains == ['+3.00', '+1.00']
    assert sum('80' in row[-1] for row in rows) == 2


def test_part_of_a_run_is_marked(tmp_path):
    part = write_run(
        tmp_path,
        'net',
        0,
        [50.0],
        finished=False,
        length=dict(epochs=2),
        reference=dict(epochs=100, global_batch=1024, train_images=100),
    )
    table = task_table(load_runs([part]), {})
    assert table.split('\n\n')[1] == (
        'Not as in the recipe: 10 of 20 updates so far, 2 of 100 epochs, '
        'global batch 32 instead of 1024.'
    )
    other = write_run(
        tmp_path,
        'other',
        0,
        [50.0],
        length=dict(epochs=2),
        reference=dict(epochs=100, global_batch=32),
    )
    table = task_table(load_runs([part, other]), {})
    assert table.split('\n\n')[1] == (
        'Not as in the recipe: 10 of 20 updates so far, global batch 32 '
        'instead of 1024 (`net (unfinished)`); 2 of 100 epochs.'
    )


def test_options_that_no_name_has_are_told(tmp_path):
    rate, depth = 'optim_wrapper.optimizer.lr=0.1', 'model.depth=2'
    folders = []
    for name, options in (('net', [depth, rate]), ('other', [rate])):
        folders.append(write_run(tmp_path, name, 0, [50.0]))
        with changed(folders[-1]) as result:
            result['run']['options'] = options
    both = task_table(load_runs(folders), {})
    assert '`net depth=2`' in both
    assert both.split('\n\n')[1] == f'Not as in the recipe: `{rate}`.'
    alone = task_table(load_runs(folders[:1]), {})
    assert '`net`' in alone
    assert alone.split('\n\n')[1] == (
        f'Not as in the recipe: `{depth}`, `{rate}`.'
    )


def test_unfinished_runs_have_a_row_of_their_own(tmp_path):
    write_run(tmp_path, 'net', 0, [50.0])
    write_run(tmp_path, 'net', 1, [30.0], finished=False)
    write_run(tmp_path, 'twin', 0, [40.0], finished=False, baseline='net')
    _, _, *rows = cells(task_table(load_runs([tmp_path]), {}).split('\n\n')[0])
    assert [row[:3] for row in rows] == [
        ['`net`', '0', '50.00'],
        ['`net (unfinished)`', '1', '30.00'],
        ['`twin (unfinished)`', '0', '40.00'],
    ]


def test_a_seed_counts_once(tmp_path):
    """Its repeats, three of a network and two of its twin, are averaged."""
    for repeat, accuracy in enumerate((50.0, 53.0, 56.0)):
        write_run(tmp_path / f'a{repeat}', 'net', 0, [accuracy])
    write_run(tmp_path / 'b', 'net', 1, [57.0])
    for repeat, accuracy in enumerate((60.0, 64.0)):
        write_run(
            tmp_path / f'c{repeat}',
            'twin',
            0,
            [accuracy],
            baseline='net',
            drloc_skill=repeat,
        )
    runs = load_runs([*tmp_path.iterdir()])
    _, _, net, twin, gain = cells(task_table(runs, {}))
    # 53 and 57; 62; 62 - 53.
    assert net[1:4] == ['0 (3 runs), 1', '55.00 ± 2.83', '55.00 ± 2.83']
    assert twin[1:] == ['0 (2 runs)', '62.00', '62.00', '0.50']
    assert gain[2].startswith('+9.00')


def test_published_values_stand_beside_the_measured(folders):
    published = {
        Identity('net', 'digits'): [
            dict(metric='box AP', table='10', value=43.4),
            dict(table='2a', value=90.0),
            dict(table='4', value=90.0),
        ],
        Identity('twin', 'digits'): [
            dict(table='3', value=99.0),
            dict(table='4', value=93.5, std=0.25),
        ],
    }
    table = task_table(load_runs(folders), published)
    header, _, plain, drloc, _ = cells(table)
    assert header[-1] == 'published'
    assert plain[-1] == '90.00 (Tables 2a, 4)'
    assert drloc[-1] == '99.00 (Table 3); 93.50 ± 0.25 (Table 4)'


def test_a_published_metric_that_a_run_lacks(folders):
    """Its config evaluates less, say: there is no table of that metric."""
    printed = dict(metric='box AP75', table='10', value=43.4)
    published = {Identity('net', 'digits'): [printed]}
    for folder in folders:
        table = task_table(load_runs(folders), published)
        assert '43.40 (Table 10)' not in table
        with changed(folder) as result:
            for which in ('last', 'best'):
                result[which]['coco/bbox_mAP_75'] = dict(value=0.4, epoch=2)
    table = task_table(load_runs(folders), published)
    assert '43.40 (Table 10)' in table


def test_options_of_the_loss_that_all_twins_have_are_in_no_name(tmp_path):
    weight = 'model.auxiliary_head.loss.loss_weight=0.1'
    write_run(tmp_path, 'net', 0, [50.0])
    for seed in range(2):
        twin = write_run(tmp_path, 'twin', seed, [60.0], baseline='net')
        with changed(twin) as result:
            result['run']['options'] = [weight]
    table = task_table(load_runs([tmp_path]), {})
    assert '`twin`' in table and 'twin loss_weight' not in table
    with changed(twin) as result:
        result['run']['options'] = []
    assert '`twin loss_weight=0.1`' in task_table(load_runs([tmp_path]), {})
