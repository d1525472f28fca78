"""What a seat may imagine of the gold, from round to round (RULES D, K)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import comb
from random import Random

import pytest

from engine.dealing import ALL_GOLD
from engine.edition import EDITIONS, Edition
from engine.events import GoldDrawn, SaboteursPaid
from engine.game import Game, payments
from engine.moves import Discard
from engine.sampling import sample_game, sample_purse
from engine.state import Phase
from engine.view import History, View
from tests.engine.cases import (
    WON,
    game_of,
    last_card_position,
    last_step_position,
    play,
    round_at,
    whole,
)
from tests.engine.random_games import Told, check_whole, seats, where
from tests.samples import first

Rounds = list[tuple[str, int]]
"""Rounds to play: the dwarves of the seats, and who finds the treasure, 0 where nobody does."""


def story(edition: Edition, rounds: Rounds, gold: str, rng: Random) -> Iterator[Game]:
    """Play rounds that are nearly over, gold chosen anyhow, and show the game after each step.

    `gold` is the pile of the first round; what of it nobody has is not shuffled again.
    """
    rest = Counter(ALL_GOLD) - Counter(map(int, gold))
    pile = gold + "".join(map(str, rest.elements()))
    game: Game | None = None
    for number, (roles, finder) in enumerate(rounds, 1):
        played = whole(
            round_at(
                last_step_position(roles, finder) if finder else last_card_position(roles), edition
            )
        )
        if game is None:
            game = game_of(played, rounds=len(rounds), gold=pile)
        else:
            score = replace(game.score, number=number)
            game = game._replace(score=score, round=played, history=History())
        yield game
        while game.to_act is not None:
            moves = game.legal_moves()
            if game.phase is Phase.PLAY and finder:
                game, _ = play(game, WON)
            else:
                passes = [move for move in moves if isinstance(move, Discard)]
                game, _ = game.apply(rng.choice(passes or moves))
            yield game


NINE, TEN = "sssmmmmmm", "ssssmmmmmm"
STORIES = {
    "each miner one, and paid twice": ("argentina", [("mmms", 2), ("smmm", 0), ("mmms", 0)], ""),
    "paid first": ("france", [("smmms", 0), ("mmsms", 3), ("smsmm", 0)], "33332222"),
    "nobody paid": ("italia", [("mmm", 0), ("mms", 1), ("smm", 0)], "123"),
    "shared three times": ("france", [("msmsm", 1), ("mmssm", 5), ("mmmms", 3)], ""),
    "found by a saboteur": ("international", [("mmms", 4), ("smmm", 1), ("msmm", 0)], "3"),
    "ones all gone, and chits": (
        "italia",
        [(NINE, 4), (NINE, 5), (NINE, 0)],
        "331111111" + "111111111",
    ),
    "ten and chits": ("france", [(TEN, 5), (TEN, 6), (TEN, 0)], "222222221" + "111111111"),
    "all threes seen at last": (
        "france",
        [(TEN, 5), (TEN, 0), ("mmmmmmmsss", 1)],
        "222221111" + "3333",
    ),
    "twos gone, paid in ones, and chits": ("france", [(TEN, 5), (TEN, 0), (TEN, 0)], "222222221"),
}


def check_gold(game: Game, seat: int | None, rng: Random) -> Game:
    """Imagine a game's gold, and see that the seat cannot tell it from the real gold."""
    view = game.view(seat)
    twin = sample_game(view, rng)
    check_whole(twin)
    assert twin.view(seat) == view, where(game, seat)
    assert [twin.view(seat).why_not(move) for move in game.legal_moves()] == [
        view.why_not(move) for move in game.legal_moves()
    ]
    last = next((event for event in reversed(view.ledger) if is_first(event)), None)
    if isinstance(last, SaboteursPaid) and len([*filter(is_first, view.ledger)]) == 1:
        paid = [held for held in twin.purse.held if held]
        before = [*twin.purse.pile, *(nuggets for cards in paid for nuggets in cards)]
        assert sorted(payments(before, len(paid))) == sorted(paid)
    return twin


def is_first(event: object) -> bool:
    """Whether the sharing of a round's gold began with this."""
    return isinstance(event, GoldDrawn | SaboteursPaid)


@pytest.mark.level("broad")
@pytest.mark.rule("K", "D4", "D5", "D7", "D8")
@pytest.mark.parametrize("title", first(6, STORIES, thorough=len(STORIES)))
def test_imagined_gold_is_all_that_a_seat_was_told_of_it(title: str, rng: Random) -> None:
    book, rounds, gold = STORIES[title]
    seen = Counter[str]()
    for game in story(EDITIONS[book], rounds, gold, rng):
        for seat in seats(game):
            twin = check_gold(game, seat, rng)
            for move in [move for move in game.legal_moves() if move in twin.legal_moves()]:
                seen.update(Told(game, twin._replace(round=game.round), seat).compare(move))
        seen["chits"] += sum(game.score.chits)
        seen[game.phase] += 1
    assert (seen["chits"] > 0) == ("chits" in title)
    assert seen["over"] == 1
    assert seen["all gold"] + seen["payment"] > 0


@pytest.mark.rule("K", "D5")
def test_payments_that_differ_are_told_where_the_piles_differ(rng: Random) -> None:
    """A seat that saw none of what the miners shared cannot know what saboteurs will be paid."""
    rounds = [(TEN, 5), (TEN, 0)]
    *_, before, game = story(EDITIONS["france"], rounds, "222222221", rng)
    assert game.phase is Phase.OVER
    seen = Counter[str]()
    for _ in range(40):
        twin = sample_game(before.view(None), rng)._replace(round=before.round)
        seen.update(Told(before, twin, None).compare(before.legal_moves()[-1]))
    assert seen["payment"] > 30


