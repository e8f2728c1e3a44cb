"""The site's pages: links hold, commands are known, examples build."""

import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from mmengine.config import Config
from mmengine.runner import Runner
from tiny_run import write_config

from mmdrloc.apis.cli import COMMANDS
from mmdrloc.datasets.recipe_list import recipes
from mmdrloc.datasets.recipes import read_recipe, work_dir_of

ROOT = Path(__file__).resolve().parents[1]

PAGES = sorted(
    path.relative_to(ROOT)
    for pattern in ('*.md', 'docs/**/*.md', 'configs/*/README.md')
    for path in ROOT.glob(pattern)
)
# What running a block of commands needs, in a comment above it.
NEEDS = ('data', 'minutes', 'network', 'network and GPU')
# Blocks without such a mark, and which test runs them.
RUN = {
    'mmdrloc doctor': 'test_doctor.py: on a bare Python, and faked',
    'python tools/misc/draw_loss.py': 'here',
}
# What adds options that commands share.
SHARED = 'mmdrloc/apis/cli.py'


def text_of(page):
    return (ROOT / page).read_text()


def without_code(text):
    return re.sub(r'```.*?```|`[^`\n]*`', '', text, flags=re.DOTALL)


def commands(page):
    """(mark or None, command) of each line of each block of commands."""
    blocks = re.findall(
        r'(?:<!-- needs: ([^>]*) -->\n)?```bash\n(.*?)```',
        text_of(page),
        re.DOTALL,
    )
    for mark, block in blocks:
        for line in block.replace('\\\n', ' ').splitlines():
            if line.strip() and not line.lstrip().startswith('#'):
                yield mark or None, ' '.join(line.split())


@pytest.mark.parametrize('page', PAGES, ids=str)
def test_links_hold(page):
    for target in re.findall(r'\]\(([^)\s]+)\)', without_code(text_of(page))):
        if '://' not in target and not target.startswith('#'):
            path = target.partition('#')[0]
            assert (ROOT / page.parent / path).exists(), target


@pytest.mark.parametrize('page', PAGES, ids=str)
def test_commands_are_known(page):
    for _, command in commands(page):
        words = shlex.split(command, comments=True)
        if words[0] == 'make':
            assert f'\n{words[1]}: ' in text_of('Makefile'), command
        if words[0] == 'mmdrloc':
            assert words[1] in COMMANDS, command
            known = options_of_command(words[1])
            words = ['python', 'mmdrloc/apis/cli.py', *words[2:]]
        if words[0] not in ('python', 'bash') or words[1].startswith('$'):
            continue
        if words[1].startswith('-'):  # python -m, python -c
            continue
        assert (ROOT / words[1]).is_file(), command
        if not words[1].endswith('cli.py'):
            known = options_of(words[1])
        for word in words[2:]:
            if word.startswith('--'):
                assert word.partition('=')[0] in known, command
            if word.startswith('configs/') and not set('*$') & set(word):
                assert (ROOT / word).exists(), command


def options_of(tool):
    """The options that a tool takes, read from its source."""
    source = text_of(tool)
    script = re.search(
        r'(?:dist_run.sh" |python -u "\$TOOLS/)(\w+\.py)', source
    )
    if script:  # dist_train.sh, dist_test.sh and slurm_train.sh
        source = text_of(f'tools/{script.group(1)}')
    command = re.search(r"run\('(\w+)'\)", source)
    if command:
        return options_of_command(command.group(1))
    return {'--help', *options_in(source)}


def options_of_command(name):
    command = COMMANDS[name]
    return {'--help', *command.options.split(), *command.own}


def options_in(source):
    """Those it names, and those of the shared functions that it calls."""
    yield from re.findall(r"'(--[a-z_-]+)'", source)
    for function in set(re.findall(r'add_\w+', source)) - {'add_argument'}:
        body = re.search(
            rf'^def {function}\(.*?(?=^def |\Z)', text_of(SHARED), re.M | re.S
        )
        if body and body[0] != source:
            yield from options_in(body[0].partition('"""')[2])


