"""Base of screens that open a table, and a screen that picks one of several rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from net.protocol.text import sanitise
from sabtui.app.errors import UserError
from sabtui.app.requests import TableHandle
from sabtui.text.i18n import _
from sabtui.tui.commands import Command, CommandScreen
from sabtui.tui.widgets.list import Menu


class PendingScreen(CommandScreen):
    """Screen that opens a table. `busy` is True while a request is pending."""

    def __init__(self) -> None:
        self.busy = False
        super().__init__()

    def leave_by(self, handle: Awaitable[TableHandle], meanwhile: str) -> None:
        """Open the table once its handle is ready, or say why that failed."""
        self.busy = True
        self.say(meanwhile)
        self.run_worker(self._leave_by(handle))

    async def _leave_by(self, handle: Awaitable[TableHandle]) -> None:
        try:
            found = await handle
        except UserError as trouble:
            self.say(str(trouble))
        else:
            self.say("")
            self.context.sit(found)
        finally:
            self.busy = False


class PickScreen(CommandScreen):
    """Question with rows as answers. `take` receives the index of the picked row."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    PickScreen > Menu {
        padding: 0 1;
    }
    """

    def __init__(self, question: str, rows: Sequence[str], take: Callable[[int], None]) -> None:
        self.asked = question
        self.rows = rows
        self.take = take
        super().__init__()

    def commands(self) -> Iterable[Command]:
        """Yield the commands of this screen."""
        yield Command("pick", ("enter",), _("this one"), _("the row under the cursor"), self.pick)
        yield Command("back", ("escape",), _("back"), _("back; nothing is changed"), self.back)

    def body(self) -> ComposeResult:
        """Yield the question and the rows."""
        yield Static(sanitise(self.asked), markup=False, classes="heading")
        yield Menu([Content(sanitise(row)) for row in self.rows])

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Pick the row that was clicked."""
        self.pick()

    def pick(self) -> None:
        """Pick the row under the cursor, and go back."""
        at = self.query_one(Menu).at
        # `back` only queues its pop, so `take` is queued to run after it.
        self.back()
        self.app.call_later(self.take, at)
