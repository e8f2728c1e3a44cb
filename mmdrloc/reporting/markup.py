"""Texts from files, as texts: no markup of theirs comes into a report."""

import re

# What begins markup, in Markdown or in HTML.
SPECIAL = re.compile(r'[&<>`*\[\]|\\!]')
CONTROL = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]+')


def text(content: object) -> str:
    """Make a text safe between other text.

    Args:
        content (object): From a file.

    Returns:
        str: In one line, its special characters written as numbers.
    """
    line = CONTROL.sub(' ', str(content))
    return SPECIAL.sub(lambda match: f'&#{ord(match[0])};', line)


def code(content: object) -> str:
    """Make a text a code span.

    Args:
        content (object): From a file.

    Returns:
        str: In one line, without what would end the span or a table's cell.
    """
    line = CONTROL.sub(' ', str(content)).replace('`', "'")
    return f'`{line.replace("|", "¦")}`'


def drawn(content: object) -> str:
    """Make a text safe for a figure, which sets formulas.

    Args:
        content (object): From a file.

    Returns:
        str: In one line, its dollars as they are.
    """
    return CONTROL.sub(' ', str(content)).replace('$', r'\$')
