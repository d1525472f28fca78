"""A position on one line of text.

    EW@1/NES@2 ?/(NE)/? 1 -,P,- NE/M/-L,3,2 0 m??+?

The seven fields are tunnels, goals, seat to move, broken tools, hands, draw pile and dwarves.
Tunnels are written from west to east, then from north to south, and hands in the order of the
rules; tunnels, a seat's tools and a hand are read in any order.

Only positions that can be played on are accepted. Each card stays within its copies in the deck,
and all of them within its 67 cards (S3, S4). Tunnels need not be linked, because of rockfalls, nor
agree with their neighbours: stones do not (G3), and a puzzle may begin where no game could lead.
But no goal lies face down if a tunnel has reached it (G1), the seat to move holds a card (T4), and
if R3 applies, some seat may hold a card that could be played. It is no seat's turn, `-`, before
the deal, or when the round is over (R1 to R3) and all dwarves and goals are known (R4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypedDict

from engine.board import GOAL_CELLS, START, Cell
from engine.cards import BREAK, CROSSROADS, DECK, Card, Goal, Path, Role, Tool, in_order
from engine.dealing import MINERS, SABOTEURS
from engine.edition import INTERNATIONAL, Edition
from engine.notation.position import GoalSeen, Position, check_goals, check_turn
from engine.round import Round
from engine.rules import Hand
from engine.state import PLAYERS, Table
from engine.tokens import (
    Span,
    format_cell,
    format_goal_seen,
    format_seat,
    is_number,
    read_card,
    read_cell,
    read_goal_lying,
    read_goal_seen,
    read_number,
    read_path,
    read_seat,
)
from engine.view import View

FIELD_COUNT: Final = 7
MAX_POSITION_CHARACTERS: Final = 4096
"""Characters of the longest line accepted; the 67 cards and ten seats need less than 1000."""

MAX_TUNNEL_DISTANCE: Final = 42
"""Most columns or rows between the start and a tunnel of a position.

No game gets further: each of its 40 tunnels is laid beside a card that lies face up (P3), and of
those only the start and two stones are no tunnels. Bots count on it (`engine.bots.fast_board`).
"""


def format_position(position: Position | Round | View | Table) -> str:
    """Spell a position, a round with all its secrets, a seat's view, or a public table."""
    if not isinstance(position, Position):
        position = Position.of(position)
    tunnels = (f"{path.text}@{format_cell(cell)}" for cell, path in sorted(position.laid))
    broken = ("".join(Tool.within(bits)) or "-" for bits in position.broken)
    dwarves = (role or "?" for role in (*position.roles, position.spare))
    *seated, spare = dwarves
    return " ".join(
        (
            "/".join(tunnels) or "-",
            "/".join(_format_goal(goal) for goal in position.goals),
            "-" if position.turn is None else format_seat(position.turn),
            ",".join(broken),
            ",".join(
                _format_cards(hand if isinstance(hand, int) else in_order(hand))
                for hand in position.hands
            ),
            _format_cards(position.pile),
            f"{''.join(seated)}+{spare}",
        )
    )


def _format_goal(goal: GoalSeen) -> str:
    if goal is None:
        return "?"
    return goal.text if isinstance(goal, Path) else format_goal_seen(goal)


def _format_cards(cards: tuple[Card, ...] | int) -> str:
    if isinstance(cards, int):
        return str(cards)
    return "/".join(card.text for card in cards) or "-"


def parse_position(text: str, edition: Edition = INTERNATIONAL) -> Position:
    """Read a position, to be played by the rules of an edition. Raises `NotationError`."""
    span = Span.whole(text)
    if len(text) > MAX_POSITION_CHARACTERS:
        raise span.error("a position has at most {most} characters", most=MAX_POSITION_CHARACTERS)
    fields = span.words()
    if len(fields) != FIELD_COUNT:
        where = fields[FIELD_COUNT] if len(fields) > FIELD_COUNT else span.cut(len(text))
        raise where.error(
            "a position has seven fields: tunnels, goals, seat to move, broken tools, hands, "
            "draw pile, dwarves"
        )
    return read_position(fields, edition)


def read_position(fields: Sequence[Span], edition: Edition) -> Position:
    """Read the seven fields of a position. Raises `NotationError`."""
    laid, goals, turn, broken, hands, pile, roles = fields
    players = _read_players(hands)
    deck = _Deck()
    position = Position(
        edition=edition,
        laid=_read_laid(laid, deck),
        goals=_read_goals(goals),
        turn=None if turn.text == "-" else read_seat(turn),
        broken=_read_broken(broken, players, deck),
        hands=tuple(_read_hand(hand, deck) for hand in hands.split(",")),
        pile=_read_pile(pile, deck),
        **_read_dwarves(roles, players),
    )
    check_goals(position, goals)
    check_turn(position, turn)
    return position


