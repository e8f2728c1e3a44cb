"""Markdown as a page of one file that asks nothing of any network."""

import base64
from html import escape
from pathlib import Path
from typing import Mapping

import markdown

from mmdrloc.utils.files import atomic_path

# The policy lets a browser fetch and run nothing at all. The colours are
# those of the reader's system. What is too wide for a phone is scrolled.
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 72rem;
  margin: 1rem auto; padding: 0 1rem; overflow-wrap: anywhere }}
p, table {{ overflow-x: auto }}
table {{ display: block; border-collapse: collapse; font-size: 0.9em }}
th, td {{ padding: 0.25em 0.6em; border-bottom: 1px solid #8886;
  overflow-wrap: normal }}
code {{ font-size: 0.9em; background: #8882 }}
img {{ max-width: max(100%, 42rem) }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
# Markup that no report has: what looks like it in a name stays text.
UNUSED = ('html', 'link', 'reference', 'short_reference', 'autolink')


def write_page(
    text: str, pictures: Mapping[str, Path], path: Path, title: str
) -> None:
    """Turn Markdown with tables and pictures into a page of one file.

    Args:
        text (str): Markdown. Links and HTML stay text.
        pictures (Mapping[str, Path]): The PNG file of each picture's address
            in the text. Other addresses are left as they are, and no browser
            opens them.
        path (Path): HTML file to be written.
        title (str): Title of the page.
    """
    converter = markdown.Markdown(extensions=['tables'])
    converter.preprocessors.deregister('html_block')
    for name in UNUSED:
        converter.inlinePatterns.deregister(name)
    body = converter.convert(text)
    for address, picture in pictures.items():
        content = base64.b64encode(picture.read_bytes()).decode()
        body = body.replace(
            f'src="{escape(address)}"',
            f'src="data:image/png;base64,{content}"',
        )
    with atomic_path(path) as temporary:
        temporary.write_text(
            PAGE.format(title=escape(title), body=body),
            encoding='utf-8',
            errors='replace',
        )
