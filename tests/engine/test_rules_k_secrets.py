"""Who may know what (RULES K): how events are addressed, and what views hold."""

from dataclasses import fields
from functools import reduce
from random import Random
from typing import get_args

import pytest

from engine import actions, events
from engine.board import GOAL_CELLS
from engine.bots import Playouts, greedy
from engine.cards import Card, Goal, Role
from engine.dealing import deal
from engine.edition import EDITIONS
from engine.events import Event, Private, Public, addressee, visible_to
from engine.game import Game
from engine.moves import Discard, KeepGold, Play
from engine.state import Phase
from engine.view import View
from tests.engine.cases import game_of, play, round_at
from tests.engine.events_text import read_events

FOR_ONE = """
    DwarfDealt 3 m; HandDealt 3 NES/M; Dealt 3 NES; DiscardedCard 3 NES; GoalPeeked 3 8 NESW;
    GoldShown 3 3/1; GoldReceived 3 3
"""
FOR_ALL = """
    RoundBegan 1 1 6/6/6 49; Laid 3 NES 1; Revealed 8 SW; Broke 3 P 2; Repaired 3 +P 2 P;
    Collapsed 3 1 NES; Looked 3 8; Passed 3; Skipped 3; Drew 3; TurnBegan 3;
    RoundEnded m m/m/m s NE/NESW/NW; GoldDrawn 3; ChoiceBegan 3; GoldTaken 3;
    SaboteursPaid 4 0/0/2 0/0/0; GameEnded 3/-/1
"""
SECRET, PUBLIC = (read_events(" ".join(text.split())) for text in (FOR_ONE, FOR_ALL))


@pytest.mark.rule("K")
def test_every_kind_of_event_is_addressed() -> None:
    kinds = set(get_args(Event))
    assert {type(event) for event in SECRET} == set(get_args(Private))
    assert {type(event) for event in PUBLIC} == set(get_args(Public))
    assert kinds == set(get_args(Private)) | set(get_args(Public))
    defined = {kind for kind in vars(events).values() if isinstance(kind, type)}
    defined = {kind for kind in defined if kind.__module__ == events.__name__}
    assert defined | set(get_args(actions.ActionEvent)) == kinds


@pytest.mark.rule("K")
@pytest.mark.parametrize("event", SECRET, ids=lambda event: type(event).__name__)
def test_a_secret_is_heard_by_one_seat_alone(event: Event) -> None:
    assert addressee(event) == 2
    for seat in range(10):
        assert visible_to([event], seat) == ((event,) if seat == 2 else ())
    assert visible_to([event], None) == ()


@pytest.mark.rule("K")
@pytest.mark.parametrize("event", PUBLIC, ids=lambda event: type(event).__name__)
def test_what_is_public_is_heard_by_everybody(event: Event) -> None:
    assert addressee(event) is None
    for seat in (*range(10), None):
        assert visible_to([event], seat) == (event,)


@pytest.mark.rule("K", "T6")
def test_no_public_event_names_a_hidden_card() -> None:
    """Each field of a public event is on this list, and each that names a card lies face up."""
    named = {
        f"{type(event).__name__} {field.name}"
        for event in PUBLIC
        for field in fields(event)
        if field.name not in {"seat", "target", "tool", "cell", "number", "starter"}
    }
    assert named == {
        *("RoundBegan hands", "RoundBegan pile", "GoldDrawn cards", "GameEnded gold"),
        *("Laid path", "Revealed path", "Collapsed path", "Repaired card"),
        *(f"RoundEnded {what}" for what in ("winner", "roles", "spare", "goals")),
        *(f"SaboteursPaid {what}" for what in ("due", "cards", "chits")),
    }


@pytest.mark.rule("K", "A5", "T1")
@pytest.mark.parametrize("book", EDITIONS)
def test_a_view_holds_its_own_seats_secrets_and_no_others(book: str, rng: Random) -> None:
    game, events = Game.begin(deal(rng.randbytes(32), 1, 5), EDITIONS[book], rounds=1)
    views = {seat: View.before(EDITIONS[book], 5, 1, seat) for seat in (*range(5), None)}
    while True:
        for seat, before in views.items():
            views[seat] = reduce(View.after, visible_to(events, seat), before)
            assert game.view(seat) == views[seat]
            without = game.view(seat, history=False)
            assert without == views[seat]._replace(history=())
            assert secrets_in(without) == secrets_of(game, seat)
        if game.to_act is None:
            break
        game, events = game.apply(greedy(game.view(game.to_act), rng, Playouts(0)))
    assert game.phase is Phase.OVER


