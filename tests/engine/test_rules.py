"""Rules by positions, house rules by row, and the next round (RULES P, A, G, R, T, E, N, F)."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from engine import EDITIONS, Card, Edition, Game, NotationError, Path, Phase, Role, RoundBegan, Tool
from engine.board import EMPTY
from engine.dealing import deal, list_dwarves
from engine.moves import DealAwaited, Discard, IllegalMove, Lay, ToolsBroken
from engine.notation import parse_move
from tests.engine.cases import Case, each_case, game_of, play, round_at


@each_case("rules_paths", "rules_goals", "rules_ends", "rules_turns", "rules_actions")
def test_a_round_is_played_as_the_rules_say(case: Case, edition: Edition) -> None:
    case.check(edition)


@pytest.mark.rule("A1")
@pytest.mark.parametrize("broken", [Tool.within(bits) for bits in range(1, 8)])
def test_whoever_has_a_broken_tool_is_refused_every_path_card_and_told_which_tools(
    broken: tuple[Tool, ...],
) -> None:
    game = game_of(round_at(f"- (NE)/(NESW)/(NW) 1 {''.join(broken)},-,- EW/NE,NS,NS NE mms+m"))
    move = Lay(Path.read("EW"), (1, 0))
    assert game.view(0).why_not(move) == ToolsBroken(broken)
    assert move not in game.view(0).legal_moves()
    with pytest.raises(IllegalMove):
        game.apply(move)


@pytest.mark.rule("A2", "A3")
@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("+P>2", (Card.REPAIR_PICK, Card.BREAK_PICK)),
        ("+LC>2:C", (Card.REPAIR_LANTERN_CART, Card.BREAK_CART)),
    ],
)
def test_a_repair_and_the_broken_tool_are_both_discarded(
    text: str, gone: tuple[Card, Card]
) -> None:
    game = game_of(round_at("- (NE)/(NESW)/(NW) 1 -,PC,- +P/+LC,NS,NS NE mms+m"))
    game, _ = play(game, text)
    assert game.round.table.discards == gone
    assert game.round.table.broken[1] in {Tool.PICK.bit, Tool.CART.bit}


# The editions, and house rules by row (RULES E).

PRINTED = {
    "international": "clockwise linked played-out each-miner-one path",
    "argentina": "clockwise linked ends-round each-miner-one path",
    "italia": "counter-clockwise adjacent played-out all-players card",
    "france": "clockwise adjacent played-out all-players card",
}
"""The table of RULES E, each book's rows from top to bottom."""


@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
def test_the_four_editions_are_those_of_the_books() -> None:
    assert {book: " ".join(edition.rows) for book, edition in EDITIONS.items()} == PRINTED
    assert all(EDITIONS[book].book == book for book in PRINTED)
    assert [edition.step for edition in EDITIONS.values()] == [1, 1, -1, 1]


@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
@pytest.mark.parametrize("book", PRINTED)
def test_every_mixture_of_rows_is_read_as_it_is_written(book: str) -> None:
    base = EDITIONS[book]
    for rows in product(*([*type(row)] for row in base.rows)):
        edition = base.replace(*rows)
        assert edition.rows == rows
        assert Edition.read(edition.text) == edition
        assert set(edition.changed) == set(rows) - set(base.rows)
        assert edition.text == "+".join((book, *edition.changed))
        assert f"{edition} {[edition]}" == f"{edition.text} [<Edition {edition.text}>]"
    assert base.replace(base.link) == base
    assert Edition.read(f"{book}+{base.link}+{base.next}") == base


TWICE = "italia+adjacent+linked+adjacent"


@pytest.mark.parametrize(
    "text", ["", "spain", "italia+", "italia+loose", "+linked", "Italia", TWICE]
)
def test_unknown_books_and_rows_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"name|kind") as caught:
        Edition.read(text)
    assert caught.value.column == 1


@pytest.mark.rule("E-direction", "E-link", "E-dead-table", "E-share", "E-next")
def test_rows_mixed_at_one_table_each_do_their_own() -> None:
    mixed = Edition.read("argentina+counter-clockwise+adjacent+all-players+card")
    line = "EW@1 (NE)/(NESW)/(NW) 1 -,-,-,- EW,+P/R,-,NS - mmms+m"
    game, text = play(game_of(round_at(line, mixed)), "EW@1n1")
    assert text == "Laid 1 EW 1n1; TurnBegan 4"
    game, text = play(game, "xNS")
    assert text == "Passed 4; DiscardedCard 4 NS; Skipped 3; TurnBegan 2"
    game, text = play(game, "xR")
    assert text.startswith("Passed 2; DiscardedCard 2 R; RoundEnded s")
    assert game.round.table.next_starter() == 2
    road = "EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6 (NE)/(NESW)/(NW) 1 -,-,-,- NESW,-,-,NS M mmms+m"
    game, text = play(game_of(round_at(road, mixed)), "NESW@7")
    assert "GoldDrawn 4" in text


