"""`--json`: a table in lines of JSON, one value a line, for programs. docs/json.md tells them.

For each step of the table come a public line, the same for all who watch it in one language, and
the person's own line. All lines with secrets have one length, and the own one comes with every
step: neither length nor time of a line tells a secret.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from engine.events import visible_to
from net.client.session import ConnectionState, OnUpdate, Received, RunnableSession, Status
from net.protocol.messages import CloseReason
from net.protocol.text import sanitise
from sabtui.app.errors import UserError
from sabtui.plain.commands import COMMANDS
from sabtui.plain.console import Console
from sabtui.plain.json_parts import (
    Json,
    JsonObject,
    list_news,
    own_parts,
    public_parts,
    see_as_watcher,
)
from sabtui.plain.table import InHall, PlainTable, private_lines
from sabtui.text.connection import why_ended
from sabtui.text.i18n import _, current_language
from sabtui.text.layout import TerminalSize

VERSION: Final = 1
"""Version of the lines: a higher one may leave out or change what is told here."""
MOST_MARKS: Final = 1 << 32
"""Numbers that an answer repeats as the `id` of its line are below this one."""
OWN_LINE: Final = 8192
"""Bytes of each own line and each answer, its line break not counted."""


class JsonConsole(Console):
    """Standard input and output as values of JSON, one a line."""

    def __init__(self) -> None:
        super().__init__()
        self.is_eager = True  # a program writes at any time, as a person does

    @property
    def size(self) -> TerminalSize:
        """A size at which no sentence is broken."""
        return TerminalSize(2000, 200)

    def write(self, kind: str, value: JsonObject, length: int = 0) -> None:
        """Write a value as a line of ASCII, with blanks at its end up to this length."""
        self.put(f"{dump(kind, value):<{length}}")

    def put(self, line: str) -> None:
        """Write a line."""
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def say(self, lines: Iterable[str]) -> None:
        """Write sentences that are no step of a table and no answer."""
        if texts := [*map(sanitise, lines)]:
            self.write("say", {"lines": texts})

    def prompt(self, prompt: str) -> None:
        """Write what is asked for, unless it was written already."""
        if prompt != self._asked:
            self.write("ask", {"text": prompt})
            self._asked = prompt

    def read(self, line: str) -> str:
        """Return what a line stands for, "" after an error line if it cannot be read."""
        try:
            return read_line(line)
        except UserError as wrong:
            self.write("error", {"text": str(wrong)})
            return ""

    def leave(self) -> None:
        """Do nothing: each line ends where it is written."""


def dump(kind: str, value: JsonObject) -> str:
    """Return a value of a kind as JSON, in ASCII."""
    return json.dumps({"t": kind, **value}, separators=(",", ":"))


def read_line(line: str) -> str:
    """Return what a line stands for as it is typed without `--json`.

    Raises UserError: it is no value of JSON, or not one that is read here.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    is_read = isinstance(value, dict) and value.keys() <= {"do", "text", "id"}
    words = [*value.values()] if is_read else [None]
    if not all(isinstance(word, str | int) and not isinstance(word, bool) for word in words):
        text = _("A line is a value of JSON, like {example}.")
        raise UserError(text.format(example='{"do": "sit", "text": 2}'))
    return f"{value.get('do', '')} {value.get('text', '')}".strip()


def read_mark(line: str) -> Json:
    """Return the `id` by which a line that can be read knows its answer again; `None` without."""
    mark = json.loads(line).get("id")
    return mark if isinstance(mark, int) and 0 <= mark < MOST_MARKS else None


