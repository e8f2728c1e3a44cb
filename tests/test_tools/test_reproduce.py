"""Exhibits of the documents, from pre-training to the report, in small."""

import json
import runpy
import shlex
from pathlib import Path

import pytest
from command_line import TOOLS, run

DIGITS = 'dataset_converters/digits.py'
REPRODUCE = 'reproduce.py'
ALL, _ = runpy.run_path(str(TOOLS / REPRODUCE))['read_exhibits']()
EXHIBITS = [name for name, one in ALL.items() if {'runs', 'after'} & set(one)]
# Twins, weights that are carried, commands after the trainings, test-time
# augmentation, pre-training, iterations, published weights: these run in CI.
KINDS = [
    *('table-9', 'table-12', 'table-14', 'poster-row-gradients'),
    *('mae-original-scale', 'positions-64px', 'published-weights-all'),
]


@pytest.fixture(scope='module')
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp('data')
    assert run(DIGITS, '--out', 'digits', cwd=folder).returncode == 0
    return folder


def commands(outcome):
    """The words of each command that is printed."""
    lines = outcome.stdout.splitlines()
    return [shlex.split(x)[1:] for x in lines if x.startswith(('$', 'python'))]


def trained(folder):
    return {
        path: json.loads(path.read_text())
        for path in folder.glob('*/result.json')
    }


@pytest.fixture(scope='module')
def folder(data, tmp_path_factory):
    """Where trainings that several exhibits share are done once."""
    path = tmp_path_factory.mktemp('exhibits')
    (path / 'data').symlink_to(data)
    return path


def runs_of(runs):
    """Trainings, and those they start from."""
    for one in runs:
        yield one
        if isinstance(one.get('weights'), dict):
            yield from runs_of([one['weights']])


@pytest.mark.parametrize('name', [n for n in ALL if 'planned' in ALL[n]])
def test_all_that_a_plan_says_is_read(name):
    words = {
        'recipe',
        'dataset',
        'options',
        'iters',
        'weights',
        'seeds',
        'amp',
    }
    assert set().union(*runs_of(ALL[name]['runs'])) <= words


def check(folder, exhibit):
    """An exhibit, from its pre-training to its report."""
    line = (REPRODUCE, exhibit, '--scale', 'small')
    planned = commands(run(*line, '--check', cwd=folder))
    outcome = run(*line, cwd=folder)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert planned
    for words in planned:
        if 'train.py' in words[0]:
            place = folder / words[words.index('--work-dir') + 1]
            result = json.loads((place / 'result.json').read_text())
            assert result['finished'] and 'train' in result['command']
        elif '--out' in words:
            out = folder / words[words.index('--out') + 1]
            assert out.stat().st_size > 100


@pytest.mark.slow
@pytest.mark.parametrize('exhibit', KINDS)
def test_one_of_each_kind(folder, exhibit):
    check(folder, exhibit)


@pytest.mark.slow
@pytest.mark.parametrize('exhibit', sorted({*EXHIBITS} - {*KINDS}))
def test_other_exhibits(folder, exhibit):
    check(folder, exhibit)


@pytest.mark.slow
def test_what_is_finished_stays(folder):
    line = (REPRODUCE, 'alpha', '--scale', 'small')
    assert run(*line, cwd=folder).returncode == 0
    results = trained(folder / 'work_dirs/reproduce/small')
    options = {o for r in results.values() for o in r['run']['options']}
    assert 'model.auxiliary_head.loss.alpha=0.0001' in options
    again = run(*line, cwd=folder)
    assert again.returncode == 0
    assert trained(folder / 'work_dirs/reproduce/small') == results
    assert again.stdout.count('done before') == 5
    assert 'report.py' in ' '.join(commands(again)[-1])


