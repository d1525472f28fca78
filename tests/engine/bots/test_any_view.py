"""Bots, hints and claims play from every view that a position gives, whatever led there."""

from collections.abc import Iterator
from operator import attrgetter
from random import Random

import pytest

from engine.board import GOAL_CELLS, START, Cell
from engine.bots import BOTS, LEVELS, Playouts
from engine.bots.actions import ActionKind, observe
from engine.bots.beliefs import infer_beliefs, public_beliefs
from engine.bots.claims import claim_after_map, claim_when_blamed, claim_when_broken
from engine.bots.hints import hints
from engine.cards import DECK, Card, Path, Tool
from engine.edition import ARGENTINA, EDITIONS, INTERNATIONAL, ITALIA, Edition
from engine.events import Laid
from engine.notation import NotationError, Position, format_position, parse_position
from engine.notation.position import MAX_TUNNEL_DISTANCE
from engine.sampling import sample_game
from engine.state import PLAYERS
from engine.tokens import format_cell
from engine.view import View
from tests.engine.random_games import games, keen
from tests.samples import first

EACH = [name for name in BOTS if name not in LEVELS]
FOUND = "NSW@2s1/nesw@3 ?/?/? 1 -,P,- EW/NEW/NEW/NEW/+L/+C,6,6 35 s??+?"


def any_line(rng: Random) -> str:
    """A line of seven fields that may be a position: some are, some break a rule."""
    players = rng.choice(list(PLAYERS))
    deck = rng.sample(DECK, len(DECK))
    far = rng.choice([3, 12, 12, 12, MAX_TUNNEL_DISTANCE])
    laid: dict[Cell, str] = {}
    for _ in range(rng.randrange(14)):
        x, y = rng.choice([*laid, START, START, (7, 0)])
        cell = rng.choice([(x + 1, y), (x, y + 1), (x, y - 1), (x + rng.randrange(far), y)])
        if far == MAX_TUNNEL_DISTANCE:
            cell = rng.randint(-far, far), rng.randint(-far, far)
        at = next((at for at, card in enumerate(deck) if card.ways), None)
        if cell not in (START, *GOAL_CELLS, *laid) and at is not None:
            laid[cell] = rng.choice(deck.pop(at).ways).text
    broken = ["" for _ in range(players)]
    for seat in range(players):
        for tool in Tool:
            if rng.random() < 0.15 and (card := Card.read(f"-{tool}")) in deck:
                deck.remove(card)
                broken[seat] += tool
    hands: list[str] = []
    most = rng.choice([1, 2, 6, 20])
    for _ in range(players):
        size = rng.randrange(min(most, len(deck)) + 1)
        cards, deck = deck[:size], deck[size:]
        known = rng.random() < 0.6
        hands.append("/".join(card.text for card in cards) or "-" if known else str(size))
    pile = rng.choice(["0", "-", str(rng.randrange(len(deck) + 1)), str(len(deck))])
    goals = rng.choice(["?/?/?", "?/?/?", "(NE)/?/?", "?/(NESW)/?", "?/NW/(NE)", "NE/?/SW"])
    dwarves = "".join(rng.choice("ms???") for _ in range(players)) + rng.choice(["+m", "+s", "+?"])
    return " ".join(
        (
            "/".join(f"{text}@{format_cell(cell)}" for cell, text in laid.items()) or "-",
            goals,
            str(rng.randrange(players) + 1),
            ",".join(tools or "-" for tools in broken),
            ",".join(hands),
            pile,
            dwarves,
        )
    )


def any_edition(rng: Random) -> Edition:
    return rng.choice(list(EDITIONS.values()))


def any_positions(rng: Random, count: int) -> Iterator[Position]:
    """This many positions, as different as they are read."""
    while count:
        try:
            position = parse_position(any_line(rng), any_edition(rng))
        except NotationError:
            continue
        count -= 1
        yield position


