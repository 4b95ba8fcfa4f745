"""The textbook recursion of an algorithm, from its own file in `engine.search`, and the meaning of its lines."""

import ast
import inspect
import sys
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine import registry
from engine.options.choices import Form

RECURSIVE = "maximise", "minimise", "negamax"
"""The names of the functions that search a position."""


class Recursion(NamedTuple):
    """One function. Lines are indices of `lines`."""

    name: str
    lines: tuple[str, ...]
    enters: int
    """The line that begins it."""
    calls: tuple[int, ...]
    """The lines that search a child: the first search, and the second where there is one."""
    cuts: int | None
    """The line that leaves the moves that are left; None in minimax."""
    returns: int
    """The line that returns the value of a position whose game goes on."""
    variables: frozenset[str]
    """The names of its parameters and variables."""


@cache
def recursion(algorithm: str, form: Form) -> tuple[Recursion, ...]:
    """The functions of an algorithm's textbook form: MAX's and MIN's, or that of negamax.

    An algorithm without its own recursion has that of its kernel, after its driver; one with a single form has it for
    both.
    """
    kind = registry.algorithm(algorithm)
    own, kernel = (sys.modules[name] for name in (f"engine.search.{kind.name}", kind.options.__module__))
    kernel = own if hasattr(own, "negamax") else kernel
    wanted = ("maximise", "minimise") if form is Form.MAXMIN and hasattr(kernel, "maximise") and own is kernel else ()
    functions = [getattr(kernel, name) for name in wanted or ("negamax",)]
    if own is not kernel:
        functions.insert(0, getattr(own, kind.name))
    return tuple(map(_parsed, functions))


def _parsed(function: Callable[..., object]) -> Recursion:
    source = inspect.getsource(function)
    [tree] = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    nodes = [*ast.walk(tree)]
    calls = {
        node.lineno
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in RECURSIVE
    }
    cuts = [node.lineno for node in nodes if isinstance(node, ast.Break)]
    returns = [node.lineno for node in nodes if isinstance(node, ast.Return)]
    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return Recursion(
        name=function.__name__,
        lines=tuple(source.rstrip().splitlines()),
        enters=0,
        calls=tuple(line - 1 for line in sorted(calls)),
        cuts=cuts[0] - 1 if cuts else None,
        returns=max(returns) - 1,
        variables=frozenset(names),
    )
