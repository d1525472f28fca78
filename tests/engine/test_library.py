"""The engine as a library: what is imported, printed, read and caught; all of it are values."""

import copy
import doctest
import json
import pickle
import pydoc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from enum import Enum
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from random import Random
from typing import get_args

import pytest

import engine.bots.review
import engine.notation
from engine import FRANCE, Game, History, Path, Phase, Score, bots, cards, deal, dealing, state
from engine.assembling import Contradiction
from engine.board import EMPTY, START
from engine.bots import greedy, random_bot
from engine.bots.bot import BadReply
from engine.events import Event, Laid, event_dict, visible_to
from engine.moves import KeepGold, Move, NotOnOffer, Reason
from engine.notation import Position, parse_position
from engine.playing import play as play_bots
from engine.readonly import Memo
from sabtui.kit.arena import BadBot
from tests.engine.cases import game_of, round_at
from tests.engine.notation.games import play, record_of_seat, write_out

LINE = "EW@1/nesw@1n1/NS@3 (NE)/(NESW)/(NW) 1 -,PC,- NE/-L/R,NS,M NE/NW mms+m"

SEEN = "EW@1 ?/(NE)/? 1 -,P,- NS/NE/-L/M,3,2 0 m??+?"
SEED = bytes(32)

MINE = """\
    0  1  2  3  4  5  6  7  8
n2                         [{}]
n1    ~X~
0  -S----    :             [{}]
s1
s2                         [{}]
"""


def test_every_event_reason_and_move_is_exported() -> None:
    for union in (Event, Reason, Move):
        for kind in get_args(union):
            assert getattr(engine, kind.__name__) is kind
            assert kind.__name__ in engine.__all__
    assert all(hasattr(engine, name) for name in engine.__all__)
    for bot in bots.BOTS.values():
        assert bot in [getattr(bots, name) for name in bots.__all__ if not name.isupper()]


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (engine, engine.notation):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0
    opening = pydoc.plain(pydoc.render_doc(engine)).partition("print(game.score)")[0].splitlines()
    assert sum(line.strip().startswith((">>>", "...")) for line in opening) <= 10


def test_a_game_prints_with_all_its_secrets() -> None:
    assert str(game_of(round_at(LINE))) == (
        "round 1 of 3, gold cards 0 0 0: seat 1 to play\n" + MINE.format("o", "$", "o") + "pile 2\n"
        ">  seat 1  miner     NE -L R\n"
        "   seat 2  miner     NS       broken P C\n"
        "   seat 3  saboteur  M"
    )


def test_a_watchers_view_prints_no_secret() -> None:
    watched = str(game_of(round_at(LINE)).view(None))
    assert "miner" not in watched
    assert "NE" not in watched
    assert MINE.format("?", "?", "?") in watched


def test_what_prints_on_many_lines_shows_on_one() -> None:
    game = game_of(round_at(LINE))
    over, _ = game_of(round_at("- (NE)/(NESW)/(NW) 1 -,-,- M,-,- - mms+m"), rounds=1).apply(
        engine.Discard(cards.Card.MAP)
    )
    shown = {
        over: "<Game: round 1 of 1, gold cards 0 0 2, nuggets 0 0 4, won by seat 3, over>",
        game: "<Game: round 1 of 3, gold cards 0 0 0, seat 1 to play>",
        game.view(1): "<View of seat 2: round 1 of 3, gold cards 0 0 0, seat 1 to play>",
        game.view(None): "<View of a watcher: round 1 of 3, gold cards 0 0 0, seat 1 to play>",
        game.round: "<Round at <Table of 3 players, seat 1 to play, 2 cards in the pile>>",
        EMPTY: "<Board with 0 tunnels, 3 goals face down>",
        engine.Table.empty(engine.FRANCE, 3): "<Table of 3 players, nobody to play, 0 cards in the "
        "pile>",
    }
    for value, line in shown.items():
        assert repr(value) == line
        assert str(value).isascii()
    assert str(Score.empty(3, 3)) == "round 0 of 3, gold cards 0 0 0"


