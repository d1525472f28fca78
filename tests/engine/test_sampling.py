"""What a seat may imagine of cards it does not see (RULES K, R3), and of gold (D, K)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from math import comb
from random import Random

import pytest

from engine import Discard, GoldDrawn, History, Phase, Round, SaboteursPaid, View, sampling
from engine.cards import Card, Goal, Role, in_order
from engine.dealing import ALL_GOLD
from engine.edition import ARGENTINA, EDITIONS, INTERNATIONAL, Edition
from engine.game import Game, choose_payments
from engine.legality import can_play
from engine.notation import parse_position
from engine.sampling import sample_game, sample_purse
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

ALL_BROKEN = "- (NE)/(NESW)/(NW) 1 PLC,PLC,PLC NS,+P/NE,- - mms+m"
"""Nobody can dig, and one card alone keeps the round going, in the hand of seat 2 or buried."""

SAMPLES = 800
CLOSE = 0.072
"""Four standard deviations of a frequency in this many samples."""


def game_at(line: str, buried: int = 0) -> Game:
    """A game in Argentina at a position, all other cards lying face up or buried by seat 3."""
    played = whole(round_at(line, INTERNATIONAL))  # There a round that R3 would end is read too.
    tunnels = [card for card in played.table.discards if card.ways][:buried]
    rest = list((Counter(played.table.discards) - Counter(tunnels)).elements())
    table = played.table._replace(edition=ARGENTINA, discards=tuple(rest), buried=(0, 0, buried))
    return game_of(played._replace(table=table, buried=((), (), tuple(tunnels))))


def imagine_round(view: View, rng: Random) -> Round:
    """The round that a seat imagines, which that seat cannot tell from the real one."""
    twin = sample_game(view, rng)
    assert twin.view(view.seat) == view
    check_whole(twin)
    return twin.round


def alive(played: Round) -> bool:
    """Whether anybody could play a card."""
    return any(can_play(played.table, seat, hand) for seat, hand in enumerate(played.hands))


def test_before_the_first_deal_there_is_nothing_to_imagine(rng: Random) -> None:
    with pytest.raises(ValueError, match="nothing has been dealt yet"):
        sample_game(View.before(INTERNATIONAL, 3, 3, 0), rng)


@pytest.mark.rule("K")
def test_everything_that_can_be_is_imagined_sooner_or_later(rng: Random) -> None:
    game = game_at("EW@1 (NE)/(NESW)/(NW) 1 -,-,- NS/M,NE,NW M/R mms+m")
    game, _ = play(game, "M@8")
    view = game.view(0)
    seen = [imagine_round(view, rng) for _ in range(300)]
    assert {now.goals for now in seen} == {
        (Goal.STONE_NE, Goal.TREASURE, Goal.STONE_NW),
        (Goal.STONE_NW, Goal.TREASURE, Goal.STONE_NE),
    }
    assert {now.hands[0] for now in seen} == {view.hand}
    assert {now.hands[1] for now in seen} == {(Card.NE,), (Card.NW,), (Card.ROCKFALL,)}
    assert {now.pile for now in seen} == {(Card.NE,), (Card.NW,), (Card.ROCKFALL,)}
    dwarves = Counter("".join((*now.roles, now.spare)) for now in seen)
    assert set(dwarves) == {"mmms", "mmsm", "msmm"}
    assert min(dwarves.values()) > 60  # each is 100 by chance
    watched = [imagine_round(game.view(None), rng) for _ in range(200)]
    assert {now.hands[1] for now in watched} == {(card,) for card in game.view(None).unseen()}
    assert len({now.goals for now in watched}) == 6
    assert {now.roles.index(Role.SABOTEUR) for now in watched if now.spare is Role.MINER} == {
        *range(3)
    }


@pytest.mark.rule("R3", "K")
def test_where_chance_does_not_find_the_card_it_is_put_where_it_has_to_be(
    rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "MAX_FAIR_TRIES", 0)
    for line in (ALL_BROKEN, ALL_BROKEN.replace("+P/NE,-", "+P/NE,NE")):
        view = game_at(line, buried=30).view(0)
        holders = set()
        for _ in range(60):
            now = imagine_round(view, rng)
            assert alive(now)
            holders.add(next(seat for seat in (1, 2) if Card.REPAIR_PICK in now.hands[seat]))
        assert holders == ({1} if line is ALL_BROKEN else {1, 2})


@pytest.mark.rule("R3", "K")
def test_what_the_seat_holds_itself_may_be_what_keeps_the_round_going(rng: Random) -> None:
    view = game_at(ALL_BROKEN.replace("NS,+P/NE,-", "+P,NS/NE,-"), buried=3).view(0)
    assert Card.REPAIR_PICK not in imagine_round(view, rng).hands[1]
    ended = game_at(ALL_BROKEN.replace("NS,+P/NE,-", "NS,NE,-"), buried=3).view(0)
    with pytest.raises(ValueError, match="this round would have ended"):
        sample_game(ended, rng)


@pytest.mark.rule("R3", "K", "P4")
@pytest.mark.parametrize(
    ("line", "moves", "seats", "buried", "hands"),
    [
        (ALL_BROKEN, "", [0], {}, {1: [Card.REPAIR_PICK]}),
        (ALL_BROKEN.replace("NS,+P/NE,-", "NS/+P,NE,EW"), "x+P", [0], {}, {}),
        (ALL_BROKEN.replace("NS,+P/NE,-", "NS/+P,NE,EW"), "x+P", [1, 2, None], {0: "+P"}, {}),
        # Seat 1 threw away the map or NE; but seat 2, who cannot dig, cannot hold the map.
        ("- (NE)/(NESW)/(NW) 1 -,P,- M,NE,+L - mms+m", "xM", [2], {0: "M"}, {1: [Card.NE]}),
        # Seat 1 held the last card and broke the pick of seat 2, who holds path cards alone.
        (
            "- (NE)/(NESW)/(NW) 1 -,L,- -P,NE/NE/NE,+C/+C - mms+m",
            *("-P>2", [0, None], {}),
            {1: [Card.NE] * 3, 2: [Card.REPAIR_CART] * 2},
        ),
    ],
    ids=["goes on", "own pass", "a pass", "a pass among dead hands", "a broken tool"],
)
def test_what_went_on_or_ended_proves_who_could_play(  # noqa: PLR0913, PLR0917 - a row
    line: str,
    moves: str,
    seats: list[int | None],
    buried: dict[int, str],
    hands: dict[int, list[Card]],
    rng: Random,
) -> None:
    game, told = play(game_at(line, 30 if "PLC" in line else 0), moves)
    assert ("RoundEnded s" in told) == (moves != "")
    for seat in seats * 20:
        now = imagine_round(game.view(seat), rng)
        assert alive(now) == (moves == "")
        assert all(now.buried[seat] == (Card.read(text),) for seat, text in buried.items())
        assert all(Counter(cards) <= Counter(now.hands[seat]) for seat, cards in hands.items())


Dealt = tuple[Card, tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
"""The card that seat 1 threw away last, the hands of seats 2 and 3, and what seat 3 had buried."""


def possible_deals(game: Game) -> Counter[Dealt]:
    """Deal a watcher's unseen cards in every order, and count the deals that R3 allows."""
    table = game.round.table
    _, two, three = table.hands
    found: Counter[Dealt] = Counter()
    for thrown, *rest in permutations(game.view(None).unseen()):
        hands = (), tuple(rest[:two]), tuple(rest[two : two + three])
        could = can_play(table, 0, (thrown,))
        if could and not any(can_play(table, seat, hand) for seat, hand in enumerate(hands)):
            buried = in_order(rest[two + three :])
            found[thrown, in_order(hands[1]), in_order(hands[2]), buried] += 1
    return found


