"""What a game's events tell of who did what, and of the gold of each round."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from random import Random

import pytest

from engine import Break, Discard, Event, Game, GameEnded, Lay, Phase, Role, deal, visible_to
from engine.edition import FRANCE, INTERNATIONAL, Edition
from engine.tally import SeatTally, Tally
from tests.engine.cases import read_events
from tests.engine.random_games import keen

BEGAN = "RoundBegan 1 1 6/6/6 49; "
MINERS_WON = f"{BEGAN}RoundEnded m m/s/m m NE/NW/NESW; "
SABOTEURS_WON = f"{BEGAN}RoundEnded s m/s/m m NE/NW/NESW; "


def play_game(
    players: int, seed: int, edition: Edition = INTERNATIONAL
) -> tuple[Game, list[Event], list[Counter[str]]]:
    """Play a whole game; return it, all its events, and the moves by seat counted one by one."""
    rng, dealt = Random(seed), Random(seed).randbytes(32)
    game, begun = Game.begin(deal(dealt, 1, players), edition, rounds=3)
    events, moves = list[Event](begun), [Counter[str]() for _ in range(players)]
    while game.phase is not Phase.OVER:
        if game.phase is Phase.DEAL:
            game, more = game.deal(dealt)
        else:
            assert game.to_act is not None
            move = keen(game, rng)
            kind = type(move).__name__
            if isinstance(move, Lay) and not move.path.through:
                kind = "dead end"
            moves[game.to_act][kind] += 1
            game, more = game.apply(move)
        events += more
    return game, events, moves


@pytest.mark.parametrize("players", [3, 7, 10])
def test_the_moves_of_a_whole_game_are_counted_by_seat(players: int) -> None:
    _game, events, moves = play_game(players, players)
    tally = Tally.of(events, players)
    for counts, made in zip(tally.seats, moves, strict=True):
        told = (counts.tunnels, counts.dead_ends, counts.breaks, counts.passes)
        assert told == (
            made[Lay.__name__],
            made["dead end"],
            made[Break.__name__],
            made[Discard.__name__],
        )
    assert sum(counts.tunnels for counts in tally.seats) > 10
    passed = (SeatTally(), SeatTally(passes=1), SeatTally())
    late = tally_of("RoundEnded m m/s/m m NE/NW/NESW; Passed 2")
    assert late == Tally(passed), "what came before a round was dealt belongs to none"


@pytest.mark.rule("F1", "D2")
@pytest.mark.parametrize("edition", [INTERNATIONAL, FRANCE], ids=attrgetter("text"))
@pytest.mark.parametrize("players", [3, 7, 10])
def test_the_gold_of_the_rounds_adds_up_to_the_gold_at_the_end(
    players: int, edition: Edition
) -> None:
    game, events, _moves = play_game(players, 40 + players, edition)
    tally = Tally.of(events, players)
    assert [round_.winner for round_ in tally.rounds] == list(game.score.wins)
    for seat, nuggets in enumerate(game.score.nuggets or ()):
        won = [round_.nuggets[seat] for round_ in tally.rounds]
        assert sum(gold or 0 for gold in won) == nuggets
        assert None not in won
        assert sum(round_.cards[seat] for round_ in tally.rounds) == game.score.cards[seat]


@pytest.mark.rule("D7", "D2")
@pytest.mark.parametrize("edition", [INTERNATIONAL, FRANCE], ids=attrgetter("text"))
def test_a_seat_knows_its_own_nuggets_and_of_the_others_the_cards(edition: Edition) -> None:
    game, events, _moves = play_game(5, 1, edition)
    assert isinstance(events.pop(), GameEnded)
    whole = Tally.of(events, 5)
    for me in range(5):
        tally = Tally.of(visible_to(events, me), 5)
        assert tally.seats == whole.seats
        for seen, true in zip(tally.rounds, whole.rounds, strict=True):
            assert (seen.cards, seen.roles, seen.winner) == (true.cards, true.roles, true.winner)
            for seat, nuggets in enumerate(seen.nuggets):
                hidden = true.winner is Role.MINER and seat != me and true.cards[seat] > 0
                assert nuggets == (None if hidden else true.nuggets[seat])
    assert Role.MINER in game.score.wins, "or nothing was hidden"


def tally_of(text: str) -> Tally:
    """The tally of these events at a table of three."""
    return Tally.of(read_events(text), 3)


@pytest.mark.rule("D8", "F1", "D7")
@pytest.mark.parametrize(
    ("events", "cards", "nuggets"),
    [
        (f"{SABOTEURS_WON}SaboteursPaid 4 0/1/0 0/1/0; GoldReceived 2 3", (0, 1, 0), (0, 4, 0)),
        (f"{MINERS_WON}GoldDrawn 2; GoldTaken 3; GoldTaken 1; GoldReceived 1 3", (1, 0, 1), None),
    ],
    ids=["chits count", "gold not seen is not known"],
)
def test_a_seat_knows_what_it_saw(
    events: str, cards: tuple[int, ...], nuggets: tuple[int, ...] | None
) -> None:
    tally = tally_of(events).rounds[0]
    assert (tally.cards, tally.nuggets) == (cards, nuggets or (3, 0, None))


@pytest.mark.rule("F1", "D7")
def test_hidden_cards_of_one_round_are_known_once_all_gold_was_shown() -> None:
    first = f"{MINERS_WON}GoldTaken 3; GoldTaken 1; GoldReceived 1 3; GoldTaken 3; "
    second = f"{MINERS_WON.replace('RoundBegan 1', 'RoundBegan 2')}GoldTaken 1; GoldReceived 1 1; "
    tally = tally_of(f"{first}{second}GameEnded 3+1/-/2+1")
    assert [round_.nuggets for round_ in tally.rounds] == [(3, 0, 3), (1, 0, 0)]
