"""Puts the recipes into their page, as ``mmdrloc recipes`` knows them.

The whole table is there without JavaScript; ``recipes.js`` filters it.
"""

import re
from pathlib import Path
from typing import Any, Tuple

import jinja2
from mkdocs.structure.pages import Page

from mmdrloc.datasets.recipe_list import Recipe, recipes

ROOT = Path(__file__).resolve().parents[1]
PAGE = 'docs/recipes.md'
PLACE = '<!-- The site has the table here. -->'
FIRST = 'photos quickstart coco_mini nuclei camvid evidence'.split()


def on_page_markdown(markdown: str, page: Page, **kwargs: Any) -> None:
    """Give the table the width of the window."""
    if page.file.src_uri == PAGE:
        page.meta['hide'] = ['navigation', 'toc']


def on_page_content(html: str, page: Page, **kwargs: Any) -> str:
    """Put filter and table into the page."""
    if page.file.src_uri != PAGE:
        return html
    before, after = html.split(PLACE)
    return before + filter_and_table() + after


def filter_and_table() -> str:
    """What ``site_recipes.html`` makes of the recipes."""
    found = sorted(recipes(), key=place_of)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT / 'docs'),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template('site_recipes.html').render(
        recipes=found,
        choices=dict(
            network=[recipe.network for recipe in found],
            method=[name for recipe in found for name in methods_of(recipe)],
            task=[recipe.task for recipe in found],
        ),
        command_of=command_of,
        methods_of=methods_of,
    )


def methods_of(recipe: Recipe) -> Tuple[str, ...]:
    """What the filter calls them."""
    return recipe.methods or ('baseline',)


def command_of(recipe: Recipe) -> str:
    """The command that the header of a recipe has."""
    text = (ROOT / f'configs/{recipe.name}.py').read_text()
    lines = re.sub(r' \\\n# +', ' ', text)
    return re.search(r'^# Train: (.*)$', lines, re.M)[1]


def place_of(recipe: Recipe) -> Tuple[int, str]:
    """What trains on one's own photos first, what needs clusters last."""
    folder = recipe.name.split('/')[0]
    return (FIRST.index(folder) if folder in FIRST else len(FIRST)), folder
