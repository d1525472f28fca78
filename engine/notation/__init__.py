"""A game as text that people can read, mail and paste into a bug report.

Cells `8n2`, cards `NES`, moves `NES@3n1`, positions (a round, or one seat's knowledge of it, on one
line) and records (`.sab`, a game from its deal or as one seat saw it). Everything is spelt in one
way only. Text that is not notation raises `NotationError` with the text and the column. The package
reads and writes strings and bytes, never files.

    position         positions as values, and their text
    record           records as values, step by step, and what was said in a game
    record_writer    events as the lines of a record
    event_words      events as words, and what a seat's own record may tell
    record_parser    records as text, read and written, or at a glance

>>> from engine.notation import parse_position
>>> position = parse_position("EW@1 ?/(NE)/? 1 -,P,- EW/M,3,2 0 m??+?")
>>> view = position.view(0)
>>> [str(move) for move in view.legal_moves()]
['EW@-1', 'EW@2', 'M@8n2', 'M@8', 'M@8s2', 'xEW', 'xM']
"""

from engine.mistakes import NotationError
from engine.moves import parse_move
from engine.notation.position import GoalSeen, Position, format_position, parse_position
from engine.notation.record import (
    ObservedRecord,
    Record,
    Utterance,
    format_claim,
    parse_claim,
    replay,
)
from engine.notation.record_parser import format_record, parse_record
from engine.tokens import format_cell, parse_card, parse_cell

__all__ = [
    "GoalSeen",
    "NotationError",
    "ObservedRecord",
    "Position",
    "Record",
    "Utterance",
    "format_cell",
    "format_claim",
    "format_position",
    "format_record",
    "parse_card",
    "parse_cell",
    "parse_claim",
    "parse_move",
    "parse_position",
    "parse_record",
    "replay",
]
