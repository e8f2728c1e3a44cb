"""The interval against a case worked by hand, and what is said with it."""

import numpy as np
import pytest
from made_up_run import cells, changed, write_run

from mmdrloc.reporting.paired import (
    few_images,
    gain_over_images,
    in_a_sentence,
    interval,
    interval_over_images,
    summary,
    verdict,
)
from mmdrloc.reporting.report import report
from mmdrloc.reporting.runs import load_runs
from mmdrloc.reporting.tables import task_table
from mmdrloc.utils.errors import UsageError


def test_interval_by_hand():
    # Mean 2, s = 1, n = 3: the 97.5 % quantile of t with 2 degrees of
    # freedom is 4.302653 in printed tables; 4.302653 * 1 / sqrt(3).
    low, high = interval([1.0, 2.0, 3.0])
    assert low == pytest.approx(2 - 2.484138, abs=1e-6)
    assert high == pytest.approx(2 + 2.484138, abs=1e-6)
    # n = 2: quantile 12.706205, s = sqrt(2), so 12.706205 * 1.
    assert interval([0.0, 2.0])[1] == pytest.approx(13.706205, abs=1e-6)


@pytest.fixture
def folders(tmp_path):
    accuracies = dict(
        base=[[50.0, 40.0], [60.0, 60.0], [70.0, 70.0]],
        better=[[51.0, 41.0], [62.0, 62.0], [73.0, 73.0]],
        other=[[55.0, 45.0]],
    )
    return [
        write_run(tmp_path, config, seed, values)
        for config, by_seed in accuracies.items()
        for seed, values in enumerate(by_seed)
    ]


def test_each_config_is_compared_with_the_baseline(folders):
    table = cells(task_table(load_runs(folders), {}, 'base'))
    gains = [row[1:] for row in table if row[0] == 'gain over `base`']
    # Differences 1, 2 and 3: the case above.
    assert gains == [
        ['0, 1, 2', '+2.00 [-0.48, +4.48]', '+2.00 [-0.48, +4.48]'],
        ['0', *['+5.00 (1 seed: no interval)'] * 2],
    ]


@pytest.mark.parametrize('baseline', ['none', 'lone', 'elsewhere'])
def test_nothing_to_compare_with(folders, tmp_path, baseline):
    """No such config, no seed in common, other data."""
    lone = write_run(tmp_path, 'lone', 7, [1.0])
    other = write_run(tmp_path, 'elsewhere', 0, [1.0], dataset='letters')
    with pytest.raises(UsageError, match=f'no run of {baseline}, .* base, '):
        report([*folders, lone, other], tmp_path / 'a.md', baseline=baseline)


def test_a_comparison_in_a_sentence(tmp_path):
    def runs(name, *accuracies):
        return load_runs(
            [
                write_run(tmp_path, name, seed, [accuracy])
                for seed, accuracy in enumerate(accuracies)
            ]
        )

    a, b, c = (
        runs('a', 90, 91, 92),
        runs('b', 80, 81, 82.5),
        runs('c', 89, 93, 91),
    )
    assert in_a_sentence((a, b)) == (
        'digits, `a` against `b`: top-1 accuracy (%) 91.0 against 81.2, +9.8 '
        '(95 % confidence interval +9.1 to +10.6, 3 seeds): higher.'
    )
    assert in_a_sentence((b, a)).endswith('lower.')
    assert in_a_sentence((a, c)).endswith('no difference shown.')
    # Two differences are equal by chance: no interval of no width.
    assert in_a_sentence((a[:2], b[:2])).endswith(
        '+10.0; 2 seeds, which shows nothing for certain.'
    )
    # What is said of both is of the seeds that both have.
    assert in_a_sentence((a, b[1:])) == in_a_sentence((a[1:], b[1:]))
    assert summary([*a, *b], 'b').startswith('digits, a against b: top-1')


