"""A club's hall in words: its tables, the people who are there, and what is said."""

from __future__ import annotations

from net.client.session import HallSight
from net.discovery.advert import read_stage
from net.protocol.hall import IN_THE_HALL, HallLine, HallTable
from net.protocol.text import sanitise
from sabtui.text.editions import edition_name
from sabtui.text.i18n import _, join_words
from sabtui.text.network import seats_words, stage_words


def hall_title(hall: HallSight) -> str:
    """Return the title of the hall."""
    return _("{club}: you are {name}").format(club=hall.club, name=hall.name)


def no_tables() -> str:
    """Return the sentence that there is no table yet."""
    return _("There is no table here yet: open one.")


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
    """Return a line that somebody has said."""
    return sanitise(_("{name}: {said}").format(name=line.name, said=line.text))
