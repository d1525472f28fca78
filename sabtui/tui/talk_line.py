"""The chat line: limits the text to what the protocol allows, and reports when it is full."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Input

from net.lobby.model import MAX_CHAT_BYTES, MAX_CHAT_CELLS
from sabtui.text.i18n import _
from sabtui.text.names import width


class TalkLine(Input):
    """Input limited to the length of a chat line, with a steady cursor."""

    class Full(Message):
        """Message: some of the typed or pasted text did not fit."""

    def __init__(self) -> None:
        super().__init__(id="talk", compact=True, select_on_focus=False)
        self.cursor_blink = False

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a range with a text, cut to what fits."""
        before, after = self.value[: min(start, end)], self.value[max(start, end) :]
        kept = text
        while kept and not _fits(before + kept + after):
            kept = kept[:-1]
        super().replace(kept, start, end)
        if kept != text:
            self.post_message(self.Full())

    def _on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text, its lines joined into one."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)


def no_room() -> str:
    """Return the message for a full chat line."""
    return _("That is all a line of talk can hold: the rest is left out.")


def _fits(text: str) -> bool:
    return width(text) <= MAX_CHAT_CELLS and len(text.encode()) <= MAX_CHAT_BYTES
