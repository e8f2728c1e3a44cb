"""The shell scripts, with stand-ins for what they start."""

import os
import shutil
import subprocess

import pytest
from command_line import TOOLS


def stand_in(path, body):
    path.write_text(f'#!/usr/bin/env bash\n{body}\n')
    path.chmod(0o755)
    return path


def bash(script, *line, cwd, **env):
    return subprocess.run(
        ['bash', str(script), *map(str, line)],
        cwd=cwd,
        env={**os.environ, **env},
        text=True,
        capture_output=True,
    )


@pytest.fixture
def slurm(tmp_path):
    stand_in(tmp_path / 'srun', 'printf "%s\\n" "$@"')
    path = f'{tmp_path}:{os.environ["PATH"]}'

    def call(*line, **env):
        return bash(
            TOOLS / 'slurm_train.sh', *line, cwd=tmp_path, PATH=path, **env
        )

    return call


def test_slurm_job(slurm):
    outcome = slurm(
        *('part', 'name', 'a b.py', 'work', '--amp', '--dataset', 'svhn'),
        *('--weights', 'w.pth'),
        GPUS='16',
        SRUN_ARGS='--time=60 --qos=low',
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.splitlines() == [
        '--partition=part',
        '--job-name=name',
        '--ntasks=16',
        '--cpus-per-task=5',
        '--gres=gpu:8',
        '--ntasks-per-node=8',
        '--time=60',
        '--qos=low',
        '--kill-on-bad-exit=1',
        'python',
        '-u',
        str(TOOLS / 'train.py'),
        'a b.py',
        *('--work-dir', 'work', '--launcher', 'slurm', '--amp'),
        *('--dataset', 'svhn', '--weights', 'w.pth'),
    ]


def test_slurm_job_on_a_part_of_a_machine(slurm):
    words = slurm('p', 'n', 'c', 'w', GPUS='2').stdout.splitlines()
    assert '--gres=gpu:2' in words and '--ntasks-per-node=2' in words


def test_slurm_job_on_processors(slurm):
    words = slurm('p', 'n', 'c', 'w', GPUS='4', GPUS_PER_NODE='0').stdout
    assert '--ntasks=4' in words and 'gpu:' not in words


def test_slurm_job_that_comes_again(slurm, tmp_path):
    """The batch job is this script again, with the same words."""
    stand_in(
        tmp_path / 'sbatch',
        'printf "%s\\n" "$@"; SLURM_JOB_ID=7 exec bash -s',
    )
    line = ('part', 'name', "a 'b'.py", 'work', '--dataset', 'my photos')
    env = dict(REQUEUE='90', GPUS='2', SRUN_ARGS='--time=60')
    batch, step = slurm(*line, **env).stdout.split('--output=')
    asked = [
        *('--partition=part', '--job-name=name', '--ntasks=2'),
        *('--cpus-per-task=5', '--gres=gpu:2', '--ntasks-per-node=2'),
        '--time=60',
    ]
    assert batch.splitlines() == [
        *(*asked, '--requeue', '--signal=B:USR1@90', '--open-mode=append')
    ]
    output, *step = step.splitlines()
    assert output == 'work/slurm-%j.log'
    assert step == [
        *(*asked, '--kill-on-bad-exit=1', 'python', '-u'),
        *(str(TOOLS / 'train.py'), "a 'b'.py", '--work-dir', 'work'),
        *('--launcher', 'slurm', '--dataset', 'my photos'),
    ]


def test_slurm_job_without_a_config(slurm):
    outcome = slurm('part', 'name')
    assert outcome.returncode == 2 and outcome.stderr.startswith('usage:')


def test_restarts_are_for_one_machine(tmp_path):
    outcome = bash(
        *(TOOLS / 'dist_train.sh', 'config.py', 2),
        cwd=tmp_path,
        NNODES='2',
        MAX_RESTARTS='1',
    )
    assert outcome.returncode == 2
    assert outcome.stderr.startswith('error: MAX_RESTARTS is for one machine')


# Benchmarks take no time; the baseline's training fails after its first
# result, the twin's goes well.
PYTHON = """
echo "$@" >> calls
case "$*" in
    -c*) exit ${GPU:-0} ;;
    *benchmark.py*)
        case $2 in data) exit 1 ;; *) echo '{}' > "$4/$2.json" ;; esac ;;
    *paired.py*)
        for seed in 0 1; do
            mkdir -p work_dirs/gpu_page/evidence/net_seed$seed
        done
        cd work_dirs/gpu_page/evidence
        echo '"finished": true' > net_seed0/result.json
        echo '"finished": false' > net_seed1/result.json ;;
    *train.py*)
        run=work_dirs/gpu_page/$(basename "$2" .py)
        mkdir -p "$run/1/vis_data"
        echo '{}' > "$run/result.json"
        echo "{\\"of\\": \\"$run\\"}" > "$run/1/vis_data/scalars.json"
        touch "$run/last_checkpoint"
        case $2 in *drloc*) exit 0 ;; *) exit 3 ;; esac ;;
esac
"""


@pytest.fixture
def gpu_page(tmp_path):
    root = tmp_path / 'checkout'
    (root / 'tools').mkdir(parents=True)
    shutil.copy(TOOLS / 'gpu_page.sh', root / 'tools')
    python = stand_in(tmp_path / 'python', PYTHON)
    stand_in(tmp_path / 'timeout', 'echo "$3" >> limits; shift 3; "$@"')

    def call(minutes=30, **env):
        return bash(
            *(root / 'tools/gpu_page.sh', minutes, 'found'),
            cwd=tmp_path,
            PYTHON=str(python),
            PATH=f'{tmp_path}:{os.environ["PATH"]}',
            **env,
        )

    return root, call


def calls_of(root):
    """What the stand-in was called with: a tool and its first words."""
    calls = (root / 'calls').read_text().splitlines()
    (root / 'calls').unlink()
    return [line.split() for line in calls if not line.startswith('-c')]


def test_page_of_a_gpu(gpu_page, tmp_path):
    root, call = gpu_page
    (root / 'data/cifar10_photos/train').mkdir(parents=True)
    outcome = call()
    calls = calls_of(root)
    assert [words[1] for words in calls if 'benchmark' in words[0]] == [
        'step',
        'branch',
        'data',
        'options',
    ]
    # Of runs that were cut off nothing is known yet.
    (report,) = [words for words in calls if 'report.py' in words[0]]
    assert report[1] == 'work_dirs/gpu_page/evidence/net_seed0'
    assert report[2] == '--out'
    found = tmp_path / 'found'
    for twin in ('swin-tiny', 'swin-tiny_drloc'):
        assert (found / f'{twin}.json').read_text() == '{}\n'
        assert twin in (found / f'{twin}.scalars.jsonl').read_text()
    assert 'train_swin-tiny: exit status 3' in outcome.stdout
    # Time that a part leaves is the next ones'.
    limits = list(map(int, (root / 'limits').read_text().split()))
    step, branch, evidence, report, data, options, first, second = limits
    assert [step, branch, data, options] == [225, 180, 90, 225]
    assert evidence == pytest.approx(600, abs=10) and report == 60
    assert first == pytest.approx(900, abs=10)
    assert second == pytest.approx(1800, abs=20)


def test_page_goes_on_where_it_stopped(gpu_page):
    root, call = gpu_page
    (root / 'data/cifar10_photos/train').mkdir(parents=True)
    call()
    calls_of(root)
    outcome = call()
    calls = calls_of(root)
    # The one that failed.
    benchmark = [words for words in calls if 'benchmark' in words[0]]
    assert [words[1] for words in benchmark] == ['data']
    assert 'benchmark_step: done already' in outcome.stdout
    trainings = [words for words in calls if 'train.py' in words[0]]
    assert len(trainings) == 2
    assert all('--resume' in words for words in trainings)


def test_page_that_is_told_to_end(gpu_page, tmp_path):
    root, call = gpu_page
    (root / 'data/cifar10_photos/train').mkdir(parents=True)
    # The first part, a benchmark, tells the page that waits for it.
    stop = (
        'trap "echo ended > ended; kill \\$!" TERM; sleep 60 & '
        'kill -TERM $PPID; wait'
    )
    stand_in(tmp_path / 'timeout', stop)
    outcome = call()
    assert outcome.returncode == 130, outcome.stderr
    assert (root / 'ended').exists()
    assert 'benchmark_branch' not in outcome.stdout


def test_page_is_rehearsed_without_a_gpu(gpu_page):
    root, call = gpu_page
    (root / 'data/cifar10_photos/train').mkdir(parents=True)
    outcome = call(GPU='1', REHEARSAL='1')
    assert outcome.returncode == 0, outcome.stderr
    tools = [words[0] for words in calls_of(root)]
    assert len(tools) == 8
    for tool in tools:
        assert (TOOLS.parent / tool).is_file()


@pytest.mark.parametrize('minutes', [0, 'ten'])
def test_page_without_time(gpu_page, minutes):
    outcome = gpu_page[1](minutes)
    assert outcome.returncode == 2 and outcome.stderr.startswith('usage:')


@pytest.mark.parametrize(
    'env,words',
    [
        (dict(GPU='1'), 'PyTorch sees no GPU'),
        ({}, 'data/cifar10_photos/train is missing'),
    ],
)
def test_page_that_cannot_be(gpu_page, env, words):
    outcome = gpu_page[1](**env)
    assert outcome.returncode == 1 and f'error: {words}' in outcome.stderr