def test_the_plan_is_printed_without_data(tmp_path):
    outcome = run(REPRODUCE, 'table-5', '--check', cwd=tmp_path)
    assert outcome.returncode == 1
    for name in ('prepare.py cifar10', 'data/svhn', 'curl -L', 'T2T_ViT_14'):
        assert name in outcome.stderr
    planned = commands(outcome)
    assert 'finetune_100e/t2t-vit-14_finetune' in ' '.join(
        map(' '.join, planned)
    )
    assert 'report.py' in planned[-1][0]
    assert not [*tmp_path.iterdir()]
    without_check = run(REPRODUCE, 'table-5', cwd=tmp_path)
    assert without_check.stderr == outcome.stderr
    assert not commands(without_check)


def test_all_data_placed_by_hand_are_named(tmp_path):
    study = 'published-weights-dinov2-heldout'
    said = run(REPRODUCE, study, '--check', cwd=tmp_path).stderr
    assert 'data/camvid' in said and 'data/nuclei' in said


def test_a_folder_with_a_space(tmp_path):
    outcome = run(
        REPRODUCE, 'table-14', '--check', '--work-dir', 'a b', cwd=tmp_path
    )
    last = commands(outcome)[-1]
    assert last[last.index('--out') + 1].startswith('a b/')


def test_at_least_one_gpu(tmp_path):
    outcome = run(REPRODUCE, 'table-14', '--gpus', 0, cwd=tmp_path)
    assert outcome.returncode == 1 and '--gpus 0' in outcome.stderr


@pytest.mark.parametrize(
    'name, words', [('tabel-4', 'table-4'), ('test-dev', 'left out')]
)
def test_exhibits_that_are_not_there(tmp_path, name, words):
    outcome = run(REPRODUCE, name, cwd=tmp_path)
    assert outcome.returncode == 1 and words in outcome.stderr


def test_a_study_is_its_grid_for_each_seed(tmp_path):
    line = ('positions-swin-heldout', '--check')
    study = 'work_dirs/positions-swin-heldout'
    planned = commands(run(REPRODUCE, *line, cwd=tmp_path))
    assert len(planned) == 17 and planned[-1][-1] == f'{study}/report.html'
    folders = {Path(p[p.index('--work-dir') + 1]) for p in planned[:-1]}
    assert {folder.parent for folder in folders} == {Path(study)}
    again = commands(run(REPRODUCE, *line, '--seeds', 3, 4, cwd=tmp_path))
    assert len(again) == 33
    options = {word for words in again for word in words if 'lr_mult' in word}
    assert [option.split('=')[1] for option in sorted(options)] == [
        *('10', '100', '3', '30')
    ]


def test_each_seed_has_its_own_trainings_before(tmp_path):
    """Also those before them: 448 px from 224 px from IDMM."""
    line = ('poster-training-from-scratch', '--check', '--seeds', 1)
    line += ('--gpus', 4)
    planned = commands(run(REPRODUCE, *line, cwd=tmp_path))
    seeds = [p[p.index('--seed') + 1] for p in planned if '--seed' in p]
    assert len(seeds) > 60 and {*seeds} == {'1'}


def option(words, name):
    """The last value of an option, such as ``--iters``, or of a setting."""
    pairs = [w.partition('=') for w in words] + [
        (word, '', value) for word, value in zip(words, words[1:])
    ]
    return ([value for key, _, value in pairs if key == name] or [None])[-1]


@pytest.mark.parametrize(
    'name, gpus, shares',
    [
        # 1,024 images, 128 an iteration.
        ('table-2a', 1, {(None, '8', None)}),
        ('table-2a', 3, {('2', '4', None)}),
        ('table-2a', 8, {('8', None, None)}),
        ('table-2a', 16, {('8', None, None)}),
        # Then 16 images, 2 an iteration: as many updates.
        ('table-12', 1, {(None, '8', None), (None, '8', '1280000')}),
        ('table-12', 8, {('8', None, None)}),
        # 4,096 images, 512 an iteration, or 128, 128 an iteration.
        ('mae-summary', 8, {('8', None, None), (None, None, None)}),
        ('mae-summary', 1, {(None, '8', None), (None, None, None)}),
    ],
)
def test_each_training_keeps_its_batch(name, gpus, shares, tmp_path):
    """(processes, iterations an update, iterations) of the trainings."""
    planned = commands(
        run(REPRODUCE, name, '--check', '--gpus', gpus, cwd=tmp_path)
    )
    counts = 'optim_wrapper.accumulative_counts'
    found = {
        tuple(option(p, w) for w in ('--nproc_per_node', counts, '--iters'))
        for p in planned
        if any(word.endswith('tools/train.py') for word in p)
    }
    assert found == shares


