"""The game that docs/protocol.md shows line by line, at a table that starts by itself.

    .venv/bin/python -m tests.docs.session      put the lines into the page again

They are what Ben's program and the host say, in their order, as JSON. Bytes are `<hexadecimal
digits>`, and of long ones only the first are shown. `...` stands for messages that bring no kind of
message, request or event that was not shown before. A test compares the page with all this.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Final

import msgspec

from engine import Phase
from engine.moves import Discard, KeepGold
from net.protocol.lobby import Settings, TableClaim, Topic
from net.protocol.messages import ClientMessage, HostMessage
from net.protocol.requests import Chat, MakeClaim
from net.room.effects import Effects
from tests.docs.pages import ROOT
from tests.net.room.room_fixture import Guest, Table

PAGE: Final = ROOT / "docs" / "protocol.md"
OPENING, END = "```session\n", "```\n"
NAMES: Final = ("Ben", "Cleo", "Dan")
MOST_BYTES: Final = 6
MOST_LETTERS: Final = 60
WIDTH: Final = 100

COMMENTS: Final = {
    "enter": "The handshake is done.",
    "snapshot": "Member 1 has seat 0. The running hash goes on from this one.",
    "1": "Cleo comes, and Dan after her.",
    "23": "The seed is drawn.",
    "12": "The game begins: Ben is a miner, has six cards, and Cleo begins.",
    "claim": "Ben says that the gold is at the middle goal, and Cleo answers.",
    "discard": "He discards a card, and draws another.",
    "ping": "Every two seconds:",
    "18": "The last card. The round is over, the gold is paid, and there is the record.",
}
"""A remark before the first line in which a message, request or event has this tag."""

OF_EVERYBODY: Final = ("passed", "drew")
"""Tags of events that Ben's own discard shows as well as another's."""


class LoggedTable(Table):
    """A table that nobody hosts, and all that passes between it and Ben's program."""

    def __init__(self) -> None:
        super().__init__(Settings(seats=3, rounds=1))
        self.room.starts_with = len(NAMES)
        self.messages: list[tuple[str, dict[str, object]]] = []

    def say(self, connected: Guest, message: ClientMessage) -> Effects:
        """A guest says something."""
        self._log(connected, "->", message)
        return super().say(connected, message)

    def message_for(self, connected: Guest, message: HostMessage) -> HostMessage:
        """The host sends a message to somebody."""
        self._log(connected, "<-", message)
        return message

    def _log(self, connected: Guest, arrow: str, message: ClientMessage | HostMessage) -> None:
        value = msgspec.msgpack.decode(msgspec.msgpack.encode(message))
        if connected.name == NAMES[0]:
            self.messages.append((arrow, value))


def play() -> list[tuple[str, dict[str, object]]]:
    """Play the game, in which everybody discards; return what Ben's program and the host say."""
    table = LoggedTable()
    for name in NAMES:
        table.come(name)
    table.wait(0.5)
    assert table.wants("Ben", MakeClaim(TableClaim(Topic.GOLD_AT, 1))) is None
    assert table.wants("Cleo", Chat("I do not think so.")) is None
    while table.room.state.phase is not Phase.OVER:
        name = table.name_to_act()
        view = table.people[name].client.status.view
        assert view is not None
        move = KeepGold(view.offer[0]) if view.offer else Discard(view.hand[0])
        assert table.plays(name, move) is None
    return table.messages


def short(value: object) -> object:
    """Return a value as it is shown."""
    match value:
        case bytes():
            return f"<{value.hex()}>" if len(value) <= MOST_BYTES else f"<{value[:2].hex()}...>"
        case dict():
            return {key: short(item) for key, item in value.items()}
        case list():
            return [short(item) for item in value]
        case str() if len(value) > MOST_LETTERS:
            return f"{value[:20]}..."
        case _:
            return value


def tags(message: dict[str, object]) -> Iterator[str]:
    """Yield the kind of a message, and the tags of the request or the events in it."""
    yield str(message["is"])
    match message:
        case {"request": [str(tag), *rest]}:
            yield tag
            yield from (str(event[0]) for event in rest if isinstance(event, list))
        case {"lobby_events": list(news), "events": list(events)}:
            yield from (str(event[0]) for event in (*news, *events))
        case _:
            pass


def lines() -> Iterator[str]:
    """Yield the lines of the page: a remark, or a message behind `->` to or `<-` from the host."""
    comments, told, hides = dict(COMMENTS), set(OF_EVERYBODY), False
    for arrow, message in play():
        new = set(tags(message)) - told
        told |= new
        if not new:
            hides = True
            continue
        if hides:
            yield "# ..."
        hides = False
        for tag in tags(message):
            if remark := comments.pop(tag, ""):
                yield f"# {remark}"
        text = f"{arrow} {json.dumps(short(message))}"
        yield from textwrap.wrap(
            text, WIDTH, subsequent_indent="   ", break_on_hyphens=False, break_long_words=False
        )


def block() -> str:
    """Return the block of the page."""
    return "\n".join([OPENING.rstrip(), *lines(), END])


def main() -> None:
    """Put the block into the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(OPENING)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + block() + after, encoding="utf-8")


if __name__ == "__main__":
    main()
