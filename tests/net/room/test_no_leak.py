"""No leak on the wire: what a seat must not know changes nothing of what it is sent (RULES K).

Two tables do the same things in public, and differ in cards, dwarves, goals or gold that one seat,
or a watcher, never saw. Everything sent to it must be alike: contents, lengths, number and order.
To everybody else it must be alike in length and number, for lengths follow from public facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import msgspec
import pytest

from engine import Deal, Game, Keep, Move, Phase, deal
from engine.bots import BOTS, Playouts
from engine.events import RoundEnded
from net.codec import write_move
from net.frames import FROM_HOST, pack
from net.lobby import Claim, Settings, Topic
from net.messages import (
    Command,
    FromHost,
    NextRound,
    Pause,
    Play,
    Resync,
    Say,
    SetReady,
    Start,
    Tell,
)
from tests.net.room.table import Table
from tests.net.room.twin import other_dwarves_and_goals, twin_of

PEOPLE = ("Ann", "Ben", "Cleo", "Dede", "Emil")
ME = 1
ROUNDS = 3


@dataclass
class Script:
    """What is dealt and done, round by round."""

    deals: list[Deal] = field(default_factory=list)
    moves: list[list[Move]] = field(default_factory=list)


def plan(seed: int, level: str) -> Script:
    """A whole game by bots, found out beforehand."""
    rng = Random(seed)
    script = Script([deal(rng.randbytes(32), 1, len(PEOPLE))], [[]])
    game, _ = Game.begin(script.deals[0], rounds=ROUNDS)
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            number = len(script.deals) + 1
            script.deals.append(deal(rng.randbytes(32), number, len(PEOPLE), game.purse.pile))
            script.moves.append([])
            game, _ = game.deal(script.deals[-1])
        else:
            move = BOTS[level](game.view(game.to_act), rng, Playouts(0))
            script.moves[-1].append(move)
            game, _ = game.apply(move)
    return script


def games(script: Script) -> Iterator[tuple[Game, Game]]:
    """The game after each deal and at the end of each round."""
    game: Game | None = None
    for dealt, moves in zip(script.deals, script.moves, strict=True):
        game, _ = Game.begin(dealt, rounds=ROUNDS) if game is None else game.deal(dealt)
        first = game
        for move in moves:
            game, _ = game.apply(move)
        yield first, game


def perform(script: Script, monkeypatch: pytest.MonkeyPatch, seed: int) -> Table:
    """Do all of a script at a table, with joins, breaks, talk, errors and snapshots between."""
    rng = Random(seed)
    dealt = lambda _seed, number, *_: script.deals[number - 1]  # noqa: E731 - it is patched in
    monkeypatch.setattr("engine.notation.record.deal", dealt)
    table = Table(Settings(seats=len(PEOPLE), rounds=ROUNDS))
    for name in PEOPLE:
        table.come(name)
        table.wants(name, SetReady(ready=True))
    table.come("Wim", watch=True)
    table.wants("Ann", Start())
    for number, moves in enumerate(script.moves):
        if number:
            if not table.people["Ann"].client.entered:
                table.come("Ann")
            assert table.wants("Ann", NextRound()) is None
        for move in moves:
            disturb(table, rng)
            name = table.name_to_act()
            guest = table.people[name]
            if not guest.client.entered:
                guest = table.come(name)
            assert table.plays(name, move) is None
    return table


def disturb(table: Table, rng: Random) -> None:
    """Something beside the game, the same at both tables."""
    name = rng.choice((*PEOPLE, "Wim"))
    guest = table.people[name]
    kind = rng.randrange(16)
    table.wait(0.5, *PEOPLE[3:])
    if kind == 0:
        table.come(name)
    elif kind == 1:
        table.room.lost(guest.link, table.now)
        guest.client.unlinked()
    elif kind == 8 and rng.random() < 0.3:
        table.crash()
        for one in ("Ann", "Ben", "Wim"):
            table.come(one)
    elif not guest.client.entered or guest.ended:
        return
    elif kind == 2:
        table.wants(name, Say("I saw nothing " * rng.randint(1, 9)))
    elif kind == 3:
        table.wants(name, Tell(Claim(Topic.DIGS_FOR_US, rng.randrange(5))))
    elif kind == 4:
        table.say(guest, Resync())
    elif kind == 5 and table.people["Ann"].client.entered:
        for paused in (True, False):
            assert table.wants("Ann", Pause(paused)) is None
    elif kind == 6:
        far = Play(table.room.state.number, write_move(Keep(2)))
        table.say(guest, Command(guest.client.last_id, far))
        table.wants(name, far)
    elif kind == 7:
        late = table.come(f"W{rng.randrange(4)}", watch=True)
        table.say(late, late.client.ping())


def sent(table: Table, name: str) -> list[FromHost]:
    """All that somebody was sent, on all their links."""
    return [one for guest in table.guests.values() if guest.name == name for one in guest.got]


def same_to(one: Table, other: Table, name: str) -> None:
    """Assert that both tables sent somebody the same."""
    mine, theirs = sent(one, name), sent(other, name)
    assert mine == theirs
    assert [pack(message, FROM_HOST) for message in mine] == [
        pack(message, FROM_HOST) for message in theirs
    ]


def as_long_to_all(one: Table, other: Table) -> None:
    """Assert that all were sent as much, in as many frames, padding aside."""
    for name in {guest.name for guest in one.guests.values()}:
        mine, theirs = sent(one, name), sent(other, name)
        assert [len(msgspec.msgpack.encode(message)) for message in mine] == [
            len(msgspec.msgpack.encode(message)) for message in theirs
        ]


def short_of_the_record(script: Script) -> Script:
    """A script without its last move: the end of a game tells all (K)."""
    return Script(script.deals, [*script.moves[:-1], script.moves[-1][:-1]])


@pytest.mark.rule("K")
@pytest.mark.parametrize("level", ["random", "greedy"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("me", [ME, None], ids=["seat", "watcher"])
def test_cards_that_a_seat_never_saw_change_nothing_it_is_sent_in_a_whole_game(
    seed: int, level: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, level)
    twins = [
        twin_of(dealt, moves, me, Random(seed), first)
        for dealt, moves, (first, _) in zip(script.deals, script.moves, games(script), strict=True)
    ]
    other = Script([twin.deal for twin in twins], [list(twin.moves) for twin in twins])
    assert other.deals != script.deals
    one = perform(short_of_the_record(script), monkeypatch, seed)
    two = perform(short_of_the_record(other), monkeypatch, seed)
    same_to(one, two, PEOPLE[ME] if me is not None else "Wim")
    same_to(one, two, "W0")
    as_long_to_all(one, two)


@pytest.mark.rule("K")
@pytest.mark.parametrize("level", ["random", "greedy"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("me", [ME, None], ids=["seat", "watcher"])
def test_dwarves_and_goals_that_a_seat_never_saw_change_nothing_until_they_are_turned_up(
    seed: int, level: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, level)
    first, end = next(games(script))
    moves = script.moves[0]
    while isinstance(moves[-1], Keep):
        moves = moves[:-1]
    ends_with = end.history
    assert any(isinstance(event, RoundEnded) for told in ends_with for event in told)
    moves = moves[:-1]
    twin = twin_of(script.deals[0], moves, me, Random(seed), first)
    changed = other_dwarves_and_goals(twin.deal, me, end, Random(seed + 1))
    one = perform(Script(script.deals[:1], [moves]), monkeypatch, seed)
    two = perform(Script([changed], [list(twin.moves)]), monkeypatch, seed)
    same_to(one, two, PEOPLE[ME] if me is not None else "Wim")
    same_to(one, two, "W1")
    as_long_to_all(one, two)


@pytest.mark.rule("K")
def test_gold_that_a_seat_was_not_shown_changes_nothing_it_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = 0
    for seed in range(40):
        script = plan(seed, "greedy")
        _, end = next(games(script))
        found = end.round.table.end
        keeps = [move for move in script.moves[0] if isinstance(move, Keep)]
        if found is None or not keeps or found.roles[ME] == "m":
            continue
        dealt = script.deals[0]
        pile = list(dealt.gold)
        Random(seed).shuffle(pile)
        count = sum(role == "m" for role in found.roles)
        offer = sorted(pile[:count])
        played = [move for move in script.moves[0] if not isinstance(move, Keep)]
        other: list[Move] = [*played, *(Keep(offer.pop()) for _ in keeps)]
        one = perform(Script([dealt], [list(script.moves[0])]), monkeypatch, seed)
        two = perform(Script([replace(dealt, gold=tuple(pile))], [other]), monkeypatch, seed)
        same_to(one, two, PEOPLE[ME])
        same_to(one, two, "Wim")
        as_long_to_all(one, two)
        tried += 1
    assert tried


def test_a_refused_move_is_told_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    script = plan(1, "random")
    table = perform(Script(script.deals[:1], [script.moves[0][:3]]), monkeypatch, 1)
    before = {guest.link: len(guest.got) for guest in table.guests.values()}
    name = table.name_to_act()
    if not table.people[name].client.entered:
        table.come(name)
        before = {guest.link: len(guest.got) for guest in table.guests.values()}
    assert table.plays(name, Keep(1)) is not None
    assert [
        guest.name for guest in table.guests.values() if len(guest.got) > before[guest.link]
    ] == [name]


def test_this_would_notice_an_event_that_is_told_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    script = plan(0, "random")
    first, _ = next(games(script))
    moves = script.moves[0][:8]
    twin = twin_of(script.deals[0], moves, ME, Random(0), first)
    monkeypatch.setattr("net.room.tell.heard_by", lambda _seat, events: tuple(events))
    one = perform(Script(script.deals[:1], [moves]), monkeypatch, 0)
    two = perform(Script([twin.deal], [list(twin.moves)]), monkeypatch, 0)
    with pytest.raises(AssertionError):
        same_to(one, two, PEOPLE[ME])
