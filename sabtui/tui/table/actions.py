"""Actions at the table: cards, cursor and panes, chat; and why an action is unavailable.

No rule is decided here: moves and their reasons come from the view.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.board import START
from engine.moves import KeepGold
from engine.reasons import DealAwaited, GameOver, GoldBeingShared, OnlyWatching
from engine.state import Phase
from engine.view import View
from net.client.session import ConnectionState
from net.protocol.messages import DiskStatus, MakeClaim, PlayAgain, SetReady
from sabtui.text.connection import ended
from sabtui.text.i18n import _, ngettext
from sabtui.text.moves import waiting
from sabtui.text.reasons import why_not
from sabtui.tui.table import claims, render
from sabtui.tui.table.header import last_card
from sabtui.tui.table.model import SidePanel
from sabtui.tui.table.render import known, seats_part
from sabtui.tui.table.results import waited_for
from sabtui.tui.table.selection import TargetPlace
from sabtui.tui.table.status import hint

if TYPE_CHECKING:
    from sabtui.tui.table.screen import TableScreen


class CardActions:
    """Actions with cards."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def do_it(self) -> None:
        """Do what the hint says."""
        table = self._table
        view = table.status.view
        if table.status.connection is ConnectionState.ENDED:
            table.context.stand(ended(table.status.ending))
        elif view is not None:
            self._do(view)

    def _do(self, view: View) -> None:
        table = self._table
        match view.phase:
            case Phase.OVER:
                text = _("Put this game away and play again? All keep their seats.")
                table.ask(text, lambda: table.session.request(PlayAgain()))
            case Phase.DEAL:
                table.session.request(SetReady(ready=True))
            case Phase.GOLD if (nuggets := table.desk.kept(view)) is not None:
                table.session.play(KeepGold(nuggets))
                table.mark_sent()
            case _:
                move = table.desk.wish(view)
                if move is not None:
                    table.session.play(move)
                    table.mark_sent()

    def choose(self, digit: int) -> None:
        """Choose a card by its digit, or turn it if it is chosen already."""
        table = self._table
        view = table.status.view
        if view is not None and view.phase is Phase.GOLD and view.offer:
            self._choose_gold(view, digit)
        elif view is None or not view.hand or view.phase is not Phase.PLAY:
            table.say(table.can.no_cards())
        elif digit > len(view.hand):
            table.say(self.no_card())
        elif table.desk.card == digit - 1 and not table.desk.discarding:
            table.run_command(table.by_name["turn"])
        else:
            table.model = table.model.with_desk(table.desk.choosing(digit - 1, view))

    def no_card(self) -> str:
        """Return why a digit chooses no card."""
        view = self._table.status.view
        if view is None or not view.hand or view.phase is not Phase.PLAY:
            return self._table.can.no_cards()
        count = len(view.hand)
        return ngettext("You hold {count} card.", "You hold {count} cards.", count).format(
            count=count
        )

    def _choose_gold(self, view: View, nuggets: int) -> None:
        table = self._table
        reason = view.why_not(KeepGold(nuggets))
        if reason is not None:
            table.say(why_not(reason, KeepGold(nuggets), view, table.cast))
        else:
            table.model = table.model.with_desk(replace(table.desk, nuggets=nuggets))

    def turn(self) -> None:
        """Turn the card, or say why it cannot lie the other way up here."""
        table = self._table
        view = table.status.view
        choice = None if view is None else table.desk.choice(view)
        if view is None or choice is None:
            return
        other = choice.other_way(table.desk.place, table.desk.turned)
        if other is None:
            return
        reason = choice.why_not(other)
        if choice.at(table.desk.place) is not None and reason is not None:
            table.say(why_not(reason, other, view, table.cast))
            return
        move = choice.way(table.desk.place, table.desk.turned)
        turned = table.desk.turned
        if choice.way(table.desk.place, not turned) != move:
            turned = not turned
        table.model = table.model.with_desk(replace(table.desk, turned=turned, discarding=False))

    def jump(self, step: int) -> None:
        """Move the cursor to the next place where the card can be played."""
        table = self._table
        view = table.status.view
        choice = None if view is None else table.desk.choice(view)
        if choice is None:
            return
        place = choice.after(table.desk.place, step)
        if place is None:
            table.say(_("This card can do nothing now: x discards it."))
        else:
            table.model = table.model.at(place)

    def discard(self) -> None:
        """Prepare to discard the card; a second time, discard it."""
        table = self._table
        if table.desk.discarding:
            table.run_command(table.by_name["do"])
            return
        table.model = table.model.with_desk(replace(table.desk, discarding=True))


