"""Reports of made-up runs, whose right answers are known."""

import json

import pytest
from PIL import Image

from mmdrloc.errors import UsageError
from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.runs import load_runs
from mmdrloc.reporting.tables import baseline_of, by_task, task_table


def write_run(folder, config, seed, accuracies, finished=True):
    """A work folder as training leaves it, resumed once."""
    validations = [
        dict(iter=10 * epoch, epoch=epoch, metrics={'accuracy/top1': accuracy})
        for epoch, accuracy in enumerate(accuracies, 1)
    ]
    measured = [
        dict(value=entry['metrics']['accuracy/top1'], epoch=entry['epoch'])
        for entry in validations
    ]
    result = dict(
        config=dict(name=config, path=f'configs/{config}.py'),
        seed=seed,
        command=f'tools/train.py {config}.py',
        machine='abacus, 2 cores',
        git_revision='0123456789abcdef',
        versions=dict(torch='2'),
        dataset=dict(
            name='digits', train_images=100, val_images=20, classes=10
        ),
        global_batch=32,
        finished=finished,
        updates=dict(done=10 * len(accuracies), planned=20),
        last={'accuracy/top1': measured[-1]} if measured else {},
        best={'accuracy/top1': max(measured, key=lambda m: m['value'])}
        if measured
        else {},
        images_per_s=10.0,
        wall_time_s=5.0,
        validations=validations,
    )
    work_dir = folder / f'{config}_{seed}'
    for part, steps in (('a', (5, 10)), ('b', (10, 15))):
        scalars = work_dir / f'2026_{part}' / 'vis_data' / 'scalars.json'
        scalars.parent.mkdir(parents=True)
        lines = [
            dict(lr=1e-3, loss_cls=step / 10, step=step) for step in steps
        ] + [dict([('accuracy/top1', 1.0), ('step', 1)])]
        scalars.write_text('\n'.join(map(json.dumps, lines)))
    (work_dir / 'result.json').write_text(json.dumps(result))
    return work_dir


@pytest.fixture
def folders(tmp_path):
    return [
        write_run(tmp_path, config, seed, accuracies)
        for config, by_seed in (
            ('net_digits', [[80.0, 90.0], [92.0, 94.0]]),
            ('net_drloc_digits', [[85.0, 91.0], [97.0, 95.0]]),
        )
        for seed, accuracies in enumerate(by_seed)
    ]


def cells(table):
    return [
        [cell.strip() for cell in line.strip('|').split('|')]
        for line in table.splitlines()
    ]


def test_table_has_last_best_and_paired_difference(folders):
    header, _, plain, drloc, difference = cells(task_table(load_runs(folders)))
    assert header == [
        'config',
        'seeds',
        'updates',
        'top-1 accuracy (%), last',
        'best',
    ]
    assert plain == [
        '`net_digits`',
        '0, 1',
        '20',
        '92.00 ± 2.83',
        '92.00 ± 2.83',
    ]
    assert drloc[3:] == ['93.00 ± 2.83', '94.00 ± 4.24']
    # 91 - 90 and 95 - 94; 91 - 90 and 97 - 94.
    assert difference[0] == 'paired difference to `net_digits`'
    assert difference[3:] == ['+1.00 ± 0.00', '+2.00 ± 1.41']


def test_part_of_a_run_is_marked(tmp_path):
    folder = write_run(tmp_path, 'net', 0, [50.0], finished=False)
    assert '10 of 20' in task_table(load_runs([folder]))


def test_curves_join_resumed_parts(folders):
    run = load_runs(folders)[0]
    assert run.scalars('loss_cls') == ([5, 10, 15], [0.5, 1.0, 1.5])


def test_tasks_are_kept_apart(folders, tmp_path):
    other = write_run(tmp_path, 'other', 0, [10.0])
    result = json.loads((other / 'result.json').read_text())
    result['dataset']['name'] = 'letters'
    (other / 'result.json').write_text(json.dumps(result))
    groups = by_task(load_runs([*folders, other]))
    assert [len(group) for group in groups] == [4, 1]


@pytest.mark.parametrize(
    'config,configs,expected',
    [
        ('a_drloc_b', ['a_b', 'a_drloc_b'], 'a_b'),
        ('a_drloc_b', ['a_b', 'a_plain_b', 'a_drloc_b'], 'a_plain_b'),
        ('a_drloc_b', ['a_drloc_b'], None),
        ('a_b', ['a_b', 'a_plain_b'], None),
    ],
)
def test_baselines_by_name(config, configs, expected):
    assert baseline_of(config, configs) == expected


def test_report_shows_what_it_refers_to(folders, tmp_path):
    picture = tmp_path / 'pictures' / 'one.png'
    picture.parent.mkdir()
    Image.new('RGB', (4, 4)).save(picture)
    path = tmp_path / 'report.md'
    write_report(load_runs(folders), path, 'Title', [picture])
    text = path.read_text()
    assert text.startswith('# Title\n')
    assert '![one](pictures/one.png)' in text
    assert '![training curves](report_curves_1.png)' in text
    assert Image.open(tmp_path / 'report_curves_1.png').width > 500
    assert (
        '- `tools/train.py net_digits.py`: 5 s, 10.0 images/s, '
        'revision 0123456789ab\n'
    ) in text
    assert 'Machine: abacus, 2 cores.' in text


def test_folders_without_a_result_are_named(tmp_path):
    with pytest.raises(UsageError, match='holds no result.json'):
        load_runs([tmp_path])
    (tmp_path / 'result.json').write_text('{"half')
    with pytest.raises(UsageError, match='is damaged'):
        load_runs([tmp_path])
    with pytest.raises(UsageError, match='never validated'):
        load_runs([write_run(tmp_path, 'net', 0, [])])
