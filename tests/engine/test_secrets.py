"""Nobody is told a secret before its time (RULES K).

Each seat, and a watcher, imagines the hidden cards again; and secrets that a seat never learns are
exchanged in the deal. Either way that seat is told the same, event by event, but for a secret that
the step itself gives it: `tests.engine.random_games.Told` says which those are. How events are
addressed, and what views hold, stands first.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache, reduce
from random import Random
from typing import TypeVar, get_args

import pytest

from engine import EDITIONS, Deal, Game, Phase, View, actions, deal, events, sample_game
from engine.actions import PLAY_OF_CARD
from engine.board import GOAL_CELLS, neighbours
from engine.bots import Playouts, greedy
from engine.cards import DECK, Card, in_order
from engine.events import Dealt, Event, PartlySecret, Private, Public, addressee, visible_to
from engine.moves import Discard, KeepGold, Lay, Move, Play
from tests.engine.cases import game_of, read_events, round_at
from tests.engine.random_games import (
    DRIVERS,
    Told,
    check_dead_table,
    check_whole,
    games,
    seats,
    universe,
    where,
)
from tests.samples import first

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
@pytest.mark.parametrize("event", SECRET + PUBLIC, ids=lambda event: type(event).__name__)
def test_a_secret_is_heard_by_one_seat_alone_and_what_is_public_by_everybody(event: Event) -> None:
    assert addressee(event) == (2 if event in SECRET else None)
    for seat in (*range(10), None):
        assert visible_to([event], seat) == ((event,) if event in PUBLIC or seat == 2 else ())


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
        secrets = [event for event in events if isinstance(event, Private)]
        shows_more = any(not isinstance(secret, Dealt) for secret in secrets)
        assert shows_more == isinstance(events[0], PartlySecret)
    assert kinds == {Lay, Discard, *(PLAY_OF_CARD[card] for card in DECK if not card.ways)}


# Hidden cards imagined again, and secrets exchanged.

GAMES = [(3, "idle"), (3, "keen"), (5, "keen"), (10, "keen"), (4, "anyhow")]
SETTINGS = [
    ("argentina", 3, "idle"),
    ("argentina", 10, "keen"),
    ("international", 10, "keen"),
    ("international", 3, "keen"),
    ("italia", 5, "keen"),
    ("italia", 4, "anyhow"),
    ("france", 5, "keen"),
    ("france", 3, "idle"),
]
"""The games of every run, which together hold what is seldom."""

OTHERS = [(book, *kind) for book in EDITIONS for kind in GAMES if (book, *kind) not in SETTINGS]


BESIDE_GOALS = {beside for goal in GOAL_CELLS for *_, beside in neighbours(goal)}


def check_twin(game: Game, seat: int | None, rng: Random) -> Game:
    """See that a seat cannot tell an imagined game from this one. Returns it."""
    view = game.view(seat)
    twin = sample_game(view, rng)
    check_whole(twin)
    assert twin.view(seat) == view, where(game, seat)
    assert twin.to_act == game.to_act
    assert list(twin.view(seat).legal_moves()) == list(view.legal_moves())
    return twin


def check_reasons(game: Game, twin: Game, seat: int | None, rng: Random) -> None:
    """See that a seat is told the same of every move in both games."""
    here, there = game.view(seat), twin.view(seat)
    for move in rng.sample(universe(game), 400):
        assert here.why_not(move) == there.why_not(move), where(game, seat)
        assert (move in here.legal_moves()) == (move in there.legal_moves())


def check_steps(game: Game, twin: Game, seat: int | None, rng: Random) -> Counter[str]:
    """Make moves in both games, and count the secrets that the steps gave the seat."""
    seen = Counter[str]()
    moves = game.legal_moves()
    if seat != game.to_act:
        others = set(twin.legal_moves())
        moves = tuple(move for move in moves if move in others)
    reaching = [move for move in moves if isinstance(move, Lay) and move.cell in BESIDE_GOALS]
    for move in reaching[:2] + rng.sample(moves, min(len(moves), 3)):
        told = Told(game, twin, seat)
        secrets = [*told.compare(move)]
        seen.update(secrets)
        seen["steps"] += 1
        if secrets:
            continue
        here, there = told.game.view(seat), told.twin.view(seat)
        assert here.table == there.table, where(game, seat)
        assert here._replace(history=()) == there._replace(history=()), where(game, seat)
    return seen


def look_around(game: Game, rng: Random) -> Counter[str]:
    """Check a game from every seat, or from some of ten."""
    seen = Counter[str]()
    around = seats(game)
    for seat in around if len(around) < 7 else rng.sample(around, 5):
        twin = check_twin(game, seat, rng)
        seen["moments"] += check_dead_table(game.view(seat), twin)
        if rng.random() < 0.05:
            check_reasons(game, twin, seat, rng)
            seen["reasons"] += 1
        if game.to_act is not None:
            seen += check_steps(game, twin, seat, rng)
        seen[f"phase {game.phase}"] += 1
    return seen


@cache
def imagine_game(book: str, players: int, driver: str) -> Counter[str]:
    """Play a game and look at it from all sides, now and then and above all when it is late."""
    rng = Random(f"looked at {book} {players} {driver}")
    seen = Counter[str]()
    for game in games(EDITIONS[book], players, DRIVERS[driver], rng):
        late = not game.round.table.pile or game.phase is not Phase.PLAY
        if rng.random() < (0.4 if late else 0.08):
            seen += look_around(game, rng)
    return seen


@pytest.mark.level("broad")
@pytest.mark.rule("K", "R3", "D4", "D7")
@pytest.mark.parametrize(("book", "players", "driver"), first(len(SETTINGS), SETTINGS + OTHERS))
def test_a_seat_cannot_tell_what_it_imagines_from_what_is(
    book: str, players: int, driver: str
) -> None:
    seen = imagine_game(book, players, driver)
    assert seen["steps"] > 50
    assert seen["reasons"] > 0


@pytest.mark.level("broad")
def test_the_games_looked_at_hold_what_is_seldom() -> None:
    seen = sum((imagine_game(*setting) for setting in SETTINGS), Counter[str]())
    seldom = {"card", "map", "goal", "end", "offer", "all gold", "dead table", "moments"}
    assert {*seldom, "phase deal", "phase gold", "phase over"} <= (+seen).keys()


EACH_EXCHANGED = 3
"""How many games of each setting have secrets of one kind exchanged."""

EXCHANGES = ("tunnels", "pile", "dwarves", "goals", "gold")


Thing = TypeVar("Thing")


def exchange_secrets(dealt: Deal, seat: int | None, what: str, rng: Random) -> Deal:
    """The deal with two secrets exchanged, neither of which this seat was dealt."""
    others = [other for other in range(len(dealt.roles) + 1) if other != seat]
    pile, gold = range(len(dealt.pile)), range(len(dealt.gold))
    match what:
        case "tunnels":
            hands, other = [*dealt.hands], rng.choice(others[:-1])
            size = len(hands[other])
            cards, rest = (*hands[other], *dealt.pile), range(size, size + len(pile))
            cards = exchange_two(cards, range(size), rest, rng)
            hands[other] = in_order(cards[:size])
            return replace(dealt, hands=tuple(hands), pile=cards[size:])
        case "pile":
            return replace(dealt, pile=exchange_two(dealt.pile, pile, pile, rng))
        case "dwarves":
            *roles, spare = exchange_two((*dealt.roles, dealt.spare), others, others, rng)
            return replace(dealt, roles=tuple(roles), spare=spare)
        case "goals":
            north, middle, south = rng.sample(dealt.goals, 3)
            return replace(dealt, goals=(north, middle, south))
        case _:
            return replace(dealt, gold=exchange_two(dealt.gold, range(3), gold, rng))


def exchange_two(
    things: Sequence[Thing], these: Sequence[int], those: Sequence[int], rng: Random
) -> tuple[Thing, ...]:
    """These things with two exchanged that are not alike, if there are two: one here, one there."""
    one = rng.choice(these)
    other = rng.choice([at for at in those if things[at] != things[one]] or those)
    swapped = [*things]
    swapped[one], swapped[other] = things[other], things[one]
    return tuple(swapped)


def twins_move(game: Game, twin: Game, move: Move) -> Move | None:
    """What the same doing is in the twin, where somebody may hold another card to throw away.

    `None` where it would show that card: the exchanged secret is learned.
    """
    if not isinstance(move, Discard):
        return move if move in twin.legal_moves() else None
    seat = game.to_act
    assert seat is not None
    here, there = Counter(game.round.hands[seat]), Counter(twin.round.hands[seat])
    if here[move.card] > there[move.card]:
        (other,) = (there - here).elements() if (there - here).total() == 1 else (move.card,)
        move = Discard(other)
    return move if move in twin.legal_moves() else None


@cache
def kept_secret(book: str, players: int, driver: str) -> Counter[str]:
    """Play games beside their twins, and count how long each kind of secret was kept."""
    rng = Random(f"exchanged {book} {players} {driver}")
    seen = Counter[str]()
    edition = EDITIONS[book]
    for what in EXCHANGES * EACH_EXCHANGED:
        dealt = deal(rng.randbytes(32), 1, players)
        seat = rng.choice([*range(players), None])
        other = exchange_secrets(dealt, seat, what, rng)
        (game, mine), (twin, theirs) = (Game.begin(d, edition, 1, 0) for d in (dealt, other))
        assert visible_to(mine, seat) == visible_to(theirs, seat)
        seen[f"{what} {play_beside(game, twin, seat, driver, rng)}"] += 1
    return seen


def play_beside(game: Game, twin: Game, seat: int | None, driver: str, rng: Random) -> str:
    """Play a game, and the same moves in its twin; say how the secret came out."""
    while game.to_act is not None:
        assert game.view(seat) == twin.view(seat), where(game, seat)
        move = DRIVERS[driver](game, rng)
        same = twins_move(game, twin, move)
        if same is None:
            return "shown"
        told = Told(game, twin, seat)
        if secrets := [*told.compare(move, same)]:
            return secrets[0]
        game, twin = told.game, told.twin
    assert game.view(seat) == twin.view(seat), where(game, seat)
    return "kept to the end"


@pytest.mark.level("broad")
@pytest.mark.rule("K")
@pytest.mark.parametrize(("book", "players", "driver"), first(len(SETTINGS), SETTINGS + OTHERS))
def test_exchanging_secrets_changes_nothing_before_they_are_learned(
    book: str, players: int, driver: str
) -> None:
    assert kept_secret(book, players, driver).total() == EACH_EXCHANGED * len(EXCHANGES)


@pytest.mark.level("broad")
def test_some_secrets_are_learned_and_some_never() -> None:
    seen = sum((kept_secret(*setting) for setting in SETTINGS), Counter[str]())
    never = {f"{what} kept to the end" for what in ("tunnels", "pile", "gold")}
    learned = {f"{what} {how}" for what in ("tunnels", "pile") for how in ("card", "shown")}
    goals = {f"goals {how}" for how in ("map", "goal", "end")}
    assert {*never, *learned, *goals, "dwarves end", "gold offer"} <= (+seen).keys()