# The next round, and the end of the game (RULES N, F, E-next).

LAST_CARDS = "- (NE)/(NESW)/(NW) 1 -,-,-,- {} - mmms+m"
"""A round of four that is soon over, seat 1 to move."""


def next_round(game: Game, rng: Random) -> Game:
    """Deal the next round."""
    number = game.score.number + 1
    following = deal(rng.randbytes(32), number, game.round.table.players, game.purse.pile)
    return game.deal(following)[0]


@pytest.mark.rule("N1")
def test_all_cards_are_dealt_again_and_players_keep_their_gold(rng: Random) -> None:
    line = "EW@1 (NE)/(NESW)/(NW) 1 -,P,-,- M,-,-,- - mmms+m"
    game = game_of(round_at(line), gold="2" * 8 + "1" * 15 + "33", held="33,-,1,-")
    game, _ = play(game, "xM")
    assert game.phase is Phase.DEAL
    assert game.purse.held[3] == (2, 2)
    left = game.purse.pile
    game = next_round(game, rng)
    table = game.round.table
    assert game.phase is Phase.PLAY
    assert (table.board, table.broken, table.discards) == (EMPTY, (0,) * 4, ())
    assert (table.buried, table.end) == ((0,) * 4, None)
    assert set(table.looks) == {frozenset()}
    assert table.hands == (6,) * 4
    assert table.pile == 43
    assert Counter((*game.round.roles, game.round.spare)) == Counter(list_dwarves(4))
    assert game.round.buried == ((),) * 4
    assert game.purse.held == ((3, 3), (), (1,), (2, 2))
    assert sorted(game.purse.pile) == sorted(left)
    assert game.view(3).peeks == (None, None, None)


@pytest.mark.rule("N1")
def test_one_call_deals_the_next_round_from_a_seed(rng: Random) -> None:
    game, _ = play(game_of(round_at(LAST_CARDS.format("M,-,-,-"))), "xM")
    seed = rng.randbytes(32)
    following = deal(seed, game.score.number + 1, 4, game.purse.pile)
    assert game.deal(seed) == game.deal(following)
    with pytest.raises(ValueError, match="a seed has 32 bytes, not 5"):
        game.deal(b"short")


@pytest.mark.rule("N1", "S5")
def test_a_deal_with_gold_that_players_have_says_what_it_lacks(rng: Random) -> None:
    game, _ = play(game_of(round_at(LAST_CARDS.format("M,-,-,-"))), "xM")
    assert game.purse.held[3] == (2, 2)
    with pytest.raises(ValueError, match=r"of the gold cards it lacks none and has 2 2 too many$"):
        game.deal(deal(rng.randbytes(32), 2, 4))


@pytest.mark.rule("N1", "K")
def test_a_view_forgets_the_round_before_and_keeps_its_gold(rng: Random) -> None:
    line = "EW@1 (NE)/(NESW)/(NW) 1 -,P,-,- M,-,-,- - mmms+m"
    game, _ = play(game_of(round_at(line)), "xM")
    before = game.view(3)
    game, events = game.deal(deal(rng.randbytes(32), 2, 4, game.purse.pile))
    began = next(event for event in events if isinstance(event, RoundBegan))
    after = before.after(began)
    assert (after.role, after.hand, after.buried) == (None, (), ())
    assert after.gold == before.gold == (2, 2)
    assert after.ledger == before.ledger
    assert after.history == (began,)


def starter_after(hands: str, moves: str, edition: Edition, rng: Random) -> int | None:
    """Who begins after a round that ends so; the first seat is 1."""
    game, _ = play(game_of(round_at(LAST_CARDS.format(hands), edition)), moves)
    assert game.phase is Phase.DEAL
    to_act = next_round(game, rng).to_act
    return None if to_act is None else to_act + 1


BOTH_ROWS = [
    ("a path card, then a pass", "EW,NS,-,-", "EW@1 xNS", 2, 3),
    ("a path card last", "M,EW,-,-", "xM EW@1", 3, 3),
    ("a pass before any path card", "M,M,-,-", "xM xM", 2, 3),
    ("an action last", "EW,M,-,-", "EW@1 M@8", 2, 3),
    ("a path card that a rockfall took", "M,EW,R,-", "xM EW@1 R@1", 3, 4),
    ("seats skipped after the last card", "M,EW,M,-", "xM EW@1 xM", 3, 4),
    ("the last seat's left is the first", "NS,-,-,EW", "xNS EW@1", 1, 1),
]


