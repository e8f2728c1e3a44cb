"""Texts from files, as texts: no markup of theirs comes into a report."""

import re

# What begins markup, in Markdown or in HTML.
SPECIAL = re.compile(r'[&<>`*\[\]|\\!]')
CONTROL = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]+')


def text(content: object) -> str:
    """One line, safe between other text: special characters as numbers."""
    line = CONTROL.sub(' ', str(content))
    return SPECIAL.sub(lambda match: f'&#{ord(match[0])};', line)


def code(content: object) -> str:
    """A code span, without what would end it or a table's cell."""
    line = CONTROL.sub(' ', str(content)).replace('`', "'")
    return f'`{line.replace("|", "¦")}`'


def drawn(content: object) -> str:
    """One line for a figure, which would set formulas between dollars."""
    return CONTROL.sub(' ', str(content)).replace('$', r'\$')
