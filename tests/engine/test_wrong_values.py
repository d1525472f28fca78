"""Values that are none: refused where they come in, so that no state and no record holds them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from json import loads
from typing import cast

import pytest

from engine import Break, Game, Map, Phase, Repair, Rockfall, Table, View
from engine.board import EMPTY, MAX_DRAWN
from engine.bots import Playouts, Seconds
from engine.bots.claims import claim_when_blamed, claim_when_harmed
from engine.cards import CROSSROADS, Card, Path, Role, Tool
from engine.dealing import Deal, check_deal, deal, list_dwarves
from engine.edition import FRANCE, INTERNATIONAL, ITALIA, Direction, Edition
from engine.moves import Discard, KeepGold, Lay, Play
from engine.notation import ObservedRecord, Record, parse_position, parse_record
from engine.tally import Tally
from tests.engine.cases import read_events

# What no type checker would let through.
WRONG, TRUE, TEXT, FLOAT = loads('[null, true, "EW@1", 1.0]')
EW = Path.read("EW")
DEALT = deal(bytes(32), 1, 3)
NAMES = ("Anna", "Bruno", "Chiara")
POSITION = parse_position("- ?/?/? 1 -,-,- NE,NS,EW 9 m??+?")

Make = Callable[[], object]


def test_a_move_with_a_part_of_another_type_cannot_be_made() -> None:
    makes: tuple[Make, ...] = (
        *(
            partial(Lay, EW, cell)
            for cell in ((TRUE, 0), (FLOAT, 0), tuple(loads("[1, 0, 0]")), TEXT)
        ),
        *(partial(Lay, path, (1, 0)) for path in (WRONG, TEXT)),
        *(partial(kind, cell) for kind in (Rockfall, Map) for cell in (WRONG, (FLOAT, 0))),
        *(partial(Break, *parts) for parts in ((WRONG, 0), (Tool.PICK, TEXT), (Tool.PICK, TRUE))),
        partial(Repair, TEXT, 0, Tool.PICK),
        partial(Repair, Card.REPAIR_PICK, WRONG, Tool.PICK),
        partial(Repair, Card.REPAIR_PICK, 0, TEXT),
        partial(Discard, TEXT),
        *(partial(KeepGold, nuggets) for nuggets in (TRUE, FLOAT)),
    )
    for make in makes:
        with pytest.raises(TypeError, match="takes a"):
            make()


@pytest.mark.parametrize("move", [WRONG, TEXT, FLOAT, "nonsense", "$2"])
def test_what_is_no_move_is_refused_by_game_round_and_view_alike(move: Play) -> None:
    game, _ = Game.begin(DEALT)
    for refuse in (game.apply, game.why_not, game.round.apply, game.view(game.to_act).why_not):
        with pytest.raises(TypeError, match=r"is no move; use `game\.read`"):
            refuse(move)
    with pytest.raises(TypeError, match=r"\$1 takes no turn"):
        game.round.apply(cast("Play", KeepGold(1)))


@pytest.mark.parametrize("value", [TRUE, FLOAT, TEXT])
def test_no_other_value_passes_for_a_number(value: int) -> None:
    game, _ = Game.begin(DEALT)
    for refuse in (
        lambda: Game.begin(DEALT, rounds=value),
        lambda: Game.begin(DEALT, youngest=value),
        lambda: View.before(INTERNATIONAL, 3, 3, value),
        lambda: View.before(INTERNATIONAL, 3, value, 0),
        lambda: View.before(INTERNATIONAL, value, 3, 0),
        lambda: Table.empty(INTERNATIONAL, 3, value),
        lambda: game.view(value),
        lambda: deal(bytes(32), value, 3),
        lambda: Game.begin(replace(DEALT, starter=value)),
        lambda: check_deal(replace(DEALT, starter=value), 3, DEALT.gold),
        lambda: Tally.of([], value),
        lambda: Playouts(value),
        lambda: Seconds(float("nan")),
        lambda: Seconds(float("inf")),
        Table.empty(FRANCE, 3).next_starter,
    ):
        with pytest.raises(ValueError, match=r"seat|round|play|seconds"):
            refuse()


OUT_OF_RANGE: dict[str, tuple[tuple[int, ...], list[Callable[[int], object]]]] = {
    "3 to 10 play, not {}": (
        (-1, 0, 1, 2, 11, 100),
        [
            lambda players: deal(bytes(32), 1, players),
            list_dwarves,
            partial(Table.empty, INTERNATIONAL),
            partial(Tally.of, []),
            lambda players: View.before(FRANCE, players, 3, 0),
        ],
    ),
    "one to three rounds, not {}": (
        (-1, 0, 4),
        [
            lambda rounds: Game.begin(DEALT, rounds=rounds),
            lambda rounds: View.before(FRANCE, 4, rounds, 0),
        ],
    ),
    "counted from 1, not {}": ((-1, 0, 1 << 32), [lambda number: deal(bytes(32), number, 5)]),
    "a seed has 32 bytes, not {}": ((0, 31, 33), [lambda length: deal(bytes(length), 1, 3)]),
    "no seat {} among 3": (
        (0, 4, 11),
        [
            lambda seat: Game.begin(DEALT)[0].view(seat - 1),
            lambda seat: Game.begin(DEALT)[0].round.seen_by(seat - 1),
            lambda seat: Game.begin(DEALT, youngest=seat - 1),
            lambda seat: POSITION.view(seat - 1),
            lambda seat: View.before(FRANCE, 3, 3, seat - 1),
            lambda seat: ObservedRecord(NAMES, seat - 1).before(),
            lambda seat: claim_when_blamed(POSITION.view(0), seat - 1),
            lambda seat: claim_when_harmed(POSITION.view(0), seat - 1),
        ],
    ),
    "counted from 0, not {}": ((-1,), [Playouts]),
    "for some seconds, not {}": ((-1,), [Seconds]),
}


@pytest.mark.rule("S1", "S2", "S8")
@pytest.mark.parametrize("problem", OUT_OF_RANGE)
def test_a_number_out_of_range_is_refused(problem: str) -> None:
    numbers, asked = OUT_OF_RANGE[problem]
    for number, ask in product(numbers, asked):
        with pytest.raises(ValueError, match=problem.format(number)):
            ask(number)


def test_the_name_of_an_edition_is_no_edition() -> None:
    name = loads('"italia"')
    for refuse in (
        lambda: Game.begin(DEALT, name),
        lambda: View.before(name, 3, 3, 0),
        lambda: Record(NAMES, name),
        lambda: ObservedRecord(NAMES, None, name),
    ):
        with pytest.raises(TypeError, match=r"'italia' is no edition; use `Edition\.read`"):
            refuse()


def test_an_edition_has_five_rows_of_a_book() -> None:
    with pytest.raises(ValueError, match="no book of rules is called 'mine'"):
        replace(INTERNATIONAL, book="mine")
    with pytest.raises(TypeError, match="not the five rows"):
        replace(ITALIA, link=TEXT)
    with pytest.raises(TypeError, match="'EW@1' is no row"):
        ITALIA.replace(TEXT)
    for read in (Edition.read, parse_record):
        with pytest.raises(TypeError):
            read(WRONG)
    assert ITALIA.replace(Direction.CLOCKWISE).changed == (Direction.CLOCKWISE,)


@pytest.mark.rule("K")
@pytest.mark.parametrize("text", ["Dealt 1 M", "DwarfDealt 1 s"])
def test_a_view_takes_in_nothing_that_another_seat_was_told(text: str) -> None:
    game, _ = Game.begin(DEALT)
    (event,) = read_events(text)
    for other in (1, 2, None):
        with pytest.raises(ValueError, match="only seat 1 receives this"):
            game.view(other).after(event)
    assert game.view(0).after(event).history[-1] == event


OF_SEATS = "TurnBegan 9; Drew 9; Passed 9; GoldTaken 9; Laid 9 EW 1; Broke 9 P 1; Broke 1 P 9"


def test_a_view_takes_in_nothing_of_a_seat_that_does_not_exist() -> None:
    view = Game.begin(DEALT)[0].view(0)
    for event in read_events(f"{OF_SEATS}; Repaired 1 +P 9 P"):
        with pytest.raises(ValueError, match="no seat"):
            view.after(event)
    with pytest.raises(TypeError, match="None is no event"):
        view.after(WRONG)


def test_a_card_is_laid_where_none_lies_and_taken_where_one_does() -> None:
    mine = EMPTY.with_card((1, 0), EW)
    for taken in ((0, 0), (1, 0)):
        with pytest.raises(ValueError, match="a card lies on"):
            mine.with_card(taken, EW)
    found = mine.with_card((8, 0), CROSSROADS)
    for board, empty in ((mine, (0, 0)), (mine, (2, 0)), (mine, (8, 0)), (found, (8, 0))):
        with pytest.raises(ValueError, match="no tunnel lies on"):
            board.without_card(empty)


def test_a_drawing_of_the_mine_has_an_end() -> None:
    near = EMPTY.with_card((MAX_DRAWN, 0), EW).with_card((0, -MAX_DRAWN), EW)
    far = near.with_card((1_000_000, 0), EW).with_card((0, 10**9), EW)
    assert (far.draw(), str(far)) == (near.draw(), str(near))
    assert len(far.draw()) < 1000


def spoil(dealt: Deal) -> dict[str, Deal]:
    """Deals that each have one fault."""
    first, *others = dealt.hands
    north, middle, _ = dealt.goals
    top, *pile = dealt.pile
    other = Card.MAP if top is Card.ROCKFALL else Card.ROCKFALL
    other_gold = 4 - dealt.gold[0] if dealt.gold[0] != 2 else 3
    return {
        "too many saboteurs": replace(dealt, roles=(Role.SABOTEUR,) * 4),
        "no saboteur at all": replace(dealt, roles=(Role.MINER,) * 4, spare=Role.MINER),
        "a goal twice": replace(dealt, goals=(north, middle, middle)),
        "a hand missing": replace(dealt, hands=tuple(others)),
        "a hand too small": replace(dealt, hands=(first[1:], *others), pile=(first[0], top, *pile)),
        "a card too many": replace(dealt, pile=(Card.DEAD_N, top, *pile)),
        "a card for another": replace(dealt, pile=(other, *pile)),
        "gold for other gold": replace(dealt, gold=(other_gold, *dealt.gold[1:])),
        "a hand out of order": replace(dealt, hands=(first[::-1], *others)),
        "two players": replace(dealt, roles=dealt.roles[:2], hands=dealt.hands[:2]),
    }


FOUR = deal(bytes(32), 1, 4)


@pytest.mark.rule("S2", "S3", "S4", "S5", "S7")
@pytest.mark.parametrize("fault", spoil(FOUR))
def test_a_deal_that_is_not_made_of_the_games_cards_is_refused(fault: str) -> None:
    assert Game.begin(FOUR, youngest=0)[0].phase is Phase.PLAY
    with pytest.raises(ValueError, match=r"not made of the cards|3 to 10 play, not 2"):
        Game.begin(spoil(FOUR)[fault], youngest=0)


@pytest.mark.rule("S2", "S4", "S8")
def test_a_deal_that_is_refused_says_what_it_lacks() -> None:
    *others, last = FOUR.pile
    roles = (Role.SABOTEUR,) * 4
    wrong = replace(FOUR, spare=roles[0], roles=roles, pile=tuple(others), starter=4)
    with pytest.raises(ValueError, match="dwarves it lacks m m m m and has s s s s too") as e:
        Game.begin(wrong, youngest=0)
    assert f"; of the cards it lacks {last} and has none too many; " in str(e.value)
    assert str(e.value).endswith("there is no seat 5 to begin")