def last_of(rounds: Rounds, gold: str, rng: Random, book: str = "france") -> Game:
    """The game when so many of three rounds are over."""
    *_, game = story(EDITIONS[book], rounds, gold, rng)
    return game


@pytest.mark.rule("K", "D2", "D4")
def test_between_two_looks_a_chooser_knows_what_was_taken(rng: Random) -> None:
    """Seat 1 sees 32211, keeps one, and sees what is left when it is asked again."""
    games = list(story(EDITIONS["france"], [("mmsms", 1), ("mmsms", 0)], "32211", rng))
    game = next(game for game in games if game.phase is Phase.GOLD and game.score.offer == 2)
    view = game.view(0)
    assert game.to_act == 0
    taken = Counter((3, 2, 2, 1, 1)) - Counter(view.offer) - Counter(view.gold)
    for _ in range(30):
        twin = check_gold(game, 0, rng)
        assert twin.purse.offer == view.offer
        assert Counter((*twin.purse.held[1], *twin.purse.held[3])) == taken


@pytest.mark.rule("K", "D4")
def test_a_later_chooser_knows_nothing_of_what_was_taken_before_and_all_that_is_left(
    rng: Random,
) -> None:
    games = list(story(EDITIONS["france"], [("mmsms", 1), ("mmsms", 0)], "32211", rng))
    game = next(game for game in games if game.to_act == 1 and game.phase is Phase.GOLD)
    assert game.score.offer == 3
    twins = [check_gold(game, 1, rng) for _ in range(100)]
    assert {twin.purse.offer for twin in twins} == {game.purse.offer}
    assert {twin.purse.held[0] for twin in twins} == {(1,), (2,), (3,)}
    assert {twin.purse.held[3] for twin in twins} == {(1,), (2,), (3,)}


@pytest.mark.level("broad")
@pytest.mark.rule("K", "D5")
def test_a_payment_proves_what_was_in_the_pile_as_often_as_chance_would_have_it(
    rng: Random,
) -> None:
    """Nine cards were drawn unseen, then two of four saboteurs were paid with two cards each.

    So two twos were left, and six drawn; the three others were ones and threes in any number.
    """
    rounds = [(TEN, 5), (TEN, 0), (TEN, 0)]
    game = next(
        game
        for game in story(EDITIONS["france"], rounds, "222222" + "111", rng)
        if len(game.score.wins) == 2
    )
    drawn: Counter[tuple[int, int, int]] = Counter()
    view = game.view(None)
    for number in range(2000):
        purse = check_gold(game, None, rng).purse if number < 50 else sample_purse(view, rng)
        shared = Counter(nuggets for held in purse.held[4:] for nuggets in held)
        drawn[shared[1], shared[2], shared[3]] += 1
        assert sorted(map(len, purse.held[:4])) == [1, 1, 2, 2]
    chance = {
        (3 - threes, 6, threes): comb(16, 3 - threes) * comb(4, threes) for threes in range(4)
    }
    assert set(drawn) <= set(chance)
    for way, often in chance.items():
        assert abs(drawn[way] / 2000 - often / sum(chance.values())) < 0.04, way


@pytest.mark.rule("K", "D4", "D5")
def test_what_is_seen_later_proves_what_was_shared_before(rng: Random) -> None:
    """Seat 1, a saboteur at first, sees all four threes in round three: so nobody had one."""
    book, rounds, gold = STORIES["all threes seen at last"]
    game = next(
        game
        for game in story(EDITIONS[book], rounds, gold, rng)
        if len(game.score.wins) == 3 and game.to_act == 0
    )
    assert game.view(0).offer[:4] == (3, 3, 3, 3)
    twins = [check_gold(game, 0, rng).purse for _ in range(100)]
    assert not any(3 in (*held, *twin.pile) for twin in twins for held in twin.held)
    twins = [check_gold(game, 1, rng).purse for _ in range(100)]
    assert any(3 in held for twin in twins for held in twin.held)


@pytest.mark.rule("K", "D5")
def test_a_saboteurs_own_payment_proves_as_much_as_everybodys_counts(rng: Random) -> None:
    rounds = [("mmsms", 1), ("mmsms", 0), ("mmsms", 0)]
    games = list(story(EDITIONS["france"], rounds, "33332", rng))
    game = next(game for game in games if len(game.score.wins) == 2)
    own = game.view(2).gold
    assert own == game.purse.held[2]
    for _ in range(60):
        assert check_gold(game, 2, rng).purse.held[2] == own


@pytest.mark.rule("F1", "K")
def test_when_all_gold_is_shown_only_the_piles_order_is_left_to_imagine(rng: Random) -> None:
    game = last_of([("mmms", 2)], "321", rng, "international")
    assert game.phase is Phase.OVER
    for seat in seats(game):
        purse = check_gold(game, seat, rng).purse
        assert purse.held == game.purse.held
        assert sorted(purse.pile) == sorted(game.purse.pile)


def test_gold_that_no_pile_could_pay_cannot_be_imagined(rng: Random) -> None:
    game = last_of([("mmms", 0), ("mmms", 0)], "", rng, "international")
    (paid,) = {event for event in game.ledger if isinstance(event, SaboteursPaid)}
    never = replace(paid, cards=(0, 0, 0, 4))
    view: View = game.view(None)._replace(ledger=(never,))
    view = view._replace(score=replace(view.score, gold=None))
    with pytest.raises(ValueError, match="no gold could have been shared"):
        sample_game(view, rng)
