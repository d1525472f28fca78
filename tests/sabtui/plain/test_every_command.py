"""Every command that help lists, in every state of a table: none is met by silence."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from msgspec import structs

from net.protocol.lobby import Stage
from net.protocol.messages import DiskStatus
from sabtui.plain import commands
from sabtui.table.deeds import DEEDS, Argument
from tests.sabtui.cases import DIG
from tests.sabtui.plain.plain_script import places
from tests.sabtui.plain_sessions import SMALL, Place, at, now_at, playing, type_lines
from tests.sabtui.tables import lobby

WITH: Final = {
    "mine": ("", "3n1", "nowhere"),
    "draw": ("", "big", "small", "round"),
    "log": ("", "3", "0", "many"),
    "x": ("", "1", "NES", "99", "rock"),
    "help": ("", "moves", "signs", "table", "game", "host", "me"),
    "talk": ("", "hello"),
    "claim": ("", "1", "99", "gold"),
    "rules": ("", "3", "tips", "99", "chess"),
    "bot": ("", "Gimli", "Gimli hard", "easy"),
    "bots": ("", "1", "99"),
    "empty": ("", "1", "4", "5", "99"),
    "edition": ("", "italia", "international", "+linked", "klingon"),
    "rounds": ("", "3", "2", "9"),
    "seats": ("", "5", "6", "3", "99"),
    "youngest": ("", "0", "1", "99"),
    "absent": ("", "bot", "wait", "never"),
    "turn": ("", "0", "60", "99999"),
    "hints": ("", "yes", "no", "maybe"),
}
AFTER: Final = {
    Argument.NOTHING: ("",),
    Argument.SEAT: ("", "5", "1", "99", "here"),
    Argument.PERSON: ("", "Bruno", "Ana", "Nobody"),
    Argument.SEAT_AND_PERSON: ("", "2", "2 Eva", "2 Bruno", "99 Eva"),
}
DEEDS_TYPED: Final = tuple(
    f"{word} {rest}".strip() for deed in DEEDS for word in deed.typed for rest in AFTER[deed.takes]
)
COMMANDS: Final = DEEDS_TYPED + tuple(
    f"{spelling} {rest}".strip()
    for command in commands.COMMANDS
    for rest in WITH.get(command.words.split()[-1], ("",))
    for spelling in command.words.split()
)
MOVES: Final = ("", "1", "2 1", "99", "NES", "NES@3n1", "M@8", "$2", "hello", "x2", "c3", '"hello')

PAUSED: Final = structs.replace(lobby(*lobby().chairs[:3], stage=Stage.PLAYING), paused=True)
STATES: Final[dict[str, Place]] = {
    **dict(places(SMALL)),
    "not at a table": Place(),
    "card chosen": type_lines(playing(DIG), "7").place,
    "paused": at(now_at(PAUSED, DIG)),
    "disk full": at(replace(now_at(PAUSED, DIG), disk=DiskStatus.FULL)),
    "practice": at(now_at(structs.replace(PAUSED, name="", paused=False), DIG)),
}


@pytest.mark.parametrize("state", STATES)
def test_no_command_is_met_by_silence(state: str) -> None:
    silent = [line for line in (*COMMANDS, *MOVES) if not _is_answered(STATES[state], line)]
    assert silent == []


def _is_answered(session: Place, line: str) -> bool:
    reaction = type_lines(session, line)
    return bool("".join(reaction.lines).strip()) or not reaction.is_told_only
