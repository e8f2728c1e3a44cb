"""The pages: links hold, commands and recipes exist, the site builds."""

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mmdrloc import apis
from mmdrloc.apis.cli import COMMANDS, parse

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    path.relative_to(ROOT)
    for pattern in ('*.md', 'docs/**/*.md', 'configs/*/README.md')
    for path in sorted(ROOT.glob(pattern))
    if path.name != 'CHANGELOG.md'
]


def commands(page):
    text = (ROOT / page).read_text().replace('\\\n', ' ')
    for block in re.findall(r'```bash\n(.*?)```', text, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                yield words


def headings(page):
    """A page's headings as links name them."""
    for heading in re.findall(r'^#+ (.*)$', page.read_text(), re.M):
        yield re.sub(r'[^\w -]', '', heading.lower()).replace(' ', '-')


@pytest.mark.parametrize('page', PAGES, ids=str)
def test_links_hold(page):
    text = (ROOT / page).read_text()
    text = re.sub(r'```.*?```|`[^`\n]*`', '', text, flags=re.DOTALL)
    for target in re.findall(r'\]\(([^)\s]+)\)', text):
        path, _, heading = target.partition('#')
        if '://' in path:
            continue
        linked = ROOT / page.parent / path if path else ROOT / page
        assert linked.exists(), target
        if heading and linked.suffix == '.md':
            assert heading in headings(linked), target


@pytest.mark.parametrize(
    'page', [page for page in PAGES if [*commands(page)]], ids=str
)
def test_commands_and_recipes_exist(page):
    makefile = (ROOT / 'Makefile').read_text()
    exhibits = runpy.run_path(str(ROOT / 'tools/reproduce.py'))
    names, _ = exhibits['read_exhibits']()
    for words in commands(page):
        while words and re.match(r'\w+=', words[0]):  # of the environment
            words = words[1:]
        words = words or ['']
        tool = re.fullmatch(r'tools/(\w+)\.py', (*words, '')[1])
        if words[0] == 'python' and tool and tool[1] in COMMANDS:
            words = ['mmdrloc', tool[1], *words[2:]]
        if (*words, '')[1] == 'tools/reproduce.py' and words[2].islower():
            assert words[2] in names or words[2].startswith('-'), words
        if words[0] == 'make':
            assert f'\n{words[1]}:' in makefile, words
        if words[0] == 'mmdrloc':
            parse([re.sub(r'\$\w+', 'a=1', word) for word in words[1:]])
            has_recipe = words[1] in ('train', 'compare', 'show')
            name = words[2] if has_recipe and len(words) > 2 else ''
            if '/' in name and '$' not in name:
                files = ROOT / f'configs/{name}.py', ROOT / name
                assert any(file.is_file() for file in files), words
        if words[0] in ('python', 'bash') and words[1][0] not in '-$':
            assert (ROOT / words[1]).is_file(), words
        for word in words:
            if word.startswith('configs/') and not set('*$') & set(word):
                assert (ROOT / word).exists(), words


def test_site_builds_without_warnings(tmp_path):
    pytest.importorskip('mkdocs', reason='`make env` installs mkdocs')
    build = [sys.executable, '-m', 'mkdocs', 'build', '--strict']
    done = subprocess.run(
        [*build, '--site-dir', str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / 'docs/loss.html').exists()


def test_the_page_of_functions_has_what_is_imported():
    page = (ROOT / 'docs/api/apis.md').read_text()
    listed = re.findall(r'^::: [\w.]+\.(\w+)$', page, re.M)
    assert {*apis.__all__} <= {*listed}
