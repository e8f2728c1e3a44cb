"""Puts the recipes into their page, as ``mmdrloc recipes`` knows them.

The whole table is there without JavaScript; ``recipes.js`` filters it.
"""

import re
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterable, List

from mkdocs.structure.pages import Page

from mmdrloc.catalogue import Recipe, recipes

ROOT = Path(__file__).resolve().parents[1]
PAGE = 'docs/recipes.md'
PLACE = '<!-- The site has the table here. -->'
# More values than these are shown when asked for.
FEW = 3


def on_page_markdown(markdown: str, page: Page, **kwargs: Any) -> str:
    """Give the table the width of the window."""
    if page.file.src_uri == PAGE:
        page.meta['hide'] = ['navigation', 'toc']
    return markdown


def on_page_content(html: str, page: Page, **kwargs: Any) -> str:
    """Put filter and table into the page."""
    if page.file.src_uri != PAGE:
        return html
    before, place, after = html.partition(PLACE)
    if not place:
        raise ValueError(f'{PAGE} has no line {PLACE}')
    found = recipes()
    return f'{before}{form_of(found)}{table_of(found)}{after}'


def form_of(found: List[Recipe]) -> str:
    """The filter, hidden until there is JavaScript."""
    values: Dict[str, Iterable[str]] = {
        'network': {recipe.network for recipe in found},
        'method': {name for recipe in found for name in methods_of(recipe)},
        'task': {recipe.task for recipe in found},
    }
    choices = ''.join(
        f'<label>{name.capitalize()} <select name="{name}">'
        '<option value="">any</option>'
        + ''.join(f'<option>{escape(v)}</option>' for v in sorted(values[name]))
        + '</select></label>'
        for name in values
    )
    checks = ''.join(
        f'<label><input type="checkbox" name="{name}"/> {name}</label>'
        for name in ('published', 'measured')
    )
    return (
        '<form class="recipe-filter" hidden="" data-search-exclude="">'
        '<label>Words <input name="words" type="search" '
        'placeholder="swin cifar-10"/></label>'
        f'{choices}{checks}<button type="reset">Show all</button>'
        '<output></output></form>'
    )


def table_of(found: List[Recipe]) -> str:
    """All of them, a row each."""
    heads = ('Recipe', 'Task and data', 'Published', 'Measured here')
    return (
        '<table class="recipes"><thead><tr>'
        + ''.join(f'<th scope="col">{head}</th>' for head in heads)
        + '</tr></thead><tbody>'
        + ''.join(map(row_of, found))
        + '</tbody></table><script src="recipes.js"></script>'
    )


def row_of(recipe: Recipe) -> str:
    """One of them, with what the filter looks at."""
    folder, _, rest = recipe.name.partition('/')
    command = escape(command_of(recipe.name))
    data = '; '.join(recipe.datasets)
    return (
        f'<tr data-words="{escape(recipe.words)}" data-task="{recipe.task}" '
        f'data-network="{recipe.network}" '
        f'data-method="{" ".join(methods_of(recipe))}">'
        f'<td><a href="../configs/{folder}/index.html">{folder}</a>/'
        f'<a href="../configs/{recipe.name}.py">{rest}</a>'
        f'<button type="button" data-clipboard-text="{command}" '
        f'aria-label="Copy the command of {recipe.name}">Copy</button>'
        f'<code>{command}</code></td>'
        f'<td>{recipe.task}<br/>{escape(data)}</td>'
        f'<td data-head="Published">{values_of(recipe)}</td>'
        f'<td data-head="Measured here">{escape(recipe.measured)}</td></tr>'
    )


def methods_of(recipe: Recipe) -> Iterable[str]:
    """What the filter calls them."""
    return recipe.methods or ('baseline',)


def values_of(recipe: Recipe) -> str:
    """The published values, those of a long list to be unfolded."""
    items = ''.join(f'<li>{escape(text)}</li>' for text in recipe.published)
    items = items and f'<ul>{items}</ul>'
    number = len(recipe.published)
    if number <= FEW:
        return items
    return f'<details><summary>{number} values</summary>{items}</details>'


def command_of(name: str) -> str:
    """The first command of a recipe's header.

    Args:
        name (str): Of the recipe.

    Returns:
        str: In one line.
    """
    text = (ROOT / f'configs/{name}.py').read_text()
    header = re.sub(r'[ \\]*\n#  +', ' ', text)
    return re.search(r'^# Train: (python tools/train\.py .*)$', header, re.M)[1]