class ViewActions:
    """Actions that change what is visible."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def move(self, east: int, south: int) -> None:
        """Move the cursor."""
        table = self._table
        if table.status.view is not None:
            players = table.status.view.table.players
            table.model = table.model.with_desk(table.desk.moved(east, south, players))

    def go(self, place: TargetPlace) -> None:
        """Move the cursor to a place."""
        table = self._table
        table.model = table.model.at(place)

    def to_players(self) -> None:
        """Move the cursor to the players or back to the mine, unless a card targets players."""
        table = self._table
        view = table.status.view
        if view is None:
            return
        choice = table.desk.choice(view)
        if table.desk.seat is None:
            self.go(view.seat or 0)
        elif choice is not None and choice.on_seats:
            table.say(_("Up and Down go from player to player; Esc takes the card back."))
        else:
            self.go(table.desk.cell)

    def to_newest(self) -> None:
        """Move the cursor to the newest card in the mine."""
        view = self._table.status.view
        last = None if view is None else last_card(view)
        self.go(START if last is None or last.cell is None else last.cell)

    def to_start(self) -> None:
        """Move the cursor to the start."""
        self.go(START)
        self._table.model = self._table.model.settled()

    def to_goals(self) -> None:
        """Move the cursor to the next goal."""
        self.go(self._table.model.next_goal())

    def pan(self, east: int, south: int) -> None:
        """Move the mine but not the cursor."""
        table = self._table
        table.model = table.model.panned(east, south)

    def zoom(self, steps: int) -> None:
        """Draw larger or smaller tiles."""
        table = self._table
        table.model = table.model.zoomed(steps)

    def change_pane(self) -> None:
        """Switch between the log and what the player knows."""
        table = self._table
        other = SidePanel.LOG if table.model.pane is SidePanel.KNOWN else SidePanel.KNOWN
        table.model = replace(table.model, pane=other, back=0)

    def scroll(self, lines: int) -> None:
        """Scroll the open list, the known facts or the log by a page; positive is back."""
        table = self._table
        model, view = table.model, table.status.view
        rows, columns = table.pane.size.height, model.layout.text
        if view is not None and model.about is not None:
            rows = render.seats_part(view, model).rows + table.pane_rows(view)
            pages = render.claim_list(view, table.cast, model, rows)
            table.model = replace(model, claims_page=pages.page(max(model.claims_page - lines, 0)))
        elif model.pane is SidePanel.KNOWN and view is not None:
            height = len(known(view, columns, veiled=model.veiled))
            back = model.back - lines * max(rows - 1, 1)
            table.model = replace(model, back=min(max(back, 0), max(height - rows, 0)))
        else:
            room = rows if view is None else render.log_rows(view, model, rows)
            table.model = replace(model, back=table.story.turned(columns, room, model.back, lines))

    def veil(self) -> None:
        """Hide the player's dwarf, or show it."""
        table = self._table
        table.model = replace(table.model, veiled=not table.model.veiled)


