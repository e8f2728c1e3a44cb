"""What twins gain, from runs and from a file of them."""

import json
import re

import numpy as np
import pytest
from made_up_run import changed, write_run
from matplotlib.figure import Figure
from PIL import Image

from mmdrloc.reporting import figures as drawing
from mmdrloc.reporting.report import report
from mmdrloc.utils.errors import UsageError

ACCURACIES = {
    ('net', None): [[50.0, 60.0], [52.0, 62.0], [54.0, 64.0]],
    ('twin', 'net'): [[51.0, 64.0], [55.0, 64.0], [56.0, 67.0]],
    ('short', 'net'): [[53.0]],
}


@pytest.fixture
def folders(tmp_path):
    """Three seeds, and a twin of one that ended early; skills 0.1 and 0.2."""
    folders = []
    for (config, baseline), by_seed in ACCURACIES.items():
        for seed, accuracies in enumerate(by_seed):
            folder = write_run(
                tmp_path, config, seed, accuracies, baseline=baseline
            )
            with changed(folder) as result:
                for number, one in enumerate(result['validations'], 1):
                    if baseline:
                        one['drloc_skill'] = number / 10
            folders.append(folder)
    return folders


@pytest.fixture
def figures(monkeypatch):
    """All figures that are drawn."""
    made = []

    class Kept(drawing.Figure):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            made.append(self)

    monkeypatch.setattr(drawing, 'Figure', Kept)
    return made


def lines(axes):
    """Points by the first words of their label."""
    return {
        line.get_label().split()[0]: (
            list(line.get_xdata()),
            list(line.get_ydata()),
        )
        for line in axes.lines
    }


def bands(axes):
    """Lower and upper ends at the first iteration of each band."""
    return [
        sorted({y for x, y in path.vertices if x == 10})
        for band in axes.collections
        for path in band.get_paths()
    ]


def test_gain_and_skill_by_iteration(folders, figures, tmp_path):
    report(folders, tmp_path / 'gain.png')
    assert Image.open(tmp_path / 'gain.png').width > 500
    gain, skill = figures[0].axes
    assert lines(gain) == {
        # 53 - 50; 1, 3 and 2 points, then 4, 2 and 3.
        'short': ([10], [3.0]),
        'twin': ([10, 20], [2.0, 3.0]),
    }
    assert lines(skill) == {
        'short': ([10], [0.1]),
        'twin': ([10, 20], [0.1, 0.2]),
    }
    # One seed has no band. Differences 1, 3 and 2: 2 +- 4.302653 / sqrt(3).
    [band] = [ends for ends in bands(gain) if ends]
    assert band == pytest.approx([2 - 2.484138, 2 + 2.484138], abs=1e-5)
    labels = [line.get_label() for line in gain.lines]
    assert 'over net:' in labels[0] and labels[0].endswith('1 seed')


@pytest.mark.parametrize('name', ['report.md', 'report.html'])
def test_a_report_without_the_runs(folders, tmp_path, name):
    """All but the losses, which are logged apart."""
    data, path = tmp_path / 'data.json', tmp_path / name
    report(folders, data)
    texts = []
    for places in (folders, [data]):
        report(places, path, baseline='net')
        texts.append(re.split('## |<h2>', path.read_text(), maxsplit=1)[1])
    assert texts[0] == texts[1] and 'gain over' in texts[0]


def test_a_baseline_of_ones_choice(folders, figures, tmp_path):
    report(folders, tmp_path / 'a.png', baseline='twin')
    assert lines(figures[0].axes[0]) == {
        'net': ([10, 20], [-2.0, -3.0]),
        'short': ([10], [2.0]),
    }


def test_nothing_to_compare(folders, tmp_path):
    for some in (folders[:3], folders[3:]):  # no twin, no baseline
        with pytest.raises(UsageError, match='the same seed as its baseline'):
            report(some, tmp_path / 'gain.png')
    assert not (tmp_path / 'gain.png').exists()


def test_confusions_are_shares_of_the_true_class(figures, tmp_path):
    rows = dict(cat=np.array([1, 3]), dog=np.array([0, 10]))
    drawing.draw_confusion(rows, 'test', tmp_path / 'a.png')
    numbers = [text.get_text() for text in figures[0].axes[0].texts]
    assert numbers == ['25', '75', '100']


def test_shares_are_shown_in_per_cent(figures, tmp_path):
    """As COCO's evaluator gives them; in tables and curves."""
    folder = write_run(tmp_path, 'net', 0, [0.1, 0.412])
    with changed(folder) as result:
        for one in (result['last'], result['best']):
            one['coco/bbox_mAP'] = one.pop('accuracy/top1')
        for one in result['validations']:
            one['metrics'] = {'coco/bbox_mAP': one['metrics']['accuracy/top1']}
    report([folder], tmp_path / 'report.md')
    text = (tmp_path / 'report.md').read_text()
    assert '| box AP (%) |' in text and '| 41.20 | 41.20 |' in text
    [_, means] = lines(figures[0].axes[0])['net']
    assert means == pytest.approx([10, 41.2])


def test_the_loss_of_the_task_is_without_drloc(figures, tmp_path):
    """Whatever the parts of it are called."""
    task = {'decode.loss_ce': 1.5, 'loss': 1.5}
    logged = {
        'upernet': task,
        'twin': {**task, 'loss': 1.9, 'loss_drloc': 0.4},
        'crops': {
            'loss_cls': 1.5,
            'loss_drloc_0': 0.2,
            'loss_drloc_1': 0.3,
            'loss': 2.0,
        },
        'mask2former': {'loss_cls': 0.3, 'loss_mask': 1.2, 'loss': 1.5},
        'pixels': {'loss_cls': 1.5, 'loss_pixels': 0.2, 'loss': 1.7},
    }
    for config, entry in logged.items():
        folder = write_run(tmp_path, config, 0, [50.0])
        [first, second] = folder.glob('*/vis_data/scalars.json')
        first.unlink()
        second.write_text(
            '\n'.join(
                json.dumps({**entry, 'lr': 1, 'step': s}) for s in (1, 2)
            )
        )
    report([tmp_path], tmp_path / 'a.md')
    [axes] = [
        axes
        for figure in figures
        for axes in figure.axes
        if 'training loss' in axes.get_title()
    ]
    assert {tuple(np.round(line.get_ydata(), 6)) for line in axes.lines} == {
        (1.5, 1.5)
    }


def test_a_name_that_begins_with_an_underscore(figures, tmp_path):
    """matplotlib leaves it out of legends of its own making."""
    report([write_run(tmp_path, '_net', 0, [50.0, 60.0])], tmp_path / 'a.md')
    for figure in figures:
        [legend] = figure.legends
        assert [text.get_text() for text in legend.get_texts()] == ['_net']


def test_names_that_no_font_has_are_drawn_without_a_word(tmp_path, recwarn):
    figure = Figure()
    figure.suptitle('\uf8ff')  # of private use
    drawing.save_figure(figure, tmp_path / 'a.png')
    assert not [one for one in recwarn if 'Glyph' in str(one.message)]
