"""A club's hall in words: its tables, the people who are there, and what is said."""

from __future__ import annotations

from net.client.session import Status
from net.discovery.advert import read_stage
from net.protocol.board import HallTable
from net.protocol.chat import ChatLine
from net.protocol.lobby import Lobby
from net.protocol.night import Night
from net.protocol.text import sanitise
from sabtui.text.editions import edition_name
from sabtui.text.i18n import _, join_words, ngettext
from sabtui.text.network import seats_words, stage_words


def hall_title(hall: Lobby, member: int) -> str:
    """Return the title of the hall, as a member reads it."""
    name = hall.find_person(member).name
    return _("{club}: you are {name}").format(club=hall.name, name=name)


def no_tables() -> str:
    """Return the sentence that there is no table yet."""
    return _("There is no table here yet: open one.")


def no_night() -> str:
    """Return the sentence that there are no standings yet."""
    return _("No night has begun here yet.")


def table_facts(table: HallTable) -> tuple[str, str, str]:
    """Return how full a table is, its stage, and its edition."""
    return (
        seats_words(table.players, table.seats),
        stage_words(read_stage(table.stage)),
        edition_name(table.edition),
    )


def names_here(hall: Lobby) -> list[str]:
    """Return the names of those who are in the hall."""
    return [one.name for one in hall.people if not one.presence.is_gone]


def people_lines(hall: Lobby, at: int | None = None) -> list[str]:
    """Return who is in the hall, and who is at the table of this place in the list, if any."""
    here = names_here(hall)
    lines = [_("In the hall: {names}").format(names=join_words(here))] if here else []
    table = None if at is None else hall.board.tables[at]
    if table is not None and table.people:
        names = join_words(table.people)
        lines.append(_("At {table}: {names}").format(table=table.name, names=names))
    return [sanitise(line) for line in lines]


def talk_line(name: str, said: str, *, organiser: bool) -> str:
    """Return a line that somebody has said, maybe as an organiser."""
    if organiser:
        text = _("{name} (organiser): {said}")
        return sanitise(text.format(name=name, said=said))
    return sanitise(_("{title}: {facts}").format(title=name, facts=said))


def talk_lines(hall: Lobby, talk: tuple[ChatLine, ...]) -> list[str]:
    """Return lines that were said in the hall."""
    organisers = {one.name for one in hall.people if one.member in hall.board.organisers}
    return [talk_line(one.name, one.text, organiser=one.name in organisers) for one in talk]


def night_lines(status: Status) -> list[str]:
    """Return how the night goes, and where its player sits; nothing without a night.

    Organisers are told the room code, too.
    """
    hall, lines = status.hall, list[str]()
    if hall is not None and status.is_organiser and status.code:
        lines.append(_("Room code: {code}").format(code=status.code))
    if hall is not None and hall.board.night is not None:
        lines += _round_lines(hall.board.night, hall.find_person(status.member).name)
    return [sanitise(line) for line in lines]


def _round_lines(night: Night, name: str) -> list[str]:
    """Return the lines on a night's last round, as somebody of this name reads them."""
    if not night.rounds:
        text = ngettext(
            "A night of {count} round: an organiser draws the tables.",
            "A night of {count} rounds: an organiser draws the tables.",
            night.planned,
        )
        return [text.format(count=night.planned)]
    number, last, place = len(night.rounds), night.rounds[-1], night.place_of(name)
    if last.is_over:
        text = _("Round {number} of {rounds} is over.")
        return [text.format(number=number, rounds=night.planned)]
    if place is None:
        text = _("Round {number} is being played: you are drawn to the next one.")
        return [text.format(number=number)] if number < night.planned else []
    at, table = place
    others = [one for one in night.names_at(table) if one != name] or [_("bots")]
    text = _("Round {number}: you are at {table} with {names}.")
    return [text.format(number=number, table=f"{night.title} {at}", names=join_words(others))]


def organiser_welcome() -> str:
    """Return the sentence that greets a new organiser."""
    return _("You are an organiser of this club now.")
