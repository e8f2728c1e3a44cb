"""Markdown as a page of one file, which asks nothing of any network."""

import base64
import os
from html import escape
from pathlib import Path
from xml.etree.ElementTree import Element

import markdown
from markdown.treeprocessors import Treeprocessor

from mmdrloc.files import atomic_path

# The policy lets a browser fetch nothing at all. The colours are those of the
# reader's system, dark or light. What is too wide for a phone is scrolled.
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


def write_page(source: Path, path: Path, title: str) -> None:
    """Turn Markdown with tables and PNG pictures into a page of one file.

    Args:
        source (Path): Markdown file.
        path (Path): HTML file to be written.
        title (str): What the browser's tab says.
    """
    converter = markdown.Markdown(extensions=['tables'])
    embedding = EmbedPictures(source.parent)
    # After all others: they make the pictures out of the text.
    converter.treeprocessors.register(embedding, 'embed_pictures', -1)
    body = converter.convert(source.read_text())
    with atomic_path(path) as temporary:
        temporary.write_text(PAGE.format(title=escape(title), body=body))


class EmbedPictures(Treeprocessor):
    """Puts a picture where the link to its file was.

    Args:
        folder (Path): What the links are relative to.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def run(self, root: Element) -> None:
        """Change the tree of a page in place.

        Args:
            root (Element): Of the tree.
        """
        for image in root.iter('img'):
            # As text, as the links were made: `..` of a symbolic link leads
            # elsewhere.
            path = Path(os.path.normpath(self.folder / image.get('src')))
            content = base64.b64encode(path.read_bytes()).decode()
            image.set('src', f'data:image/png;base64,{content}')
