"""Functions with a body for each type of their first argument.

`functools.singledispatch` also asks the bases of a type, by a dictionary of weak references. The interpreted search
calls several of these functions at each node, and takes up to twice as long with it. Python calls a body with the
arguments by name in two thirds of the time that it takes with `*rest`.
"""

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import Any, Protocol, TypeVar, get_type_hints, overload

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R", covariant=True)


class ByType(Protocol[R]):
    """A function with a body for each type."""

    def __call__(self, subject: Any, /, *rest: Any) -> R: ...

    def dispatch(self, kind: type, /) -> Callable[..., Any]:
        """The body for a type; if there is none, the function that `by_type` was given."""
        ...

    @overload
    def register(self, kind: type, /) -> Callable[[F], F]: ...

    @overload
    def register(self, body: F, /) -> F: ...

    def register(self, given: Any, /) -> Any:
        """Give the body for the type of its first argument, or return what gives the body for a type. A decorator."""
        ...


def by_type(default: Callable[..., R]) -> ByType[R]:
    """A function that calls the body registered for the type of its first argument; `default` if there is none. A
    decorator."""
    bodies: dict[type, Callable[..., Any]] = {}

    def of_one(subject: Any) -> Any:
        return bodies.get(type(subject), default)(subject)

    def of_two(subject: Any, second: Any) -> Any:
        return bodies.get(type(subject), default)(subject, second)

    def of_more(subject: Any, *rest: Any) -> Any:
        return bodies.get(type(subject), default)(subject, *rest)

    def register(given: Any) -> Any:
        if isinstance(given, type):
            return partial(_put, bodies, given)
        bodies[next(iter(get_type_hints(given).values()))] = given
        return given

    made: Any = wraps(default)({1: of_one, 2: of_two}.get(len(signature(default).parameters), of_more))
    made.dispatch, made.register = lambda kind: bodies.get(kind, default), register
    return made


def _put(bodies: dict[type, Callable[..., Any]], kind: type, body: F) -> F:
    bodies[kind] = body
    return body
