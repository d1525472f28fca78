"""The rounds that `search` imagines keep to all that its seat knows."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain, islice
from random import Random

from engine.actions import Broke, Looked
from engine.bots import Playouts, greedy
from engine.bots.actions import observe
from engine.bots.beliefs import infer_beliefs
from engine.bots.hand_model import determinize
from engine.cards import Card, Goal, Role, Tool
from engine.dealing import deal
from engine.events import Passed
from engine.game import Game
from engine.notation import parse_position
from engine.round import Round
from engine.sampling import sample_game
from engine.view import View


def views(rng: Random, players: int, every: int = 7) -> list[View]:
    """Views of the seat to act, of every seventh turn or so of a round between greedy bots."""
    game, _ = Game.begin(deal(rng.randbytes(32), 1, players))
    found: list[View] = []
    turn = 0
    while game.round.table.end is None:
        view = game.view(game.to_act)
        if turn % every == 0:
            found.append(view)
        game, _ = game.apply(greedy(view, rng, Playouts(0)))
        turn += 1
    return found


def imagine_rounds(view: View, rng: Random, count: int) -> Iterator[Round]:
    """Rounds imagined by the seat of a view, this many."""
    observed = observe(view)
    return islice(determinize(observed, infer_beliefs(observed), rng), count)


def test_every_imagined_round_agrees_with_what_the_seat_knows(rng: Random) -> None:
    for players in (3, 6, 10):
        for view in views(rng, players):
            for now in imagine_rounds(view, rng, 4):
                seat = view.seat
                assert seat is not None
                assert now.table == view.table
                assert now.hands[seat] == view.hand
                assert now.buried[seat] == view.buried
                assert now.seen_by(seat) == view.peeks
                assert tuple(map(len, now.hands)) == view.table.hands
                assert now.roles[seat] is view.role
                assert set(now.goals) == set(Goal)
                assert all_cards(now) == all_cards(sample_game(view, rng).round)


def all_cards(now: Round) -> Counter[Card]:
    """The cards that do not lie face up."""
    return Counter(chain(now.pile, *now.hands, *now.buried))


def view_at(line: str) -> View:
    return parse_position(line).view(0)


def test_dwarves_and_gold_lie_as_often_as_the_suspicion_has_it(rng: Random) -> None:
    view = view_at("- ?/(NE)/? 1 -,-,-,- NE,1,1,1 30 m???+?")
    view = view._replace(history=(Broke(2, Tool.PICK, 0), Broke(2, Tool.CART, 0)))
    beliefs = infer_beliefs(observe(view))
    drawn = list(imagine_rounds(view, rng, 600))
    saboteurs = sum(now.roles[2] is Role.SABOTEUR for now in drawn)
    assert abs(saboteurs / 600 - beliefs.saboteur[2]) < 0.08
    assert {now.goals.index(Goal.TREASURE) for now in drawn} == {0, 2}


def share_of(view: View, seat: int, cards: Collection[Card], rng: Random) -> float:
    """The share of these cards in a seat's imagined hands."""
    drawn = [now.hands[seat] for now in imagine_rounds(view, rng, 400)]
    return sum(card in cards for hand in drawn for card in hand) / sum(map(len, drawn))


def test_who_passed_is_seldom_thought_to_hold_what_would_have_been_played(rng: Random) -> None:
    line = "- ?/?/? 1 -,-,-,- NE,3,3,3 30 {}???+?"
    before = view_at(line.format("m"))
    after = before._replace(history=(Passed(2),))
    digs = Card.EW, Card.NEW, Card.NESW
    assert share_of(after, 2, digs, rng) < 0.8 * share_of(before, 2, digs, rng)
    spoilt = view_at(line.replace("-,-,-,-", "-,-,L,-").format("s"))
    waited = spoilt._replace(history=(Broke(1, Tool.LANTERN, 2), Passed(2)))
    repairs = [card for card in Card if Tool.LANTERN in card.repairs]
    assert share_of(waited, 2, repairs, rng) < 0.8 * share_of(spoilt, 2, repairs, rng)


def test_a_saboteur_who_did_not_break_is_seldom_thought_to_hold_broken_tools(rng: Random) -> None:
    loud = [Broke(1, tool, 0) for tool in Tool] * 2
    before = view_at("- ?/?/? 1 -,-,- NE,3,3 30 m??+?")._replace(history=tuple(loud))
    passed = before._replace(history=(*loud, Passed(1)))
    breaks = [card for card in Card if card.breaks]
    assert share_of(passed, 1, breaks, rng) < 0.8 * share_of(before, 1, breaks, rng)
    looked = before._replace(history=(*loud, Looked(1, (8, 0))))
    assert share_of(looked, 1, breaks, rng) < 0.8 * share_of(before, 1, breaks, rng)


def test_with_an_empty_draw_pile_cards_are_thought_to_be_thrown_away_or_held(rng: Random) -> None:
    line = "- ?/?/? 1 -,-,-,- NE,3,3,3 0 m???+?"
    before = view_at(line)
    table = before.table._replace(buried=(0, 0, 1, 0))
    after = before._replace(table=table, history=(Passed(2),))
    digs = Card.EW, Card.NEW, Card.NESW
    assert share_of(after, 2, digs, rng) < 0.8 * share_of(before, 2, digs, rng)
    drawn = [now.buried[2][0] for now in imagine_rounds(after, rng, 400)]
    assert not any(card in digs for card in drawn[::40])
    dead_ends = sum(bool(card.ways) and not card.ways[0].through for card in drawn)
    assert dead_ends > 400 / 4
