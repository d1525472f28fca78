"""Rules shown by positions, events and reasons as text, and what bots are asked.

A case of `tests/data/positions/rules_*.txt`, and what is checked of it:

    # P3 E-link: a dead end leads nowhere.
    in: international, argentina
    at: EW@1/ew@2 (NE)/(NESW)/(NW) 1 -,-,- EW/NE,NS,NS NE/NW mms+m
    no: EW@3 because NotLinked 3
    can: NE@0n1 NE@-1
    do: NE@-1
    told: Laid 1 NE -1; Drew 1; Dealt 1 NE; TurnBegan 2
    to: NE@-1/EW@1/ew@2 (NE)/(NESW)/(NW) 2 -,-,- EW/NE,NS,NS NW mms+m

A case begins with the rules it shows and a sentence. `in` are its editions, all four books where
none is told, and house rules as `Edition.text` has them. `at` is where it begins. Then, of the seat
to move: `can` are moves it may make, `no` one it may not and why not, `may` all that it may do, in
their order. `do` makes a move; after it, `told` is all that happened, to whomever it was told, and
`to` where it leads. Everything after a `do` is asked there.

Events are spelt as in records, and reasons likewise: `Laid 1 NES 2`, `SideClashes W closed`: the
name of the class, then its fields in their order. Seats are 1 to 10.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path as File

import pytest

from engine import EDITIONS, Edition, Event, Round, Score, View
from engine.bots.hints import HintReason
from engine.bots.talk import Statement, Talk
from engine.cards import BREAK, DECK, SIDE_NAMES, Card, Path, Role, Tool, in_order
from engine.dealing import MINERS
from engine.game import Game, Purse
from engine.moves import IllegalMove, KeepGold, Move, Play, Reason
from engine.notation import format_cell, format_position, parse_move, parse_position
from engine.notation.event_words import read_event, spell_event
from engine.notation.record import spell_claims

DATA = File(__file__).parent.parent / "data" / "positions"


@dataclass
class Case:
    """One case, its lines still as they were written."""

    rules: list[str]
    title: str
    editions: list[str] = field(default_factory=lambda: list(EDITIONS))
    at: str = ""
    lines: list[tuple[str, str]] = field(default_factory=list)

    def check(self, edition: Edition) -> None:
        """See whether all lines are true in an edition."""
        played = round_at(self.at, edition)
        told: tuple[Event, ...] = ()
        asked = 0
        for key, text in self.lines:
            where = f"{edition.text}: {format_position(played)}\n  {key}: {text}"
            match key:
                case "can":
                    for word in text.split():
                        assert why_not(played, word) is None, f"{where}\n  not {word}"
                case "no":
                    word, reason = text.split(" because ")
                    assert why_not(played, word) == reason, where
                case "may":
                    assert " ".join(map(str, played.legal_moves())) == text, where
                case "do":
                    played, told = played.apply(play_of(text))
                    continue
                case "told":
                    assert say_all(told) == text, where
                case "to":
                    assert format_position(played) == text, where
                case _:
                    raise AssertionError(f"no such line: {where}")
            asked += 1
        assert asked, "a case that asks nothing"


def why_not(played: Round, text: str) -> str | None:
    """Why the seat to move may not make a move, as the round says it, and its view no otherwise."""
    move = play_of(text)
    view = game_of(played).view(played.table.turn)
    reason = view.why_not(move)
    assert (move in view.legal_moves()) == (reason is None)
    assert (move in list(view.legal_moves())) == (reason is None)
    if reason is None:
        played.apply(move)
        return None
    with pytest.raises(IllegalMove) as illegal:
        played.apply(move)
    assert illegal.value.reason == reason
    assert str(illegal.value) == f"{move} is illegal: {reason}"
    return say(reason)


def play_of(text: str) -> Play:
    """Read a move of a turn."""
    move = parse_move(text)
    assert not isinstance(move, KeepGold)
    return move


def round_at(line: str, edition: Edition = EDITIONS["international"]) -> Round:
    """The round at a position of which everything is known."""
    return parse_position(line, edition).round()


def game_of(
    played: Round,
    *,
    number: int = 1,
    rounds: int = 3,
    gold: str = "3333" + "2" * 8 + "1" * 16,
    held: str = "",
) -> Game:
    """A game at a round of several. `gold` is the pile, next card first, `held` as `32,-,1`."""
    players = played.table.players
    cards = tuple(
        tuple(map(int, has.replace("-", "")))
        for has in (held or ",".join("-" * players)).split(",")
    )
    score = Score(
        rounds=rounds,
        number=number,
        wins=(Role.MINER,) * (number - 1),
        cards=tuple(map(len, cards)),
        chits=(0,) * players,
        pile=len(gold),
        offer=0,
        chooser=None,
        gold=None,
    )
    return Game(score, played, Purse(tuple(map(int, gold)), cards))


def play(game: Game, moves: str) -> tuple[Game, str]:
    """Make several moves; the game after them, and what the last one led to."""
    told: tuple[Event, ...] = ()
    for text in moves.split():
        move: Move = parse_move(text)
        game, told = game.apply(move)
    return game, say_all(told)


ROAD = "EW@1/EW@2/EW@3/NEW@4/NEW@5/NEW@6"
WON = "NESW@7"
"""The move that reaches the treasure from that road."""


def last_step_position(roles: str, finder: int) -> str:
    """The position in which this seat can reach the treasure. `roles` are those of the seats."""
    players = len(roles)
    broken = ",".join("-" * players)
    cards = ["NS", "NS", "NS", "NS", "NE", "NE", "NE", "NE", "NE", "NW"][:players]
    cards[finder - 1] = "NESW"
    goals = "(NE)/(NESW)/(NW)"
    return f"{ROAD} {goals} {finder} {broken} {','.join(cards)} M/M {roles}+{spare_dwarf(roles)}"


def spare_dwarf(roles: str) -> str:
    """The dwarf left over, where the seats have these (S2)."""
    return "m" if roles.count("m") < MINERS[len(roles)] else "s"


def gold_on_offer() -> Game:
    """A game in which seat 2 of `mmms` has found the treasure, and is offered 3, 2 and 1."""
    return play(game_of(round_at(last_step_position("mmms", 2)), gold="1232211"), WON)[0]


def last_card_position(roles: str) -> str:
    """The position in which the last card of all is to be thrown away."""
    players = len(roles)
    broken, empty = ",".join("-" * players), ",".join("-" * (players - 1))
    return f"- (NE)/(NESW)/(NW) 1 {broken} NS,{empty} - {roles}+{spare_dwarf(roles)}"


def find_undiscarded(now: Round) -> list[Card]:
    """All cards of a round but those that lie discarded face up."""
    board = now.table.board
    return [
        *now.pile,
        *(card for cards in (*now.hands, *now.buried) for card in cards),
        *(board.cards[cell].card for cell in board.tunnels()),
        *(BREAK[tool] for bits in now.table.broken for tool in Tool.within(bits)),
    ]


def whole(played: Round) -> Round:
    """The same round with all cards that a position does not name discarded face up."""
    rest = in_order((Counter(DECK) - Counter(find_undiscarded(played))).elements())
    return played._replace(table=played.table._replace(discards=rest))


def read(name: str) -> list[Case]:
    """All cases of a data file."""
    found: list[Case] = []
    for line in (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        key, _, text = (part.strip() for part in line.partition(":"))
        if line.startswith("# "):
            found.append(Case(key[1:].split(), text))
        elif key == "in":
            found[-1].editions = [edition.strip() for edition in text.split(",")]
        elif key == "at":
            found[-1].at = text
        elif key and not line.startswith("##"):
            found[-1].lines.append((key, text))
    return found


def each_case(*names: str) -> pytest.MarkDecorator:
    """Hand a test each case of some data files in each of its editions, and cite its rules."""
    return pytest.mark.parametrize(
        ("case", "edition"),
        [
            pytest.param(
                case,
                Edition.read(edition),
                id=f"{' '.join(case.rules)} {case.title} {edition}",
                marks=pytest.mark.rule(*case.rules),
            )
            for name in names
            for case in read(name)
            for edition in case.editions
        ],
    )


def say(reason: Reason | HintReason) -> str:
    """Spell a reason."""
    words = [word(field.name, getattr(reason, field.name)) for field in fields(reason)]
    return " ".join((type(reason).__name__, *words))


def say_all(events: Iterable[Event]) -> str:
    """Spell events in one line."""
    return "; ".join(" ".join(spell_event(event)) for event in events)


def read_events(text: str) -> tuple[Event, ...]:
    """Read events: `Broke 3 P 1; Passed 2`."""
    return tuple(read_event(event.split()) for event in text.split("; ") if event)


def word(name: str, value: object) -> str:
    """Spell one field of a reason."""
    match value:
        case bool():
            return "open" if value else "closed"
        case int() if name in ("seat", "target"):
            return str(value + 1)
        case int():
            return SIDE_NAMES[value] if name == "side" else str(value)
        case float():
            return f"{value:.2f}"
        case Path() | Card() | Tool():
            return str(value)
        case (int(x), int(y)):
            return format_cell((x, y))
        case tuple():
            return "".join(map(str, value))
        case _:
            raise AssertionError(f"no word for {value}")


CLAIMS = spell_claims(10)


def view_at(line: str, events: str = "") -> View:
    """What seat 1 knows in a position, with these events as all that was told before."""
    return parse_position(line).view(0)._replace(history=read_events(events))


def view_of(
    events: str = "", *, roles: str = "m????+?", goals: str = "?/?/?", broken: str = ""
) -> View:
    """What seat 1 knows at a table at which nothing lies: it holds NE, each other one card."""
    others = roles.index("+") - 1
    tools = broken or ",".join("-" * (others + 1))
    return view_at(f"- {goals} 1 {tools} NE{',1' * others} 9 {roles}", events)


def read_talk(text: str, unplayed: int = 40) -> Talk:
    """Read claims, each with who made it: `2 gold 8n2; 3 me`."""
    words = [claim.split(maxsplit=1) for claim in text.split("; ") if claim]
    return Talk(tuple(Statement(int(seat) - 1, CLAIMS[claim], unplayed) for seat, claim in words))