@pytest.mark.parametrize(
    'page', [p for p in PAGES if p.parts[0] != 'configs'], ids=str
)
def test_commands_are_run_or_marked(page):
    for mark, command in commands(page):
        if mark is None:
            assert command in RUN, f'{command}: run it in a test, or mark it'
        else:
            assert mark in NEEDS


def test_every_page_and_protocol_is_reached():
    nav = re.findall(r': (\S+\.md)$', text_of('mkdocs.yml'), re.M)
    pages = {str(p) for p in PAGES if p.parts[0] != 'configs'}
    notebooks = (ROOT / 'docs').glob('notebooks/*.ipynb')
    pages |= {str(p.relative_to(ROOT).with_suffix('.md')) for p in notebooks}
    assert set(nav) == pages
    listed = text_of('docs/protocols.md')
    for page in PAGES:
        if page.parts[0] == 'configs':
            assert f'({Path("..") / page})' in listed, page


def test_api_pages_name_modules_that_exist():
    names = [
        name
        for page in PAGES
        for name in re.findall(r'^::: (\S+)$', text_of(page), re.M)
    ]
    assert names
    for name in names:
        path = ROOT / name.replace('.', '/')
        assert path.with_suffix('.py').exists() or path.is_dir(), name


def test_figures_of_the_loss(tmp_path, monkeypatch):
    line = ['draw_loss.py', '--out', str(tmp_path)]
    monkeypatch.setattr(sys, 'argv', line)
    runpy.run_path(str(ROOT / 'tools/misc/draw_loss.py'), run_name='__main__')
    drawn = {path.name for path in tmp_path.glob('*.png')}
    shown = re.findall(r'pictures/(loss_\w+\.png)', text_of('docs/loss.md'))
    assert drawn == set(shown)


@pytest.fixture
def own_images(tmp_path, monkeypatch):
    """The files of docs/own_images.md, in a folder with data of a test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'configs').symlink_to(ROOT / 'configs')
    write_config(tmp_path, classes=2)
    shutil.move(tmp_path / 'data', tmp_path / 'pets')
    (tmp_path / 'data').mkdir()
    shutil.move(tmp_path / 'pets', tmp_path / 'data/pets')
    blocks = re.findall(
        r'```python\n(.*?)```', text_of('docs/own_images.md'), re.DOTALL
    )
    for name, block in zip(('my_pets', 'pets'), blocks, strict=True):
        Path(f'{name}.py').write_text(block)


@pytest.mark.slow
def test_five_lines_for_own_images(own_images):
    text = text_of('docs/own_images.md')
    block = re.search(r'```python\n(.*?)```', text, re.DOTALL).group(1)
    assert len(block.splitlines()) == 5
    cfg = Config.fromfile('my_pets.py')
    cfg.work_dir = 'work'
    cfg.train_cfg.max_epochs = 1
    cfg.param_scheduler = None
    runner = Runner.from_cfg(cfg)
    runner.train()
    assert runner.train_dataloader.dataset.metainfo['classes'] == (
        'class0',
        'class1',
    )
    assert runner.model.head.fc.out_features == 2
    assert hasattr(runner.model, 'auxiliary_head')


def test_described_data_go_into_any_recipe(own_images):
    # Not by the link: MMEngine follows '..' by the letters of a path.
    recipe = ROOT / 'configs/finetune_100e/swin-tiny_drloc.py'
    cfg = read_recipe(recipe, 'pets.py')
    for part in ('train', 'val', 'test'):
        dataset = cfg[f'{part}_dataloader'].dataset
        assert dataset.data_root == 'data/pets'
        assert dataset.data_prefix == ('train' if part == 'train' else 'val')
    assert cfg.model.head.num_classes == cfg.num_classes == 2
    assert work_dir_of(recipe, cfg) == 'work_dirs/swin-tiny_drloc_pets'


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """The site, built as `make docs` does."""
    pytest.importorskip('mkdocs', reason='`make env` installs mkdocs')
    folder = tmp_path_factory.mktemp('site')
    done = subprocess.run(
        [sys.executable, '-m', 'mkdocs', 'build', '--strict', '--quiet']
        + ['--site-dir', str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_site_is_built_without_warnings(site):
    assert (site / 'docs/loss.html').exists()
    # Links lead to a notebook's page, and from there to the file.
    assert '.ipynb' not in (site / 'index.html').read_text()
    page = (site / 'docs/notebooks/photos.html').read_text()
    assert 'href="photos.ipynb"' in page
    assert (site / 'docs/notebooks/photos.ipynb').exists()
    # Recipes and configs keep their places, so that links hold in both.
    assert (site / 'configs/quickstart/index.html').exists()
    # Roles in docstrings are shown as the names alone.
    assert ':class:' not in (site / 'docs/api/models.html').read_text()


def test_site_opens_from_a_folder(site):
    """With its search, and with nothing from elsewhere."""
    index = (site / 'search/search_index.js').read_text()
    assert index.startswith('var __index = {')
    # The page for wrong addresses is shown by a server alone.
    pages = set(site.rglob('*.html')) - {site / '404.html'}
    for page in pages:
        text = page.read_text()
        named = re.findall(r'<(\w+)\b[^>]*? (?:href|src)="([^"#]+)', text)
        assert ('script', 'iframe-worker.js') in [
            (tag, target.split('/')[-1]) for tag, target in named
        ]
        for tag, target in named:
            if tag == 'a' and re.match('https?:|mailto:', target):
                continue
            assert (page.parent / unquote(target)).exists(), (page, target)


def element_of(page, tag):
    """The recipes' table or form; it is written as XML."""
    return ElementTree.fromstring(
        re.search(rf'<{tag} class="recipe.*?</{tag}>', page, re.DOTALL)[0]
    )


