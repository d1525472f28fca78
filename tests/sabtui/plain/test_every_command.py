"""Every command that help lists, in every state of a table: none is met by silence."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from msgspec import structs

from net.client.session import ConnectionState, Status
from net.protocol.lobby import Stage
from net.protocol.messages import CloseReason, DiskStatus
from sabtui.plain.commands import AsHost, AtTable, InGame, SetTo
from sabtui.plain.model import PlainSession
from sabtui.table.deed import Argument
from sabtui.table.deeds import DEEDS
from tests.sabtui.cases import DIG, view_of
from tests.sabtui.plain_sessions import at, now_at, playing, type_lines
from tests.sabtui.tables import BRUNO, EVA, lobby
from tests.sabtui.tui import scenes

WITH: Final = {
    InGame.MINE: ("", "3n1", "nowhere"),
    InGame.DRAW: ("", "big", "small", "round"),
    InGame.LOG: ("", "3", "0", "many"),
    InGame.DISCARD: ("", "1", "NES", "99", "rock"),
    AtTable.HELP: ("", "moves", "signs", "table", "game", "host", "me"),
    AtTable.TALK: ("", "hello"),
    AtTable.CLAIM: ("", "1", "99", "gold"),
    AtTable.RULES: ("", "3", "tips", "99", "chess"),
    AtTable.SAVE: ("", "game.sab"),
    AsHost.BOT: ("", "Gimli", "Gimli hard", "easy"),
    AsHost.BOTS: ("", "1", "99"),
    AsHost.EMPTY: ("", "1", "4", "5", "99"),
    SetTo("edition"): ("", "italia", "international", "+linked", "klingon"),
    SetTo("rounds"): ("", "3", "2", "9"),
    SetTo("seats"): ("", "5", "6", "3", "99"),
    SetTo("youngest"): ("", "0", "1", "99"),
    SetTo("absent"): ("", "bot", "wait", "never"),
    SetTo("turn"): ("", "0", "60", "99999"),
    SetTo("hints"): ("", "yes", "no", "maybe"),
    SetTo("series"): ("", "5", "off", "new", "never"),
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
    for command in (*InGame, *AtTable, *AsHost, *(one for one in WITH if isinstance(one, SetTo)))
    for rest in WITH.get(command, ("",))
    for spelling in ((command.long,) if isinstance(command, SetTo) else command.words)
)
MOVES: Final = ("", "1", "2 1", "99", "NES", "NES@3n1", "M@8", "$2", "hello", "x2", "c3", '"hello')

PAUSED: Final = structs.replace(lobby(*lobby().chairs[:3], stage=Stage.PLAYING), paused=True)
STATES: Final[dict[str, PlainSession]] = {
    "not at a table": PlainSession(Status(ConnectionState.CONNECTING)),
    "lobby, host": at(now_at(lobby())),
    "lobby, guest": at(now_at(lobby(), member=BRUNO)),
    "lobby, watcher": at(now_at(lobby(), member=EVA)),
    "turn": playing(DIG),
    "card chosen": type_lines(playing(DIG), "7").session,
    "waiting": playing(view_of("EW@1 ?/?/? 2 -,-,- NES/M,3,2 9 m??+?")),
    "watching": playing(DIG._replace(seat=None, role=None, hand=()), EVA),
    "gold": at(now_at(scenes.lobby(), scenes.choosing())),
    "between rounds": at(now_at(scenes.lobby(), scenes.between())),
    "over": at(now_at(scenes.lobby(), scenes.over(), record="...")),
    "paused": at(now_at(PAUSED, DIG)),
    "disk full": at(replace(now_at(PAUSED, DIG), disk=DiskStatus.FULL)),
    "connection lost": at(replace(now_at(PAUSED, DIG), connection=ConnectionState.LOST)),
    "closed": at(
        replace(
            now_at(PAUSED, DIG, BRUNO), connection=ConnectionState.ENDED, ending=CloseReason.CLOSED
        )
    ),
    "practice": at(now_at(structs.replace(PAUSED, name="", paused=False), DIG)),
}


@pytest.mark.parametrize("state", STATES)
def test_no_command_is_met_by_silence(state: str) -> None:
    silent = [line for line in (*COMMANDS, *MOVES) if not _is_answered(STATES[state], line)]
    assert silent == []


def _is_answered(session: PlainSession, line: str) -> bool:
    reaction = type_lines(session, line)
    return bool("".join(reaction.lines).strip()) or reaction.effect is not None
