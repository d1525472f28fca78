"""The `Bot` protocol, the budgets a bot may be given, and the bots that do not think ahead.

A bot is a function of a seat's view, a random generator and a budget. `random_bot` makes any legal
move. `greedy` values each move by how many cards the tunnel still needs, as the crow flies to the
nearest goal that may hide the treasure. It uses its own role, hand and maps, and no past actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from math import inf
from random import Random
from typing import Final, Protocol, TypeGuard, cast

from engine import legality
from engine.board import GOAL_CELLS
from engine.bots.evaluation import (
    GREEDY_MINER,
    GREEDY_SABOTEUR,
    NEARER_VALUE,
    SURELY_BREAK_VALUE,
    Outlook,
    value_to_miner,
    value_to_saboteur,
)
from engine.bots.fast_board import SITE_DISTANCES, find_possible_gold, targets_of
from engine.bots.talk import SILENCE, Claim, Talk, list_claims
from engine.bots.temper import USUAL_TEMPER, Temper
from engine.cards import CARDS, CardKind, Role, drop_copies
from engine.moves import KeepGold, Move, Play
from engine.tokens import format_seat
from engine.view import View


@dataclass(frozen=True, slots=True)
class Playouts:
    """Budget in play-outs: gives the same moves on every machine, for tests and measurements."""

    count: int

    def __post_init__(self) -> None:
        """Raise `ValueError` for a count that is not a whole number or below 0."""
        if type(self.count) is not int or self.count < 0:
            raise ValueError(f"play-outs are counted from 0, not {self.count!r}")


@dataclass(frozen=True, slots=True)
class Seconds:
    """Budget in seconds of wall-clock time: for tables where people wait."""

    seconds: float

    def __post_init__(self) -> None:
        """Raise `ValueError` for a time that is not finite or below 0."""
        if not 0 <= self.seconds < inf:
            raise ValueError(f"a bot thinks for some seconds, not {self.seconds!r}")


Budget = Playouts | Seconds
"""The limit on how much a bot may think about one move."""


@dataclass(frozen=True, slots=True)
class SpokenMove:
    """A move of a bot, and what it says just before: claims, and a line of free text.

    A table takes the first `MAX_CLAIMS_PER_MOVE` claims. `dropped` tells the bot's author what
    `call_bot` or a program's reader left out, in words that quote nothing.
    """

    move: Move
    claims: tuple[Claim, ...] = ()
    text: str = ""
    dropped: tuple[str, ...] = ()


MAX_CLAIMS_PER_MOVE: Final = 2
"""Maximum number of claims that a bot makes with a move."""


class Bot(Protocol):
    """A function that chooses a move for the seat that is to act."""

    def __call__(self, view: View, rng: Random, budget: Budget) -> Move:
        """Return a legal move of `view.seat`. Raises `ValueError` if that seat is not to act."""


class Listener(Bot, Protocol):
    """A bot that is also given what was said at the table."""

    def __call__(self, view: View, rng: Random, budget: Budget, talk: Talk = SILENCE) -> Move:
        """Return a legal move of `view.seat`. Raises `ValueError` if that seat is not to act."""


class Tempered(Bot, Protocol):
    """A bot that is also given a temper of its own."""

    def __call__(
        self, view: View, rng: Random, budget: Budget, *, temper: Temper = USUAL_TEMPER
    ) -> Move:
        """Return a legal move of `view.seat`. Raises `ValueError` if that seat is not to act."""


def listens(bot: Bot) -> TypeGuard[Listener]:
    """Return True if a bot has a parameter `talk`."""
    return "talk" in signature(bot).parameters


def has_temper(bot: Bot) -> TypeGuard[Tempered]:
    """Return True if a bot has a parameter `temper`."""
    return "temper" in signature(bot).parameters


def bind_talk(bot: Bot, talk: Talk, temper: Temper = USUAL_TEMPER) -> Bot:
    """Return the bot with its parameters `talk` and `temper` set to these, if it has them."""
    bound = partial(bot, talk=talk) if listens(bot) else bot
    return partial(bound, temper=temper) if has_temper(bound) else bound


class BadReply(Exception):
    """Raised when a bot returned neither a move nor a `SpokenMove`; the text says what is wrong.

    `found` is what the bot returned. The text does not quote it, as it may hold secrets.
    """

    def __init__(self, why: str, found: object) -> None:
        super().__init__(why, found)
        self.why = why
        self.found = found

    def __str__(self) -> str:
        return self.why


def call_bot(bot: Bot, view: View, rng: Random, budget: Budget) -> Move | SpokenMove:
    """Call a bot, which a stranger may have written, and return its checked answer.

    Claims beyond `MAX_CLAIMS_PER_MOVE` are left out, as are unknown claims and a text that is not a
    string; the move may be illegal. Raises `BadReply`, and anything that the bot raises.
    """
    found: object = cast("object", bot(view, rng, budget))
    if isinstance(found, Move):
        return found
    if not isinstance(found, SpokenMove) or not isinstance(cast("object", found.move), Move):
        raise BadReply("no move", found)
    known = list_claims(view.table.players)

    def read(said: object) -> Claim | None:
        return said if isinstance(said, Claim) and said in known else None

    # Its fields may be anything, whatever their types say.
    checked = build_spoken_move(found.move, found.claims, found.text, read)
    before: object = cast("object", found.dropped)
    dropped = (*checked.dropped, *(before if isinstance(before, tuple) else ()))
    return replace(checked, dropped=tuple(fault for fault in _FAULTS if fault in dropped))


NO_CLAIM: Final = "an unknown claim"
NO_LIST: Final = "claims that are not a list"
NO_TEXT: Final = "a text that is not a string"
"""Names a text that is left out of a `SpokenMove`; its move still counts."""

_FAULTS: Final = (NO_LIST, NO_CLAIM, NO_TEXT)


def build_spoken_move(
    move: Move, claims: object, text: object, read: Callable[[object], Claim | None]
) -> SpokenMove:
    """Return a move with those claims and that text, if valid; `None` stands for none of either."""
    faults, valid = set[str](), list[Claim]()
    if not isinstance(claims, list | tuple | None):
        faults.add(NO_LIST)
    if not isinstance(text, str | None):
        faults.add(NO_TEXT)
    listed = cast("Sequence[object]", claims) if isinstance(claims, list | tuple) else ()
    for said in listed:
        claim = read(said)
        if claim is None:
            faults.add(NO_CLAIM)
        elif len(valid) < MAX_CLAIMS_PER_MOVE:
            valid.append(claim)
    dropped = tuple(fault for fault in _FAULTS if fault in faults)
    return SpokenMove(move, tuple(valid), text if isinstance(text, str) else "", dropped)


def list_choices(view: View) -> Sequence[Move]:
    """Return the legal moves of a view. Raises `ValueError` if there are none."""
    moves = list(view.legal_moves())
    if not moves:
        whose = "a watcher" if view.seat is None else f"seat {format_seat(view.seat)}"
        raise ValueError(f"{whose} is not to act")
    return moves


def random_bot(view: View, rng: Random, budget: Budget) -> Move:
    """Return a legal move, each equally likely. Raises `ValueError` if the seat is not to act."""
    del budget  # It does not think.
    return rng.choice(list_choices(view))


_FIRST_OR_LAST: Final = frozenset(
    card for card in CARDS if card.kind in (CardKind.BREAK, CardKind.THROUGH)
)
"""Cards that a `greedy` saboteur plays before all others, or after them."""


def greedy(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move of highest value, a random one of several.

    A miner considers tunnels only at the openings nearest to the gold, and one card further away.
    When gold is shared, the card with the most nuggets is kept. Raises `ValueError` if the seat is
    not to act.
    """
    del budget  # It does not think ahead.
    if view.seat is None or view.seat != view.table.turn:
        return max(list_choices(view), key=_count_nuggets)
    sight = _make_outlook(view, view.seat)
    best: list[Play] = []
    most = -1.0
    saboteur = view.role is Role.SABOTEUR
    enough = SURELY_BREAK_VALUE if saboteur else NEARER_VALUE
    for moves in (
        _list_saboteurs_moves(view, sight) if saboteur else _list_miners_moves(view, sight)
    ):
        for move in moves:
            if saboteur:
                found = value_to_saboteur(GREEDY_SABOTEUR, sight, move)
            else:
                found = value_to_miner(GREEDY_MINER, sight, move)
            if found > most:
                best, most = [move], found
            elif found == most:
                best.append(move)
        if most >= enough:
            break
    return rng.choice(best)