def views(position: Position) -> Iterator[View]:
    """What each seat whose hand is known, and a watcher, knows in a position."""
    yield position.view(None)
    for seat, hand in enumerate(position.hands):
        if not isinstance(hand, int) or not hand:
            yield position.view(seat)


def check_all(view: View, rng: Random, edition: Edition, playouts: int = 14) -> int:
    """See that bots, hints and claims make what they should of a view. Returns how many moved."""
    where = f"{edition.text}: {format_position(view)}"
    by = rng.randrange(view.table.players)
    claim_when_blamed(view, by)
    claim_when_broken(view)
    for cell in GOAL_CELLS:
        claim_after_map(view, cell)
    assert sum(public_beliefs(observe(view)).gold) == pytest.approx(1), where
    if view.seat is None or view.to_act != view.seat:
        with pytest.raises(ValueError, match="is not to act"):
            hints(view, rng, Playouts(1))
        return 0
    for name in EACH:
        assert BOTS[name](view, rng, Playouts(playouts)) in view.legal_moves(), where
    for hint in hints(view, rng, Playouts(playouts)):
        assert hint.move in view.legal_moves(), where
    sample_game(view, rng)
    return 1


def test_a_saboteur_who_was_told_no_history_plays_on_from_the_board_as_it_is(rng: Random) -> None:
    view = parse_position(FOUND, ITALIA).view(0)
    assert check_all(view, rng, ITALIA, 60)


@pytest.mark.level("broad")
@pytest.mark.parametrize("edition", [INTERNATIONAL, ITALIA], ids=attrgetter("text"))
@pytest.mark.parametrize("corner", [(-1, -1), (1, -1), (-1, 1), (1, 1)])
def test_bots_play_on_from_as_far_as_a_position_reaches(
    corner: Cell, edition: Edition, rng: Random
) -> None:
    east, south = (MAX_TUNNEL_DISTANCE * way for way in corner)
    far = f"NESW@{format_cell((east, south))}/e@{format_cell((east, 0))}"
    line = f"EW@1/{far} ?/?/? 1 -,-,- NES/NEW/R/M,6,6 40 m??+?"
    assert check_all(parse_position(line, edition).view(0), rng, edition, 100)


def test_bots_hints_and_claims_work_in_any_position(rng: Random) -> None:
    moved = 0
    for position in any_positions(rng, 30):
        for view in views(position):
            moved += check_all(view, rng, position.edition)
    assert moved > 8


@pytest.mark.level("broad")
@pytest.mark.parametrize("book", first(1, EDITIONS))
def test_bots_hints_and_claims_work_in_the_positions_of_whole_games(book: str, rng: Random) -> None:
    edition = EDITIONS[book]
    for game in games(edition, rng.choice([3, 5, 8]), keen, rng, rounds=1):
        if rng.random() < 0.15:
            for what in (game.round, game.view(game.to_act), game.round.table):
                for view in views(parse_position(format_position(what), edition)):
                    check_all(view, rng, edition)


def test_what_is_done_in_a_position_is_judged_by_its_board() -> None:
    view = parse_position("EW@1/EW@2 ?/?/? 2 -,-,- EW/NE,1,1 9 m??+?").view(0)
    view = view.after(Laid(1, Path.read("EW"), (3, 0)))
    assert [deed.kinds for deed in observe(view).actions] == [(ActionKind.DUG,) * 3]


def test_when_a_round_is_over_nobody_is_suspected_of_what_all_know() -> None:
    line = "EW@1 NE/(NW)/(NESW) - -,-,- -,-,- 0 mms+m"
    view = parse_position(line).view(0)
    assert (
        infer_beliefs(observe(view)).saboteur == public_beliefs(observe(view)).saboteur == (0, 0, 1)
    )
    assert infer_beliefs(observe(view)).gold == (0, 0, 1)
    gaps = parse_position("EW@1 NE/NESW/(NW) - -,-,- 1,1,NE 0 smm+m", ARGENTINA).view(2)
    assert infer_beliefs(observe(gaps)).saboteur == (1, 0, 0)
    assert claim_when_blamed(gaps, 0) is not None