class _Deck:
    """The cards of the deck not yet named while a position is read (S3, S4)."""

    def __init__(self) -> None:
        self.kinds = Counter(DECK)
        self.cards = len(DECK)

    def take(self, card: Card, span: Span) -> None:
        """Take a card named at `span`. Raises `NotationError` if no copy is left."""
        if not self.kinds[card]:
            raise span.error(
                "more {card} than the deck has: {copies} (S3, S4)",
                copies=card.copies,
                card=card.text,
            )
        self.kinds[card] -= 1
        self.take_unknown(1, span)

    def take_unknown(self, cards: int, span: Span) -> None:
        """Take a number of unknown cards. Raises `NotationError` if fewer are left."""
        self.cards -= cards
        if self.cards < 0:
            raise span.error(
                "with these there would be more than {cards} cards (S7)", cards=len(DECK)
            )


def _read_players(hands: Span) -> int:
    players = len(hands.split(","))
    if players not in PLAYERS:
        raise hands.error(
            "a game has 3 to 10 players, not {players}, each with a hand (S1)", players=players
        )
    return players


def _read_laid(span: Span, deck: _Deck) -> tuple[tuple[Cell, Path], ...]:
    laid: dict[Cell, Path] = {START: CROSSROADS}
    for part in span.split("/") if span.text != "-" else ():
        head, tail = part.partition("@")
        path = read_path(head)
        if tail is None:
            raise part.error("missing: where the tunnel lies, as in NES@3n1")
        cell = read_cell(tail)
        if cell in laid or cell in GOAL_CELLS:
            raise tail.error("there is already a card there (P1)")
        if max(abs(along) for along in cell) > MAX_TUNNEL_DISTANCE:
            raise tail.error(
                "a position reaches at most {far} cards from the start", far=MAX_TUNNEL_DISTANCE
            )
        deck.take(path.card, part)
        laid[cell] = path
    del laid[START]
    return tuple(sorted(laid.items()))


def _read_goals(span: Span) -> tuple[GoalSeen, GoalSeen, GoalSeen]:
    parts = span.split("/")
    if len(parts) != len(GOAL_CELLS):
        raise span.error("there are three goals, from north to south: ?/?/?")
    seen: list[GoalSeen] = []
    found: set[Goal] = set()
    for part in parts:
        known = _read_goal(part)
        if known is not None:
            goal = Goal.lying(known) if isinstance(known, Path) else known
            if goal in found:
                raise part.error("there is only one goal {goal} (S3)", goal=goal.text)
            found.add(goal)
        seen.append(known)
    north, middle, south = seen
    return north, middle, south


def _read_goal(span: Span) -> GoalSeen:
    if span.text == "?":
        return None
    return read_goal_seen(span) if span.text[:1] == "(" else read_goal_lying(span)


def _read_broken(span: Span, players: int, deck: _Deck) -> tuple[int, ...]:
    parts = span.split(",")
    if len(parts) != players:
        raise span.error(
            "broken tools are given for {told} seats, but hands for {players}",
            told=len(parts),
            players=players,
        )
    return tuple(_read_tools(part, deck) for part in parts)


def _read_tools(span: Span, deck: _Deck) -> int:
    """Read one seat's broken tools, at most one of each kind (A1)."""
    if span.text == "-":
        return 0
    bits = 0
    for letter in span.text:
        if letter not in set(Tool):
            raise span.error("broken tools are P, L and C, or - for none")
        tool = Tool(letter)
        if bits & tool.bit:
            raise span.error("at most one of each tool is broken in front of a seat (A1)")
        deck.take(BREAK[tool], span)
        bits |= tool.bit
    if not bits:
        raise span.error("broken tools are P, L and C, or - for none")
    return bits


def _read_hand(span: Span, deck: _Deck) -> Hand | int:
    cards = _read_pile(span, deck)
    return cards if isinstance(cards, int) else in_order(cards)


def _read_pile(span: Span, deck: _Deck) -> tuple[Card, ...] | int:
    """Read cards in the order in which they are written, or their number."""
    if span.text == "-":
        return ()
    if is_number(span.text):
        count = read_number(span)
        deck.take_unknown(count, span)
        return count
    return tuple(_read_dealt(part, deck) for part in span.split("/"))


def _read_dealt(span: Span, deck: _Deck) -> Card:
    if span.text == "?":
        raise span.error("where not all the cards are known, give only their number")
    card = read_card(span)
    deck.take(card, span)
    return card


class _Dwarves(TypedDict):
    roles: tuple[Role | None, ...]
    spare: Role | None


def _read_dwarves(span: Span, players: int) -> _Dwarves:
    seated, left_over = span.partition("+")
    if len(seated.text) != players or left_over is None or len(left_over.text) != 1:
        raise span.error(
            "dwarves are m, s or ? for {players} seats, then + and the one left over",
            players=players,
        )
    supply = {Role.MINER: MINERS[players], Role.SABOTEUR: SABOTEURS[players]}
    roles: list[Role | None] = []
    for letter in (*seated.text, left_over.text):
        if letter not in "ms?":
            raise span.error("a dwarf is m, s or ?: miner, saboteur, unknown")
        role = None if letter == "?" else Role(letter)
        if role is not None:
            supply[role] -= 1
            if supply[role] < 0:
                raise span.error(
                    "there are not that many {role} among {dwarves} dwarves (S2)",
                    role=role.value,
                    dwarves=players + 1,
                )
        roles.append(role)
    *first, spare = roles
    return _Dwarves(roles=tuple(first), spare=spare)
