"""A club's hall in lines of text: the numbered tables, and the talk.

A player goes from the hall to a table, and comes back on leaving it. Lines that were typed in one
of them, but not read there, are read in the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from queue import Empty
from typing import Final

from net.client.session import ConnectionState, Session, Status, Update
from net.protocol import hall as asking
from net.protocol.board import MAX_NIGHT_ROUNDS
from net.protocol.cleaning import clean_name
from net.protocol.lobby import Lobby, Settings, clean_text
from net.protocol.messages import Refusal
from net.protocol.requests import Chat, Request
from sabtui.app.errors import complain
from sabtui.app.requests import TableHandle
from sabtui.club import text
from sabtui.club.visit import DRAWN_PAUSE_S, ClubVisit
from sabtui.plain.console import QUIT_WORDS, Console, not_understood
from sabtui.plain.json_table import JsonConsole, JsonObject, face_for
from sabtui.plain.table import Incoming
from sabtui.text import connection, layout, reasons, seats
from sabtui.text.i18n import _
from sabtui.text.settings import WrongSetting, number_needed, table_settings, type_line


def visit_in_lines(
    handle: TableHandle, console: Console, greeting: Iterable[str], *, is_on_autopilot: bool
) -> int:
    """Play at a table or, if the handle leads to one, visit a club, until the player leaves.

    Return the exit code. If `is_on_autopilot`, the autopilot plays from the start at each table.
    """
    back, flies = seats.seat_kept("sabtui join"), is_on_autopilot
    while True:
        club = handle.club
        hall = _Hall(club, console) if isinstance(club, ClubVisit) else None
        table = face_for(console)(console, back, flies)
        code = table.visit(handle.make, greeting, None if hall is None else hall.stay)
        if hall is None or hall.found is None:
            return code
        table = face_for(console)(console, back, is_on_autopilot=is_on_autopilot)
        table.visit(hall.found.make)
        handle, greeting, flies = hall.visit.hall(), (), False


class _Hall:
    """A stay in the hall, after which the player goes to the table that was `found`, if any."""

    def __init__(self, visit: ClubVisit, console: Console) -> None:
        self.visit = visit
        self.found: TableHandle | None = None
        self._console = console
        self._session: Session | None = None
        self._seen = Status()
        self._has_listed = False  # the whole hall was listed
        self._written_hall: JsonObject = {}  # the hall as it was last written for a program
        self._is_opening = False  # a table was requested, without an answer yet
        self._is_waiting = False  # a request was sent, and no update has come since
        self._drawn: TableHandle | None = None  # the table that the player was drawn for in a night
        self._goes_at = 0.0  # when the player goes there

    def stay(self, session: Session, first: Update, updates: Incoming) -> int:
        """Stay until the player goes to a table, or leaves the club; return the exit code."""
        self._session = session
        code = self._take(first)
        while code is None and self.found is None:
            if self._console.typed and self._takes_line:
                code = self._read(self._console.take_line())
                continue
            until = None if self._drawn is None else max(self._goes_at - time.monotonic(), 0.0)
            try:
                update = updates.get(timeout=until)
            except Empty:  # time to go to the table that they were drawn for
                self.found = self._drawn
                continue
            if update is not None:
                code = self._take(update)
        return code or 0

    def _request(self, request: Request) -> None:
        assert self._session is not None
        self._is_waiting = True
        self._session.request(request)

    def _say(self, lines: Iterable[str]) -> None:
        self._console.say(layout.wrap_lines(lines, self._console.size.columns))

    @property
    def _takes_line(self) -> bool:
        """True if the next line is for the hall, and the last question is answered.

        While a table is being opened, lines are for the table.
        """
        return self._has_listed and not (self._is_opening or self._is_waiting)

    @property
    def hall(self) -> Lobby:
        """The hall as the club last sent it."""
        assert self._seen.hall is not None
        return self._seen.hall

    def _take(self, update: Update) -> int | None:
        """Print the news of an update; return the exit code if the visit has ended."""
        was, self._seen = self._seen, update.status
        if self._seen.connection is ConnectionState.ENDED:
            complain(f"sabtui: {connection.why_ended(self._seen.ending)}")
            return 1
        if self._seen.connection is not was.connection and self._has_listed:
            self._is_opening = False  # the request may be lost
            self._say([connection.state_words(self._seen)])
        received = update.received
        # An update without an answer may be older than the request's arrival.
        is_answer = received is not None and (
            received.settled or received.refused is not None or received.renewed
        )
        if is_answer or self._seen.connection is not was.connection:
            self._is_waiting = False
        if received is not None and received.refused is not None:
            self._is_opening = False
            self._say([reasons.refusal_sentence(received.refused.reason)])
        if table := self.visit.find_way(update):
            handle = self.visit.table(table, "")
            if received is not None and received.opened:
                self.found = handle
                return None
            self._drawn, self._goes_at = handle, time.monotonic() + DRAWN_PAUSE_S
        if self._seen.is_organiser and not was.is_organiser and self._has_listed:
            self._say([text.organiser_welcome(), _organiser_help()])
        if not self._has_listed:
            self._has_listed = True
            self._say(self._lines())
        else:
            self._say([*_news(was, self._seen), *self._list_new_talk(was)])
        night = self.hall.board.night
        if night is not None and self.visit.sees_end(was, self._seen):
            self._say(text.night_end(night))
        self._print_hall()
        if self._takes_line:
            self._console.prompt(self.hall.name)
        return None

    def _print_hall(self) -> None:
        """Print the whole hall as JSON, if it has changed."""
        if isinstance(self._console, JsonConsole) and self._parts() != self._written_hall:
            self._written_hall = self._parts()
            self._console.write("hall", self._written_hall)

    def _parts(self) -> JsonObject:
        hall, held, tables = self.hall, self._seen.game_state, self.hall.board.tables
        return {
            "title": text.hall_title(hall, self._seen.member),
            "lines": text.night_lines(self._seen),
            "tables": [_table_line(hall, at) for at in range(len(tables))],
            "people": [*([] if tables else [text.no_tables()]), *text.people_lines(hall)],
            "talk": text.talk_lines(hall, () if held is None else held.talk),
        }

    def _read(self, line: str | None) -> int | None:
        """Run a typed line; return the exit code if the player leaves."""
        if line is None:
            return 0
        self._console.note_answer()
        typed, _blank, rest = self._console.read(line).strip().partition(" ")
        word, rest = typed.casefold(), rest.strip()
        if word in QUIT_WORDS:
            return 0
        wrong = _why_wrong(self.hall, word, rest)
        if wrong is None and (word == "watch" or word.isdigit()):
            table = self.hall.board.tables[int(rest or word) - 1]
            self.found = self.visit.table(table.id, table.name, watch=word == "watch")
            return None
        if wrong is not None:
            self._say([wrong])
        elif word == "new":
            own_name = self.hall.find_person(self._seen.member).name
            name = clean_name(rest) or _("{name}'s table").format(name=own_name)
            self._is_opening = True
            self._request(asking.OpenTable(clean_name(name), Settings()))
        elif word in {"t", "talk", "say"}:
            if (said := layout.cut_to_talk(rest)) != rest:
                self._say([layout.cut_off_sentence()])
            self._request(Chat(clean_text(said)))
        elif word == "standings":
            self._say(text.night_table(self.hall.board.night))
        elif word in {"", "w", "who", "all"}:
            self._say(self._lines())
            self._written_hall = {}
            self._print_hall()
        elif word in {"h", "help", "?"}:
            self._say(self._help())
        else:
            self._ask_as_organiser(word, rest)
        if self._takes_line:
            self._console.prompt(self.hall.name)
        return None

    def _ask_as_organiser(self, word: str, rest: str) -> None:
        match word:
            case "organiser":
                self._request(asking.Organise(rest[: asking.MAX_PASSWORD_LENGTH]))
            case "night":
                try:
                    self._request(_read_night(rest))
                except WrongSetting as wrong:
                    self._say([str(wrong)])
            case "draw":
                self._request(asking.DrawRound())
            case "move":
                name, _blank, number = rest.rpartition(" ")
                table = self.hall.board.tables[int(number) - 1]
                self._request(asking.MovePerson(clean_name(name), table.id))
            case "remove":
                self._request(asking.RemovePerson(clean_name(rest)))
            case "close":
                self._request(asking.CloseTable(self.hall.board.tables[int(rest) - 1].id))
            case "code":
                self._request(asking.RenewCode())
            case _:
                self._say([not_understood(word)])

    def _lines(self) -> list[str]:
        hall, held = self.hall, self._seen.game_state
        tables = hall.board.tables
        lines = [
            text.hall_title(hall, self._seen.member),
            *text.night_lines(self._seen),
            *(_table_line(hall, at) for at in range(len(tables))),
        ]
        lines += [] if tables else [text.no_tables()]
        lines += text.people_lines(hall)
        talk = () if held is None else held.talk
        lines += text.talk_lines(hall, talk)
        return [*lines, *([] if isinstance(self._console, JsonConsole) else self._help())]

    def _help(self) -> list[str]:
        return [_help(), _organiser_help()] if self._seen.is_organiser else [_help()]

    def _list_new_talk(self, was: Status) -> list[str]:
        """Return the new lines of talk; a new connection sends all of it again."""
        before = () if was.game_state is None else was.game_state.talk
        now = () if self._seen.game_state is None else self._seen.game_state.talk
        known = next(n for n in range(len(before), -1, -1) if before[len(before) - n :] == now[:n])
        return text.talk_lines(self.hall, now[known:])


_EXAMPLES: Final = {
    "watch": "watch 1",
    "t": "t ...",
    "talk": "talk ...",
    "say": "say ...",
    "organiser": "organiser ...",
    "night": "night 4, rounds 1, turn 60",
    "move": "move Cleo 1",
    "remove": "remove Cleo",
    "close": "close 1",
}
"""An example of each command that needs more than its first word."""


def _why_wrong(hall: Lobby, word: str, rest: str) -> str | None:
    """Return the mistake in a typed command, such as a wrong number; `None` if there is none."""
    table: str | None = None  # the number of a table, for the commands that take one
    is_complete = bool(rest)
    if word.isdigit():
        table = word
    elif word in {"watch", "close"}:
        table = rest
    elif word == "move":  # a name, which may have blanks, and a table
        name, _blank, table = rest.rpartition(" ")
        is_complete = bool(name)
    if word in _EXAMPLES and not is_complete:
        return type_line(_EXAMPLES[word])
    if table is None or table in map(str, range(1, len(hall.board.tables) + 1)):
        return None
    if not table.isdigit():
        return type_line(_EXAMPLES[word])
    return reasons.refusal_sentence(Refusal.NO_SUCH_CLAIM)


def _read_night(typed: str) -> asking.BeginNight:
    """Return the night that was typed, such as `4, rounds 1, turn 60`.

    First comes the number of rounds, then settings of its tables as a host types them.

    Raises WrongSetting: it is not typed like that.
    """
    rounds, *more = (part.strip() for part in typed.split(","))
    if rounds not in map(str, range(1, MAX_NIGHT_ROUNDS + 1)):
        raise WrongSetting(number_needed("night", 1, MAX_NIGHT_ROUNDS))
    settings = Settings()
    for part in more:
        word, _blank, value = part.partition(" ")
        rows = {setting.word: setting for setting in table_settings(settings) if setting.word}
        if (row := rows.get(word.casefold())) is None:
            raise WrongSetting(type_line(_EXAMPLES["night"]))
        settings = row.read(value.strip(), settings)
    return asking.BeginNight(int(rounds), clean_name(_("Table")), settings)


def _news(was: Status, now: Status) -> list[str]:
    """Return the tables that have changed, and the night's progress if that has.

    A table whose number has changed is one of them: people type that number to go there.
    """
    if was.hall is None or now.hall is None:
        return []
    before = {
        (at, table.id, table.stage, table.players) for at, table in enumerate(was.hall.board.tables)
    }
    changed = [
        _table_line(now.hall, at)
        for at, table in enumerate(now.hall.board.tables)
        if (at, table.id, table.stage, table.players) not in before
    ]
    night = [] if text.night_lines(now) == text.night_lines(was) else text.night_lines(now)
    return [*night, *changed]


def _table_line(hall: Lobby, at: int) -> str:
    table = hall.board.tables[at]
    facts = ", ".join(filter(None, text.table_facts(table)))
    here = ", ".join(table.people)
    line = _("{title}: {facts}").format(title=f"{at + 1} {table.name}", facts=facts)
    return f"{line} ({here})" if here else line


def _help() -> str:
    # Translators: keep the words new, watch, talk, who, standings, organiser and quit as they are.
    return _(
        "Type a table's number to join it. Also: watch 1, new, talk TEXT, who, standings, "
        "organiser PASSWORD, quit."
    )


def _organiser_help() -> str:
    # Translators: keep the words night, draw, move, remove, close and code as they are.
    return _("Organisers: night ROUNDS, draw, move NAME 1, remove NAME, close 1, code.")