@dataclass(eq=False)
class JsonTable(PlainTable):
    """A visit to a table in lines of JSON.

    `shown` are the public parts as they were told last, `own` the own line, `answers` counts the
    lines that were read. `told` holds what is to be told in the answer to the present one.
    """

    console: JsonConsole
    shown: JsonObject = field(default_factory=dict)
    own: JsonObject = field(default_factory=dict)
    answers: int = 0
    told: list[Json] | None = None

    def visit(
        self,
        make: Callable[[OnUpdate], RunnableSession],
        greeting: Iterable[str] = (),
        in_hall: InHall | None = None,
    ) -> int:
        """Play at a table as `PlainTable` does, between a first and a last line."""
        rows: list[Json] = [
            {"do": [*one.spellings], "when": one.when.name.lower(), "text": one.purpose()}
            for one in COMMANDS
        ]
        hello: JsonObject = {"v": VERSION, "language": current_language(), "own": OWN_LINE}
        self.console.write("hello", {**hello, "commands": rows})
        code = super().visit(make, greeting, in_hall)
        why = self.session.status.ending
        is_told = why is not None and why is not CloseReason.CALLED
        text = why_ended(why, is_host=self.session.status.is_host) if is_told else ""
        self.console.write("end", {"code": code, "text": text})
        return code

    def say(self, *lines: str) -> None:
        """Tell lines, in the answer to a line that was read if there is one."""
        if self.told is None:
            self.console.say(lines)
        else:
            self.told += map(sanitise, lines)

    def takes_line(self, *, eager: bool) -> bool:
        """Return True if a line can be read now: it waits for the table, else as a person's."""
        is_known = self.status.lobby is not None or self.status.connection is ConnectionState.ENDED
        return is_known and super().takes_line(eager=eager)

    def show_prompt(self) -> None:
        """Show none: each own line and each answer has it."""

    def do_line(self, typed: str) -> None:
        """Do what a line of JSON says, and answer it by one line."""
        self.answers += 1
        self.told = []
        try:
            line = read_line(typed)
        except UserError as wrong:
            self.console.write("error", {"line": self.answers, "text": str(wrong)})
            self.told = None
            return
        mark = read_mark(typed)
        if line == "all":
            self._tell_all()
        else:
            super().do_line(line)
        answer: JsonObject = {"line": self.answers, "asks": self.question is not None}
        answer |= {"id": mark, "prompt": self.prompt(), "lines": self.told}
        self._write_own("answer", answer)
        self.told = None
        self._tell_own([])

    def tell(self, before: Status, heard: Received) -> None:
        """Tell a step of the table by a public line and an own one, all else by an own one."""
        status, addresses = self.status, self.addresses
        private = private_lines(status, before, heard, addresses, is_silent=False)
        private += self.shown_lines(heard)
        if status.lobby is None:
            self.say(*private)
            return
        lobby, public = before.lobby or status.lobby, see_as_watcher(status)
        if heard.news or heard.events or heard.renewed:
            events = visible_to(heard.events, None)
            self.shown = {} if heard.renewed else self.shown
            self._tell_public(public, list_news(lobby, heard.news, events, public))
        news = list_news(lobby, heard.news, heard.events, status)
        self._tell_own([*news, *({"is": "private", "lines": [one]} for one in private)])

    def _tell_all(self) -> None:
        """Tell everything again."""
        if self.status.lobby is not None:
            self.shown = {}
            self._tell_public(see_as_watcher(self.status), [])

    def _tell_public(self, public: Status, news: list[Json]) -> None:
        """Write the public line of a step, with the parts that have changed."""
        assert public.game_state is not None
        parts, shown = public_parts(public), self.shown
        changed = {name: part for name, part in parts.items() if shown.get(name) != part}
        line: JsonObject = {"n": public.game_state.step, "all": not shown, "news": news}
        self.console.write("public", {**line, **changed})
        self.shown, self.own = parts, {}

    def _tell_own(self, news: list[Json]) -> None:
        """Write the own line if a step needs it, or if it has changed without one."""
        if self.status.game_state is None:
            return
        own = {**own_parts(self.status), "auto": self.is_on_autopilot, "waits": self.where()}
        own["prompt"] = self.prompt()
        if own != self.own or news:
            self.own = own
            line: JsonObject = {"n": self.status.game_state.step, **own, "news": news}
            self._write_own("own", line)

    def _write_own(self, kind: str, value: JsonObject) -> None:
        """Write a line of the one length; what has no room in its last lists is left out."""
        left_out = 0
        while len(dump(kind, {**value, "left_out": left_out})) > OWN_LINE:
            lists = {name: part for name, part in value.items() if isinstance(part, list) and part}
            name, part = lists.popitem()
            value, left_out = {**value, name: part[:-1]}, left_out + 1
        self.console.write(kind, {**value, "left_out": left_out}, OWN_LINE)


def face_for(console: Console) -> type[PlainTable]:
    """Return what visits tables at a console."""
    return JsonTable if isinstance(console, JsonConsole) else PlainTable
