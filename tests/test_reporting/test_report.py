"""Reports of made-up runs, whose right answers are known."""

import base64
import io
import re
from pathlib import Path

import pytest
from command_line import run
from made_up_run import changed, write_run, write_twins
from PIL import Image

from mmdrloc.reporting.answers import confusion, correct, encode
from mmdrloc.reporting.report import report
from mmdrloc.reporting.runs import load_runs
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def folders(tmp_path):
    return write_twins(tmp_path)


def test_curves_join_resumed_parts(folders):
    net = load_runs(folders)[0]
    assert net.curves['loss_cls'] == [(5, 0.5), (10, 1.0), (15, 1.5)]
    assert net.curves['lr'] == [(5, 1e-3), (10, 1e-3), (15, 1e-3)]
    assert 'accuracy/top1' not in net.curves  # it counts epochs


def test_report_shows_what_it_refers_to(folders, tmp_path):
    picture = tmp_path / 'pictures' / 'one.png'
    picture.parent.mkdir()
    Image.new('RGB', (4, 4)).save(picture)
    path = tmp_path / 'report.md'
    report(folders, path, 'Title', [picture])
    text = path.read_text()
    # What came out, first.
    assert text.startswith(
        '# Title\n\ndigits, `twin` against `net`: top-1 accuracy (%) 93.0 '
        'against 92.0, +1.0'
    )
    assert 'Only 20 validation images' in text
    # Nothing published, nothing partial, one dataset: nothing of the sort.
    for word in ('*Published*', '†', 'All datasets'):
        assert word not in text
    assert '![one](pictures/one.png)' in text
    curves = [*tmp_path.glob('report_1_curves_*.png')]
    assert all(f']({file.name})' in text for file in curves)
    sizes = {Image.open(file).size for file in curves}
    assert len(curves) == 2 and len(sizes) == 1
    assert text.index('![') < text.index('| `twin`')
    assert (
        '- `tools/train.py net.py`: 5 s, 10.0 images/s, '
        'revision 0123456789ab\n'
    ) in text
    assert 'Machine: abacus, 2 cores.' in text


def test_what_is_published_of_a_length_is_explained(tmp_path):
    """300 epochs of it are published, and not the recipe's 100."""
    recipe, options = 'scratch_100e/swin-tiny', ['train_cfg.max_epochs=300']
    folder = write_run(tmp_path / 'a', recipe, 0, [80.0])
    with changed(folder) as content:
        content['dataset']['name'] = content['run']['dataset'] = 'imagenet-1k'
        content['run']['length'] = options
    report([folder], tmp_path / 'report.md')
    text = (tmp_path / 'report.md').read_text()
    assert '81.20 (Table' in text and '*Published*' in text


def test_html_report_is_one_file_that_needs_no_other(folders, tmp_path):
    picture = tmp_path / 'pictures' / 'one & two.png'
    picture.parent.mkdir()
    Image.new('RGB', (4, 4)).save(picture)
    path = tmp_path / 'html' / 'report.html'
    report(folders, path, 'A & B', [picture])
    assert [entry.name for entry in path.parent.iterdir()] == ['report.html']
    text = path.read_text()
    assert '<title>A &amp; B</title>' in text
    assert '<td><code>twin</code></td>' in text
    assert '<td>94.00 ± 4.24</td>' in text
    sources = re.findall(r'<img [^>]*src="([^"]*)"', text)
    sizes = []
    for source in sources:
        kind, content = source.split(',')
        assert kind == 'data:image/png;base64'
        sizes.append(Image.open(io.BytesIO(base64.b64decode(content))).size)
    assert sizes[0] == (4, 4) and sizes[1][0] > 500
    assert '://' not in text and '<script' not in text
    assert "default-src 'none'" in text


@pytest.mark.parametrize('name', ['report.md', 'report.html'])
def test_missing_picture_is_named(folders, tmp_path, name):
    with pytest.raises(UsageError, match='no picture nowhere.png'):
        report(folders, tmp_path / name, pictures=[Path('nowhere.png')])
    assert not (tmp_path / name).exists()


def test_the_record_of_a_run_is_kept(folders):
    with pytest.raises(UsageError, match='record'):
        report(folders, folders[0] / 'result.json')


def test_folders_without_a_result_are_named(tmp_path):
    with pytest.raises(UsageError, match='holds no run'):
        load_runs([tmp_path])
    with pytest.raises(UsageError, match='there is no'):
        load_runs([tmp_path / 'net_0'])
    (tmp_path / 'result.json').write_text('{"half')
    with pytest.raises(UsageError, match='is damaged'):
        load_runs([tmp_path])
    with pytest.raises(UsageError, match='has no metric'):
        load_runs([write_run(tmp_path, 'net', 0, [])])