def secrets_in(view: View) -> tuple[object, ...]:
    """What is not everybody's in a view."""
    return view.role, view.hand, view.peeks, view.buried, view.gold, view.offer


def secrets_of(game: Game, seat: int | None) -> tuple[object, ...]:
    """What a game keeps for a seat alone."""
    if seat is None:
        return None, (), (None, None, None), (), (), ()
    now, purse = game.round, game.purse
    offer = purse.offer if game.score.chooser == seat else ()
    known = zip(GOAL_CELLS, now.goals, strict=True)
    peeks = tuple(goal if cell in now.table.looks[seat] else None for cell, goal in known)
    return now.roles[seat], now.hands[seat], peeks, now.buried[seat], purse.held[seat], offer


@pytest.mark.rule("K", "A5")
def test_a_goal_is_known_to_who_looked_and_to_nobody_else() -> None:
    line = "- (NE)/(NESW)/(NW) 1 -,-,- M,M,NS NE/NW mms+m"
    game, _ = play(game_of(round_at(line)), "M@8 M@8s2")
    assert game.view(0).peeks == (None, Goal.TREASURE, None)
    assert game.view(1).peeks == (None, None, Goal.STONE_NW)
    assert game.view(2).peeks == game.view(None).peeks == (None, None, None)
    assert game.view(2).table.looks == (frozenset({(8, 0)}), frozenset({(8, 2)}), frozenset())


@pytest.mark.rule("K", "T1")
def test_a_card_thrown_away_is_known_to_who_threw_it() -> None:
    line = "- (NE)/(NESW)/(NW) 1 -,-,- M/R,NS,NS NE/NW mms+m"
    game, _ = play(game_of(round_at(line)), "xM")
    assert game.view(0).buried == (Card.MAP,)
    assert game.view(1).buried == game.view(None).buried == ()
    assert [game.view(seat).table.buried for seat in (0, 1, None)] == [(1, 0, 0)] * 3


@pytest.mark.rule("K", "R4")
def test_before_its_end_nothing_in_a_round_tells_of_the_dwarf_left_over() -> None:
    line = "- (NE)/(NESW)/(NW) 1 -,-,- M,-,- - mmm+s"
    game = game_of(round_at(line))
    assert game.view(0).table.end is None
    game, _ = play(game, "xM")
    for seat in (0, 1, 2, None):
        end = game.view(seat).table.end
        assert end is not None
        assert (end.roles, end.spare) == ((Role.MINER,) * 3, Role.SABOTEUR)
        assert end.goals == (Goal.STONE_NE, Goal.TREASURE, Goal.STONE_NW)


@pytest.mark.rule("K", "T6", "T1")
def test_nothing_that_a_player_can_do_shows_others_a_hidden_card() -> None:
    """Talk is no move: each legal move tells the others no more than one that hides other cards."""
    line = "EW@1 {} 1 -,P,- {},NS,NS {} mms+m"
    hand, others = "NE/ne/-L/+P/R/M", "NW/nes/-C/+PL/EW/NESW"
    game = game_of(round_at(line.format("(NE)/(NESW)/(NW)", hand, "NE/NW")))
    kinds = set()
    for move in game.legal_moves():
        assert not isinstance(move, KeepGold)
        hidden = f"{others}/{move.card.text}"
        twin = game_of(round_at(line.format("(NESW)/(NW)/(NE)", hidden, "R/M")))
        if isinstance(move, Discard):
            twins: Play = Discard(Card.DEAD_NES)
        else:
            twins = move
        kinds.add(type(move))
        _, events = game.round.apply(move)
        _, twins_events = twin.round.apply(twins)
        for seat in (1, 2, None):
            assert visible_to(events, seat) == visible_to(twins_events, seat)
    assert kinds == set(get_args(Play))
