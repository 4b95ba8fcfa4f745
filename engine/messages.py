"""The engine's messages to the user: in English, translatable by the window.

    SavedError(message("There is no file {path}.", path=path))

The templates are translated, so each is a whole sentence or a whole label.
"""

import re

FIELD = re.compile(r"{(\w+)}")


class Message(str):
    """A text with its template and fields. A text made from it in another way, such as an f-string, does not have
    them."""

    template: str
    fields: dict[str, str]

    def __str__(self) -> "Message":
        """The same object, so that `str` of an exception raised with it also returns a Message."""
        return self


def message(template: str, /, **fields: object) -> Message:
    """The message of a template with its {fields} filled in. The template must be a literal, so that lupdate finds it.
    A field is a name, a formatted number or another message.

    >>> message("Move {number} cannot be played.", number=3)
    'Move 3 cannot be played.'
    """
    texts = {name: str(value) for name, value in fields.items()}
    made = Message(FIELD.sub(lambda field: texts.get(field[1], field[0]), template))
    made.template, made.fields = template, texts
    return made
