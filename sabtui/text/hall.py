"""A club's hall in words: its tables, the people who are there, and what is said."""

from __future__ import annotations

from net.client.session import HallSight
from net.discovery.advert import read_stage
from net.protocol.hall import IN_THE_HALL, HallLine, HallTable
from net.protocol.night import Night
from net.protocol.text import sanitise
from sabtui.text.editions import edition_name
from sabtui.text.i18n import _, join_words, ngettext
from sabtui.text.network import seats_words, stage_words


def hall_title(hall: HallSight) -> str:
    """Return the title of the hall."""
    return _("{club}: you are {name}").format(club=hall.club, name=hall.name)


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


def people_lines(hall: HallSight, at: int | None = None) -> list[str]:
    """Return who is in the hall, and who is at the table of this place in the list, if any."""
    here = [one.name for one in hall.people if one.table == IN_THE_HALL]
    lines = [_("In the hall: {names}").format(names=join_words(here))] if here else []
    near = [one for one in hall.people if one.table == at]
    if near and at is not None:
        names = join_words([one.name for one in near])
        lines.append(_("At {table}: {names}").format(table=hall.tables[at].name, names=names))
    return [sanitise(line) for line in lines]


def talk_line(line: HallLine) -> str:
    """Return a line that somebody has said, maybe as an organiser."""
    if line.organiser:
        text = _("{name} (organiser): {said}")
        return sanitise(text.format(name=line.name, said=line.text))
    return sanitise(_("{title}: {facts}").format(title=line.name, facts=line.text))


def night_lines(hall: HallSight) -> list[str]:
    """Return how the night goes, and where its player sits; nothing without a night.

    Organisers are told the room code, too.
    """
    lines: list[str] = []
    if hall.code:
        lines.append(_("Room code: {code}").format(code=hall.code))
    if hall.night is not None:
        lines += _round_lines(hall.night, hall.name)
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
