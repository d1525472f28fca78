"""The line to talk in: takes what the table takes of a line of talk, and tells when it is full."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Input

from net.lobby.model import MAX_CHAT_BYTES, MAX_CHAT_CELLS
from sabtui.text.i18n import _
from sabtui.text.names import width


class TalkLine(Input):
    """A line of text as long as a line of talk, with a cursor that stands still."""

    class Full(Message):
        """There was no room for all that was typed or pasted."""

    def __init__(self) -> None:
        super().__init__(id="talk", compact=True, select_on_focus=False)
        self.cursor_blink = False

    def replace(self, text: str, start: int, end: int) -> None:
        """Put a text in place of another, as much of it as there is room for."""
        before, after = self.value[: min(start, end)], self.value[max(start, end) :]
        kept = text
        while kept and not _fits(before + kept + after):
            kept = kept[:-1]
        super().replace(kept, start, end)
        if kept != text:
            self.post_message(self.Full())

    def _on_paste(self, event: events.Paste) -> None:
        """Take all lines of what is pasted as one."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)


def no_room() -> str:
    """Return what to say when a line of talk is full."""
    return _("That is all a line of talk can hold: the rest is left out.")


def _fits(text: str) -> bool:
    return width(text) <= MAX_CHAT_CELLS and len(text.encode()) <= MAX_CHAT_BYTES