@pytest.mark.level("broad")
@pytest.mark.rule("R3", "K", "P4")
@pytest.mark.parametrize(
    ("line", "buried"),
    first(
        1,
        [
            ("- (NE)/(NESW)/(NW) 1 -,P,- -L,NS/NS,- - mms+m", 1),
            ("- (NE)/(NESW)/(NW) 1 -,P,- -L,NS/+C,+C - mms+m", 1),
            ("- (NE)/(NESW)/(NW) 1 -,P,PC -L,NS/NS,+L/NS - mms+m", 1),
        ],
        thorough=3,
    ),
    ids=["next seat broken", "dead cards short", "both others broken"],
)
def test_each_deal_that_a_pass_at_the_end_allows_is_as_likely_as_the_others(
    line: str, buried: int, rng: Random
) -> None:
    game, text = play(game_at(line, buried), "x-L")
    assert text.startswith("Passed 1; DiscardedCard 1 -L; RoundEnded s")
    exact = possible_deals(game)
    seen: Counter[Dealt] = Counter()
    view = game.view(None)
    for _ in range(SAMPLES):
        now = sample_game(view, rng).round
        seen[now.buried[0][-1], now.hands[1], now.hands[2], in_order(now.buried[2])] += 1
    assert seen.keys() == exact.keys()
    assert len(exact) > 1
    for deal, ways in exact.items():
        assert abs(seen[deal] / SAMPLES - ways / exact.total()) < CLOSE, deal


@pytest.mark.rule("R3", "K")
def test_a_pass_that_drew_the_last_card_proves_nothing_of_what_was_thrown_away(rng: Random) -> None:
    game = game_at("- (NE)/(NESW)/(NW) 1 PLC,PLC,PLC NS/NE,NE,EW NW mms+m", buried=3)
    game, text = play(game, "xNS")
    assert text.startswith("Passed 1; DiscardedCard 1 NS; Drew 1; Dealt 1 NW; RoundEnded s")
    thrown = {imagine_round(game.view(2), rng).buried[0] for _ in range(60)}
    assert thrown == {(Card.NE,), (Card.NS,), (Card.NW,)}


