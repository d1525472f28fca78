"""What others may hold, as far as what they did tells, and the rounds that `search` imagines."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain, islice
from random import Random

import pytest

from benchmarks.arena.counts import LIFT_COLUMNS, lifts
from benchmarks.arena.statistics import Scale
from engine.bots import Playouts, greedy
from engine.bots.actions import ActionKind, observe
from engine.bots.beliefs import infer_beliefs
from engine.bots.hand_model import CardUse, determinize, digging, hand_models, uses
from engine.cards import CARDS, Card, Goal, Role, Tool
from engine.dealing import deal
from engine.game import Game
from engine.round import Round
from engine.sampling import sample_game
from engine.view import View
from tests.engine.bots.positions import view_at

EW, DEAD_END = Card.EW.index, Card.DEAD_NESW.index


def view_of(events: str, buried: tuple[int, ...] = (0, 0, 0)) -> View:
    """What seat 1 knows of three at a table at which nothing lies."""
    view = view_at("- ?/?/? 1 -,-,- NE,3,2 30 m??+?", events)
    return view._replace(table=view.table._replace(buried=buried))


USES = "EW DIG, NS LAY, nesw BLOCK, -L BREAK, +P MEND_OWN, +PC MEND_OWN, +C MEND, +L KEEP"


def test_what_a_card_could_be_used_for_depends_on_the_tools_and_the_tunnel() -> None:
    *_, last = observe(view_of("Broke 1 P 2; Broke 1 C 3; Laid 1 EW 1; Passed 2")).actions
    could = dict(zip(CARDS, uses(last, digging(last.board)), strict=True))
    for row in f"{USES}, R COLLAPSE, M LOOK".split(", "):
        card, use = row.split()
        assert could[Card.read(card)].name == use, card


def odds_of_tunnel(events: str) -> list[float]:
    """How likely each card of seat 2, a miner, is to be a tunnel, the newest first."""
    model = hand_models(observe(view_of(events)))[1][Role.MINER]
    return [odds[EW] for odds in model.hand]


def test_of_the_card_drawn_last_nothing_is_known_and_most_of_those_held_longest() -> None:
    new, *old = odds_of_tunnel("Passed 2; Drew 2")
    assert new == 1
    assert len(set(old)) == 1
    assert old[0] < 0.5
    twice_as_old = pytest.approx(old[0] ** 2)
    assert odds_of_tunnel("Passed 2; Drew 2; Passed 2; Drew 2") == [1, old[0], twice_as_old]
    assert odds_of_tunnel("Passed 2") == [old[0]] * 3


def test_what_is_thrown_away_is_what_its_side_needs_least() -> None:
    known = hand_models(observe(view_of("Passed 2; Broke 1 P 2; Passed 2", (0, 2, 0))))
    for role, least, most in ((Role.MINER, EW, DEAD_END), (Role.SABOTEUR, DEAD_END, EW)):
        sound, broken = known[1][role].passes
        assert sound[least] < 1 < sound[most]
        assert broken[least] < broken[most]
    assert known[2][Role.MINER].passes == []


@pytest.mark.parametrize("buried", [(0, 3, 1), (0, 1, 0), (0, 0, 0)])
def test_a_history_that_fits_no_table_is_borne(buried: tuple[int, ...], rng: Random) -> None:
    view = view_of("Drew 2; Passed 2; Drew 2; Passed 2", buried)
    known = hand_models(observe(view))
    assert [len(hand[Role.MINER].passes) for hand in known] == [*buried]
    (now,) = imagine_rounds(view, rng, 1)
    assert tuple(map(len, now.buried)) == buried
    assert tuple(map(len, now.hands)) == view.table.hands


@pytest.mark.level("thorough")  # `test_arena_tables` has the table of lifts; plays many rounds
def test_lifts_are_counted_from_true_hands() -> None:
    little = Scale(rounds=2, fewer=8, games=1, playouts=0, fewer_playouts=0)
    rows = {(role, tools, deed): row for role, tools, deed, *row in lifts(little)}
    idle, thrown = rows["miner", "sound", ActionKind.IDLED], rows["miner", "sound", "thrown away"]
    assert idle[0] == thrown[0]
    assert len(idle) - 1 == len(CardUse) == len(LIFT_COLUMNS) - 4
    gone = [float(str(lift)) for lift in thrown[1:]]
    assert gone[CardUse.LAY] < 0 < gone[CardUse.BLOCK]


# The rounds that are imagined.


def imagine_rounds(view: View, rng: Random, count: int) -> Iterator[Round]:
    """Rounds imagined by the seat of a view, this many."""
    observed = observe(view)
    return islice(determinize(observed, infer_beliefs(observed), rng), count)


def all_cards(now: Round) -> Counter[Card]:
    """The cards that do not lie face up."""
    return Counter(chain(now.pile, *now.hands, *now.buried))


@pytest.mark.parametrize("players", [3, 6, 10])
def test_every_imagined_round_agrees_with_what_the_seat_knows(players: int, rng: Random) -> None:
    game, _ = Game.begin(deal(rng.randbytes(32), 1, players))
    turn = 0
    while game.round.table.end is None:
        view, seat = game.view(game.to_act), game.to_act
        assert seat is not None
        for now in imagine_rounds(view, rng, 0 if turn % 7 else 4):
            assert now.table == view.table
            assert (now.roles[seat], now.hands[seat]) == (view.role, view.hand)
            assert (now.buried[seat], now.seen_by(seat)) == (view.buried, view.peeks)
            assert tuple(map(len, now.hands)) == view.table.hands
            assert set(now.goals) == set(Goal)
            assert all_cards(now) == all_cards(sample_game(view, rng).round)
        game, _ = game.apply(greedy(view, rng, Playouts(0)))
        turn += 1


def test_dwarves_and_gold_lie_as_often_as_the_suspicion_has_it(rng: Random) -> None:
    view = view_at("- ?/(NE)/? 1 -,-,-,- NE,1,1,1 30 m???+?", "Broke 3 P 1; Broke 3 C 1")
    beliefs = infer_beliefs(observe(view))
    drawn = list(imagine_rounds(view, rng, 600))
    saboteurs = sum(now.roles[2] is Role.SABOTEUR for now in drawn)
    assert abs(saboteurs / 600 - beliefs.saboteur[2]) < 0.08
    assert {now.goals.index(Goal.TREASURE) for now in drawn} == {0, 2}


def share_of(view: View, seat: int, cards: Collection[Card], rng: Random) -> float:
    """The share of these cards in a seat's imagined hands."""
    drawn = [now.hands[seat] for now in imagine_rounds(view, rng, 1500)]
    return sum(card in cards for hand in drawn for card in hand) / sum(map(len, drawn))


