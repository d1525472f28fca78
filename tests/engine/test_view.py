"""A view: what a seat may do and why not, and how it folds what it hears (RULES K, T); tallies."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from random import Random

import pytest

from engine import Break, Game, Map, Phase, Repair, Rockfall, View, deal
from engine.cards import DECK, Card, Role
from engine.edition import FRANCE, INTERNATIONAL, Edition
from engine.events import Event, FaceUpPlay, GameEnded, GoldTaken, Passed, public_event, visible_to
from engine.moves import (
    DealAwaited,
    Discard,
    IllegalMove,
    KeepGold,
    Lay,
    NotOnOffer,
    NotYourTurn,
    OnlyWatching,
)
from engine.notation import NotationError, parse_move
from engine.tally import SeatTally, Tally
from tests.engine.cases import game_of, gold_on_offer, read_events, round_at
from tests.engine.random_games import games, keen


def view_of(line: str, seat: int | None = 0) -> View:
    """What a seat knows in a position."""
    return game_of(round_at(line)).view(seat)


LINE = "EW@1 (NE)/(NESW)/(NW) 1 -,P,- NE/NE/-L/+PL/R/M,NS,NS NE/NW mms+m"


@pytest.mark.rule("T1", "T5")
def test_legal_moves_come_by_card_then_by_place_then_discards() -> None:
    kinds = [type(move) for move in view_of(LINE).legal_moves()]
    assert list(dict.fromkeys(kinds)) == [Lay, Break, Repair, Rockfall, Map, Discard]
    lays = [move.cell for move in view_of(LINE).legal_moves() if isinstance(move, Lay)]
    assert lays == sorted(lays)


@pytest.mark.rule("T1", "P2")
def test_a_move_is_read_if_it_can_be_made_now() -> None:
    game = game_of(round_at(LINE))
    for reader in (game, game.view(0)):
        for move in reader.legal_moves():
            assert reader.read(str(move)) == move
        with pytest.raises(NotationError, match="column 4 of 'NE@2w1': a cell is a column"):
            reader.read("NE@2w1")
        with pytest.raises(NotationError, match="no card in the deck is written like this"):
            reader.read("x?")
        with pytest.raises(IllegalMove, match=r"^NE@2 is illegal: side W is closed, and the"):
            reader.read("NE@2")


@pytest.mark.rule("T1", "N1")
def test_out_of_turn_nothing_is_legal_and_it_is_said_what_is_awaited() -> None:
    game = game_of(round_at(LINE))
    for seat, why in ((1, NotYourTurn(0)), (2, NotYourTurn(0)), (None, OnlyWatching())):
        view = game.view(seat)
        assert not view.legal_moves()
        assert view.why_not(parse_move("xNS")) == why
        assert parse_move("xNS") not in view.legal_moves()
        with pytest.raises(IllegalMove, match=f"xNS is illegal: {why}"):
            view.read("xNS")
    shared = gold_on_offer()
    with pytest.raises(IllegalMove, match=r"xNS is illegal: gold is being shared, and seat 2"):
        shared.read("xNS")
    with pytest.raises(IllegalMove, match=r"\$1 is illegal: no gold card of 1 is on offer"):
        game.read("$1")


@pytest.mark.rule("S8", "K")
def test_cards_are_unseen_that_lie_neither_face_up_nor_before_the_seat() -> None:
    view = view_of(LINE)
    unseen = Counter(view.unseen())
    assert unseen.total() == len(DECK) - 1 - 1 - len(view.hand) - len(view.buried)
    assert unseen[Card.NE] == Card.NE.copies - 2 - view.buried.count(Card.NE)
    assert unseen[Card.BREAK_PICK] == Card.BREAK_PICK.copies - 1, "it lies before somebody"
    watched = view_of(LINE, None)
    assert Counter(watched.unseen()) - unseen == Counter((*view.hand, *view.buried))


@pytest.mark.rule("D4")
def test_gold_is_kept_only_while_it_is_on_offer() -> None:
    assert view_of(LINE).why_not(KeepGold(2)) == NotOnOffer(2)
    game = game_of(round_at(LINE))
    with pytest.raises(IllegalMove) as illegal:
        game.apply(KeepGold(2))
    assert (illegal.value.move, illegal.value.reason) == (KeepGold(2), NotOnOffer(2))
    assert str(illegal.value) == "$2 is illegal: no gold card of 2 is on offer"
    game = gold_on_offer()
    assert game.view(1).phase is Phase.GOLD
    assert game.view(1).why_not(KeepGold(2)) is None
    assert list(game.view(1).legal_moves()) == [KeepGold(3), KeepGold(2), KeepGold(1)]


def test_before_the_first_deal_nothing_can_be_done() -> None:
    view = View.before(INTERNATIONAL, 4, 3, 1)
    assert view.phase is Phase.DEAL
    assert view.to_act is None
    assert not view.legal_moves()
    assert view.why_not(Discard(Card.NE)) == DealAwaited()
    assert view.why_not(KeepGold(1)) == DealAwaited()


@pytest.mark.rule("K", "A1", "A2", "A4", "A5", "P1")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Laid 1 SW 2", "NE -L +PL R M"),
        ("Broke 1 L 2", "NE NE +PL R M"),
        ("Repaired 1 +PL 2 P", "NE NE -L R M"),
        ("Collapsed 1 1 EW", "NE NE -L +PL M"),
        ("Looked 1 8", "NE NE -L +PL R"),
        ("Passed 1", "NE NE -L +PL R M"),
    ],
)
def test_a_card_played_face_up_leaves_the_hand_of_who_played_it(text: str, left: str) -> None:
    (event,) = read_events(text)
    view = view_of(LINE).after(event)
    assert " ".join(card.text for card in view.hand) == left
    assert view.table.hands[0] == 5
    for seat in (1, 2, None):
        other = view_of(LINE, seat)
        assert other.after(event).hand == other.hand


# A move becomes one public event, and an event that shows a move gives that move back.


@pytest.mark.parametrize("players", [3, 10])
def test_moves_and_events_turn_into_each_other_throughout_a_game(players: int) -> None:
    for game in games(INTERNATIONAL, players, keen, Random(players), rounds=2):
        if (seat := game.to_act) is None:
            continue
        for move in game.legal_moves():
            event = public_event(seat, move, game.round.table.board)
            if isinstance(move, Discard | KeepGold):
                assert event == (Passed if isinstance(move, Discard) else GoldTaken)(seat)
            else:
                assert isinstance(event, FaceUpPlay)
                assert (event.seat, event.move) == (seat, move)


# Tallies: what a game's events tell of who did what, and of the gold of each round.

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


@pytest.mark.rule("F1", "D5", "D8")
@pytest.mark.parametrize(
    ("paid", "gold", "nuggets"),
    [
        ("SaboteursPaid 4 0/2/0 0/0/0", "3/3+2+1/-", [(3, 2, 0), (0, 4, 0)]),
        ("SaboteursPaid 4 0/1/0 0/2/0", "3/2+1/-", [(3, 1, 0), (0, 4, 0)]),
        ("SaboteursPaid 4 0/1/0 0/1/0", "3/2+1/-", [(3, None, 0), (0, 4, 0)]),
    ],
    ids=["in cards", "in part in chits", "not as the cards say"],
)
def test_what_saboteurs_were_paid_hides_no_other_cards(
    paid: str, gold: str, nuggets: list[tuple[int | None, ...]]
) -> None:
    first = f"{MINERS_WON}GoldTaken 2; GoldTaken 1; GoldReceived 1 3; "
    second = SABOTEURS_WON.replace("RoundBegan 1", "RoundBegan 2")
    tally = tally_of(f"{first}{second}{paid}; GameEnded {gold}")
    assert [round_.nuggets for round_ in tally.rounds] == nuggets
