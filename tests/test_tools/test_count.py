"""Parameters and operations of the lightweight ViT against formulas."""

import re
from pathlib import Path

import pytest
from in_process import main

ROOT = Path(__file__).parents[2]


def by_hand(size, patch, classes, width=192, layers=12, hidden=384):
    """Parameters; operations in full, of linear layers, without attention."""
    patches = (size // patch) ** 2
    tokens = patches + 1
    embedding = patches * width * 3 * patch**2
    qkv_and_out = layers * tokens * 4 * width**2
    products = layers * 2 * tokens**2 * width
    ffn = layers * tokens * 2 * width * hidden
    layer = (
        (4 * width**2 + 4 * width)  # queries, keys, values, output
        + (2 * width * hidden + width + hidden)
        + 4 * width  # two norms
    )
    parameters = (
        layers * layer
        + (3 * patch**2 + 1) * width
        + (tokens + 1) * width  # positions, class token
        + 2 * width
        + (width + 1) * classes
    )
    outside = embedding + ffn + width * classes
    linear = outside + qkv_and_out
    return parameters, linear + products, linear, outside


def test_counts(capsys, monkeypatch, tmp_path):
    size, patch, classes = 36, 3, 10
    main(
        'analysis_tools/benchmark.py',
        *('forward', ROOT / 'configs/mae/vit-light.py', '--image-size', size),
        *('--rounds', 2, '--batch-size', 1),
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    row = re.search(r'vit-light \| (\S+) \| (\S+) \|', capsys.readouterr().out)
    counted, operations = map(float, row.groups())
    parameters, full, linear, _ = by_hand(size, patch, classes)
    assert counted == pytest.approx(parameters / 1e6, abs=5e-4)
    # Norms are counted too, products inside attention are not.
    assert linear / 1e9 <= operations < full / 1e9
    assert counted < 3.65  # the published bound


def test_the_table_in_the_docs():
    text = (ROOT / 'docs/mae.md').read_text()
    rows = re.findall(r'^\| (\d+) \| (\d+) \| (\d+) \| (.+) \|$', text, re.M)
    assert len(rows) == 8
    for size, patch, classes, printed in rows:
        parameters, *operations = by_hand(int(size), int(patch), int(classes))
        expected = [parameters / 1e6, *(count / 1e9 for count in operations)]
        assert printed == ' | '.join(f'{number:.3f}' for number in expected)
        # The published bounds; the second holds in the third counting alone.
        assert parameters < 3.65e6
        assert operations[2] < 0.27e9
        assert (operations[0] < 0.27e9) == (
            (size, patch) in {('36', '6'), ('32', '4')}
        )
