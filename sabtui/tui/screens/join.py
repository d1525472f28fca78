"""Screens for joining, for coming back to a table, and for its room code.

`net.discovery` cleans the names of games and determines their status.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from net.discovery.advert import OURS, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.discovery.networks import is_in_network
from net.discovery.service import Browser
from net.protocol.cleaning import clean_name, sanitise
from net.secure.address import BadAddress, TypedAddress, parse_typed
from net.secure.code import BadCode, RoomCode
from sabtui.app.preferences import player_name
from sabtui.app.requests import JoinRequest, ResumableTable
from sabtui.text import network
from sabtui.text.audit import no_table
from sabtui.text.errors import ago
from sabtui.text.i18n import _, capitalise, pgettext
from sabtui.text.seats import looking_for_table
from sabtui.tui.command import Command
from sabtui.tui.command_screen import SEARCH, SearchScreen
from sabtui.tui.screens.bases import FormScreen, PendingScreen
from sabtui.tui.theme import Glyphs, draw_seats
from sabtui.tui.widgets.form import Form, LabelledField, NameField, TextField
from sabtui.tui.widgets.table import RowTable


class JoinScreen(FormScreen, PendingScreen, SearchScreen):  # styled as the first
    """List of the games on this network, with details of the one under the cursor."""

    AUTO_FOCUS = "RowTable"

    def __init__(self, request: JoinRequest | None = None) -> None:
        super().__init__()
        self.request = request
        self._has_chosen = False
        self.games: tuple[DiscoveredGame, ...] = ()
        self.kept_seats = frozenset[str]()
        """Ids of the games at which a seat is kept, looked up when the list changes."""
        empty = _("Looking for games on this network...")
        # Translators: title of a column: whether a game is waiting, playing or over.
        state = _("State")
        titles = (_("Table"), _("Seats"), state)
        self.menu: Final = RowTable(_("Games on this network"), titles, empty=empty)
        text = _("As on your host's screen: 192.168.1.20, or with a port: box.local:7342")
        self.address_field: Final = TextField("address", "", 300, text, _("host or host:port"))

    def commands(self) -> Iterable[Command]:
        yield Command("join", ("enter",), _("join"), join_purpose(), self.enter, self.why_not_join)
        yield Command(
            "address", ("a", "slash"), _("type an address"), _("type an address"), self.type_address
        )
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.leave)

    def body(self) -> ComposeResult:
        address = LabelledField(_("Address"), self.address_field)
        yield from self.lay_out("", Vertical(self.menu, address, id="games"))

    def on_mount(self) -> None:
        super().on_mount()
        self.address_field.can_focus = False
        lost = [table.problem for table in self.context.tables.resumable() if not table.is_host]
        self.say(" ".join(filter(None, lost)))

    def search(self) -> None:
        self.run_worker(self._look_for_games(), group=SEARCH)

    async def _look_for_games(self) -> None:
        async with Browser(OURS) as browser:

            def advise() -> None:
                trouble = browser.trouble
                self.menu.set_empty_text(
                    network.no_search(trouble, "a") if trouble else _nothing_seen()
                )

            waiting = self.set_timer(NOTHING_FOUND_AFTER_S, advise)
            try:
                async for games in browser:
                    waiting.stop()
                    self.list_games(games)
            finally:
                waiting.stop()

    def list_games(self, games: tuple[DiscoveredGame, ...]) -> None:
        """Show these games; the cursor is on the first until the player has moved it."""
        games = tuple(network.sort_games(games))
        self.games = games
        self.kept_seats = self.context.tables.find_kept_seats(games)
        self.menu.set_empty_text(_nothing_seen())
        at = None if self._has_chosen else 0
        rows = [_list_cells(game, self.context.glyphs) for game in games]
        self.menu.show(rows, at, ids=[game.row for game in games])
        self._advise()

    def on_row_table_moved(self) -> None:
        self._has_chosen = True
        self._advise()

    @property
    def game(self) -> DiscoveredGame | None:
        return self.games[self.menu.at] if self.games else None

    def _advise(self) -> None:
        text = title = ""
        if self.game is not None:
            title, address = self.game.title, self.game.addresses[0]
            text = _("{game} at {address}: {state}.").format(
                game=title, address=address, state=network.status_words(self.game)
            )
            if self.game.advert.id in self.kept_seats:
                kept = _("Your seat there is kept: Enter goes back to it.")
                text = f"{text} {kept}"
        self.note.border_title = Content(sanitise(title))
        self.note.show_note(text)
        self.update_commands()

    def enter(self) -> None:
        """Go back to a seat that is kept, or on to the room code for the game or the address."""
        if self.address_field.has_focus:
            self._join_address(self.address_field.value)
            return
        game = self.games[self.menu.at]
        if self.context.tables.find_kept_seats([game]):  # a program may have begun to use it
            request = self.request or JoinRequest(player_name(self.context.preferences), game)
            self._join(replace(request, at=game))
        else:
            self._join_with_code(game)

    def _join_with_code(self, at: DiscoveredGame | TypedAddress) -> None:
        """Join with the code that was given, or ask for it."""
        if self.request is None or self.request.code is None:
            self.show(JoinDialog(at, self.request))
        else:
            self._join(replace(self.request, at=at))

    def _join(self, request: JoinRequest) -> None:
        self.open_table(self.context.tables.join(request), _("Joining..."))

    def why_not_join(self) -> str | None:
        """Return why the game under the cursor cannot be joined, or `None` if it can."""
        if self.busy or self.address_field.has_focus:
            return self.why_busy()
        if not self.games:
            return network.none_found() if is_in_network() else network.join_network_first()
        game = self.games[self.menu.at]
        if game.status is GameStatus.JOINABLE:
            return None
        facts = f"{network.status_words(game)}."
        return _("{title}: {facts}").format(title=game.title, facts=facts)

    def type_address(self) -> None:
        """Move the focus to the field for an address."""
        self.address_field.can_focus = True
        self.address_field.focus()
        self.say(self.address_field.note)

    def _join_address(self, address: str) -> None:
        try:
            typed = parse_typed(address)
        except BadAddress:
            self.say(network.bad_address())
        else:
            self._join_with_code(typed)

    def leave(self) -> None:
        """Return from the address field to the list, or from the list to the welcome screen."""
        if self.address_field.has_focus:
            self.menu.focus()
            self.address_field.can_focus = False
            self.say("")
        else:
            self.back()


def join_purpose() -> str:
    """Return the purpose of Enter in a list of games."""
    return _("join the game under the cursor")


NOTHING_FOUND_AFTER_S: Final = 3.0
"""Seconds of searching before advice is shown: games are usually found within two."""


def _nothing_seen() -> str:
    if not is_in_network():
        return network.join_network_first()
    return _(
        "No games on this network yet; they appear here automatically.\n\n"
        "Does your host see an address on their screen? Press a and type it.\n"
        "Or host a table yourself: Esc, then h."
    )


def _list_cells(game: DiscoveredGame, glyphs: Glyphs) -> tuple[str, str, str]:
    """Return the cells of a game: title, seats, and its stage or that it cannot be joined."""
    advert = game.advert
    seats = draw_seats(advert.players, advert.seats, glyphs)
    if advert.stage is AdvertStage.CLUB:
        seats = network.players_words(game)
    joinable = game.status is GameStatus.JOINABLE
    text = network.stage_words(game.advert.stage) if joinable else _("cannot be joined")
    return game.title, seats, text


class JoinDialog(FormScreen, PendingScreen):
    """Form for the room code and the player's name, the last step before a table."""

    AUTO_FOCUS = "TextField"

    def __init__(
        self, at: DiscoveredGame | TypedAddress, request: JoinRequest | None = None
    ) -> None:
        self.at = at
        self.request = request
        super().__init__()
        text = _(
            "The two English words on your host's screen, in upper or lower case. Leave empty if "
            "there is no code."
        )
        # Translators: shown in the empty line for the room code.
        known = None if request is None else request.code
        if known is None and isinstance(at, TypedAddress):
            known = at.code
        code = "" if known is None else str(known)
        self.code_field: Final = TextField("code", code, 60, text, _("two words"))
        text = _("The name others see. If it is taken, yours gets a number.")
        self.name_field: Final = NameField("name", "", text)

    def commands(self) -> Iterable[Command]:
        yield Command("enter", ("enter",), _("join"), _("join"), self.enter, self.why_busy)
        yield from self.form_commands(_("code or name"))

    def body(self) -> ComposeResult:
        title = self.at.title if isinstance(self.at, DiscoveredGame) else self.at.host
        usual = player_name(self.context.preferences)
        self.name_field.fill(usual if self.request is None else self.request.name)
        rows = (
            LabelledField(capitalise(_("room code")), self.code_field),
            LabelledField(_("Your name"), self.name_field),
        )
        yield from self.lay_out("", Form({_("Join {title}").format(title=sanitise(title)): rows}))

    def enter(self) -> None:
        """Join the table if the code is well-formed, and save a new name."""
        try:
            code = RoomCode.parse(self.code_field.value) if self.code_field.value.strip() else None
        except BadCode as bad:
            self.say(f"{network.bad_code(bad)}.")
            return
        name = clean_name(self.name_field.value)
        preferences = self.context.preferences
        usual = player_name(preferences) if self.request is None else self.request.name
        if name and name != usual:
            self.context.save_preferences(replace(preferences, name=name))
        request = self.request or JoinRequest(usual, self.at)
        request = replace(request, name=name or usual, at=self.at, code=code)
        self.open_table(self.context.tables.join(request), _("Joining..."))


