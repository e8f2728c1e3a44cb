"""Markdown as a self-contained HTML page."""

import base64
import re
from html import escape
from pathlib import Path

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


def embedded(picture: Path) -> str:
    """An address for Markdown that holds a PNG file itself."""
    content = base64.b64encode(picture.read_bytes()).decode()
    return f'data:image/png;base64,{content}'


def write_page(text: str, path: Path, title: str) -> None:
    """Turn Markdown with tables into an HTML file; HTML in it stays text."""
    converter = markdown.Markdown(extensions=['tables'])
    converter.preprocessors.deregister('html_block')
    converter.inlinePatterns.deregister('html')
    # Long addresses take the converter seconds.
    pictures = dict(
        enumerate(re.findall(r'\(data:(image/png;base64,.+?)\)', text))
    )
    for number, content in pictures.items():
        text = text.replace(content, str(number))
    body = converter.convert(text)
    for number, content in pictures.items():
        body = body.replace(f'"data:{number}"', f'"data:{content}"')
    page = PAGE.format(title=escape(title), body=body)
    with atomic_path(path) as temporary:
        temporary.write_text(page, encoding='utf-8', errors='replace')