def test_a_warning_if_one_of_several_sets_is_small(tmp_path):
    folders = [
        write_run(tmp_path, name, 0, [50.0], dataset=name)
        for name in ('many', 'few')
    ]
    with changed(folders[0]) as result:
        result['dataset']['val_images'] = 10_000
    [said] = few_images(load_runs(folders))
    assert '20 validation images' in said


def test_a_warning_where_it_is_due(tmp_path):
    run = write_run(tmp_path, 'net', 0, [50.0])
    assert 'Only 20 validation images' in few_images(load_runs([run]))[0]
    with changed(run) as content:
        content['dataset']['val_images'] = 400
    # One training that is compared with nothing needs no more seeds.
    report([run], tmp_path / 'report.md')
    assert 'Only' not in (tmp_path / 'report.md').read_text()


@pytest.mark.parametrize(
    'other',
    [
        dict(train_images=300, val_images=33),
        dict(classes=11),
        dict(files='0123456789abcdef'),
    ],
    ids=str,
)
def test_a_folder_that_has_grown_since_is_another_table(tmp_path, other):
    """By its photos, a class with as many, or as many of other names."""
    one = write_run(tmp_path, 'net', 0, [50.0])
    twin = write_run(tmp_path, 'twin', 0, [60.0], baseline='net')
    with changed(twin) as content:
        content['dataset'].update(other)
        data = content['dataset']
    report([one, twin], tmp_path / 'report.md')
    said = (tmp_path / 'report.md').read_text()
    for part in (dict(train_images=100, val_images=20, classes=10), data):
        assert (
            f'Training images: {part["train_images"]}, validation images: '
            f'{part["val_images"]}, classes: {part["classes"]},'
        ) in said
    assert 'gain over' not in said and 'against' not in said


def test_unfinished_runs_take_part_in_no_verdict(tmp_path):
    for seed in range(3):
        write_run(tmp_path, 'net', seed, [50.0 + seed])
        write_run(tmp_path, 'twin', seed, [52.0 + 2 * seed], baseline='net')
    whole = load_runs([tmp_path])
    for seed in (3, 4):  # killed at half of the way
        write_run(tmp_path, 'net', seed, [20.0])
        write_run(
            tmp_path, 'twin', seed, [10.0], baseline='net', finished=False
        )
    runs = load_runs([tmp_path])
    assert verdict(runs)[0] == verdict(whole)[0]
    gains = [
        [row for row in cells(task_table(some, {})) if 'gain' in row[0]]
        for some in (runs, whole)
    ]
    assert gains[0] == gains[1]
    assert '`twin (unfinished)`: ' in verdict(runs)[1]
    with pytest.raises(UsageError, match='no run of'):
        path = tmp_path / 'a.md'
        report([tmp_path], path, baseline='twin (unfinished)')


def test_of_several_baselines_none_is_taken(tmp_path):
    """As where a config that both inherit was edited between the runs."""
    for edit in (0, 10):
        for seed in range(3):
            for name, more in (('net', 0), ('twin', 1 + seed / 10)):
                known = {'baseline': 'net'} if more else {}
                value = 50.0 + edit + seed + more
                run = write_run(
                    tmp_path / f'{edit}', name, seed, [value], **known
                )
                with changed(run) as content:
                    content['run']['settings'] = f'{name}{edit}'
    places = [tmp_path / '0', tmp_path / '10']
    said = verdict(load_runs(places))
    assert len(said) == 4 and not any('against' in one for one in said)
    assert sum('name one by --baseline' in one for one in said) == 2
    assert '+1.1' in verdict(load_runs(places[:1]))[0]
    [*named, _] = verdict(load_runs(places), 'net (config net0)')
    assert '`twin (config twin0)` against' in named[1] and '+1.1' in named[1]


def test_equal_differences_are_no_certainty(tmp_path):
    """Of few images equal counts are right; a width of 0 would say sure."""
    for seed in range(3):
        write_run(tmp_path, 'net', seed, [50.0])
        write_run(tmp_path, 'twin', seed, [75.0], baseline='net')
    runs = load_runs([tmp_path])
    [*_, row] = cells(task_table(runs, {}, 'net'))
    assert row[2] == '+25.00 (the same for each seed: no interval)'
    said = summary(runs, 'net')
    assert 'which shows nothing for certain' in said and 'higher' not in said
    assert 'Only 20 validation images' in said


