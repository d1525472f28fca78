"""Join: the games on this network as they appear, each with what can be done about it.

Knows how a game is said. That names are clean, and what is true of a game, is net.discovery's.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from net.text import harmless
from sabtui.screen.commands import Command, Commanded
from sabtui.screen.form import Field, Line, Note
from sabtui.screen.menu import Menu
from sabtui.words.cast import padded, width
from sabtui.words.system import system_words
from sabtui.words.tongue import _, ngettext

if TYPE_CHECKING:
    from net.discovery.game import Game

NAME: Final = 25
"""Columns of a game's title."""


class Join(Commanded):
    """The games on this network."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    Join > Menu {
        padding: 0 1;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.games: tuple[Game, ...] = ()
        self.menu: Final = Menu(empty=_("Looking for games on this network..."))
        self.note: Final = Note()
        told = _("As your host's screen tells it: 192.168.1.20, or with a port: box.local:7342")
        self.line: Final = Line("address", "", 300, told, _("host or host:port"))

    def commands(self) -> Iterable[Command]:
        """What can be asked here."""
        yield Command(
            "join",
            ("enter",),
            _("join"),
            _("join the game under the cursor"),
            self.enter,
            self.why_not_join,
        )
        yield Command(
            "address", ("a", "slash"), _("type an address"), _("join by address"), self.type_address
        )
        yield Command("back", ("escape",), _("back"), _("back to the welcome screen"), self.leave)

    def body(self) -> ComposeResult:
        """The list, and a line for an address."""
        yield Static(_("Games on this network"), markup=False, classes="heading")
        yield self.menu
        yield self.note
        yield Field(_("Address"), self.line)

    def on_mount(self) -> None:
        """Begin to look."""
        self.line.can_focus = False
        self.run_worker(self._look(), exit_on_error=True)

    async def _look(self) -> None:
        # Zeroconf takes a while to import: not in the loop that draws.
        await asyncio.to_thread(importlib.import_module, "net.discovery.browser")
        from net.discovery.advert import OURS  # noqa: PLC0415 - not at start
        from net.discovery.browser import Browser  # noqa: PLC0415 - not at start

        async with Browser(OURS) as browser:
            waiting = self.set_timer(PATIENCE, lambda: self._nothing_yet(browser.trouble))
            async for games in browser:
                waiting.stop()
                self.list_games(games)

    def _nothing_yet(self, trouble: OSError | None) -> None:
        """Say what to do where no game is seen."""
        if trouble is not None:
            told = _("Games cannot be looked for here ({trouble}). Press a and type an address.")
            self.menu.say_empty(told.format(trouble=system_words(trouble)))
        else:
            self.menu.say_empty(_nothing_seen())

    def list_games(self, games: tuple[Game, ...]) -> None:
        """Show these games; the cursor stays on its game."""
        from sabtui.games import ordered  # noqa: PLC0415 - not at start

        games = tuple(ordered(games))
        was = self.games[self.menu.at].advert.id if self.games else ""
        ids = [game.advert.id for game in games]
        self.games = games
        self.menu.say_empty(_nothing_seen())
        self.menu.show([_row(game) for game in games], ids.index(was) if was in ids else None)
        self._advise()

    def on_menu_moved(self, _moved: Menu.Moved) -> None:
        """Tell of the game under the cursor."""
        self._advise()

    def _advise(self) -> None:
        """Tell all that is known of the game under the cursor."""
        from sabtui.games import state  # noqa: PLC0415 - not at start

        told = ""
        if self.games:
            game = self.games[self.menu.at]
            told = _("{game} at {address}: {state}.").format(
                game=game.title, address=game.addresses[0], state=state(game)
            )
        self.note.update(harmless(told))
        self.look_again()

    def on_menu_chosen(self, _chosen: Menu.Chosen) -> None:
        """Join the game that was chosen."""
        self.action_command("join")

    def enter(self) -> None:
        """Go on to the room code: of the game under the cursor, or of the address that is typed."""
        from sabtui.screen.enter import Enter  # noqa: PLC0415 - not at start

        if self.line.has_focus:
            self._go_to(self.line.value)
        else:
            self.show(Enter(self.games[self.menu.at]))

    def why_not_join(self) -> str | None:
        """Say why the game under the cursor cannot be joined."""
        from net.discovery.game import Status  # noqa: PLC0415 - not at start

        if self.line.has_focus:
            return None
        if not self.games:
            return _("There is no game in the list yet.")
        game = self.games[self.menu.at]
        if game.status is Status.JOINABLE:
            return None
        return _("{game} cannot be joined now.").format(game=game.title)

    def type_address(self) -> None:
        """Go to the line for an address."""
        self.line.can_focus = True
        self.line.focus()
        self.say(self.line.note)

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Go on to the room code with a typed address."""
        self._go_to(submitted.value)

    def _go_to(self, address: str) -> None:
        from net.discovery.address import BadAddress, parse_typed  # noqa: PLC0415 - not at start
        from sabtui.screen.enter import Enter  # noqa: PLC0415 - not at start
        from sabtui.words.addresses import bad_address  # noqa: PLC0415 - not at start

        try:
            typed = parse_typed(address)
        except BadAddress as bad:
            self.say(bad_address(bad))
        else:
            self.show(Enter(typed))

    def leave(self) -> None:
        """Go back: from the address to the list, from there to the welcome screen."""
        if self.line.has_focus:
            self.menu.focus()
            self.line.can_focus = False
            self.say("")
        else:
            self.back()


PATIENCE: Final = 3.0
"""Seconds to look before saying what to do: games are found within two."""


def _nothing_seen() -> str:
    return _(
        "No game is seen on this network yet; they appear here by themselves.\n\n"
        "Does your host see an address on their screen? Press a and type it.\n"
        "Or host a game yourself: Escape, then h."
    )


def _row(game: Game) -> Content:
    """A game: title, players, and how far it is, or that more is to be read of it below."""
    from net.discovery.game import Status  # noqa: PLC0415 - not at start
    from sabtui.games import stage  # noqa: PLC0415 - not at start

    advert = game.advert
    title = harmless(game.title)
    seats = ngettext("{players}/{seats} player", "{players}/{seats} players", advert.seats)
    taken = seats.format(players=advert.players, seats=advert.seats)
    gap = " " * max(NAME - width(title), 1)
    joinable = game.status is Status.JOINABLE
    told = stage(advert.stage) if joinable else _("cannot be joined")
    return Content(title).stylize("bold") + Content(f"{gap}{padded(taken, 11)} {told}")