def test_a_new_game_is_dealt_from_its_seed_and_tells_why_a_move_is_illegal() -> None:
    dealt, _ = Game.begin(engine.deal(SEED, 1, 5), FRANCE, rounds=2, youngest=3)
    game = Game.new(5, seed=SEED, edition=FRANCE, rounds=2, youngest=3)
    assert game == dealt
    assert [game.why_not(move) for move in game.legal_moves()] == [None] * len(game.legal_moves())
    assert game.why_not(KeepGold(1)) == NotOnOffer(1)


def test_bots_play_a_whole_game_which_the_seed_decides() -> None:
    seats = (greedy, random_bot, greedy)
    first, *_, last = games = list(play_bots(seats, SEED, rounds=2))
    assert first == Game.new(3, seed=SEED, rounds=2)
    assert [game.phase for game in games].count(Phase.DEAL) == 1
    assert last.phase is Phase.OVER
    assert list(play_bots(seats, SEED, rounds=2)) == games


def test_an_event_becomes_plain_values() -> None:
    assert event_dict(Laid(2, Path.read("nes"), (3, -1))) == {
        "event": "Laid",
        "seat": 2,
        "path": "nes",
        "cell": [3, -1],
    }
    for game in play_bots((greedy,) * 3, SEED, rounds=1):
        for event in chain.from_iterable(game.history):
            assert json.loads(json.dumps(event_dict(event))) == event_dict(event)


def test_a_position_is_played_on_as_a_game() -> None:
    position = parse_position(LINE)
    game = position.game()
    assert [game.view(seat) for seat in (0, 1, 2, None)] == [
        position.view(seat) for seat in (0, 1, 2, None)
    ]
    while game.phase is not Phase.OVER:
        game, _ = game.apply(game.legal_moves()[0])
    assert game.score.nuggets
    with pytest.raises(ValueError, match="to play on, these must be known"):
        parse_position(SEEN).game()
    with pytest.raises(ValueError, match="no seat is to move"):
        Position.of(game.round).game()


def test_no_function_hides_the_module_of_its_name() -> None:
    for package in (engine, engine.bots, engine.notation):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            found = import_module(module.name)
            assert getattr(package, module.name.rpartition(".")[2]) is found


ERRORS = (
    engine.IllegalMove(engine.Discard(cards.Card.MAP), engine.NotInHand(cards.Card.MAP)),
    engine.NotationError("no move: at all", "EW@1 so what", 6, 3),
    engine.NotationError("no move", "x" * 200, 90),
    Contradiction((0, 2), "more copies of a card", False),  # noqa: FBT003 - by place
    BadReply("no move", 5),
    BadBot("digger raises ZeroDivisionError"),
)


@pytest.mark.parametrize("error", ERRORS, ids=str)
def test_an_error_crosses_a_process_with_all_that_it_tells(error: Exception) -> None:
    for through in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301 - our own
        assert type(through) is type(error)
        assert (through.args, str(through)) == (error.args, str(error))
        assert vars(through) == vars(error)


# A value: nobody can change it, and it compares, hashes, travels.

LEAVES = (int, str, bytes, Enum, Path, type(None))

CHANGES: dict[str, tuple[object, ...]] = {
    "__setitem__": (START, "a card"),
    "__delitem__": (START,),
    "__ior__": ({START: "a card"},),
    "update": ({START: "a card"},),
    "setdefault": ((40, 40), "a card"),
    "pop": (START, None),
    "popitem": (),
    "clear": (),
}
"""What changes a dict, and with what."""


def reachable(value: object) -> Iterator[object]:
    """A value, and every value in it."""
    yield value
    if isinstance(value, LEAVES):
        return
    if isinstance(value, Mapping):
        parts: Iterator[object] = iter([*value.keys(), *value.values()])
    elif is_dataclass(value):
        parts = (getattr(value, field.name) for field in fields(value))
    else:
        assert isinstance(value, tuple | frozenset | History), f"{type(value)} is no value"
        parts = iter(value)
    for part in parts:
        yield from reachable(part)