@pytest.mark.rule("N2", "E-next", "T4")
@pytest.mark.parametrize(("what", "hands", "moves", "path", "card"), BOTH_ROWS)
def test_left_of_the_last_path_card_or_of_the_last_card_of_any_kind_begins(  # noqa: PLR0913, PLR0917 - a row of the table above
    what: str, hands: str, moves: str, path: int, card: int, rng: Random
) -> None:
    assert starter_after(hands, moves, EDITIONS["international"], rng) == path, what
    assert starter_after(hands, moves, EDITIONS["france"], rng) == card, what
    assert starter_after(hands, moves, Edition.read("international+card"), rng) == card, what
    assert starter_after(hands, moves, Edition.read("france+path"), rng) == path, what


@pytest.mark.rule("N2", "E-direction")
def test_left_is_the_seat_after_even_where_turns_pass_the_other_way(rng: Random) -> None:
    assert starter_after("EW,-,-,NS", "EW@1 xNS", EDITIONS["italia"], rng) == 1
    assert starter_after("NS,EW,-,-", "xNS EW@1", EDITIONS["italia"], rng) == 3


@pytest.mark.rule("N2")
def test_where_nobody_laid_a_path_card_left_of_who_began_begins(rng: Random) -> None:
    for began in range(4):
        for book in ("international", "argentina"):
            game, _ = Game.begin(deal(rng.randbytes(32), 1, 4), EDITIONS[book], youngest=began)
            while game.phase is Phase.PLAY:
                game, _ = game.apply(game.legal_moves()[-1])
            assert game.round.table.last_path is None
            assert next_round(game, rng).to_act == (began + 1) % 4


@pytest.mark.rule("N1")
def test_nothing_is_dealt_or_played_when_it_is_not_time(rng: Random) -> None:
    game = Game.new(4, seed=rng.randbytes(32), rounds=1)
    following = deal(rng.randbytes(32), 2, 4)
    with pytest.raises(ValueError, match=r"no deal is awaited: seat [1-4] to play"):
        game.deal(following)
    ended, _ = play(game_of(round_at(LAST_CARDS.format("M,-,-,-"))), "xM")
    move = parse_move("xM")
    assert ended.view(0).why_not(move) == DealAwaited()
    with pytest.raises(IllegalMove, match="the next round is still to be dealt") as illegal:
        ended.apply(move)
    assert illegal.value.reason == DealAwaited()
    with pytest.raises(IllegalMove) as illegal:
        ended.round.apply(Discard(game.round.hands[0][0]))
    assert illegal.value.reason == DealAwaited()


@pytest.mark.rule("F1", "K")
def test_after_the_last_round_all_gold_is_shown_and_counted(rng: Random) -> None:
    line = LAST_CARDS.format("M,-,-,-")
    game = game_of(round_at(line), number=3, held="33,2,1,-")
    game, text = play(game, "xM")
    assert text.endswith("GoldReceived 4 2/2; GameEnded 3+3/2/1/2+2")
    assert game.phase is Phase.OVER
    assert game.to_act is None
    assert game.legal_moves() == ()
    for seat in (0, 1, 2, 3, None):
        score = game.view(seat).score
        assert score.gold == ((3, 3), (2,), (1,), (2, 2))
        assert score.nuggets == (6, 2, 1, 4)
        assert score.winners == (0,)
    move = parse_move("xM")
    with pytest.raises(IllegalMove, match="the game is over"):
        game.apply(move)
    with pytest.raises(ValueError, match="no deal is awaited: over"):
        game.deal(deal(rng.randbytes(32), 4, 4))


@pytest.mark.rule("F1")
def test_equal_first_places_share_the_win() -> None:
    game = game_of(round_at(LAST_CARDS.format("M,-,-,-")), number=3, held="31,-,22,-")
    game, _ = play(game, "xM")
    assert game.score.nuggets == (4, 0, 4, 4)
    assert game.score.winners == (0, 2, 3)


@pytest.mark.rule("F1", "S1")
def test_a_game_ends_after_its_last_round_and_not_before() -> None:
    for rounds in (1, 2, 3):
        for number in range(1, rounds + 1):
            line = LAST_CARDS.format("M,-,-,-")
            game, _ = play(game_of(round_at(line), number=number, rounds=rounds), "xM")
            assert game.phase is (Phase.OVER if number == rounds else Phase.DEAL)
            assert game.score.wins[-1] is Role.SABOTEUR
