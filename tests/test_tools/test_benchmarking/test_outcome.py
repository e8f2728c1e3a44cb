import json

from benchmarking.outcome import Outcome, Table, write_outcome


def test_both_files_say_the_same(tmp_path):
    outcome = Outcome(
        'Some title',
        dict(batch_size=3),
        [Table('Part', ['a', 'b'], [['1', '2']], dict(x=[0.5]), 'p.png')],
    )
    text = write_outcome(outcome, tmp_path / 'new/some')
    assert (tmp_path / 'new/some.md').read_text() == text
    assert text.startswith('# Some title\n')
    assert '| a | b |\n| --- | --- |\n| 1 | 2 |' in text
    assert '![Part](p.png)' in text and '- batch size: 3' in text
    data = json.loads((tmp_path / 'new/some.json').read_text())
    assert data['settings'] == dict(batch_size=3)
    assert data['tables'][0]['seconds'] == dict(x=[0.5])
    assert {'machine', 'threads', 'load', 'versions'} <= set(
        data['conditions']
    )
    assert data['conditions']['versions']['torch'] in text
