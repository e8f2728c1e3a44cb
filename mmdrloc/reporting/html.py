"""Markdown as a self-contained HTML page."""

import base64
from html import escape
from pathlib import Path
from typing import Mapping

import markdown

from mmdrloc.utils.files import atomic_path

# The policy lets a browser fetch and run nothing at all. The colours are
# those of the reader's system. What is too wide for a phone is scrolled.
# Pictures with the caption of a report's curves stand side by side.
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
table {{ display: block; border-collapse: collapse; font-size: 0.9em;
  margin: 1em 0 }}
th, td {{ padding: 0.25em 0.6em; border-bottom: 1px solid #8886;
  overflow-wrap: normal }}
code {{ font-size: 0.9em; background: #8882 }}
img {{ max-width: min(100%, 46rem); vertical-align: top }}
img[alt$="for each seed"] {{ max-width: min(100%, 23rem) }}
@media (max-width: 40rem) {{ table {{ font-size: 0.75em }}
  th, td {{ padding: 0.25em 0.3em }} }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_page(
    text: str, path: Path, title: str, pictures: Mapping[str, Path]
) -> None:
    """Turn Markdown with tables into an HTML file; HTML in it stays text.

    ``pictures`` are PNG files by the addresses that the text shows; the page
    holds them itself.
    """
    converter = markdown.Markdown(extensions=['tables'])
    converter.preprocessors.deregister('html_block')
    converter.inlinePatterns.deregister('html')
    body = converter.convert(text)
    for address, picture in pictures.items():
        content = base64.b64encode(picture.read_bytes()).decode()
        body = body.replace(
            f'src="{address}"', f'src="data:image/png;base64,{content}"'
        )
    page = PAGE.format(title=escape(title), body=body)
    with atomic_path(path) as temporary:
        temporary.write_text(page, encoding='utf-8', errors='replace')
