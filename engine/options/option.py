"""The form of a search option. An entry of `engine.options.catalogue` is a field of `Options` or `Limit`. The field has
its type, range and default; the `Option` has the rest. What is made from it:

    the checks of a job      its range, its `refused`         engine.options.validation, engine.prepare
    the command line         --name, its `help`               engine.cli.search_options
    descriptions             its `phrase` and `values`        engine.text.describe
    saved games              those of an `is_saved` group     engine.play.game_file
    the window               its name, tip, values, `idle`    gui.controls.option_fields
    the README's table       its name, range and `help`       tests.engine.options.test_catalogue
"""

from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields, replace

from engine.messages import Message, message

if TYPE_CHECKING:
    from engine.job import Job
    from engine.kernels.contract import Algorithm

S = TypeVar("S", bound=Struct)


class Group(NamedTuple):
    """Options that stand together."""

    title: Message
    """The heading in the window."""
    panel: str
    """The group of the command line's help."""
    is_expert: bool = False
    """Whether the Expert section can reset them, and leaves them out where they do not fit."""
    is_saved: bool = False
    """Whether a saved game has them: those that decide what is searched, not where."""


SEARCH = Group(message("Search"), "What", is_saved=True)
SCORES = Group(message("Scores"), "What", is_saved=True)
VIEW = Group(message("Values"), "What")
LIMITS = Group(message("Limits"), "Limits", is_saved=True)
ORDERING = Group(message("Ordering"), "How", is_expert=True, is_saved=True)
WINDOW = Group(message("Window"), "How", is_expert=True, is_saved=True)
DEEPENING = Group(message("Deepening"), "Limits", is_expert=True, is_saved=True)
TABLE = Group(message("Table"), "How", is_expert=True, is_saved=True)
HORIZON = Group(message("Horizon"), "Limits", is_expert=True, is_saved=True)
SCHEME = Group(message("Parallel"), "Where", is_expert=True)
TASKS = Group(message("Parallel"), "Where")
MACHINE = Group(message("Run on"), "Where")
ANSWER = Group(message("The answer"), "The answer")


class Phrase(NamedTuple):
    """A chosen value in short and in full; {value} stands for its text."""

    short: Message
    full: Message


class OptionValue(NamedTuple):
    """A value with a text of its own."""

    text: Message | None = None
    """None: the number with its unit."""
    phrase: Phrase | None = None
    """Its description; None: that of the option."""
    tip: Message | None = None
    """The explanation, where the value has a switch of its own."""
    word: str = ""
    """The word of the glossary for that switch."""


class Option(NamedTuple):
    """The wording and the rules of one option."""

    group: Group
    name: Message
    tip: Message
    """The explanation in the window."""
    help: str
    """The explanation on the command line."""
    metavar: str = ""
    word: str = ""
    """The word of the glossary."""
    values: Mapping[Any, OptionValue] = {}
    """The values with texts of their own, in the order of a list."""
    phrase: Phrase | None = None
    """The description of values that have none of their own; None: there is none."""
    unit: str = ""
    """The unit of a number: "plies", "nodes", "s", "MiB", "±" (the half of a width)."""
    offered: tuple[float, float] | None = None
    """The range that fields and saved games have, where it is smaller than the type's."""
    refused: "Callable[[Job, Algorithm], Message | None]" = lambda job, algorithm: None
    """The reason why a job with this option cannot run; None where it can."""
    idle: "Callable[[Job], Message | None]" = lambda job: None
    """The reason why the option has no effect on a job; None where it has one."""


class OptionEntry(NamedTuple):
    """A field with its Option."""

    key: str
    """The name of the field, also that of the command line's option: "split", "depth"."""
    parent: str
    """The name of the field that holds it: "limit"; empty for a field of the options themselves."""
    type: Any
    """The type without None and without metadata."""
    is_optional: bool
    """Whether None is a value."""
    default: Any
    option: Option
    meta: Meta | None

    def value(self, options: Any) -> Any:
        """The value in a Struct with these options."""
        return getattr(getattr(options, self.parent) if self.parent else options, self.key)

    def changes(self, options: Any, value: Any) -> dict[str, Any]:
        """The changed field of a Struct with these options, for `replace`."""
        if self.parent:
            return {self.parent: replace(getattr(options, self.parent), **{self.key: value})}
        return {self.key: value}

    def changed(self, options: S, value: Any) -> S:
        """The same options with another value."""
        return replace(options, **self.changes(options, value))

    @property
    def is_list(self) -> bool:
        """Whether it takes several values."""
        return isinstance(self.default, tuple)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value; infinite where there is none."""
        if self.option.offered is not None:
            return self.option.offered
        least = None if self.meta is None else self.meta.ge if self.meta.ge is not None else self.meta.gt
        most = None if self.meta is None else self.meta.le
        return float("-inf") if least is None else least, float("inf") if most is None else most


def entries(kind: type[Struct], parent: str = "") -> Iterator[OptionEntry]:
    """The entries of a Struct, in the order of its fields; those of a field that is a Struct stand in its place."""
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        hint = hints[field.name]
        if isinstance(hint, type) and issubclass(hint, Struct):
            yield from entries(hint, field.name)
            continue
        options = [each for each in _metadata(hint) if isinstance(each, Option)]
        meta = next((each for each in _metadata(hint) if isinstance(each, Meta)), None)
        for option in options:
            plain, is_optional = _plain(hint)
            yield OptionEntry(field.name, parent, plain, is_optional, field.default, option, meta)


def _metadata(hint: Any) -> Iterator[object]:
    """The metadata of a type, those of the members of a union included."""
    yield from getattr(hint, "__metadata__", ())
    for member in [hint.__origin__] if get_origin(hint) is Annotated else _members(hint):
        yield from _metadata(member)


def _plain(hint: Any) -> tuple[Any, bool]:
    """A type without metadata and without None, and whether it had None."""
    if get_origin(hint) is Annotated:
        return _plain(hint.__origin__)
    members = [member for member in _members(hint) if member is not type(None)]
    return (_plain(members[0])[0], True) if members else (hint, False)


def _members(hint: Any) -> tuple[Any, ...]:
    """The members of a union with None; none of any other type."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