@pytest.fixture(scope="module")
def values() -> list[object]:
    """A game in mid-round and one that is over, with what can be made of them."""
    values: list[object] = []
    for steps in (30, 10_000):
        record, game, told = play(5, 4, FRANCE, steps=steps)
        seats = [*range(4), None]
        values += [game, record, write_out(record), *(game.view(seat) for seat in seats)]
        values += [record_of_seat(seat, record, told) for seat in seats]
        table = game.round.table
        values += [Position.of(game.round), game.round, table, table.board.cards, tuple(told)]
    return values


def test_no_value_and_nothing_in_it_can_be_changed(values: list[object]) -> None:
    mappings = frozen = 0
    for value in (part for whole in values for part in reachable(whole)):
        if isinstance(value, Mapping):
            before = dict(value)
            for way, arguments in CHANGES.items():
                with pytest.raises((TypeError, AttributeError)):
                    getattr(value, way)(*arguments)
            assert value == before
            mappings += 1
        elif is_dataclass(value) and not isinstance(value, type):
            with pytest.raises(FrozenInstanceError):
                setattr(value, fields(value)[0].name if fields(value) else "name", None)
            frozen += 1
    assert min(mappings, frozen) > 20


@pytest.mark.parametrize("through", [pickle.dumps, copy.copy, copy.deepcopy])
def test_values_hash_and_compare_wherever_they_were_made(
    through: Callable[[object], object], values: list[object]
) -> None:
    for value in values:
        other = through(value)
        if isinstance(other, bytes):
            other = pickle.loads(other)  # noqa: S301 - pickled right here
        assert type(other) is type(value)
        assert other == value
        assert hash(other) == hash(value)
        assert [type(part) for part in reachable(other)] == [
            type(part) for part in reachable(value)
        ]


def test_a_history_is_worth_the_same_whoever_asked_before(rng: Random) -> None:
    game = Game.new(4, seed=rng.randbytes(32))
    for _ in range(12):
        game, _ = game.apply(rng.choice(game.legal_moves()))
        if rng.random() < 0.5:
            game.view(rng.randrange(4))
    unasked = History(game.history)
    assert (unasked, hash(unasked), len(unasked)) == (game.history, hash(game.history), 13)
    assert unasked != History(list(unasked)[1:])
    assert unasked != tuple(unasked)
    assert repr(unasked) == "<History of 13 steps>"
    for seat in (*range(4), None):
        assert game.view(seat).history == unasked.seen_by(seat)


def test_ways_that_part_from_one_game_do_not_tell_each_other(rng: Random) -> None:
    begun, dealt = Game.begin(deal(rng.randbytes(32), 1, 3))
    one_way, other_way = begun.legal_moves()[-1], begun.legal_moves()[0]
    for asked_before in (True, False):
        if asked_before:
            begun.view(0)
        one, told = begun.apply(one_way)
        one.view(0)
        other, heard = begun.apply(other_way)
        assert one.view(0).history == visible_to((*dealt, *told), 0)
        assert other.view(0).history == visible_to((*dealt, *heard), 0)
        assert begun.view(0).history == visible_to(dealt, 0)


def test_what_the_rules_count_by_cannot_be_changed() -> None:
    for module in (cards, dealing, engine.game, state, bots):
        for name, value in vars(module).items():
            if name.isupper() and not name.startswith("_") and isinstance(value, Mapping):
                with pytest.raises((TypeError, AttributeError)):
                    value[START] = "a card"  # type: ignore[index] # - that is the point
                assert START not in value, name


@pytest.mark.parametrize("member", [*cards.Card, *cards.Goal, *cards.Tool], ids=repr)
def test_a_copy_of_a_card_is_that_card(member: cards.Card | cards.Goal | cards.Tool) -> None:
    assert copy.deepcopy(member) is member
    assert pickle.loads(pickle.dumps(member)) is member  # noqa: S301 - pickled right here


def test_a_memo_makes_a_value_once_and_forgets_all_rather_than_grow_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = list[int]()

    def make(key: int) -> int:
        made.append(key)
        return key * 2

    memo = Memo(make)
    assert [memo[1], memo[1], memo[2]] == [2, 2, 4]
    assert made == [1, 2]
    monkeypatch.setattr("engine.readonly._MAX_REMEMBERED", 2)
    assert memo[3] == 6
    assert list(memo) == [3]
