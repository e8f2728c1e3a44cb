"""Published values, by what is trained for them."""

from mmdrloc.reporting.identity import Identity
from mmdrloc.reporting.published import published_by_training, published_text


def test_values_by_training(tmp_path):
    path = tmp_path / 'published.yml'
    path.write_text(
        'tables:\n'
        "- {source: s, table: '3', datasets: [x, y], rows: ["
        '{recipe: a/net, std: 0.1, values: [82, 80]}]}\n'
        "- {source: s, table: '4', datasets: [x], metrics: [box AP], rows: ["
        '{recipe: a/net, values: [43.5], gains: [1.0]}]}\n'
        "- {source: s, table: '5', datasets: [x], rows: ["
        '{recipe: a/net, weights: {recipe: b/net, dataset: same,'
        ' weights: {recipe: c/net, dataset: same}}, values: [1]}]}\n'
    )
    published = published_by_training(path)
    start = Identity('c/net', 'x')
    assert {
        one: [(r['table'], r.get('metric'), r['value']) for r in records]
        for one, records in published.items()
    } == {
        Identity('a/net', 'x'): [('3', None, 82), ('4', 'box AP', 43.5)],
        Identity('a/net', 'y'): [('3', None, 80)],
        Identity('a/net', 'x', Identity('b/net', 'x', start)): [
            ('5', None, 1)
        ],
    }
    of_network = published[Identity('a/net', 'x')]
    assert published_text(of_network[:1]) == '82.00 ± 0.10 (Table 3)'
