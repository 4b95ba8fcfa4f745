"""Signs for terminals and files whose encoding has no others: a minus sign that is lost makes a wrong value."""

import codecs

from engine.text.numbers import DASH, MINUS

ERRORS = "plain signs"
"""The name under which streams know `in_plain_signs`."""

PLAIN = {MINUS: "-", DASH: "-", "×": "x", "·": "|", "≥": ">=", "≤": "<=", "±": "+-", "∞": "inf", "µ": "u", "…": "..."}
PLAIN |= {"α": "alpha", "β": "beta", "─": "-", "│": "|", "▶": ">", "◀": "<"}
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """Handle the signs that an encoding does not have: a question mark stands for an unknown one. Returns what stands
    for them, and the place where encoding goes on.

    >>> "−1 to ≥ 0, 1.0 × 10⁶⁴, α −∞, 3 µs, ✓".encode("ascii", ERRORS)
    b'-1 to >= 0, 1.0 x 10^64, alpha -inf, 3 us, ?'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, plain = error.object, ""
    for place in range(error.start, error.end):
        sign = text[place]
        if sign in RAISED:
            plain += ("" if place and text[place - 1] in RAISED else "^") + str(RAISED.index(sign))
        else:
            plain += PLAIN.get(sign, "?")
    return plain, error.end


codecs.register_error(ERRORS, in_plain_signs)
