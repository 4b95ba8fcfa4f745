"""Sentences about data that does not have the form of a type. They are made from the type: its range, its choices."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import inspect

from engine.messages import Message, message

_NAMED = re.compile(r"Object (?P<what>contains unknown|missing required) field `(?P<name>.+)`")


def reason(error: Exception, kind: Any, named: Callable[[Sequence[str]], str]) -> str:
    """The end of a sentence on why data is not of a type: "workers must be a whole number from 1 to 1,024". `named`
    returns the name of a field from its path, such as ("limit", "depth")."""
    if isinstance(error, UnicodeDecodeError):
        return message("it is no text in UTF-8")
    what, _, where = str(error).partition(" - at `$")
    path = tuple(re.findall(r"\w+", re.sub(r"\[[^]]*]", "", where)))
    if found := _NAMED.fullmatch(what):
        name = named((*path, found["name"]))
        if found["what"] == "missing required":
            return message("{name} is missing", name=name)
        return message("there is no field {name}", name=name)
    if where or what.startswith("Expected `"):
        must = required(_at(inspect.type_info(kind), path))
        field = named(path) if path else message("it")
        return message("{field} must be {what}", field=field, what=must)
    return error.args[0]


def required(kind: inspect.Type) -> Message:
    """The values of a type in words: "a whole number from 1 to 8", "one of soft, hard"."""
    match kind:
        case inspect.UnionType():
            *most, last = [required(member) for member in _members(kind)]
            return message("{these} or {last}", these=", ".join(most), last=last) if most else last
        case inspect.EnumType():
            return message("one of {choices}", choices=", ".join(choice.value for choice in kind.cls))
        case inspect.LiteralType():
            return message("one of {choices}", choices=", ".join(map(str, kind.values)))
        case inspect.IntType():
            return message("a whole number{range}", range=_range(kind))
        case inspect.FloatType():
            return message("a number{range}", range=_range(kind))
        case inspect.BoolType():
            return message("true or false")
        case inspect.StrType():
            return message("text")
        case inspect.VarTupleType():
            return message("a list")
    return message("an object with fields")


def _range(kind: "inspect.IntType | inspect.FloatType") -> str:
    ends = {name: f"{end:,.10g}" if isinstance(end, float) else f"{end:,}" for name, end in _ends(kind).items()}
    match sorted(ends):
        case ["ge", "le"]:
            return message(" from {ge} to {le}", **ends)
        case ["gt", "lt"]:
            return message(" between {gt} and {lt}", **ends)
        case ["gt", "le"]:
            return message(", more than {gt}, at most {le}", **ends)
        case ["ge"]:
            return message(", at least {ge}", **ends)
        case ["gt"]:
            return message(", more than {gt}", **ends)
    return ""


def _ends(kind: "inspect.IntType | inspect.FloatType") -> dict[str, float]:
    ends = {"ge": kind.ge, "gt": kind.gt, "le": kind.le, "lt": kind.lt}
    return {name: end for name, end in ends.items() if end is not None}


def _members(kind: inspect.UnionType) -> list[inspect.Type]:
    return [member for member in kind.types if not isinstance(member, inspect.NoneType)]


def _at(kind: inspect.Type, path: Sequence[str]) -> inspect.Type:
    """The type of the field at a path; that of the members of a list or table."""
    match kind:
        case inspect.StructType() if path:
            return next(_at(field.type, path[1:]) for field in kind.fields if field.encode_name == path[0])
        case inspect.VarTupleType():
            return _at(kind.item_type, path)
        case inspect.DictType():
            return _at(kind.value_type, path)
    return kind
