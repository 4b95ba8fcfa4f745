"""What the engine says to people: in English, and ready to be said in another language by whoever shows it.

    SavedError(message("There is no file {path}.", path=path))

A translator gets the templates, so each is a whole sentence, or a whole label.
"""

import re

FIELD = re.compile(r"{(\w+)}")


class Message(str):
    """A text that knows what it was made of. What is made of it by other means, such as an f-string, does not."""

    template: str
    fields: dict[str, str]

    def __str__(self) -> "Message":
        """The same object, so that `str` of an exception that was raised with it knows it too."""
        return self


def message(template: str, /, **fields: object) -> Message:
    """A text with its {fields} filled in. It is written out where this is called, so that lupdate finds it; a field is
    a name, a figure as people read it, or a message itself.

    >>> message("Move {number} cannot be played.", number=3)
    'Move 3 cannot be played.'
    """
    texts = {name: str(value) for name, value in fields.items()}
    made = Message(FIELD.sub(lambda field: texts.get(field[1], field[0]), template))
    made.template, made.fields = template, texts
    return made