DIGS = Card.EW, Card.NEW, Card.NESW
FOUR = "- ?/?/? 1 -,-,-,- NE,3,3,3 30 m???+?"
SPOILT = "- ?/?/? 1 -,-,L,- NE,3,3,3 30 s???+?"
THREE = "- ?/?/? 1 -,-,- NE,3,3 30 m??+?"
LOUD = "; ".join(f"Broke 2 {tool} 1" for tool in "PLCPLC")
BREAKS = [card for card in Card if card.breaks]


@pytest.mark.parametrize(
    ("line", "before", "after", "seat", "cards"),
    [
        (FOUR, "", "Passed 3", 2, DIGS),
        (SPOILT, "", "Broke 2 L 3; Passed 3", 2, [c for c in Card if Tool.LANTERN in c.repairs]),
        (THREE, LOUD, f"{LOUD}; Passed 2", 1, BREAKS),
        (THREE, LOUD, f"{LOUD}; Looked 2 8", 1, BREAKS),
    ],
)
def test_a_seat_is_seldom_thought_to_hold_what_it_would_have_played(  # noqa: PLR0913, PLR0917 - a row
    line: str, before: str, after: str, seat: int, cards: Collection[Card], rng: Random
) -> None:
    shares = [share_of(view_at(line, events), seat, cards, rng) for events in (before, after)]
    assert shares[1] < 0.8 * shares[0]


def test_with_an_empty_draw_pile_cards_are_thought_to_be_thrown_away_or_held(rng: Random) -> None:
    before, after = (view_at(FOUR.replace(" 30 ", " 0 "), events) for events in ("", "Passed 3"))
    view = after._replace(table=after.table._replace(buried=(0, 0, 1, 0)))
    assert share_of(view, 2, DIGS, rng) < 0.8 * share_of(before, 2, DIGS, rng)
    drawn = [now.buried[2][0] for now in imagine_rounds(view, rng, 400)]
    assert sum(card in DIGS for card in drawn) < 400 / 6, "by chance it is a fifth"
    dead_ends = sum(bool(card.ways) and not card.ways[0].through for card in drawn)
    assert dead_ends > 400 / 4
