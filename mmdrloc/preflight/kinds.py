"""Values of another kind than the class's annotations say."""

import types
import typing
from collections import abc
from typing import Any, List, Optional, Set

from .names import class_at
from .places import Place
from .signatures import parameters_of

WORDS = {
    int: 'a whole number',
    float: 'a number',
    bool: 'True or False',
    str: 'a text',
    dict: 'a dict',
    abc.Mapping: 'a dict',
    list: 'a list',
    tuple: 'a list',
    abc.Sequence: 'a list',
    abc.Iterable: 'a list',
    type(None): 'None',
}
UNIONS = (typing.Union, getattr(types, 'UnionType', typing.Union))


def wrong_kinds(place: Place) -> List[str]:
    """Settings of one dict that are texts for numbers, and the like."""
    kind = class_at(place)
    if kind is None:
        return []
    try:
        parameters, _ = parameters_of(kind)
    except (TypeError, ValueError):  # written in C: nothing is known
        return []
    findings = []
    for key, value in place.node.items():
        if key not in parameters:
            continue
        expected = _words_of(parameters[key].annotation)
        given = _word_for(value)
        if not expected or given is None:
            continue
        if _fits(given, expected, value, place):
            continue
        wanted = ' or '.join(
            word for word in dict.fromkeys(WORDS.values()) if word in expected
        )
        findings.append(
            f'{place.name}.{key} is {shortened(value)}, {given}: '
            f'{getattr(kind, "__name__", kind)} expects {wanted}.'
        )
    return findings


def shortened(value: Any, most: int = 40) -> str:
    """A value as the config says it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= most else f'{text[:most]}...'


def _words_of(annotation: Any) -> Set[str]:
    """What an annotation allows; empty if it says nothing that is known."""
    if typing.get_origin(annotation) in UNIONS:
        words: Set[str] = set()
        for choice in typing.get_args(annotation):
            found = _words_of(choice)
            if not found:
                return set()
            words |= found
        return words
    if annotation is None:
        return {'None'}
    word = WORDS.get(typing.get_origin(annotation) or annotation)
    return {word} if word else set()


def _word_for(value: Any) -> Optional[str]:
    if isinstance(value, dict):
        return 'a dict'
    if isinstance(value, float) and value.is_integer():
        return 'a whole number'
    return WORDS.get(type(value))


def _fits(given: str, expected: Set[str], value: Any, place: Place) -> bool:
    """Whether a value may be meant; upstream's annotations are not exact.

    Sure are a text, True, False, a list or a dict where a number is read,
    and 'False' in quotes, which is true. Models and transforms that are
    annotated with one number may take one a stage or an axis.
    """
    if given == 'a text' and expected <= {'True or False', 'None'}:
        return value.lower() not in ('true', 'false', 'yes', 'no')
    if place.registry == 'DATASETS' and expected <= {'a text', 'None'}:
        # A path; of lists and dicts of them not all annotations know.
        return given in ('a text', 'a list', 'a dict')
    if given == 'a list' and place.registry in ('MODELS', 'TRANSFORMS'):
        return True
    numeric = expected <= {'a whole number', 'a number', 'None', 'a list'}
    if not numeric or given in expected:
        return True
    return given not in ('a text', 'True or False', 'a list', 'a dict')
