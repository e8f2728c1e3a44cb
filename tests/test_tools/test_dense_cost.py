"""What backbones keep for the backward pass."""

import runpy
from pathlib import Path

import pytest
import torch
from in_process import main
from torch import nn

from mmdrloc.models import DenseViT

TOOL = Path(__file__).parents[2] / 'tools/analysis_tools/dense_cost.py'
ARCH = dict(embed_dims=16, num_layers=6, num_heads=2, feedforward_channels=32)


def kept(network, image):
    network.train()
    return runpy.run_path(str(TOOL))['measure'](network, image)[1]


def test_what_is_kept_is_counted_once():
    class Twice(nn.Module):
        def forward(self, image):
            made = image.exp()  # keeps what it made
            return [made * made]  # keeps it again

    image = torch.randn(1, 3, 256, 1024, requires_grad=True)
    assert kept(Twice(), image) == pytest.approx(3.0)


def test_memory_grows_with_the_area_and_falls_by_computing_anew():
    arguments = dict(
        arch=ARCH,
        img_size=64,
        patch_size=8,
        out_indices=(2, 5),
        window_size=8,
    )
    image, larger = torch.randn(1, 3, 256, 256), torch.randn(1, 3, 512, 512)
    network = DenseViT(**arguments)
    small = kept(network, image)
    assert 3.5 * small < kept(network, larger) < 4.5 * small
    assert kept(DenseViT(**arguments, with_cp=True), image) < small / 4


def test_the_table(capsys, monkeypatch, tmp_path):
    config = tmp_path / 'tiny.py'
    config.write_text(
        "default_scope = 'mmdet'\n"
        "model = dict(backbone=dict(type='mmdrloc.DenseViT', "
        f'arch={ARCH}, img_size=64, patch_size=8))\n'
    )
    main(
        'analysis_tools/dense_cost.py',
        config,
        '--sizes',
        '64x48',
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    lines = capsys.readouterr().out.strip().splitlines()
    assert '64x48: s | kept: MB' in lines[0]
    assert lines[-1].startswith(f'| `{config}` | 0.0 | ')