def _make_outlook(view: View, seat: int) -> Outlook:
    """Return the facts that `greedy` decides by.

    It suspects nobody, treats all possible goals as equally likely, and every open side as a way
    on.
    """
    goals = find_possible_gold(view)
    gold = [1 / len(goals) if cell in goals else 0.0 for cell in GOAL_CELLS]
    nobody = (0.0,) * view.table.players
    sites = SITE_DISTANCES[targets_of(goals)]
    distance = sites.count_needed(view.table.board)
    return Outlook(
        seat, view.table, sites, distance, sees_closed_ways=False, saboteur=nobody, gold=gold
    )


def _list_miners_moves(view: View, sight: Outlook) -> Iterator[Sequence[Play]]:
    """Yield the moves that a miner considers, in groups: digging first, as it has most value."""
    table, seat, sites = sight.table, sight.seat, sight.sites
    cards = drop_copies(view.hand)
    if not table.broken[seat]:
        openings = [(sites.distance[site[0]], site) for site in table.board.openings]
        for away in (sight.distance, sight.distance + 1):
            yield legality.list_lays(cards, [site for far, site in openings if far == away])
        dead_ends = [card for card in cards if card.kind is CardKind.DEAD_END]
        yield legality.list_lays(dead_ends, [site for _, site in openings if sight.is_far(site[0])])
    yield legality.list_plays(table, seat, tuple(card for card in cards if not card.ways))
    yield legality.list_discards(cards)


def _list_saboteurs_moves(view: View, sight: Outlook) -> Iterator[Sequence[Play]]:
    """Yield a saboteur's moves in groups, breaking tools first, tunnels that lead on last."""
    table, seat = sight.table, sight.seat
    cards = drop_copies(view.hand)
    yield legality.list_plays(table, seat, tuple(card for card in cards if card.breaks))
    yield legality.list_plays(
        table, seat, tuple(card for card in cards if card not in _FIRST_OR_LAST)
    )
    if not table.broken[seat]:
        through = [card for card in cards if card.kind is CardKind.THROUGH]
        yield legality.list_lays(through, table.board.openings)
    yield legality.list_discards(cards)


def _count_nuggets(move: Move) -> int:
    assert isinstance(move, KeepGold)
    return move.nuggets
