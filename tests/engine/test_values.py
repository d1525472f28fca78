"""Everything that is handed out is a value: nobody can change it, and it compares, hashes, travels.

Gone through is all that can be reached from a game, its views, its tables and its records.
"""

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from enum import Enum
from random import Random

import pytest

from engine import bots, cards, dealing, game, state
from engine.board import START
from engine.cards import Path
from engine.dealing import deal
from engine.edition import FRANCE
from engine.events import visible_to
from engine.game import Game
from engine.notation import Position
from engine.view import History
from tests.engine.notation.games import play, record_of_seat, write_out

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


def change(mapping: object, way: str) -> None:
    """Change a mapping."""
    getattr(mapping, way)(*CHANGES[way])


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


def public_values() -> list[object]:
    """A game in mid-round and one that is over, with what can be made of them."""
    values: list[object] = []
    for steps in (30, 10_000):
        record, game, told = play(5, 4, FRANCE, steps=steps)
        seats = [*range(4), None]
        values += [game, record, write_out(record), *(game.view(seat) for seat in seats)]
        values += [record_of_seat(seat, record, told) for seat in seats]
        table = game.round.table
        values += [Position.of(game.round), game.round, table, table.board.cards, told]
    return [tuple(value) if isinstance(value, list) else value for value in values]


@pytest.fixture(scope="module")
def values() -> list[object]:
    return public_values()


def test_no_value_and_nothing_in_it_can_be_changed(values: list[object]) -> None:
    mappings = frozen = 0
    for value in (part for whole in values for part in reachable(whole)):
        if isinstance(value, Mapping):
            before = dict(value)
            for way in CHANGES:
                with pytest.raises((TypeError, AttributeError)):
                    change(value, way)
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
    game, _ = Game.begin(deal(rng.randbytes(32), 1, 4))
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
    for module in (cards, dealing, game, state, bots):
        for name, value in vars(module).items():
            if name.isupper() and not name.startswith("_") and isinstance(value, Mapping):
                with pytest.raises((TypeError, AttributeError)):
                    change(value, "__setitem__")
                assert START not in value, name


@pytest.mark.parametrize("member", [*cards.Card, *cards.Goal, *cards.Tool], ids=repr)
def test_a_card_stays_what_it_is(member: cards.Card | cards.Goal | cards.Tool) -> None:
    before = vars(member).copy()
    for name in before:
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(member, name, 3)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(member, name)
    assert vars(member) == before
    assert copy.deepcopy(member) is member
    assert pickle.loads(pickle.dumps(member)) is member  # noqa: S301 - pickled right here