def test_interval_over_images_by_hand():
    # Means of the seeds 1, 2 and 3, of the images 1 and 3; the residuals are
    # -1, 1, 0, 0, 1, -1, so s² of them is 4 / (2 * 1) = 2.
    # SE² = 1 / 3 + 2 / 2 - 2 / (3 * 2) = 1; t is 4.302653.
    table = np.array([[-1.0, 3.0], [1.0, 3.0], [3.0, 3.0]])
    low, high = interval_over_images(table)
    assert (low, high) == pytest.approx((2 - 4.302653, 2 + 4.302653), abs=1e-6)
    # Where images differ by less than chance they take nothing away.
    chance = np.array([[1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]])
    assert interval_over_images(chance) == (0, 0)
    # Images that all gain alike add nothing.
    alike = np.repeat([[1.0], [2.0], [3.0]], 50, 1)
    assert interval_over_images(alike) == pytest.approx(interval([1, 2, 3]))


def test_interval_over_images_holds_the_truth():
    """95 of 100 times where seeds and images are drawn; t alone does not."""
    rng = np.random.default_rng(0)
    held, held_by_seeds = 0, 0
    for _ in range(400):
        table = rng.normal(0, 0.02, (5, 1)) + rng.normal(0, 1, (1, 200))
        table = table + rng.normal(0, 0.5, (5, 200))
        low, high = interval_over_images(table)
        held += low <= 0 <= high
        low, high = interval(table.mean(1).tolist())
        held_by_seeds += low <= 0 <= high
    assert held >= 370 and held_by_seeds < 340


def answering(folder, name, seed, right):
    """Write a run that had these images right, of as many as there are."""
    place = write_run(folder, name, seed, [100 * np.mean(right)])
    with changed(place) as content:
        content['dataset']['val_images'] = len(right)
        digits = np.packbits(right).tobytes().hex()
        content['validations'][-1]['correct'] = digits


def test_images_of_a_seed_that_was_run_twice_count_by_their_mean(tmp_path):
    rng = np.random.default_rng(0)
    plain, twin, again = rng.integers(0, 2, (3, 3, 20)).astype(bool)
    for seed in range(3):
        answering(tmp_path, 'net', seed, plain[seed])
        answering(tmp_path, 'twin', seed, twin[seed])
    answering(tmp_path / 'again', 'twin', 1, again[1])
    runs = load_runs([tmp_path, tmp_path / 'again'])
    pair = [
        [run for run in runs if run.identity.recipe == name]
        for name in ('twin', 'net')
    ]
    table = 100.0 * twin - 100.0 * plain
    table[1] += 50.0 * again[1] - 50.0 * twin[1]
    expected = interval_over_images(table)
    assert gain_over_images(pair) == pytest.approx(expected)


def test_a_gain_on_images_that_were_lucky(tmp_path):
    """Equal on most images: the seeds' interval alone would be certain."""
    right = np.zeros((3, 20), bool)
    right[:, :10] = True
    gained = right.copy()
    gained[:, 10:12] = True
    gained[2, 12] = True
    for name, answers in (('net', right), ('twin', gained)):
        for seed, row in enumerate(answers):
            answering(tmp_path, name, seed, row)
    runs = load_runs([tmp_path])
    low, high = interval_over_images(100.0 * (gained ^ right))
    assert low < 0 < high
    row = cells(task_table(runs, {}, 'net'))[-1]
    assert row[2] == f'[{low:+.2f}, {high:+.2f}]'
    pair = runs[3:], runs[:3]
    sentence = in_a_sentence(pair)
    assert f'; {low:+.1f} to {high:+.1f} if images are drawn anew' in sentence
    assert sentence.endswith('higher on these images.')
    # What holds for other images too is said without that.
    gained[:, 10:] = True
    gained[2, 19] = False
    for run, row in zip(runs[3:], gained):
        with changed(run.place) as content:
            digits = np.packbits(row).tobytes().hex()
            content['validations'][-1]['correct'] = digits
    again = load_runs([tmp_path])
    assert in_a_sentence((again[3:], again[:3])).endswith('higher.')
    # Two seeds have neither; nor has what one of the runs does not say.
    assert 'interval' not in in_a_sentence((runs[3:5], runs[:2]))
    del runs[0].result['validations'][-1]['correct']
    assert 'drawn anew' not in in_a_sentence(pair)


