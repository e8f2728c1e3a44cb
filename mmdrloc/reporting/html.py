"""Markdown as a page of one file, which asks nothing of any network."""

import base64
import os
from html import escape
from pathlib import Path
from typing import Sequence
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import markdown
from markdown.treeprocessors import Treeprocessor

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path

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


# What no report of ours contains: whoever has one in, put it there.
UNUSED = (
    'reference',
    'link',
    'image_reference',
    'short_reference',
    'short_image_ref',
    'autolink',
    'automail',
    'html',
)
PNG = b'\x89PNG\r\n\x1a\n'


def write_page(
    source: Path, path: Path, title: str, pictures: Sequence[Path] = ()
) -> None:
    """Turn Markdown with tables and PNG pictures into a page of one file.

    Links and HTML are no markup here, they stay text.

    Args:
        source (Path): Markdown file.
        path (Path): HTML file to be written.
        title (str): What the browser's tab says.
        pictures (Sequence[Path]): Those to be embedded besides the ones that
            lie where the source lies. Defaults to ().

    Raises:
        UsageError: If another file is to be embedded, or no PNG picture.
    """
    converter = markdown.Markdown(extensions=['tables'])
    converter.preprocessors.deregister('html_block')
    for name in UNUSED:
        converter.inlinePatterns.deregister(name)
    embedding = EmbedPictures(source.parent, pictures)
    # After all others: they make the pictures out of the text.
    converter.treeprocessors.register(embedding, 'embed_pictures', -1)
    body = converter.convert(source.read_text())
    with atomic_path(path) as temporary:
        temporary.write_text(PAGE.format(title=escape(title), body=body))


class EmbedPictures(Treeprocessor):
    """Puts a picture where the link to its file was.

    Args:
        folder (Path): What the links are relative to.
        pictures (Sequence[Path]): Those that may lie elsewhere.
    """

    def __init__(self, folder: Path, pictures: Sequence[Path]) -> None:
        super().__init__()
        self.folder = folder
        self.pictures = {os.path.abspath(picture) for picture in pictures}

    def run(self, root: Element) -> None:
        """Change the tree of a page in place.

        Args:
            root (Element): Of the tree.

        Raises:
            UsageError: If a picture is not one of the report's.
        """
        for image in root.iter('img'):
            # As text, as the links were made: `..` of a symbolic link leads
            # elsewhere.
            link = unquote(image.get('src'))
            path = Path(os.path.normpath(self.folder / link))
            is_own = path.resolve().parent == self.folder.resolve()
            if not is_own and str(path) not in self.pictures:
                raise UsageError(
                    f'{path} is no picture of this report: name it with '
                    '--pictures to have it in.'
                )
            data = path.read_bytes()
            if not data.startswith(PNG):
                raise UsageError(
                    f'{path} is no PNG picture: convert it, or leave it out.'
                )
            content = base64.b64encode(data).decode()
            image.set('src', f'data:image/png;base64,{content}')
