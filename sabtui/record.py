"""`sabtui record FILE`: check a record, and show it lap by lap.

Knows how a record is told to a person; that it is right, `engine.notation` checks. A record is a
text from strangers: nothing of it reaches the terminal before it was checked, and then no name or
tag has control or format characters.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, assert_never

from engine.cards import Goal, Role
from engine.cards import Path as PathCard
from engine.notation import (
    Line,
    NotationError,
    Record,
    SeenRecord,
    Told,
    parse_record,
    record_lines,
)
from engine.table import Score
from sabtui.plain.wrap import wrapped
from sabtui.trouble import Trouble
from sabtui.words.cards import goal_words, role_words
from sabtui.words.editions import edition_name
from sabtui.words.notation import located
from sabtui.words.system import system_words
from sabtui.words.tongue import _, listed, ngettext

MOST_BYTES: Final = 1 << 20
"""No record is longer; what is, need not be read to its end to be refused."""

WIDTH: Final = 79


def show(path: str) -> int:
    """Print the record in a file, once all of it is checked. Returns the exit code, 0 or 1."""
    try:
        lines = read(path)
    except Trouble as trouble:
        return _fail(str(trouble))
    for line in lines:
        print(_printable(line, sys.stdout.encoding or "utf-8"))  # noqa: T201 - what the command is for
    return 0


def read(path: str) -> list[str]:
    """The record in a file in lines for a person, once all of it is checked.

    Raises:
        Trouble: there is no such file, or no right record in it.
    """
    try:
        with Path(path).open("rb") as file:
            record = parse_record(file.read(MOST_BYTES))
    except OSError as error:
        told = _("cannot read {path}: {problem}; give the path of a .sab file")
        raise Trouble(told.format(path=path, problem=system_words(error))) from error
    except NotationError as error:
        told = _("{path} is not a right record, get it anew or mend it: {problem}")
        raise Trouble(told.format(path=path, problem=located(error))) from error
    return [*_told(record)]


def _fail(problem: str) -> int:
    said = _printable(f"sabtui record: {problem}", sys.stderr.encoding or "utf-8")
    print(said, file=sys.stderr)  # noqa: T201 - where errors of commands go
    return 1


def _printable(text: str, encoding: str) -> str:
    """The text with escapes for what would steer a terminal, or what it has no character for."""
    shown = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def _told(record: Record | SeenRecord) -> Iterator[str]:
    """The record in lines for a person."""
    names = record.names
    lines, score = record_lines(record)
    yield _whose(record) + " " + _("Every check fits.")
    yield _("Edition {edition}, {players} players, rounds: {rounds}.").format(
        edition=edition_name(record.edition.text), players=len(names), rounds=record.rounds
    )
    yield from (f"{seat:4} {name}" for seat, name in enumerate(names, 1))
    yield from (f"{name}: {text}" for name, text in record.extra)
    lap = 0
    for line in lines:
        if line.told is Told.ROUND:
            yield ""
        lap = lap + 1 if line.told is Told.LAP else 0
        yield from _wrapped(_sentence(line, names), f"{lap:4} " if lap else "")
    yield ""
    yield from _wrapped(_result(score, names), "")


def _whose(record: Record | SeenRecord) -> str:
    if isinstance(record, Record):
        return _("A whole record, replayed from its deals.")
    if record.seat is None:
        return _("A record of what everybody could see.")
    return _("A record of what {name} in seat {seat} heard.").format(
        name=record.names[record.seat], seat=record.seat + 1
    )


def _sentence(line: Line, names: tuple[str, ...]) -> str:
    """What a line tells, with names."""
    words = line.words
    match line.told:
        case Told.ROUND:
            if words[2:]:
                told = _("Round {number}, dealt {deal}")
                return told.format(number=words[1], deal=" ".join(words[2:]))
            return _("Round {number}").format(number=words[1])
        case Told.LAP:
            return _each(line.seats, words, names)
        case Told.WON:
            roles, spare = words[2].split("+")
            dwarves = ", ".join(
                f"{name} {role_words(Role(role))}" for name, role in zip(names, roles, strict=True)
            )
            goals = ", ".join(
                goal_words(Goal.lying(PathCard.read(way))) for way in words[3].split("/")
            )
            told = (
                _("The miners win: {dwarves}; left over {spare}; goals {goals}.")
                if words[1] == "m"
                else _("The saboteurs win: {dwarves}; left over {spare}; goals {goals}.")
            )
            return told.format(dwarves=dwarves, spare=role_words(Role(spare)), goals=goals)
        case Told.GOLD:
            taken = _each(line.seats, words[2:], names)
            if len(words[2:]) > len(line.seats):
                told = _("{count} gold cards to share: {taken}; not chosen yet {offer}")
            else:
                told = _("{count} gold cards to share: {taken}")
            return told.format(count=words[1], taken=taken, offer=words[-1])
        case Told.PAID:
            cards, chits = words[2].split(","), words[3].split(",")
            paid = zip(names, cards, chits, strict=True)
            cards_and_chits = ", ".join(
                f"{name} {card}+{chit}" for name, card, chit in paid if (card, chit) != ("0", "0")
            )
            if words[4:]:
                told = _("{count} nuggets to each saboteur, in cards+chits: {paid}; own {own}")
            else:
                told = _("{count} nuggets to each saboteur, in cards+chits: {paid}")
            return told.format(count=words[1], paid=cards_and_chits, own=" ".join(words[4:]))
        case Told.SHOWN:
            held = zip(names, words[1].split(","), strict=True)
            gold = ", ".join(f"{name} {cards}" for name, cards in held)
            return _("All gold cards: {gold}").format(gold=gold)
        case _:
            assert_never(line.told)


def _each(seats: tuple[int, ...], words: tuple[str, ...], names: tuple[str, ...]) -> str:
    told = zip(seats, words, strict=False)  # One word more tells of gold that is not chosen yet.
    return ", ".join(f"{names[seat]} {word}" for seat, word in told)


def _result(score: Score, names: tuple[str, ...]) -> str:
    """How the game ended (F1)."""
    if score.nuggets is None or score.winners is None:
        return _("The game was not over.")
    gold = ", ".join(f"{name} {won}" for name, won in zip(names, score.nuggets, strict=True))
    first = listed([names[seat] for seat in score.winners])
    told = ngettext(
        "In nuggets: {gold}. {names} won.", "In nuggets: {gold}. {names} won.", len(score.winners)
    )
    return told.format(gold=gold, names=first)


def _wrapped(text: str, indent: str) -> list[str]:
    return wrapped([indent + text], WIDTH, 5)
