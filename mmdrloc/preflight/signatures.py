"""What a class takes, through all that it inherits from."""

import ast
import inspect
import sys
import textwrap
from functools import cache
from typing import Any, Dict, Set, Tuple

from torch import nn


@cache
def parameters_of(kind: Any) -> Tuple[Dict[str, inspect.Parameter], bool]:
    """The arguments of a class or function.

    Args:
        kind (type | Callable): What is built.

    Returns:
        tuple[dict[str, inspect.Parameter], bool]: By name, and whether it
        may take others too: it has ``**kwargs`` that go somewhere else than
        to the class it inherits from.
    """
    if not inspect.isclass(kind):
        parameters = _named(kind)
        return parameters, _open_to(kind) is not None
    taken: Dict[str, inspect.Parameter] = {}
    for base in kind.__mro__:
        if base in (object, nn.Module) or '__init__' not in vars(base):
            continue
        init = base.__init__
        try:
            own = _named(init)
        except (TypeError, ValueError):  # written in C
            return taken, True
        own.pop('self', None)
        taken = {**own, **taken}
        rest = _open_to(init)
        if hasattr(init, '__wrapped__'):  # it may rename keys of old
            return taken, True
        if rest is None:
            return taken, False
        read, elsewhere = _use_of(init, rest, base.__name__)
        if elsewhere:
            return taken, True
        taken.update(
            {
                name: inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)
                for name in read - set(taken)
            }
        )
    return taken, True


@cache
def module_source(name: str) -> str:
    """The text of a module that is imported; empty if it has none."""
    try:
        return inspect.getsource(sys.modules[name])
    except (KeyError, OSError, TypeError):
        return ''


def _named(function: Any) -> Dict[str, inspect.Parameter]:
    variadic = (
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    )
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in variadic
    }


def _open_to(function: Any) -> Any:
    """The name of its ``**kwargs``, or None."""
    parameters = inspect.signature(function).parameters.values()
    rest = inspect.Parameter.VAR_KEYWORD
    return next((p.name for p in parameters if p.kind is rest), None)


def _use_of(function: Any, rest: str, owner: str) -> Tuple[Set[str], bool]:
    """What becomes of ``**kwargs``.

    Returns:
        tuple[set[str], bool]: The keys that are read by name, and whether
        the rest goes anywhere but to ``super().__init__``.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return set(), True
    forwarded = {
        id(keyword.value)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and _is_super_init(call.func, owner)
        for keyword in call.keywords
        if keyword.arg is None
    }
    read: Set[str] = set()
    accounted = set(forwarded)
    for node in ast.walk(tree):
        name = _key_read(node, rest)
        if name is not None:
            read.add(name[0])
            accounted.add(id(name[1]))
    elsewhere = any(
        isinstance(node, ast.Name)
        and node.id == rest
        and id(node) not in accounted
        for node in ast.walk(tree)
    )
    return read, elsewhere or not forwarded


def _is_super_init(function: ast.AST, owner: str) -> bool:
    if not (
        isinstance(function, ast.Attribute)
        and function.attr == '__init__'
        and isinstance(function.value, ast.Call)
        and getattr(function.value.func, 'id', None) == 'super'
    ):
        return False
    # super(Other, self) goes past some of those it inherits from.
    given = function.value.args[:1]
    return all(getattr(a, 'id', None) == owner for a in given)


def _key_read(node: ast.AST, rest: str) -> Any:
    """``kwargs.pop('x')``, ``kwargs['x']``, ``'x' in kwargs``."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ('pop', 'get', 'setdefault')
        and node.args
    ):
        key, owner = node.args[0], node.func.value
    elif isinstance(node, ast.Subscript):
        key, owner = node.slice, node.value
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
        key, owner = node.left, node.comparators[0]
    else:
        return None
    is_rest = isinstance(owner, ast.Name) and owner.id == rest
    if is_rest and isinstance(key, ast.Constant):
        return str(key.value), owner
    return None
