"""What is wrong with a text in notation, in a sentence.

Knows the error that notation raises: its template is the message, kept in English by the engine.
"""

from __future__ import annotations

from engine.notation import NotationError
from sabtui.words.tongue import _


def problem(error: NotationError) -> str:
    """Say what is wrong, in a phrase."""
    return _(error.template).format(**error.facts)


def located(error: NotationError) -> str:
    """Say what is wrong, and where in what text."""
    if error.line is None:
        told = _("column {column} of {text}: {problem}")
    else:
        told = _("line {line}, column {column} of {text}: {problem}")
    return told.format(
        line=error.line, column=error.column, text=error.excerpt, problem=problem(error)
    )
