"""How the gold is shared (RULES D), shown by `tests/data/positions/rules_gold.txt`.

    # D1 D4 E-share: each miner takes one card, counter-clockwise from who found the treasure.
    in: international, argentina
    gold: 1232211
    found: 2 of mmms
    told: GoldDrawn 3; ChoiceBegan 2; GoldShown 2 3/2/1

With this pile a round ends: seat 2 of these dwarves has `found` the treasure, or it is `lost`. Then
`told` is what happened to the gold, `held` all that the seats have of it, `left` the pile, and
`chits` how many were given, and what each seat has won. Other lines are as in `cases`.

How saboteurs are paid (D5, D8) is compared with the oracle for every pile that a game can leave,
told as (ones, twos, threes). What was drawn before follows from who won the rounds before: miners
take any cards, as many as the edition and the players have it (D1, D2), and saboteurs take what the
engine pays them.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product

import pytest

from engine import EDITIONS, Edition, IllegalMove, KeepGold, ShareRule
from engine.dealing import ALL_GOLD, MINERS, SABOTEURS
from engine.events import GoldEvent, visible_to
from engine.game import NUGGETS_DUE, Game, choose_payments
from engine.state import PLAYERS, Phase
from tests.engine.cases import (
    WON,
    Case,
    each_case,
    game_of,
    gold_on_offer,
    last_card_position,
    last_step_position,
    play,
    round_at,
    say,
    say_all,
)
from tests.oracle.game import payments as oracle_payments


def end_round(key: str, text: str, edition: Edition, gold: str, number: int) -> tuple[Game, str]:
    """End a round; the game after it, and what happened to the gold."""
    if key == "found":
        finder, roles = text.split(" of ")
        line, move = last_step_position(roles, int(finder)), WON
    else:
        line, move = last_card_position(text), "xNS"
    game = game_of(round_at(line, edition), gold=gold, number=number)
    game, events = game.apply(game.read(move))
    return game, say_all(event for event in events if isinstance(event, GoldEvent))


@each_case("rules_gold")
def test_gold_is_shared_as_the_rules_say(case: Case, edition: Edition) -> None:
    game, told, gold, number = game_of(round_at(last_card_position("mms"), edition)), "", "", 1
    for key, text in case.lines:
        match key:
            case "gold":
                gold = text
            case "round":
                number = int(text)
            case "found" | "lost":
                game, told = end_round(key, text, edition, gold, number)
                assert (game.phase is Phase.GOLD) == (key == "found")
            case "do":
                game, told = play(game, text)
            case "told":
                assert told == text
            case "held":
                held = ("".join(map(str, cards)) or "-" for cards in game.purse.held)
                assert ",".join(held) == text
            case "left":
                assert "".join(map(str, game.purse.pile)) == text
            case "may":
                assert " ".join(map(str, game.legal_moves())) == text
            case "no":
                word, reason = text.split(" because ")
                with pytest.raises(IllegalMove) as illegal:
                    game.read(word)
                assert say(illegal.value.reason) == reason
            case _:
                assert key == "chits"
                chits, nuggets = game.score.chits, game.score.nuggets or ()
                assert f"{sum(chits)} of {','.join(map(str, nuggets))}" == text
                assert max(chits) == 1
                paid = tuple(seat for seat, won in enumerate(nuggets) if won)
                assert game.score.winners == paid
                assert {game.view(seat).score.chits for seat in (0, 8, None)} == {chits}


@pytest.mark.rule("D4", "D7", "K")
def test_somebody_who_chooses_sees_the_cards_and_the_others_how_many() -> None:
    game = gold_on_offer()
    *_, events = game.history
    for seat, offer in ((0, ()), (1, (3, 2, 1)), (2, ()), (3, ()), (None, ())):
        told = say_all(visible_to(events, seat))
        assert told.endswith(f"GoldDrawn 3; ChoiceBegan 2{'; GoldShown 2 3/2/1' if offer else ''}")
        assert (game.view(seat).offer, game.view(seat).score.offer) == (offer, 3)
    assert game.view(1).legal_moves() == (KeepGold(3), KeepGold(2), KeepGold(1))
    game, _ = play(game, "$2 $3")
    assert [game.view(seat).gold for seat in (0, 1, 2, 3, None)] == [(3,), (2,), (1,), (), ()]
    for seat in (0, 1, 2, 3, None):
        assert (game.view(seat).score.cards, game.view(seat).score.gold) == ((1, 1, 1, 0), None)


# How saboteurs are paid, for every gold pile that a game can leave (RULES D5, D8).

Pile = tuple[int, int, int]
"""How many gold cards of one, two and three nuggets."""

FULL: Pile = (16, 8, 4)

NO_EXACT_PAYMENT = {
    (3, (0, 8, 2)),
    (3, (1, 8, 1)),
    (3, (2, 8, 0)),
    (4, (5, 1, 4)),
    (4, (6, 0, 4)),
    (4, (7, 0, 3)),
    (4, (7, 0, 4)),
}
"""How many saboteurs, and the piles from which they cannot be paid exactly (D8).

