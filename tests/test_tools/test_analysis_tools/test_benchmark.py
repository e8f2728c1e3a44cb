"""What the benchmarks measure, and that each mode ends in a table."""

import json
import re
import runpy
import subprocess
import sys

import pytest
from command_line import ROOT, TOOLS
from tiny_run import write_twin

TOOL = 'analysis_tools/benchmark.py'
ONCE = ('--rounds', 2, '--batch-size', 1, '--device', 'cpu', '--out', 'a.json')


def main(*line, monkeypatch, cwd):
    """Run it in a folder, without starting a process."""
    monkeypatch.chdir(cwd)
    monkeypatch.setattr(sys, 'argv', [TOOL, *map(str, line)])
    runpy.run_path(str(TOOLS / TOOL), run_name='__main__')


@pytest.fixture
def benchmark(tmp_path, monkeypatch, capsys):
    """Run a mode; return its table's last row and what it wrote."""

    def call(*line):
        main(*line, *ONCE, monkeypatch=monkeypatch, cwd=tmp_path)
        out = capsys.readouterr().out
        row = [line for line in out.splitlines() if line.startswith('|')][-1]
        return row, json.loads((tmp_path / 'a.json').read_text())

    return call


@pytest.fixture
def config(tmp_path):
    return write_twin(tmp_path)


def test_several_heads_in_one_run(benchmark, config):
    arms = ['with', 'num_pairs=2,loss.signed=True,pool=None']
    row, found = benchmark('step', config, '--arms', *arms, '--image-size', 28)
    assert row.startswith(f'| {arms[1]} |')
    assert list(found['seconds']) == ['without', *arms]


def test_no_head(tmp_path, monkeypatch, config):
    place = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    with pytest.raises(SystemExit, match='error: .*4x16'):
        main('step', config, '--arms', '4x16', **place)
    plain = tmp_path / 'tiny.py'
    with pytest.raises(SystemExit, match='error: .*auxiliary_head'):
        main('step', plain, **place)
    with pytest.raises(SystemExit, match='error: .*no folder nodir'):
        main('step', config, '--out', 'nodir/a.json', **place)


def test_configs_of_one_name_are_not_timed_as_one(
    tmp_path, monkeypatch, config
):
    other = write_twin(tmp_path / 'other')
    place = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    line = ('forward', config, other, '--image-size', 28, *ONCE)
    with pytest.raises(SystemExit, match='called tiny_drloc'):
        main(*line, **place)


@pytest.mark.slow
def test_steps_of_several_processes(config):
    torchrun = [sys.executable, '-m', 'torch.distributed.run']
    line = [TOOLS / TOOL, 'step', config, '--launcher', 'pytorch', *ONCE]
    line += ['--image-size', 28]
    done = subprocess.run(
        [*torchrun, '--nproc_per_node=2', *map(str, line)],
        cwd=config.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('| with |') == 1


def test_forward(benchmark, config):
    plain = config.with_name('tiny.py')
    row, found = benchmark('forward', plain, config, '--image-size', 28)
    assert row.startswith('| tiny_drloc |')
    assert list(found['seconds']) == ['tiny', 'tiny_drloc']


NOTED = """
from pathlib import Path

from mmpretrain.models import SwinTransformer
from mmpretrain.registry import MODELS


@MODELS.register_module()
class Noted(SwinTransformer):

    def forward(self, x):
        patches = self.patch_embed.projection(x)
        Path('noted.txt').write_text(f'{[*x.shape[2:]]} {patches.dtype}')
        return super().forward(x)
"""
OWN = """
_base_ = './tiny.py'
custom_imports = dict(imports=['noted'])
model = dict(backbone=dict(type='Noted'))
test_dataloader = dict(
    dataset=dict(
        pipeline=[
            dict(type='LoadImageFromFile'),
            dict(type='Resize', scale=(28, 28)),
            dict(type='PackInputs')]))
"""


@pytest.mark.parametrize('mode', ['step', 'forward'])
def test_what_is_timed(benchmark, config, monkeypatch, mode):
    """Images of the test's size, in the precision that was asked for."""
    folder = config.parent
    monkeypatch.syspath_prepend(folder)
    (folder / 'noted.py').write_text(NOTED)
    (folder / 'own.py').write_text(OWN)
    config.write_text(config.read_text().replace('tiny.py', 'own.py'))
    found = [
        benchmark(mode, config, *options)
        and (folder / 'noted.txt').read_text()
        for options in ((), ('--amp',))
    ]
    assert found == ['[28, 28] torch.float32', '[28, 28] torch.bfloat16']


def test_the_counts_of_the_pages(monkeypatch, tmp_path, capsys):
    """Of the lightweight ViT; inside attention the tool counts nothing."""
    line = ('forward', ROOT / 'configs/mae/vit-light.py', '--image-size', 36)
    main(*line, *ONCE, monkeypatch=monkeypatch, cwd=tmp_path)
    said = capsys.readouterr().out
    row = re.search(r'vit-light \| 36x36 \| (\S+) \| (\S+) \|', said)
    counted, operations = map(float, row.groups())
    page = (ROOT / 'docs/mae.md').read_text()
    said = re.search(r'^\| 36 \| 3 \| 10 \| (.*) \|$', page, re.M)[1]
    parameters, full, linear, _ = map(float, said.split('|'))
    assert counted == pytest.approx(parameters, abs=1e-3)
    assert linear <= operations + 1e-3 and operations < full


def test_the_first_round_does_not_count(monkeypatch):
    """And each begins with another variant."""
    tool = runpy.run_path(str(TOOLS / TOOL))
    clock, order = [0.0], []

    def takes(name, *seconds):
        left = [*seconds]

        def step():
            order.append(name)
            clock[0] += left.pop(0)

        return step

    monkeypatch.setattr('time.perf_counter', lambda: clock[0])
    variants = dict(a=takes('a', 9.0, 1.0, 2.0), b=takes('b', 9.0, 3.0, 5.0))
    found = tool['time_in_turn'](variants, 2, 'cpu')
    assert found == dict(a=[1.0, 2.0], b=[3.0, 5.0])
    assert ''.join(order) == 'abbaab'


def test_ratios_are_to_the_first():
    tool = runpy.run_path(str(TOOLS / TOOL))
    table = tool['table_of'](dict(a=[1.0, 2.0, 1.0], b=[3.0, 6.0, 3.0]))
    first, second = table.splitlines()[-2:]
    assert '| a |' in first and '1.000 (1.000 to 1.000)' in first
    assert '| b |' in second and '3.000 (3.000 to 3.000)' in second