def test_equal_gains_that_a_file_has_rounded(tmp_path):
    """Each seed has 2 of 300 images more; a file keeps six digits."""
    pairs = [(100 * n / 300, 100 * (n + 2) / 300) for n in (151, 152, 178)]
    folders = [
        write_run(tmp_path, config, seed, [values[number]], baseline=baseline)
        for seed, values in enumerate(pairs)
        for number, (config, baseline) in enumerate(
            [('net', None), ('twin', 'net')]
        )
    ]
    kept = report(folders, tmp_path / 'runs.json')
    for runs in (load_runs(folders), load_runs([kept])):
        assert 'shows nothing for certain' in ' '.join(verdict(runs))


def test_weights_are_compared_at_equal_length(tmp_path):
    weights = dict(file='a/b.pth', origin=None, sha256='0')
    for seed in range(3):
        write_run(tmp_path, 'net', seed, [50.0 + seed], planned=100)
        for planned, value in ((20, 60.0), (100, 70.0)):
            write_run(
                tmp_path / str(planned),
                'net',
                seed,
                [value + seed],
                weights=weights,
                planned=planned,
            )
    places = tmp_path, tmp_path / '20', tmp_path / '100'
    one, other = verdict(load_runs(places))
    assert '71.0 against 51.0' in one
    assert '(20 updates)`: top-1' in other and 'against' not in other


def test_a_name_of_several_lengths_is_no_baseline(tmp_path):
    for planned in (20, 100):
        write_run(tmp_path / str(planned), 'net', 0, [50.0], planned=planned)
    other = write_run(tmp_path, 'other', 0, [50.0])
    places = [tmp_path / '20', tmp_path / '100', other]
    with pytest.raises(
        UsageError, match=r'configs are net \(20 updates\), net \(100'
    ):
        report(places, tmp_path / 'a.md', baseline='net')


def test_folders_of_one_name_are_other_data(tmp_path):
    for folder, value in (('a', 50.0), ('b', 80.0)):
        for seed in range(2):
            place = write_run(tmp_path / folder, 'net', seed, [value])
            with changed(place) as content:
                content['run']['dataset'] = f'/{folder}/photos'
                content['dataset']['name'] = 'photos'
    runs = load_runs([tmp_path / 'a', tmp_path / 'b'])
    assert [s.split('(%) ')[1] for s in verdict(runs)] == [
        f'{value} ± 0.00 at the end, {value} ± 0.00 at best.'
        for value in ('50.00', '80.00')
    ]


def test_no_difference_is_one_of_no_images(tmp_path):
    """And a seed that one of them has alone is left out."""
    for seed, gained in enumerate((-2, 0, 3, None)):
        answering(tmp_path, 'net', seed, np.arange(20) < 10 + seed)
        if gained is not None:
            right = np.arange(20) < 10 + seed + gained
            answering(tmp_path, 'twin', seed, right)
    runs = load_runs([tmp_path])
    for pair in ((runs[:4], runs[4:]), (runs[4:], runs[:4])):
        said = in_a_sentence(pair)
        assert 'drawn anew' in said
        assert said.endswith('): no difference shown.')


def test_one_image_is_not_drawn_anew(tmp_path):
    for seed, gained in enumerate((True, True, False)):
        answering(tmp_path, 'net', seed, [False])
        answering(tmp_path, 'twin', seed, [gained])
    runs = load_runs([tmp_path])
    assert 'drawn anew' not in in_a_sentence((runs[3:], runs[:3]))
