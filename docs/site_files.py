"""Makes the site of the repository's own files, as they are.

It has the repository's layout, so that links hold in both: MkDocs would take
the pages of ``docs`` alone, and every link to a recipe's README or to a config
would lead out of the site. Each notebook has a page besides. Roles in
docstrings (:class:`X`), which editors and Sphinx know, are shown as the names
alone.
"""

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
SHOWN = (
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'CITATION.cff',
    'docs/**/*.md',
    'docs/**/*.css',
    'docs/**/*.js',
    'docs/**/*.ipynb',
    'docs/**/*.png',
    'docs/results/*.json',
    'configs/**/README.md',
    'configs/**/*.py',
    'configs/**/*.yml',
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of ``docs`` by those of the repository."""
    of_theme = [file for file in files if file.src_dir != config.docs_dir]
    ours = [
        File(str(path.relative_to(ROOT)), str(ROOT), config.site_dir, False)
        for pattern in SHOWN
        for path in sorted(ROOT.glob(pattern))
    ]
    pages = [
        File.generated(
            config,
            str(path.relative_to(ROOT).with_suffix('.md')),
            content=notebook_page(path),
        )
        for path in sorted(ROOT.glob('docs/**/*.ipynb'))
    ]
    return Files(of_theme + ours + pages)


def notebook_page(path: Path) -> str:
    """A notebook's text and code, with a link to it.

    Args:
        path (Path): The notebook.

    Returns:
        str: In Markdown.
    """
    parts = []
    for cell in json.loads(path.read_text())['cells']:
        text = ''.join(cell['source'])
        if cell['cell_type'] == 'code':
            text = f'```python\n{text}\n```'
        parts.append(text)
    heading, *rest = parts
    link = f'[The notebook]({path.name} "Download"), to be opened in Jupyter.'
    return '\n\n'.join([heading, link, *rest]) + '\n'


def on_page_markdown(markdown: str, page: Page, **kwargs: Any) -> str:
    """Have links lead to a notebook's page, those with a title to its file."""
    if page.is_homepage:  # alone in its tab
        page.meta['hide'] = ['navigation']
    return markdown.replace('.ipynb)', '.md)')


def on_page_content(html: str, **kwargs: Any) -> str:
    """Take the roles away that stand before a name."""
    return re.sub(r':(class|data|func|meth):(?=<code>)', '', html)
