"""A view: what a seat may do and why not, and how it folds what it hears (RULES K, T)."""

from collections import Counter
from random import Random

import pytest

from engine.actions import Break, Map, Repair, Rockfall
from engine.board import EMPTY
from engine.cards import DECK, Card, Path, Tool
from engine.dealing import deal
from engine.edition import EDITIONS, INTERNATIONAL
from engine.events import FaceUpPlay, GoldTaken, Passed, public_event
from engine.game import Game
from engine.moves import (
    DealAwaited,
    Discard,
    IllegalMove,
    KeepGold,
    Lay,
    NotInHand,
    NotOnOffer,
    NotYourTurn,
    OnlyWatching,
)
from engine.notation import NotationError, parse_move
from engine.state import Phase
from engine.view import View
from tests.engine.cases import WON, game_of, last_step_position, play, read_events, round_at
from tests.engine.random_games import games, keen


def view_of(line: str, seat: int | None = 0) -> View:
    """What a seat knows in a position."""
    return game_of(round_at(line)).view(seat)


LINE = "EW@1 (NE)/(NESW)/(NW) 1 -,P,- NE/NE/-L/+PL/R/M,NS,NS NE/NW mms+m"


@pytest.mark.rule("T1")
def test_legal_moves_are_gone_through_counted_and_asked() -> None:
    legal = view_of(LINE).legal_moves()
    listed = list(legal)
    assert len(legal) == len(listed) == len(set(listed))
    assert list(legal) == listed
    assert all(move in legal for move in listed)
    assert parse_move("NE@3") not in legal
    assert parse_move("$1") not in legal
    assert legal
    assert Random(5).choice(legal) in legal


def test_what_is_no_move_is_not_among_the_legal_moves() -> None:
    legal = view_of(LINE).legal_moves()
    things: list[object] = ["NE@-1", None, 3, (Path.read("NE"), (-1, 0)), Card.NE, Lay]
    assert not any(thing in legal for thing in things)


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
def test_reading_a_move_out_of_turn_says_what_is_awaited() -> None:
    game = game_of(round_at(LINE))
    with pytest.raises(IllegalMove, match="xNS is illegal: it is the turn of seat 1"):
        game.view(1).read("xNS")
    with pytest.raises(IllegalMove, match="xNS is illegal: a watcher has no seat"):
        game.view(None).read("xNS")
    shared, _ = play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)
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


def test_out_of_turn_nothing_is_legal_and_it_is_said_whose_turn_it_is() -> None:
    for seat in (1, 2):
        view = view_of(LINE, seat)
        assert not view.legal_moves()
        assert view.why_not(parse_move("xNS")) == NotYourTurn(0)
        assert parse_move("xNS") not in view.legal_moves()
    watcher = view_of(LINE, None)
    assert not watcher.legal_moves()
    assert watcher.why_not(parse_move("xNS")) == OnlyWatching()


@pytest.mark.rule("D4")
def test_gold_is_kept_only_while_it_is_on_offer() -> None:
    assert view_of(LINE).why_not(KeepGold(2)) == NotOnOffer(2)
    game = game_of(round_at(LINE))
    with pytest.raises(IllegalMove) as illegal:
        game.apply(KeepGold(2))
    assert (illegal.value.move, illegal.value.reason) == (KeepGold(2), NotOnOffer(2))
    assert str(illegal.value) == "$2 is illegal: no gold card of 2 is on offer"
    game, _ = play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)
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


@pytest.mark.rule("T1", "A1", "A3")
def test_moves_say_which_card_leaves_the_hand() -> None:
    for text, card in [
        ("SW@2", "NE"),
        ("s@2", "n"),
        ("-L>2", "-L"),
        ("+PL>2:P", "+PL"),
        ("R@1", "R"),
        ("M@8", "M"),
        ("xNES", "NES"),
    ]:
        move = parse_move(text)
        assert not isinstance(move, KeepGold)
        assert move.card.text == card
        assert view_of("- (NE)/(NESW)/(NW) 1 -,-,- NS,NS,NS NE mms+m").why_not(move) == NotInHand(
            Card.read(card)
        )
    assert Break(Tool.CART, 1).card is Card.BREAK_CART
    assert Rockfall((1, 0)).card is Card.ROCKFALL
    assert Map((8, 0)).card is Card.MAP
    assert Repair(Card.REPAIR_CART, 1, Tool.CART).card is Card.REPAIR_CART


# A move becomes one public event, and an event that shows a move gives that move back.


def check_moves(game: Game) -> None:
    """See that the event of each legal move gives back all that everybody may know of the move."""
    seat, board = game.to_act, game.round.table.board
    assert seat is not None
    for move in game.legal_moves():
        event = public_event(seat, move, board)
        assert event.seat == seat
        if isinstance(move, Discard):
            assert event == Passed(seat)
        elif isinstance(move, KeepGold):
            assert event == GoldTaken(seat)
        else:
            assert isinstance(event, FaceUpPlay)
            assert event.move == move
            assert public_event(seat, event.move, board) == event


@pytest.mark.level("broad")
@pytest.mark.parametrize("players", [3, 10])
@pytest.mark.parametrize("book", EDITIONS)
def test_moves_and_events_turn_into_each_other_throughout_a_game(book: str, players: int) -> None:
    for game in games(EDITIONS[book], players, keen, Random(players), rounds=2):
        if game.to_act is not None:
            check_moves(game)


def test_equal_passes_share_one_object() -> None:
    game, _ = Game.begin(deal(bytes(32), 1, 3), EDITIONS["international"], rounds=1)
    board, (first, second, *_) = game.round.table.board, game.round.hands[0]
    assert public_event(0, Discard(first), board) is public_event(0, Discard(second), board)


def test_of_gold_kept_everybody_hears_only_that_it_was_taken() -> None:
    assert public_event(2, KeepGold(3), EMPTY) == GoldTaken(2)
