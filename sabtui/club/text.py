"""A club's hall and its nights in words: tables, people and talk; standings, and their files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from net.client.session import Status
from net.discovery.advert import read_stage
from net.files import private_folder, replace
from net.protocol.board import HallTable, Night, NightTable
from net.protocol.chat import ChatLine
from net.protocol.cleaning import sanitise
from net.protocol.hall import NextTable
from net.protocol.lobby import Lobby
from sabtui.text import connection, evening, network, settings
from sabtui.text.i18n import _, add_facts, join_words, ngettext, pgettext
from sabtui.text.talk import talk_line


def hall_title(hall: Lobby, member: int) -> str:
    """Return the title of the hall, with the reader's name unless the reader is a projector."""
    reader = hall.find_person(member)
    if reader.projector:
        return sanitise(hall.name)
    name = add_facts(reader.name, pgettext("a player", "you"))
    return _("{title}: {facts}").format(title=hall.name, facts=name)


def no_tables() -> str:
    return _("There is no table here yet: open one.")


def table_facts(table: HallTable) -> tuple[str, str, str]:
    """Return how many seats of a table are taken, its stage, and its edition."""
    return (
        network.seats_words(table.players, table.seats),
        network.stage_words(read_stage(table.stage)),
        settings.edition_name(table.edition),
    )


def names_here(hall: Lobby) -> list[str]:
    return [person.name for person in hall.people if not person.presence.is_gone]


def people_lines(hall: Lobby, tables: Iterable[HallTable] = ()) -> list[str]:
    here = names_here(hall)
    lines = [_("In the hall: {names}").format(names=join_words(here))] if here else []
    for table in tables:
        if table.people:
            names = join_words(table.people)
            lines.append(_("{title}: {facts}").format(title=table.name, facts=names))
    return [sanitise(line) for line in lines]


def talk_lines(hall: Lobby, talk: tuple[ChatLine, ...]) -> list[str]:
    organisers = {person.name for person in hall.people if person.member in hall.board.organisers}
    return [talk_line(line.name, line.text, organiser=line.name in organisers) for line in talk]


def night_lines(status: Status) -> list[str]:
    """Describe the night and the reader's seat, after the room code for organisers."""
    hall, lines = status.hall, list[str]()
    if hall is not None and status.is_organiser and status.code:
        lines.append(connection.code_sentence(status.code))
    if hall is not None and hall.board.night is not None:
        reader = hall.find_person(status.member)
        lines += [] if reader.projector else _round_lines(hall.board.night, reader.name)
    return [sanitise(line) for line in lines]


def _round_lines(night: Night, name: str) -> list[str]:
    if not night.rounds:
        text = ngettext(
            "Game night, {count} round: an organiser assigns the tables.",
            "Game night, {count} rounds: an organiser assigns the tables.",
            night.planned,
        )
        return [text.format(count=night.planned)]
    number, last, place = len(night.rounds), night.rounds[-1], night.place_of(name)
    if last.is_over:
        text = _("Round {number} of {rounds} is over.")
        return [text.format(number=number, rounds=night.planned)]
    if place is None:
        text = _("Round {number} is under way. You will get a table in the next one.")
        return [text.format(number=number)] if number < night.planned else []
    at, table = place
    others = tuple(other for other in night.names_at(table) if other != name)
    return [connection.next_table_sentence(NextTable(number, f"{night.title} {at}", others))]


def organiser_welcome() -> str:
    return _("You are an organiser of this club now.")


def night_games(night: Night) -> list[NightTable]:
    return [table for round_ in night.rounds for table in round_.tables if table.gold]


def night_standings(night: Night) -> tuple[evening.PersonStanding, ...]:
    """Return the standing of every person of a night, most gold first, without the bots."""
    found = {name: evening.PersonStanding(name) for name in night.people}
    for table in night_games(night):
        most = max(table.gold)
        for name, gold in zip(night.names_at(table), table.gold, strict=False):  # then bots sit
            before = found[name]
            won = before.won + (gold == most)
            found[name] = evening.PersonStanding(name, before.gold + gold, won, before.games + 1)
    played = (row for row in found.values() if row.games)
    return tuple(sorted(played, key=lambda row: (-row.gold, -row.won, row.name.casefold())))


def night_table(night: Night | None) -> list[str]:
    """Return the standings of a night as the lines of a table, an empty one without a night."""
    if night is None:
        return evening.standings_table(0, ())
    return evening.standings_table(len(night_games(night)), night_standings(night))


def night_winners(night: Night) -> list[str]:
    """Return the names of the winners: most gold, then most games won."""
    found = night_standings(night)
    return [row.name for row in found if (row.gold, row.won) == (found[0].gold, found[0].won)]


def night_end(night: Night) -> list[str]:
    """Name the winners of a night, with its standings; nothing before its end."""
    if not night.is_over or not (names := night_winners(night)):
        return []
    return [evening.won_evening(names), *night_table(night)]


def save_night(night: Night, path: Path) -> None:
    """Write the standings of a night as CSV, and beside it all of its results as JSON.

    In JSON a table has everybody's gold once its game is over, first that of its `people`.

    Raises OSError: they cannot be written.
    """
    found = night_standings(night)
    tables = [
        {"round": number, "table": at, "people": night.names_at(table), "gold": table.gold}
        for number, round_ in enumerate(night.rounds, 1)
        for at, table in enumerate(round_.tables, 1)
    ]
    people = [row._asdict() for row in found]
    whole = msgspec.json.encode({"rounds": night.planned, "people": people, "tables": tables})
    sheet = io.StringIO()  # its header is not translated
    rows = csv.writer(sheet, lineterminator="\n")
    rows.writerow(evening.PersonStanding._fields)
    rows.writerows(
        (f"'{name}" if name.startswith(_FORMULA) else name, *figures) for name, *figures in found
    )
    private_folder(path.parent)
    replace(path, sheet.getvalue().encode())
    replace(path.with_suffix(".json"), msgspec.json.format(whole))


_FORMULA: Final = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")
"""First characters of what a spreadsheet would run as a formula; the last four are full-width."""