def test_what_moves_with_each_iteration(tmp_path):
    """Several for an update: teachers cannot, averages of weights skip."""
    outcome = run(REPRODUCE, 'poster-transfer', '--check', cwd=tmp_path)
    assert outcome.returncode == 1 and 'give --gpus 4.' in outcome.stderr
    done = run(REPRODUCE, 'table-7', '--check', '--gpus', 2, cwd=tmp_path)
    found = [
        tuple(option(p, w) for w in (key, 'custom_hooks.0.interval'))
        for p in commands(done)
        for key in ['optim_wrapper.accumulative_counts']
        if any('310e' in word for word in p)
    ]
    assert ('4', '4') in found
    assert all(counts == interval for counts, interval in found)


def test_precision_is_in_the_plan(tmp_path):
    line = ('published-weights', '--check', '--seeds', 0)
    planned = commands(run(REPRODUCE, *line, cwd=tmp_path))
    found = {
        p[1].split('/')[1][:7]: '--amp' in p for p in planned if len(p) > 2
    }
    assert found['dinov2-'] and not found['tinyvit']
    small = run(REPRODUCE, *line, '--scale', 'small', cwd=tmp_path)
    assert '--amp' not in small.stdout  # not all CPUs have it


def test_a_batch_that_makes_no_update_is_refused(data, tmp_path):
    """Of the second training, before the first."""
    (tmp_path / 'data').symlink_to(data)
    for name in ('cifar10', 'cifar100'):
        (tmp_path / 'data' / name).mkdir(exist_ok=True)
    batch = '--train=--cfg-options train_dataloader.batch_size=512'
    outcome = run(REPRODUCE, 'mae-summary', batch, cwd=tmp_path)
    assert outcome.returncode == 1 and 'Traceback' not in outcome.stderr
    assert 'vit-light: its learning rate is for 128 images' in outcome.stderr
    assert not (tmp_path / 'work_dirs').exists()


@pytest.mark.parametrize('word', ['--seed 5', '--work-dir x', '--check'])
def test_what_the_plan_says_is_not_asked_of_trainings(word, tmp_path):
    outcome = run(REPRODUCE, 'table-2a', f'--train={word}', cwd=tmp_path)
    said = f'--train takes no {word.split()[0]}.'
    assert outcome.returncode == 1 and said in outcome.stderr


def test_commands_at_small_scale(data, tmp_path):
    (tmp_path / 'data').symlink_to(data)
    options = '--cfg-options optim_wrapper.accumulative_counts=4'
    line = ('--scale', 'small', '--check', '--gpus', '2', '--train', options)
    for name in ('table-12', 'mae-original-scale', 'poster-imagenet'):
        planned = commands(run(REPRODUCE, name, *line, cwd=tmp_path))
        assert '--nproc_per_node=2' in planned[0]
        folders = {p[p.index('--work-dir') + 1] for p in planned[:3]}
        assert len(folders) == 3
    assert not (tmp_path / 'work_dirs').exists()


def test_recipes_of_exhibits_exist(tmp_path):
    said = run(REPRODUCE, '--list', cwd=tmp_path).stdout
    for name in ('table-4', 'poster-transfer', 'figure-3', 'mae-latency'):
        assert f'\n{name} (' in said
    for one in ALL.values():
        for training in one.get('runs', []):
            recipe = TOOLS.parent / f'configs/{training["recipe"]}.py'
            assert recipe.is_file()