@pytest.mark.rule("R3", "K")
def test_where_nothing_is_known_of_the_last_turn_all_hands_are_dead_all_the_same(
    rng: Random,
) -> None:
    position = parse_position("- (NE)/(NESW)/(NW) - -,-,- R,2,1 0 mms+m", ARGENTINA)
    for _ in range(20):
        assert not alive(sample_game(position.view(0), rng).round)


@pytest.mark.rule("R1", "K")
def test_a_round_that_the_miners_won_proves_nothing_of_hands(rng: Random) -> None:
    road = "EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6"
    game = game_at(f"{road} (NE)/(NESW)/(NW) 1 -,-,- NESW,NE/M,+C/+C - mms+m")
    game, text = play(game, "NESW@7")
    assert "RoundEnded m" in text
    seen = [imagine_round(game.view(0), rng) for _ in range(60)]
    assert {alive(now) for now in seen} == {True}
    assert len({now.hands for now in seen}) > 2
    assert {now.roles for now in seen} == {game.round.roles}


@pytest.mark.rule("R4", "K")
def test_a_pass_under_which_no_card_could_have_been_played_cannot_be_imagined(rng: Random) -> None:
    game = game_at("- (NE)/(NESW)/(NW) 1 PLC,PLC,PLC NS/+P,NE,EW - mms+m", buried=3)
    game, _ = play(game, "x+P")
    table = game.round.table
    discards = list(table.discards)
    discards.remove(next(card for card in discards if card.ways))
    spoilt = table._replace(discards=(*discards, Card.REPAIR_PICK))
    view = game._replace(round=game.round._replace(table=spoilt)).view(2)
    with pytest.raises(ValueError, match="this round would not have ended"):
        sample_game(view, rng)


def test_more_cards_than_there_are_cannot_be_imagined(rng: Random) -> None:
    game = game_at("- (NE)/(NESW)/(NW) 1 -,-,- NS,NE,EW NW mms+m")
    table = game.round.table._replace(pile=5)
    view = game._replace(round=game.round._replace(table=table)).view(0)
    with pytest.raises(ValueError, match="not enough cards"):
        sample_game(view, rng)


# The gold, from round to round.

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
        assert sorted(choose_payments(before, len(paid))) == sorted(paid)
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
    assert check_gold(game, None, rng).purse.held == game.purse.held, "all gold is shown"
    seen = Counter[str]()
    for _ in range(40):
        twin = sample_game(before.view(None), rng)._replace(round=before.round)
        seen.update(Told(before, twin, None).compare(before.legal_moves()[-1]))
    assert seen["payment"] > 30


def shared_in_france(rounds: Rounds, gold: str, rng: Random, **at: object) -> Game:
    """The first moment of a story at which the game is so, by `to_act`, `offer` and `wins`."""
    for game in story(EDITIONS["france"], rounds, gold, rng):
        now = {"to_act": game.to_act, "offer": game.score.offer, "wins": len(game.score.wins)}
        if all(now[name] == value for name, value in at.items()):
            return game
    raise AssertionError(at)


SHARED = [("mmsms", 1), ("mmsms", 0)]


@pytest.mark.rule("K", "D2", "D4")
def test_between_two_looks_a_chooser_knows_what_was_taken(rng: Random) -> None:
    """Seat 1 sees 32211, keeps one, and sees what is left when it is asked again."""
    game = shared_in_france(SHARED, "32211", rng, offer=2, to_act=0)
    view = game.view(0)
    taken = Counter((3, 2, 2, 1, 1)) - Counter(view.offer) - Counter(view.gold)
    for _ in range(30):
        twin = check_gold(game, 0, rng)
        assert twin.purse.offer == view.offer
        assert Counter((*twin.purse.held[1], *twin.purse.held[3])) == taken


@pytest.mark.rule("K", "D4")
def test_a_later_chooser_knows_nothing_of_what_was_taken_before_and_all_that_is_left(
    rng: Random,
) -> None:
    game = shared_in_france(SHARED, "32211", rng, offer=3, to_act=1)
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
    game = shared_in_france([(TEN, 5), (TEN, 0), (TEN, 0)], "222222111", rng, wins=2)
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
    _, rounds, gold = STORIES["all threes seen at last"]
    game = shared_in_france(rounds, gold, rng, wins=3, to_act=0)
    assert game.view(0).offer[:4] == (3, 3, 3, 3)
    twins = [check_gold(game, 0, rng).purse for _ in range(100)]
    assert not any(3 in (*held, *twin.pile) for twin in twins for held in twin.held)
    twins = [check_gold(game, 1, rng).purse for _ in range(100)]
    assert any(3 in held for twin in twins for held in twin.held)


def test_gold_that_no_pile_could_pay_cannot_be_imagined(rng: Random) -> None:
    *_, game = story(EDITIONS["international"], [("mmms", 0), ("mmms", 0)], "", rng)
    (paid,) = {event for event in game.ledger if isinstance(event, SaboteursPaid)}
    never = replace(paid, cards=(0, 0, 0, 4))
    view: View = game.view(None)._replace(ledger=(never,))
    view = view._replace(score=replace(view.score, gold=None))
    with pytest.raises(ValueError, match="no gold could have been shared"):
        sample_game(view, rng)
