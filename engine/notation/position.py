"""A position: one round as it stands, or as much of it as one seat knows, on one line of text.

    EW@1/NES@2 ?/(NE)/? 1 -,P,- NE/M/-L,3,2 0 m??+?

The seven fields are tunnels, goals, seat to move, broken tools, hands, draw pile and dwarves.
Tunnels are written from west to east, then from north to south, and hands in the order of the
rules; tunnels, a seat's tools and a hand are read in any order. A position holds no discards, no
looks at goals, no gold, and neither the seat that began nor the one that laid last.

Only positions that can be played on are accepted. Each card stays within its copies in the deck,
and all of them within its 67 cards (S3, S4). Tunnels need not be linked, because of rockfalls, nor
agree with their neighbours: stones do not (G3), and a puzzle may begin where no game could lead.
But no goal lies face down if a tunnel has reached it (G1), and the seat to move holds a card (T4).
Before the deal, and when the round is over and all dwarves and goals are known (R4), it is nobody's
turn, `-`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypedDict, TypeVar

from engine.board import GOAL_CELLS, NO_PEEKS, START, Board, Cell, Peeks
from engine.cards import BREAK, CROSSROADS, DECK, Card, Goal, Path, Role, Tool, in_order
from engine.dealing import ALL_GOLD, MINERS, SABOTEURS
from engine.edition import INTERNATIONAL, Edition
from engine.events import RoundEnded
from engine.game import Game, Purse
from engine.legality import Hand
from engine.readonly import with_item
from engine.round import Round
from engine.state import PLAYERS, Score, Table, check_seat
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

T = TypeVar("T")

GoalSeen = Path | Goal | None
"""A goal as far as it is known: its path if face up, its face if known face down, or `None`."""


@dataclass(frozen=True, slots=True)
class Position:
    """A round as it stands."""

    edition: Edition
    """The rules to play by. They are not written, as they belong to a game, not to a position."""
    laid: tuple[tuple[Cell, Path], ...]
    """The face-up tunnels, from west to east, then from north to south."""
    goals: tuple[GoalSeen, GoalSeen, GoalSeen]
    """The goals from north to south."""
    turn: int | None
    """The seat to move; `None` before the deal and after the end."""
    broken: tuple[int, ...]
    """The set of broken tools of each seat."""
    hands: tuple[Hand | int, ...]
    """The cards that each seat holds, or their number."""
    pile: tuple[Card, ...] | int
    """The draw pile, its next card first, or its number of cards."""
    roles: tuple[Role | None, ...]
    """The dwarf of each seat, `None` if it is not known."""
    spare: Role | None
    """The dwarf left over, `None` if it is not known."""

    @staticmethod
    def of(source: Round | View | Table) -> Position:
        """Return the position of a round with all its secrets, of a seat's view, or of a table.

        After the end of a round everybody knows the dwarves and goals (R4).
        """
        if isinstance(source, Table):
            return _show_table(source)
        position = _show_table(source.table)
        if isinstance(source, Round):
            known = _collect_goals(source.table.board, source.goals)
            position = replace(position, goals=known, hands=source.hands, pile=source.pile)
            return replace(position, roles=source.roles, spare=source.spare)
        if source.seat is None:
            return position
        position = replace(position, hands=with_item(position.hands, source.seat, source.hand))
        if source.table.end is not None:
            return position
        known = _collect_goals(source.table.board, source.peeks)
        roles = with_item(position.roles, source.seat, source.role)
        return replace(position, goals=known, roles=roles)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def end(self) -> RoundEnded | None:
        """The event that ended the round, `None` before the deal and during play (R1 to R4)."""
        goals, roles = self._all_goals, _require_all(self.roles)
        if self.turn is not None or goals is None or roles is None or self.spare is None:
            return None
        # Only a goal that lies face up is a `Path`: the treasure was reached (R1).
        winner = Role.MINER if CROSSROADS in self.goals else Role.SABOTEUR
        return RoundEnded(winner, roles, self.spare, goals)

    @property
    def table(self) -> Table:
        """The public table. Fields that a position does not hold, such as `discards`, are empty."""
        up = {cell: goal for cell, goal in self._on_goals if isinstance(goal, Path)}
        hidden = tuple(cell for cell in GOAL_CELLS if cell not in up)
        return Table.empty(self.edition, self.players)._replace(
            starter=self.turn,
            board=Board.of({**dict(self.laid), **up}, hidden),
            broken=self.broken,
            hands=tuple(_count_cards(hand) for hand in self.hands),
            pile=_count_cards(self.pile),
            turn=self.turn,
            end=self.end,
        )

    @property
    def gaps(self) -> tuple[str, ...]:
        """Names, in words, of the parts not known; empty if `round` can build the round."""
        seats = [f"seat {format_seat(seat)}" for seat in range(self.players)]
        gaps = [f"goal {format_cell(cell)}" for cell, goal in self._on_goals if goal is None]
        gaps += [
            f"the hand of {seat}"
            for seat, hand in zip(seats, self.hands, strict=True)
            if _find_cards(hand) is None
        ]
        if _find_cards(self.pile) is None:
            gaps.append("the draw pile")
        gaps += [
            f"the dwarf of {seat}"
            for seat, role in zip(seats, self.roles, strict=True)
            if role is None
        ]
        if self.spare is None:
            gaps.append("the dwarf left over")
        return tuple(gaps)

    def round(self) -> Round:
        """Return the round, to be played on. Raises `ValueError` if there are `gaps`."""
        goals, hands, pile = self._all_goals, _require_all(self._all_hands), _find_cards(self.pile)
        roles, spare = _require_all(self.roles), self.spare
        if goals is None or hands is None or pile is None or roles is None or spare is None:
            raise ValueError(f"to play on, these must be known: {', '.join(self.gaps)}")
        nobody: tuple[tuple[()], ...] = ((),) * self.players
        return Round(self.table, roles, spare, goals, hands, pile, nobody)

    def game(self) -> Game:
        """Return the round as a game of one round, to be played on to the sharing of gold.

        Gold cards with fewer nuggets are drawn first. Raises `ValueError` if there are
        `gaps`, and if no seat is to move.
        """
        if self.turn is None:
            raise ValueError("no seat is to move: there is no game to play on")
        score = replace(Score.empty(1, self.players), number=1)
        return Game(score, self.round(), Purse(ALL_GOLD, ((),) * self.players))

    def view(self, seat: int | None) -> View:
        """Return the view of a seat in this position, or for `None` of a watcher.

        The game has this one round. Goals known face down count as shown to the seat by its own
        maps; but in a position without `gaps` they are secrets of the table, and nobody has looked
        yet. Raises `ValueError` for a seat that does not exist, or whose hand is not known.
        """
        if seat is not None:
            check_seat(seat, self.players)
        table = self.table
        score = replace(Score.empty(1, self.players), number=1)
        if table.end is not None:
            score = score.after(table.end)
        if seat is None:
            return View(None, table, score)
        hand = _find_cards(self.hands[seat])
        if hand is None:
            raise ValueError(f"the hand of seat {format_seat(seat)} is not known")
        peeks = self._peeks if self.gaps else NO_PEEKS
        looked = (cell for cell, goal in zip(GOAL_CELLS, peeks, strict=True) if goal is not None)
        table = table._replace(looks=with_item(table.looks, seat, frozenset(looked)))
        return View(seat, table, score, self.roles[seat], hand, peeks)

    @property
    def _on_goals(self) -> list[tuple[Cell, GoalSeen]]:
        return list(zip(GOAL_CELLS, self.goals, strict=True))

    @property
    def _peeks(self) -> Peeks:
        """The goals that are known though face down."""
        north, middle, south = (goal if isinstance(goal, Goal) else None for goal in self.goals)
        return north, middle, south

    @property
    def _all_goals(self) -> tuple[Goal, Goal, Goal] | None:
        north, middle, south = (_find_face(goal) for goal in self.goals)
        return None if north is None or middle is None or south is None else (north, middle, south)

    @property
    def _all_hands(self) -> tuple[Hand | None, ...]:
        return tuple(_find_cards(hand) for hand in self.hands)


def _show_table(table: Table) -> Position:
    """Return the position as everybody sees it at this table."""
    nothing: tuple[Role | None, ...] = (None,) * table.players
    cards, end = table.board.cards, table.end
    return Position(
        edition=table.edition,
        laid=tuple((cell, cards[cell]) for cell in table.board.tunnels()),
        goals=_collect_goals(table.board, NO_PEEKS if end is None else end.goals),
        turn=table.turn,
        broken=table.broken,
        hands=table.hands,
        pile=table.pile,
        roles=nothing if end is None else end.roles,
        spare=None if end is None else end.spare,
    )


def _collect_goals(board: Board, known: Peeks) -> tuple[GoalSeen, GoalSeen, GoalSeen]:
    """Return the goals as they lie face up, or what is known of them face down."""
    north, middle, south = (
        goal if cell in board.hidden else board.cards[cell]
        for cell, goal in zip(GOAL_CELLS, known, strict=True)
    )
    return north, middle, south


def _find_face(goal: GoalSeen) -> Goal | None:
    """Return the face of a goal, lying up or down, as far as it is known."""
    return Goal.lying(goal) if isinstance(goal, Path) else goal


def _find_cards(held: tuple[Card, ...] | int) -> tuple[Card, ...] | None:
    """Return the cards of a hand or pile, or `None` if only their number, above 0, is known."""
    if isinstance(held, tuple):
        return held
    return None if held else ()


def _count_cards(held: tuple[Card, ...] | int) -> int:
    return len(held) if isinstance(held, tuple) else held


def _require_all(those: Sequence[T | None]) -> tuple[T, ...] | None:
    """Return the values as a tuple, or `None` if one of them is missing."""
    # Not by truthiness: a known hand may be empty.
    known = tuple(this for this in those if this is not None)
    return known if len(known) == len(those) else None


def _check_goals(position: Position, span: Span) -> None:
    """Raise `NotationError` if a reached goal lies face down (G1)."""
    if position.turn is not None:
        for cell in position.table.board.opened_goals():
            part = span.split("/")[GOAL_CELLS.index(cell)]
            raise part.error("a tunnel from the start reaches this goal, so it lies face up (G1)")


def _check_turn(position: Position, span: Span) -> None:
    """Raise `NotationError` if it cannot be that seat's turn, or nobody's turn mid-round."""
    turn = position.turn
    if turn is None:
        if position.end is None and not _is_undealt(position):
            raise span.error("it is nobody's turn, so all dwarves and goals are known (R4)")
    elif turn >= position.players:
        raise span.error("only {players} seats are taken", players=position.players)
    elif CROSSROADS in position.goals:
        raise span.error("the treasure has been reached: it is nobody's turn any more (R1)")
    elif not position.hands[turn]:
        raise span.error("this seat has no card to play or discard (T4)")


def _is_undealt(position: Position) -> bool:
    """Return True if nothing lies on the table and nothing is known."""
    known = (*position.laid, *position.goals, *position.roles, position.spare)
    cards = (position.pile, *position.hands, *position.broken)
    return not any(cards) and all(goal is None for goal in known)


FIELD_COUNT: Final = 7
MAX_POSITION_CHARACTERS: Final = 4096
"""Maximum characters of an accepted line; the 67 cards and ten seats need less than 1000."""

MAX_TUNNEL_DISTANCE: Final = 42
"""Maximum columns or rows between the start and a tunnel of a position.

No game gets further: each of its 40 tunnels is laid beside a card that lies face up (P3), and of
those only the start and two stones are not tunnels. Bots count on it (`engine.bots.fast_board`).
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
    _check_goals(position, goals)
    _check_turn(position, turn)
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
        face = _find_face(known)
        if face is not None:
            if face in found:
                raise part.error("there is only one goal {goal} (S3)", goal=face.text)
            found.add(face)
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
        # Not `in Tool`, which raises `TypeError` for a `str` before Python 3.12.
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