def test_site_shows_each_recipe_as_the_command_does(site):
    page = site / 'docs/recipes.html'
    rows = element_of(page.read_text(), 'table').findall('./tbody/tr')
    assert len(rows) == len(recipes())
    known = options_of('tools/train.py')
    for recipe, row in zip(recipes(), rows):
        name, data, published, measured = row
        links = [link.get('href') for link in name.findall('a')]
        config = f'configs/{recipe.name}.py'
        assert links[1] == f'../{config}'
        for link in links:
            assert (page.parent / link).is_file()
        texts = [link.text for link in name.findall('a')]
        assert '/'.join(texts) == recipe.name
        command = ''.join(name.find('code').itertext())
        words = command.split()
        assert words[:3] == ['python', 'tools/train.py', config]
        assert words.count('python') == 1
        assert {word for word in words if word[:2] == '--'} <= known
        assert name.find('button').get('data-clipboard-text') == command
        texts = [recipe.task, '; '.join(recipe.datasets)]
        assert list(data.itertext()) == texts
        values = [item.text for item in published.iter('li')]
        assert tuple(values) == recipe.published
        assert (measured.text or '') == recipe.measured


def test_filter_offers_what_rows_have(site):
    page = (site / 'docs/recipes.html').read_text()
    form = element_of(page, 'form')
    rows = element_of(page, 'table').findall('./tbody/tr')
    for choice in form.iter('select'):
        name = choice.get('name')
        offered = [option.text for option in choice][1:]
        words = [row.get(f'data-{name}') for row in rows]
        if name == 'method':
            words = ' '.join(words).split()
        assert offered == sorted(set(words))
    # Words find what they find in a terminal.
    assert [r.words for r in recipes()] == [r.get('data-words') for r in rows]
    # Who has no JavaScript sees the table, and no filter.
    assert form.get('hidden') == ''
    assert not [row for row in rows if row.get('hidden')]


def test_makefile_help_lists_the_targets():
    shown = subprocess.run(
        ['make', 'help'], cwd=ROOT, capture_output=True, text=True
    )
    for target in ('docs', 'docker-demo', 'demo', 'demo-full', 'test'):
        assert f'make {target} ' in shown.stdout
