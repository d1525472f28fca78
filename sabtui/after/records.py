"""Show records of games.

A record is text from strangers: nothing of it reaches the terminal before it was checked, and
unprintable characters are escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import assert_never

from engine.cards import Goal, Role
from engine.cards import Path as PathCard
from engine.events import RoundEnded
from engine.notation import LineKind, ObservedRecord, Record, RecordLine, record_lines
from engine.state import Score
from net.client.audit import Audit
from net.protocol.text import clean, clean_name
from sabtui.after.text.replays import seen_by_words
from sabtui.app.errors import print_lines
from sabtui.app.files import (
    read_record,
)
from sabtui.text.audit import dealers_lines
from sabtui.text.colours import COLOURS_TAG
from sabtui.text.editions import game_facts
from sabtui.text.events import all_shown, round_won, unveil_lines, winners
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.layout import LINE_COLUMNS, wrap_lines
from sabtui.text.names import PlayerNames


def show(path: str) -> int:
    """Print the record in a file, once all of it is checked, and return the exit code.

    Raises UserError: as `read` does.
    """
    return print_lines(read(path))


def read(path: str) -> list[str]:
    """Return the record in a file as lines to show, once all of it is checked.

    Raises UserError: the file cannot be read, or is not a valid record.
    """
    record, _text = read_record(Path(path))
    return [*_shown_record(record)]


def _shown_record(record: Record | ObservedRecord) -> Iterator[str]:
    """Yield the record as lines to show."""
    names = tuple(map(clean_name, record.names))
    lines, score = record_lines(record)
    matches = _("All checksums match.")
    yield f"{capitalise(_whose(record))}. {matches}"
    if isinstance(record, Record) and any(record.draws):
        yield from dealers_lines(Audit.of_draws(record.draws))
    yield game_facts(record.edition, len(names), record.rounds)
    yield from (f"{seat:4} {name}" for seat, name in enumerate(names, 1))
    yield from _tags(record)
    lap = 0
    for line in lines:
        if line.kind is LineKind.ROUND:
            yield ""
        lap = lap + 1 if line.kind is LineKind.LAP else 0
        yield from _wrap(_sentence(line, names), f"{lap:4} " if lap else "")
    yield ""
    yield from _wrap(_result(score, names), "")


def _tags(record: Record | ObservedRecord) -> Iterator[str]:
    """Yield what tags beyond the game itself say, but for those that programs alone read.

    Those that other programs wrote are shown as they are written.
    """
    labels = {
        "Date": pgettext("record", "Date"),
        # Translators: the name of the table at which a game was played follows.
        "Table": pgettext("record", "Table"),
        # Translators: where a game was played follows, such as a club.
        "Place": pgettext("record", "Place"),
    }
    for name, text in record.extra:
        if name in {"Kept", COLOURS_TAG}:
            continue
        told = _time_told(text) if name == "Date" else text
        told = clean(told, 2 * len(told), 4 * len(told))  # marks alone are cut, not letters
        yield _("{title}: {facts}").format(title=labels.get(name, name), facts=told)


def _time_told(date: str) -> str:
    """Return a tag `Date` as the list of past games has it; any other text as it is."""
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromisoformat(date).astimezone().strftime("%Y-%m-%d %H:%M")
    return date


def _whose(record: Record | ObservedRecord) -> str:
    """Return the point of view of a record: all, the public part, or one seat."""
    is_open = isinstance(record, Record)
    seat = None if isinstance(record, Record) else record.seat
    return seen_by_words(seat, PlayerNames.of(record.names, None), is_open=is_open)


def _sentence(line: RecordLine, names: tuple[str, ...]) -> str:
    """Return a line of the record in words, with players' names."""
    words = line.words
    match line.kind:
        case LineKind.ROUND:
            title = capitalise(_("round {number}")).format(number=words[1])
            if not words[2:]:
                return title
            return _("{title}: {facts}").format(title=title, facts=" ".join(words[2:]))
        case LineKind.LAP:
            return _each(line.seats, words, names)
        case LineKind.WON:
            roles, spare = words[2].split("+")
            north, middle, south = (Goal.lying(PathCard.read(way)) for way in words[3].split("/"))
            dwarves = tuple(map(Role, roles))
            end = RoundEnded(Role(words[1]), dwarves, Role(spare), (north, middle, south))
            cast = PlayerNames.of(names, None)
            return " ".join([round_won(end), *unveil_lines(end, cast)])
        case LineKind.GOLD:
            taken = _each(line.seats, words[2:], names)
            text = _("{count} gold cards to share: {taken}").format(count=words[1], taken=taken)
            # What nobody has chosen yet stands alone.
            return f"{text}, {words[-1]}" if len(words[2:]) > len(line.seats) else text
        case LineKind.PAID:
            cards, chits = words[2].split(","), words[3].split(",")
            paid = zip(names, cards, chits, strict=True)
            cards_and_chits = ", ".join(
                f"{name} {card}+{chit}" for name, card, chit in paid if (card, chit) != ("0", "0")
            )
            text = _("{count} nuggets to each saboteur, in cards+IOUs: {paid}")
            known = f" ({' '.join(words[4:])})" if words[4:] else ""
            return text.format(count=words[1], paid=cards_and_chits) + known
        case LineKind.SHOWN:
            gold = [[*map(int, cards.strip("-"))] for cards in words[1].split(",")]
            return all_shown(gold, PlayerNames.of(names, None))
        case _:
            assert_never(line.kind)


def _each(seats: tuple[int, ...], words: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Return the words of a line, each after the name of its seat."""
    told = zip(seats, words, strict=False)  # A surplus word is gold not chosen yet.
    return ", ".join(f"{names[seat]} {word}" for seat, word in told)


def _result(score: Score, names: tuple[str, ...]) -> str:
    """Return the result of the game (F1)."""
    if score.nuggets is None or score.winners is None:
        return capitalise(_("not finished")) + "."
    gold = ", ".join(f"{name} {won}" for name, won in zip(names, score.nuggets, strict=True))
    won = winners(score.winners, PlayerNames.of(names, None))
    text = _("Gold: {gold}.").format(gold=gold)
    return f"{text} {won}"


def _wrap(text: str, indent: str) -> list[str]:
    return wrap_lines([indent + text], LINE_COLUMNS, 5)
