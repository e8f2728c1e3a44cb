"""The page of what was tried names tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_line_has_a_test():
    text = (ROOT / 'docs/robustness.md').read_text()
    lines = re.findall(r'^\| (?!tried).*\|$', text, re.MULTILINE)
    assert len(lines) > 30
    assert all('`tests/' in line for line in lines)
    for path, name in re.findall(r'`(tests/[\w/]+\.py)::(\w+)`', text):
        assert f'def {name}(' in (ROOT / path).read_text(), (path, name)


def test_every_test_of_the_drill_has_a_line():
    text = (ROOT / 'docs/robustness.md').read_text()
    for path in Path(__file__).parent.glob('test_*.py'):
        if path != Path(__file__):
            assert f'tests/test_robustness/{path.name}::' in text