class ResumeScreen(FormScreen, PendingScreen):
    """List of tables to return to."""

    AUTO_FOCUS = "RowTable"

    def __init__(self) -> None:
        self.tables: tuple[ResumableTable, ...] = ()
        super().__init__()
        empty = _(
            "Nothing to resume. Tables you left for now, or hosted and did not close, appear here."
        )
        titles = (_("Table"), capitalise(pgettext("a player", "you")))
        self.menu: Final = RowTable(_("Resume"), titles, empty=empty)

    def commands(self) -> Iterable[Command]:
        label, text = _("come back"), _("come back to a table")
        yield Command("return", ("enter",), label, text, self.enter, self.why_not)
        yield Command("back", ("escape",), _("back"), _("back to where you were"), self.back)

    def body(self) -> ComposeResult:
        self.note.display = False
        yield from self.lay_out("", Vertical(self.menu, id="games"))

    def on_screen_resume(self) -> None:
        """Show the tables that can be resumed, also after another screen was on top."""
        self.tables = self.context.tables.resumable()
        now = time.time()
        rows = list[tuple[str, str]]()
        for table in self.tables:
            text = _("your seat is kept - left {ago}")
            if table.is_host:
                text = _("you are the host - last played {ago}")
            if table.is_practice:
                text = _("against bots - left {ago}")
            if table.problem:
                text = _("cannot be brought back: press Enter to see why")
            rows.append((table.title, text.format(ago=ago(now - table.when))))
        self.menu.show(rows, ids=[table.id for table in self.tables])

    def why_not(self) -> str | None:
        none = None if self.tables else no_table()
        return self.why_busy() or none

    def enter(self) -> None:
        handle = self.context.tables.resume(self.tables[self.menu.at])
        self.open_table(handle, looking_for_table())