class ChatActions:
    """Actions for chat, claims and notes."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def talk(self) -> None:
        """Move the focus to the chat line."""
        table = self._table
        table.model = replace(table.model, about=None)
        table.set_focus(table.talk_line)
        table.say(_("Say it to all and press Enter; Esc goes back to the table."))

    def claim(self) -> None:
        """Open the list of quick claims, or close it."""
        table = self._table
        view = table.status.view
        if view is not None:
            about = claims.first_about(view, table.desk.seat)
            table.model = replace(
                table.model, about=about if table.model.about is None else None, claims_page=0
            )
            if table.model.about is not None:
                table.say(_("Press the key of a claim; Up, Down: about another player."))

    def take(self, key: str, character: str | None) -> bool:
        """Handle a key while the list of claims is open. Return True if the list used it."""
        table = self._table
        view, about = table.status.view, table.model.about
        if view is None or about is None:
            return False
        if key in {"up", "down"}:
            step = 1 if key == "down" else -1
            table.model = replace(table.model, about=claims.next_about(view, about, step))
            table.redraw()
            return True
        listed = claims.claims(view, about)
        at = claims.CLAIM_KEYS.find(character) if character else -1
        if not 0 <= at < len(listed):
            return False
        self.claimed(at)
        return True

    def claimed(self, at: int) -> None:
        """Claim the item at an index of the list."""
        table = self._table
        view, about = table.status.view, table.model.about
        if view is None or about is None:
            return
        listed = claims.claims(view, about)
        if at < len(listed):
            table.session.request(MakeClaim(listed[at]))
            table.model = replace(table.model, about=None)
            table.say("")
            table.look_again()

    def note(self) -> None:
        """Change the note on the player under the cursor."""
        table = self._table
        if table.desk.seat is not None:
            table.model = table.model.marked(table.cast.names[table.desk.seat])


NO_MOVE: Final = KeepGold(0)
"""Move that is never legal: the reason against it tells why cards cannot be played at all."""


class Availability:
    """Reasons why a command is unavailable now; `None` if it is available."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def do(self) -> str | None:
        """Return why Enter does nothing now, or `None`."""
        status = self._table.status
        view, lobby = status.view, status.lobby
        if status.connection is ConnectionState.ENDED:
            return None
        in_the_way = (
            status.connection is not ConnectionState.LINKED or status.disk is DiskStatus.FULL
        )
        if view is None or lobby is None or in_the_way:
            return self._hint()
        if self._table.is_sent:
            return _("Your move is on its way to the host.")
        match view.phase:
            case Phase.OVER:
                return None if status.is_host else self._hint()
            case Phase.DEAL:
                return None if view.seat in waited_for(lobby) else self._hint()
            case Phase.GOLD | Phase.PLAY if lobby.paused:
                return self._hint()
            case Phase.GOLD | Phase.PLAY:
                return self._table.flying.in_the_way() or self._play(view)

    def with_card(self) -> str | None:
        """Return why no card is chosen, or `None` if one is."""
        view = self._table.status.view
        if view is None or not view.hand:
            return self.no_cards()
        if self._table.desk.card is None:
            return _("Choose a card first, 1 to {last}.").format(last=len(view.hand))
        return None

    def no_cards(self) -> str:
        """Return why there are no cards to choose from."""
        view = self._table.status.view
        if view is None:
            return _("The game has not begun yet.")
        reason = view.why_not(NO_MOVE)
        if isinstance(reason, OnlyWatching | DealAwaited | GameOver | GoldBeingShared):
            return why_not(reason, NO_MOVE, view, self._table.cast)
        return _("You have no cards now.")

    def turn(self) -> str | None:
        """Return why the chosen card cannot be turned or mend another tool here, or `None`."""
        view = self._table.status.view
        choice = None if view is None else self._table.desk.choice(view)
        if choice is None:
            return self.with_card()
        if choice.other_way(self._table.desk.place, self._table.desk.turned) is None:
            return _("There is no other way to play this card here.")
        return None

    def change_pane(self) -> str | None:
        """Return why there is no other pane to show, or `None`."""
        view = self._table.status.view
        if view is None or view.phase is Phase.OVER:
            return self.look()
        if seats_part(view, self._table.model).is_tall:
            return _("What you know and what was said are in sight both.")
        return None

    def look(self) -> str | None:
        """Return why there is no mine to look at, or `None`."""
        return _("The game has not begun yet.") if self._table.status.view is None else None

    def back(self) -> str | None:
        """Return why Escape has nothing to go back from, or `None`."""
        if self._table.can_go_back:
            return None
        return _("There is nothing to go back from. q leaves the table.")

    def have_hint(self) -> str | None:
        """Return why no hint can be given now, or `None`."""
        view, lobby = self._table.status.view, self._table.status.lobby
        if view is None or lobby is None:
            return self.look()
        if not lobby.settings.hints:
            return _("No hints at this table: that was agreed.")
        if view.seat is None or view.to_act != view.seat:
            return waiting(view, self._table.cast)
        if self._table.is_sent:
            return _("Your move is on its way to the host.")
        return self._table.flying.in_the_way()

    def claim(self) -> str | None:
        """Return why nothing can be claimed, or `None`."""
        return self.look()

    def note(self) -> str | None:
        """Return why no player can be marked (none is under the cursor), or `None`."""
        if self._table.desk.seat is None:
            return _("Go to a player first: p, then Up or Down; or click on one.")
        return None

    def save(self) -> str | None:
        """Return why there is no record to save, or `None`."""
        held = self._table.status.game_state
        if held is None or not held.record:
            return _("The record can be saved once the game is over.")
        return None

    def _play(self, view: View) -> str | None:
        table = self._table
        if view.phase is Phase.GOLD and view.to_act == view.seat:
            nuggets = table.desk.kept(view)
            if nuggets is None:
                return _("Choose a gold card first: press the number on it.")
            reason = view.why_not(KeepGold(nuggets))
            return None if reason is None else why_not(reason, KeepGold(nuggets), view, table.cast)
        move = table.desk.wish(view)
        if move is None:
            if table.desk.card is None and view.to_act == view.seat:
                return self.with_card()
            return self._hint()
        reason = view.why_not(move)
        return None if reason is None else why_not(reason, move, view, table.cast)

    def _hint(self) -> str:
        table = self._table
        return hint(table.status, table.desk, table.cast, 0)
