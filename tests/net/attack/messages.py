"""Every message that a client can send, as plain values, and each with any one field changed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import msgpack

from engine.actions import Break, Map, Repair, Rockfall
from engine.cards import CARDS, PATHS, Tool
from engine.moves import Discard, KeepGold, Lay, Move
from net.protocol.doors import DoorKind
from net.protocol.framing import BadFrame, decode
from net.protocol.game_wire import write_move
from net.protocol.lobby import TableClaim, Topic
from net.protocol.messages import (
    CLIENT_KINDS,
    ClientCommand,
    ClientMessage,
    CommitShare,
    EnterTable,
    Mark,
    Ping,
    Resync,
    ShowShare,
)
from net.protocol.requests import (
    Chat,
    Close,
    FreeSeat,
    GoUnsaved,
    HandOver,
    Kick,
    Leave,
    Lock,
    MakeClaim,
    MakeMove,
    NewCode,
    NextRound,
    Pause,
    PlayAgain,
    PutBot,
    SetReady,
    ShowStep,
    Sit,
    StandUp,
    Start,
    SwitchDoor,
    TableRequest,
)

CHANGES: tuple[object, ...] = (
    *(None, True, 0.5, -100, -1, 0, 1, 2, 9, 10, 30, 2**31 - 1, 2**31, -(2**63)),
    *("", "x", "x" * 300, b"", bytes(32), [], [0, 0], [1, 2, 3], {}, {"is": "ping", "seen": 0}),
)


def wants(step: int) -> list[TableRequest]:
    moves: list[Move] = [
        *(Lay(PATHS[3], (1, 0)), Break(Tool.PICK, 1), Repair(CARDS[20], 1, Tool.PICK)),
        *(Rockfall((1, 0)), Map((8, 0)), Discard(CARDS[3]), KeepGold(1)),
    ]
    return [
        *(MakeMove(step, write_move(move)) for move in moves),
        *(Chat("hello"), MakeClaim(TableClaim(Topic.GOLD_AT, 1)), ShowStep(step)),
        *(Sit(0), StandUp(), SetReady(ready=True), PutBot(0, "Robo", "greedy"), FreeSeat(0)),
        *(Kick(1), HandOver(0, 4), Start(), NextRound(), Pause(paused=True), PlayAgain()),
        *(GoUnsaved(), NewCode(), Lock(locked=True), SwitchDoor(DoorKind.SSH, open=True)),
    ]


def messages(step: int) -> list[ClientMessage]:
    first: list[ClientMessage] = [
        EnterTable("Eve", watch=False, incarnation=1, seen=Mark(step, bytes(16))),
        EnterTable("Eve", True, 1, Mark(step, bytes(16)), projector=True),  # noqa: FBT003 - watches
        Ping(step),
        CommitShare(bytes(16), bytes(32)),
        ShowShare(bytes(16), bytes(32)),
    ]
    return [*first, Resync(), *(ClientCommand(1, wanted) for wanted in wants(step))]


def mutants(step: int) -> Iterator[object]:
    for message in messages(step):
        plain = msgspec.to_builtins(message, builtin_types=(bytes,))
        yield plain
        yield from _change_part(plain)
        yield {**plain, "more": 1}


def _change_part(plain: object) -> Iterator[object]:
    yield from CHANGES
    if isinstance(plain, dict):
        for key, part in plain.items():
            yield {other: value for other, value in plain.items() if other != key}
            for changed in _change_part(part):
                yield {**plain, key: changed}
    if isinstance(plain, list | tuple):
        parts = list(plain)
        yield parts[:-1]
        yield [*parts, 0]
        for at, part in enumerate(parts):
            for changed in _change_part(part):
                yield [*parts[:at], changed, *parts[at + 1 :]]


def well_formed(step: int) -> list[ClientMessage]:
    found = [message for value in mutants(step) if (message := _read(value)) is not None]
    return [
        message
        for message in dict.fromkeys(found)
        if not (isinstance(message, ClientCommand) and isinstance(message.request, Leave | Close))
    ]


def malformed_messages(step: int) -> list[object]:
    return [value for value in mutants(step) if _read(value) is None]


def _read(value: object) -> ClientMessage | None:
    try:
        message: ClientMessage = decode(msgpack.encode(value), *CLIENT_KINDS)
    except (BadFrame, OverflowError):  # the latter for what cannot be written
        return None
    return message
