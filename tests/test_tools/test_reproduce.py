"""Exhibits of the documents, from pre-training to the report, in small."""

import contextlib
import json
import sys
from importlib import util
from pathlib import Path

import pytest
from command_line import TOOLS
from in_process import main

DIGITS = 'dataset_converters/digits.py'


@pytest.fixture(scope='module')
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp('data')
    with pytest.MonkeyPatch.context() as patch:
        main(DIGITS, '--out', 'digits', monkeypatch=patch, cwd=folder)
    return folder


@pytest.fixture
def tool():
    spec = util.spec_from_file_location('reproduce', TOOLS / 'reproduce.py')
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def reproduce(tool, tmp_path, monkeypatch):
    """Call the tool; return the commands that it has carried out."""
    called = []

    def run_jobs(jobs):
        for job in jobs:
            name = (tmp_path / job.words[0]).resolve().relative_to(TOOLS)
            called.append((name.name, *job.words[1:]))
            job.log.parent.mkdir(parents=True, exist_ok=True)
            with open(job.log, 'w') as log, contextlib.redirect_stdout(log):
                main(
                    name, *job.words[1:], monkeypatch=monkeypatch, cwd=tmp_path
                )

    monkeypatch.setattr('mmdrloc.apis.jobs.run_jobs', run_jobs)
    monkeypatch.chdir(tmp_path)

    def call(*line):
        called.clear()
        monkeypatch.setattr(sys, 'argv', ['reproduce.py', *line])
        tool.main()
        return [words[0] for words in called]

    return call


def all_metrics(folder):
    return [
        json.loads(path.read_text())['last']
        for path in sorted(folder.rglob('result.json'))
    ]


SLOW = (
    'table-5 table-7 table-11 positions poster-row-gradients poster-imagenet '
    'mae-original-scale'
).split()


@pytest.mark.parametrize(
    'exhibit',
    ['table-12', *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW)],
)
def test_small_scale(reproduce, data, tmp_path, exhibit):
    (tmp_path / 'data').symlink_to(data)
    found = reproduce(exhibit, '--scale', 'small')
    if exhibit == 'table-12':
        order = ['train.py'] * 4 + ['test.py'] * 2 + ['report.py']
        assert found == order
    folder = tmp_path / 'work_dirs/reproduce/small'
    # Again: what is finished stays, a report is renewed.
    again = reproduce(exhibit, '--scale', 'small')
    if exhibit == 'poster-row-gradients':  # nothing is validated
        assert (folder / exhibit / 'rows.png').is_file() and not again
        return
    assert again == ['report.py']
    assert (folder / exhibit / 'report.html').stat().st_size > 1000
    assert any(all_metrics(folder))


def test_what_is_missing_is_named_at_once(reproduce, capsys):
    with pytest.raises(SystemExit) as ending:
        reproduce('table-5', '--check')
    said = str(ending.value)
    for name in ('prepare.py cifar10', 'data/svhn', 'curl -L', 'T2T_ViT_14'):
        assert name in said


@pytest.mark.parametrize(
    'name,words', [('tabel-4', 'table-4'), ('test-dev', 'left out')]
)
def test_exhibits_that_are_not_there(reproduce, name, words):
    with pytest.raises(SystemExit, match=words):
        reproduce(name)


def test_list_and_commands(reproduce, tool, data, tmp_path, capsys):
    reproduce('--list')
    said = capsys.readouterr().out
    for name in ('table-4', 'poster-transfer', 'figure-3', 'mae-latency'):
        assert f'\n{name} (' in said
    (tmp_path / 'data').symlink_to(data)
    options = '--cfg-options optim_wrapper.accumulative_counts=4'
    line = ('--scale', 'small', '--check', '--gpus', '2', '--train', options)
    for name in ('table-12', 'mae-original-scale', 'poster-imagenet'):
        reproduce(name, *line)
        said = capsys.readouterr().out.splitlines()
        assert '--nproc_per_node=2' in said[0]
        folders = [
            line.split('--work-dir ')[1].split()[0] for line in said[:3]
        ]
        assert len(set(folders)) == 3
    assert not Path('work_dirs').exists()


def test_recipes_of_exhibits_exist(tool):
    for one in tool.read_exhibits()[0].values():
        for run in tool.all_runs(one.get('runs', [])):
            assert (tool.shipped('configs') / f'{run["recipe"]}.py').is_file()
