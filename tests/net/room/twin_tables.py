"""Pairs of tables that do the same things in public, and differ in what a seat never saw."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest

from engine import Discard, Game, KeepGold, Move, Phase
from engine.cards import CARDS
from net.protocol.events import write_move
from net.protocol.framing import MAX_HOST_FRAME_BYTES, pack
from net.protocol.lobby import Settings, TableClaim, Taken, Topic
from net.protocol.messages import (
    ClientCommand,
    HostMessage,
    Refusal,
)
from net.protocol.requests import (
    Chat,
    FreeSeat,
    HandOver,
    Kick,
    MakeClaim,
    MakeMove,
    NextRound,
    Pause,
    PutBot,
    SetReady,
    Start,
)
from net.room import inputs
from tests.net.room.room_fixture import Table
from tests.net.room.twin_games import (
    Script,
    other_dwarves_and_goals,
    twin_script,
)

PEOPLE = ("Ann", "Ben", "Cleo", "Dede", "Emil")
ME = 1
WIDELY = 4
"""A seat that changes hands."""


def perform(
    script: Script, monkeypatch: pytest.MonkeyPatch, seed: int, kind: type[Table] = Table
) -> Table:
    """Do all of a script at a table, with joins, breaks, talk, errors and snapshots between."""
    table = kind(Settings(seats=len(PEOPLE), rounds=script.rounds, edition=script.edition.text))
    for name in PEOPLE:
        table.come(name)
    table.come("Wim", watch=True)
    perform_game(table, script, monkeypatch, seed)
    return table


def perform_game(table: Table, script: Script, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Begin a game at a table at which all sit, and do all of its script."""
    rng = Random(seed)
    monkeypatch.setattr("engine.notation.record.deal", table.deal_these(script.deals))
    for seat in range(len(PEOPLE)):
        if isinstance(table.lobby.chairs[seat], Taken):
            table.wants(there(table, table.lobby.name_at(seat)), SetReady(ready=True))
    assert table.wants(there(table, "Ann"), Start()) is None
    for number, moves in enumerate(script.moves):
        if number:
            reseat(table, rng)
            assert table.wants(there(table, "Ann"), NextRound()) is None
        while table.lobby.draw is not None and not table.lobby.draw.done:
            table.wait(1)  # whoever answers no longer is left out in time
        for move in moves:
            disturb(table, rng)
            make(table, move)


def make(table: Table, move: Move) -> None:
    """The next move of a script, by whoever has the seat: a person, a bot or nobody."""
    game = table.game
    assert game.to_act is not None
    for _chair, person in table.lobby.sitting:
        if not table.room.may_play:
            there(table, person.name)
    if isinstance(table.lobby.chairs[game.to_act], Taken):
        assert table.plays(there(table, table.name_to_act()), move) is None
        return
    there(table, "Ann")
    turn = table.turn
    table.happen(inputs.make_bot_move(table.room, table.now, turn, move))


def there(table: Table, name: str) -> str:
    """Somebody who is at the table, or comes back to it now."""
    if not table.people[name].client.entered:
        table.come(name)
    return name


def reseat(table: Table, rng: Random) -> None:
    """Between rounds a seat is freed, given to a bot, or to somebody new."""
    table.wait(3)
    kind = rng.randrange(3)
    if kind == 0:
        table.wants(there(table, "Ann"), FreeSeat(WIDELY))
    elif kind == 1:
        table.wants(there(table, "Ann"), PutBot(WIDELY, f"Robo {table.now}", "random"))
    else:
        assert hand_over(table) is None


def hand_over(table: Table) -> Refusal | None:
    """Somebody new is given a seat, whoever had it before, and knows then what goes with it."""
    late = table.come(f"H{table.connections}", watch=True)
    return table.wants(there(table, "Ann"), HandOver(WIDELY, late.member))


def disturb(table: Table, rng: Random) -> None:
    """Something beside the game, the same at both tables."""
    name = rng.choice((*PEOPLE, "Wim"))
    connected = table.people[name]
    kind = rng.randrange(20)
    table.wait(0.5, *PEOPLE[3:])
    if kind == 0:
        table.come(name)
    elif kind == 1:
        inputs.drop_connection(table.room, table.now, connected.connection)
        connected.client.end_connection()
    elif kind == 8 and rng.random() < 0.3:
        table.crash()
        for one in ("Ann", "Ben", "Wim"):
            table.come(one)
    elif kind == 9:
        away = "W0" if "W0" in table.people and rng.random() < 0.7 else "Emil"
        table.wants(there(table, "Ann"), Kick(table.people[away].member))
    elif kind == 10 and rng.random() < 0.5:
        assert hand_over(table) is Refusal.HOLDS_CARDS
    elif not connected.client.entered or connected.ended:
        return
    elif kind == 2:
        table.wants(name, Chat("I saw nothing " * rng.randint(1, 9)))
    elif kind == 3:
        table.wants(name, MakeClaim(TableClaim(Topic.DIGS_FOR_US, rng.randrange(5))))
    elif kind == 4:
        table.ask(connected)
    elif kind == 5 and table.people["Ann"].client.entered:
        for paused in (True, False):
            assert table.wants("Ann", Pause(paused)) is None
    elif kind == 6:
        wrong = KeepGold(2) if table.room.state.phase is Phase.PLAY else Discard(CARDS[0])
        far = MakeMove(table.room.state.number, write_move(wrong))
        table.say(connected, ClientCommand(connected.client.last_id, far))
        table.wants(name, far)
    elif kind == 7:
        late = table.come(f"W{rng.randrange(4)}", watch=True)
        table.say(late, late.client.ping())


def messages_sent(table: Table, name: str) -> list[HostMessage]:
    """All that somebody was sent, on all their connections."""
    return [
        one
        for connected in table.connected.values()
        if connected.name == name
        for one in connected.got
    ]


def same_to(one: Table, other: Table, name: str) -> None:
    """Assert that both tables sent somebody the same."""
    mine, theirs = messages_sent(one, name), messages_sent(other, name)
    assert mine == theirs
    assert [pack(message, MAX_HOST_FRAME_BYTES) for message in mine] == [
        pack(message, MAX_HOST_FRAME_BYTES) for message in theirs
    ]


def as_long_to_all(one: Table, other: Table) -> None:
    """Assert that all were sent as much, in as many frames, padding aside."""
    for name in {connected.name for connected in one.connected.values()}:
        mine, theirs = messages_sent(one, name), messages_sent(other, name)
        assert [len(msgspec.msgpack.encode(message)) for message in mine] == [
            len(msgspec.msgpack.encode(message)) for message in theirs
        ]


def short_of_the_record(script: Script) -> Script:
    """A script without its last move: the end of a game tells all (K)."""
    return replace(script, moves=[*script.moves[:-1], script.moves[-1][:-1]])


def short_of_the_gold(script: Script) -> Script:
    """A script of one round without its last move before it is over, which turns up dwarves."""
    moves: list[Move] = [move for move in script.moves[0] if not isinstance(move, KeepGold)]
    return replace(script, deals=script.deals[:1], moves=[moves[:-1]])


def with_other_dwarves(script: Script, me: int | None, end: Game, seed: int) -> Script:
    """A script of one round with all in other places that a seat does not know before its end."""
    other = twin_script(script, me, seed)
    dealt = other_dwarves_and_goals(other.deals[0], me, end, Random(seed + 1))
    return replace(other, deals=[dealt])
