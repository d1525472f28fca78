"""No leak on the wire: what a seat must not know changes nothing of what it is sent (RULES K).

Two tables do the same things in public, and differ in cards, dwarves, goals or gold that one seat,
or a watcher, never saw. Everything sent to it must be alike: contents, lengths, number and order.
To everybody else it must be alike in length and number, for lengths follow from public facts.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine import Event, Game, KeepGold, Move
from engine.edition import EDITIONS
from engine.events import Dealt, RoundEnded, addressee
from net.protocol.game_wire import read_move
from net.protocol.messages import ClientCommand, ClientMessage, Resync
from net.protocol.requests import MakeMove, PlayAgain
from tests.net.attack.messages import well_formed
from tests.net.room.room_fixture import Table, three_in_game
from tests.net.room.twin_tables import (
    ME,
    PEOPLE,
    check_same_lengths,
    games,
    hand_over,
    perform,
    perform_game,
    plan,
    same_to,
    short_of_the_gold,
    short_of_the_record,
    there,
    twin_of,
    twin_script,
    with_other_dwarves,
)
from tests.samples import first, pairs

pytestmark = pytest.mark.level("broad")


@pytest.mark.rule("K")
@pytest.mark.parametrize(("seed", "level"), first(1, [(0, "greedy"), (0, "random"), (1, "greedy")]))
@pytest.mark.parametrize(("book", "me"), first(1, pairs([*EDITIONS], (ME, None)), thorough=2))
def test_cards_that_a_seat_never_saw_change_nothing_it_is_sent_in_a_whole_game(
    seed: int, level: str, book: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, level, EDITIONS[book])
    other = twin_script(script, me, seed)
    assert other.deals != script.deals
    one = perform(short_of_the_record(script), monkeypatch, seed)
    two = perform(short_of_the_record(other), monkeypatch, seed)
    same_to(one, two, PEOPLE[ME] if me is not None else "Wim")
    same_to(one, two, "W0")
    check_same_lengths(one, two)


@pytest.mark.rule("K")
@pytest.mark.parametrize(
    ("seed", "level", "me"),
    first(
        1,
        [(n, *pair) for n in range(6) for pair in pairs(("greedy", "random"), (ME, None))],
        thorough=2,
    ),
)
def test_dwarves_and_goals_that_a_seat_never_saw_change_nothing_until_they_are_turned_up(
    seed: int, level: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, level, tuple(EDITIONS.values())[seed % len(EDITIONS)])
    _, end = next(games(script))
    assert any(isinstance(event, RoundEnded) for events in end.history for event in events)
    script = short_of_the_gold(script)
    other = with_other_dwarves(script, me, end, seed)
    one = perform(script, monkeypatch, seed)
    two = perform(other, monkeypatch, seed)
    same_to(one, two, PEOPLE[ME] if me is not None else "Wim")
    same_to(one, two, "W1")
    check_same_lengths(one, two)


@pytest.mark.rule("K")
@pytest.mark.parametrize("book", first(1, EDITIONS, thorough=2))
def test_gold_that_a_seat_was_not_shown_changes_nothing_it_is_sent(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = EDITIONS[book]
    for seed in range(40):
        script = plan(seed, "greedy", edition)
        _, end = next(games(script))
        found = end.round.table.end
        keeps = [move for move in script.moves[0] if isinstance(move, KeepGold)]
        if found is None or not keeps or found.roles[ME] == "m":
            continue
        pile = list(script.deals[0].gold)
        Random(seed).shuffle(pile)
        dealt = replace(script.deals[0], gold=tuple(pile))
        game, _ = Game.begin(dealt, edition, script.rounds)
        other: list[Move] = []
        for move in script.moves[0]:
            kept = isinstance(move, KeepGold)
            other.append(list(game.view(game.to_act).legal_moves())[-1] if kept else move)
            game, _ = game.apply(other[-1])
        script = replace(script, deals=script.deals[:1], moves=script.moves[:1])
        one = perform(script, monkeypatch, seed)
        two = perform(replace(script, deals=[dealt], moves=[other]), monkeypatch, seed)
        same_to(one, two, PEOPLE[ME])
        same_to(one, two, "Wim")
        check_same_lengths(one, two)
        return
    raise AssertionError("in no game they have gold to choose from")


@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(4)))
@pytest.mark.parametrize(
    "me",
    [
        pytest.param(ME, id="seat"),
        pytest.param(None, id="watcher", marks=pytest.mark.level("thorough")),
    ],
)
def test_whatever_a_seat_asks_and_gets_wrong_it_is_answered_alike(
    seed: int, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, "random", rounds=1)
    _, end = next(games(script))
    script = short_of_the_gold(script)
    script.moves[0] = script.moves[0][:12]
    tables = [
        perform(one, monkeypatch, seed)
        for one in (script, with_other_dwarves(script, me, end, seed))
    ]
    name = "Wim" if me is None else PEOPLE[ME]
    for table in tables:
        there(table, name)
    every = well_formed(tables[0].room.state.number)
    said = [message for message in every if may_be_said(tables[0], message)]
    assert len(said) > 200
    for table in tables:
        for message in said:
            there(table, name)
            table.wait(0.5)
            connected = table.people[name]
            if isinstance(message, ClientCommand):
                client = connected.client
                client.last_id += 1
                message = ClientCommand(client.last_id, message.request)  # noqa: PLW2901 - a new id
            if isinstance(message, Resync):
                table.ask(connected)
            else:
                table.say(connected, message)
    one, two = tables
    same_to(one, two, name)
    check_same_lengths(one, two)


def may_be_said(table: Table, message: ClientMessage) -> bool:
    """Whether a message changes nothing: what a seat does by a good move, it knows itself."""
    if not isinstance(message, ClientCommand) or not isinstance(message.request, MakeMove):
        return True
    view = table.game.view(ME)
    return view.why_not(read_move(message.request.move)) is not None


@pytest.mark.level("thorough")  # a whole game is above
@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(3)))
def test_a_game_put_away_tells_nothing_later(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = plan(seed, "greedy", rounds=1), plan(seed + 100, "greedy", rounds=1)
    tables = []
    for script, then in (
        (first, second),
        (twin_script(first, ME, seed), twin_script(second, ME, seed)),
    ):
        table = perform(script, monkeypatch, seed)
        table.wait(3)
        before = {
            connected.connection: len(connected.got) for connected in table.connected.values()
        }
        assert table.wants(there(table, "Ann"), PlayAgain()) is None
        for name in ("Wim", PEOPLE[ME]):
            table.come(name)
        hand_over(table)
        perform_game(table, replace(then, moves=[then.moves[0][:20]]), monkeypatch, seed)
        for guest in table.connected.values():
            del guest.got[: before.get(guest.connection, 0)]
        tables.append(table)
    one, two = tables
    same_to(one, two, PEOPLE[ME])
    check_same_lengths(one, two)


def test_a_refused_move_is_told_to_nobody_else() -> None:
    table = three_in_game()
    name, before = table.name_to_act(), {guest: len(guest.got) for guest in table.people.values()}
    assert table.plays(name, KeepGold(1)) is not None
    told = [guest.name for guest, count in before.items() if len(guest.got) > count]
    assert told == [name]


def test_this_would_notice_an_event_told_to_a_watcher(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(event: Event) -> int | None:
        return None if isinstance(event, Dealt) else addressee(event)

    script = plan(0, "random", rounds=1)
    first, _ = next(games(script))
    moves = script.moves[0][:8]
    dealt, again = twin_of(script.deals[0], moves, ME, Random(0), first)
    monkeypatch.setattr("net.room.broadcast.addressee", leaky)
    one = perform(replace(script, deals=script.deals[:1], moves=[moves]), monkeypatch, 0)
    two = perform(replace(script, deals=[dealt], moves=[again]), monkeypatch, 0)
    with pytest.raises(AssertionError):
        same_to(one, two, "Wim")