The last is the one that leaves more than ten cards: miners take all twos and a one, then four
saboteurs must be paid in ones, then four saboteurs win again.
"""


def saboteurs_among(players: int) -> range:
    """How many saboteurs can be among this many players: one dwarf is left over (S2)."""
    return range(SABOTEURS[players] - 1, SABOTEURS[players] + 1)


def offers(share: ShareRule, players: int) -> set[int]:
    """How many cards the miners can be offered (D1, D2)."""
    if share is ShareRule.ALL_PLAYERS:
        return {min(players, 9)}
    return {players - saboteurs for saboteurs in saboteurs_among(players)}


def piles_left(pile: Pile, cards: int) -> Iterator[Pile]:
    """What can be left once this many cards are drawn."""
    ones, twos, threes = pile
    for two, three in product(range(twos + 1), range(threes + 1)):
        one = cards - two - three
        if 0 <= one <= ones:
            yield ones - one, twos - two, threes - three


@cache
def engine_payments(pile: Pile, saboteurs: int) -> tuple[tuple[int, ...], ...]:
    """What the engine pays."""
    return choose_payments(cards_of(pile), saboteurs)


def cards_of(pile: Pile) -> list[int]:
    """The gold cards of a pile."""
    return [nuggets for nuggets, count in enumerate(pile, 1) for _ in range(count)]


def rest_of_pile(pile: Pile, spent: tuple[tuple[int, ...], ...]) -> Pile:
    """What is left of a pile after a payment."""
    ones, twos, threes = (Counter(chain(*spent))[nuggets] for nuggets in (1, 2, 3))
    return pile[0] - ones, pile[1] - twos, pile[2] - threes


@cache
def reachable(share: ShareRule, players: int, number: int) -> frozenset[Pile]:
    """Every pile there can be when round `number` ends, before its gold is shared."""
    if number == 1:
        return frozenset({FULL})
    after: set[Pile] = set()
    for pile in reachable(share, players, number - 1):
        for cards in offers(share, players):
            after.update(piles_left(pile, cards))
        for saboteurs in saboteurs_among(players):
            after.add(rest_of_pile(pile, engine_payments(pile, saboteurs)) if saboteurs else pile)
    return frozenset(after)


@pytest.mark.level("broad")
@pytest.mark.rule("D5", "D8", "E-share")
def test_from_every_pile_saboteurs_are_paid_as_the_oracle_would() -> None:
    for pile, saboteurs in {(pile, saboteurs) for *_, saboteurs, pile in every_payment()}:
        given = tuple(tuple(sorted(cards)[::-1]) for cards in engine_payments(pile, saboteurs))
        assert given in oracle_payments(cards_of(pile), saboteurs), (pile, saboteurs)


def every_payment() -> Iterator[tuple[ShareRule, int, int, int, Pile]]:
    """Each row, players, round, saboteurs and pile at which saboteurs can be paid."""
    for share, players, number in product(ShareRule, PLAYERS, (1, 2, 3)):
        for saboteurs in filter(None, saboteurs_among(players)):
            for pile in reachable(share, players, number):
                yield share, players, number, saboteurs, pile


@pytest.mark.rule("D5", "D8")
def test_there_is_no_exact_payment_in_just_the_cases_told() -> None:
    unpaid = [
        case
        for case in every_payment()
        if sum(map(sum, engine_payments(case[-1], case[-2]))) < case[-2] * NUGGETS_DUE[case[-2]]
    ]
    assert {tuple(where) for *where, _, _ in unpaid} == {
        (ShareRule.ALL_PLAYERS, players, 3) for players in (9, 10)
    }
    assert {case[-2:] for case in unpaid} == NO_EXACT_PAYMENT
    assert {case[-2:] for case in unpaid if case[1] == 9} == {
        (saboteurs, pile) for saboteurs, pile in NO_EXACT_PAYMENT if saboteurs == 3
    }


@pytest.mark.rule("D8")
@pytest.mark.parametrize(("saboteurs", "pile"), sorted(NO_EXACT_PAYMENT))
def test_where_exact_payment_is_impossible_nobody_is_left_far_behind(
    saboteurs: int, pile: Pile
) -> None:
    due = NUGGETS_DUE[saboteurs]
    missing = [due - sum(cards) for cards in engine_payments(pile, saboteurs)]
    assert 1 <= sum(missing) <= 2
    assert max(missing) == 1
    ones, _, _ = rest_of_pile(pile, engine_payments(pile, saboteurs))
    assert ones == 0


def test_every_edition_has_one_of_the_two_rows_counted_here() -> None:
    assert {edition.share for edition in EDITIONS.values()} == set(ShareRule)
    assert Counter(ALL_GOLD) == dict(enumerate(FULL, 1))
    assert all(MINERS[players] + SABOTEURS[players] == players + 1 for players in PLAYERS)