def test_a_report_of_all_that_lies_in_work_dirs(tmp_path):
    """Runs and comparisons are taken, the rest is told: as a shell has it."""
    work_dirs = tmp_path / 'work_dirs'
    write_run(work_dirs, 'net', 0, [50.0])
    paired = work_dirs / 'twin_paired'
    for config in ('net', 'twin'):
        write_run(paired, config, 1, [60.0], baseline='net')
    (paired / 'logs').mkdir()
    write_run(work_dirs, 'begun', 0, [])
    with changed(write_run(work_dirs, 'strange', 0, [1.0])) as strange:
        for which in ('last', 'best'):
            strange[which] = {'cosine': dict(value=0.875)}
        strange['validations'][0]['metrics'] = dict(cosine=0.875)
    (work_dirs / 'refused').mkdir()
    (work_dirs / 'refused' / '.lock').touch()
    (work_dirs / 'old.html').touch()
    places = sorted(f'work_dirs/{place.name}' for place in work_dirs.iterdir())
    done = run('report.py', *places, '--out', 'all.md', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / 'all.md').read_text()
    assert '| `net` | 0, 1 | 55.00' in text
    assert '| `twin` | 1 | 60.00' in text
    # A metric that we do not know is shown as it is called.
    assert '| cosine |' in text and '| `strange` | 0 | 0.8750' in text
    left_out = sorted(
        line.split()[3].rstrip(':') for line in done.stderr.splitlines()
    )
    assert left_out == [
        f'work_dirs/{name}' for name in ('begun_0', 'old.html', 'refused')
    ]


def test_curve_of_a_killed_run(folders):
    for path in folders[0].glob('*/vis_data/scalars.json'):
        path.write_text(
            path.read_text()
            + '\n{"lr": 1, "loss_cls": NaN, "step": 99}\n{"lr": 0.1, "los'
        )
    [net] = load_runs(folders[:1])
    assert [step for step, _ in net.curves['loss_cls']] == [5, 10, 15]


def test_pictures_of_a_classifier(tmp_path):
    """Of what its record says: rows of true, columns of predicted classes."""
    folder = write_run(tmp_path, 'net', 0, [50.0])
    answers = [(0, 0), (1, 0), (1, 1)]
    told = encode(answers, ['caf\udce9', 'caf\udce8'])['confusion']
    assert [*told] == ['caf\\udce9', 'caf\\udce8']
    with changed(folder) as content:
        content['validations'][-1].update(encode(answers, ['cat', 'dog']))
    [run] = load_runs([folder])
    assert correct(run.result).tolist()[:3] == [1, 0, 1]
    matrix = confusion([run.result] * 2)
    assert {name: row.tolist() for name, row in matrix.items()} == {
        'cat': [2, 0],
        'dog': [2, 2],
    }
    report([folder], tmp_path / 'report.md')
    text = (tmp_path / 'report.md').read_text()
    for kind in ('confusion_1', 'curves_2'):
        assert f'](report_1_{kind}.png)' in text
    # One validation is no curve.
    assert len([*tmp_path.glob('report_1_curves_*')]) == 1
    report([folder], tmp_path / 'runs.json')
    [kept] = load_runs([tmp_path / 'runs.json'])
    assert confusion([kept.result])['dog'].tolist() == [1, 1]
    # Nor are curves kept, so that none is spoken of.
    assert 'curves have a line' in (tmp_path / 'report.md').read_text()
    report([tmp_path / 'runs.json'], tmp_path / 'kept.md')
    text = (tmp_path / 'kept.md').read_text()
    assert 'kept_1_confusion_1.png' in text and 'curves' not in text


def test_names_say_what_differs(tmp_path):
    rate, decay = 'optim.custom_keys.pos_embed.lr_mult=10', 'optim.decay=0'
    other, all_have = 'optim.custom_keys.tables.lr_mult=3', 'model.depth=3'
    loss, smooth = 'model.auxiliary_head.pairs=8', 'model.head.smooth=0.2'
    for number, (recipe, dataset, options) in enumerate(
        (
            ('a/b/net', 'digits', []),
            ('a/b/net', 'digits', [rate]),
            ('a/b/net', 'digits', [other, decay]),
            # The recipe's alone, and of the loss, which others have not.
            ('a/c/net', 'digits', [smooth]),
            ('a/net_drloc', 'digits', [loss]),
            # On other data they say nothing of these.
            ('a/d/net', 'letters', [smooth]),
            ('a/e/net', 'letters', [smooth]),
        )
    ):
        folder = write_run(tmp_path / str(number), recipe, 0, [50.0])
        with changed(folder) as content:
            content['run']['options'] = [all_have, *options]
            content['run']['dataset'] = content['dataset']['name'] = dataset
    assert [run.config for run in load_runs([*tmp_path.iterdir()])] == [
        'b/net',
        'b/net pos_embed.lr_mult=10',
        'b/net tables.lr_mult=3 decay=0',
        'c/net smooth=0.2',
        'd/net',
        'e/net',
        'net_drloc',
    ]
