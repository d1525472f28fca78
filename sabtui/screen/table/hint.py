"""The one sentence under the hand: what Enter would do, why it cannot be, or who is waited for.

Knows what is now and the player's desk. Never empty while there is a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from engine.moves import Break, Discard, Keep, Lay, Map, Move, Repair, Rockfall
from engine.notation import format_cell
from engine.table import Phase
from engine.view import View
from net.client.seat import Now, Standing
from net.lobby import Absence, Lobby, Presence, Taken
from net.messages import DiskIs
from sabtui.screen.table.choice import Choice
from sabtui.screen.table.desk import Desk
from sabtui.screen.table.endings import waited_for
from sabtui.words.cards import card_words, nuggets_counted, path_words, tool_of
from sabtui.words.cast import Cast, width
from sabtui.words.endings import disk_told, standing
from sabtui.words.mine import around_words, goal_known
from sabtui.words.moves import would
from sabtui.words.reasons import why_not
from sabtui.words.tongue import _, listed
from sabtui.words.turns import player_words, waiting

PAUSE_KEY: Final = "P"
"""The host's key that pauses the game, and goes on."""


def hint(now: Now, desk: Desk, cast: Cast, columns: int) -> str:
    """The sentence, and more about it where both fit into so many columns."""
    return with_more(_told(now, desk, cast), columns)


def with_more(told: Sequence[str], columns: int) -> str:
    """The first sentence, and of the others those that fit beside it."""
    said, *more = told
    for sentence in more:
        if width(said) + 1 + width(sentence) <= columns:
            said += f" {sentence}"
    return said


def _told(now: Now, desk: Desk, cast: Cast) -> list[str]:
    """What there is to say, the most important first."""
    if now.standing is not Standing.LINKED:
        return [standing(now)]
    lobby, view = now.lobby, now.view
    if lobby is None or view is None:
        return [_("The game has not begun yet.")]
    if now.disk is DiskIs.FULL:
        told = [disk_told(now.disk, is_host=now.is_host)]
        return [*told, _("f goes on unsaved.")] if now.is_host else told
    if lobby.paused:
        return [_paused(now, lobby)]
    match view.phase:
        case Phase.OVER:
            return _over(now)
        case Phase.DEAL:
            return _between(view, lobby, cast)
        case Phase.GOLD:
            return _gold(view, desk, lobby, cast)
        case Phase.PLAY:
            return _play(view, desk, lobby, cast)
        case never:
            assert_never(never)


def _paused(now: Now, lobby: Lobby) -> str:
    """Return how the host goes on, or whom the others wait for."""
    if now.is_host:
        return _("Paused: {key} goes on.").format(key=PAUSE_KEY)
    host = lobby.person(lobby.host)
    if host is None:
        return _("The host has paused the game; talk goes on.")
    return _("Paused until {name}, the host, goes on. You can talk.").format(name=host.name)


def done_words(move: Move, view: View, cast: Cast) -> str:
    """What a move that may be made does, after "Enter:"."""
    match move:
        case Lay(path, cell):
            return _("lay {card} at {cell}: {effect}.").format(
                card=path.text, cell=format_cell(cell), effect=would(move, view, cast)
            )
        case Break(tool, target):
            return _("break {tool}.").format(tool=tool_of(tool, target, cast))
        case Repair(_card, target, tool):
            return _("repair {tool}.").format(tool=tool_of(tool, target, cast))
        case Rockfall(cell):
            return _("bring down the {card} at {cell}.").format(
                card=path_words(view.table.board.cards[cell]), cell=format_cell(cell)
            )
        case Map(cell):
            return _("look secretly at {cell}, {known}.").format(
                cell=format_cell(cell), known=goal_known(cell, view)
            )
        case Discard(card):
            return _("pass, and discard {card} face down. Esc keeps it.").format(
                card=card_words(card)
            )
        case Keep(nuggets):
            return _("keep the gold card of {nuggets}.").format(nuggets=nuggets_counted(nuggets))
        case _:
            assert_never(move)


def _play(view: View, desk: Desk, lobby: Lobby, cast: Cast) -> list[str]:
    mine = view.seat is not None and view.to_act == view.seat
    choice, wish = desk.choice(view), desk.wish(view)
    if choice is None:
        told = [_choose(view)] if mine else _waiting(view, lobby, cast)
        return [*told, *_under(desk, view, cast)]
    if not mine:
        return [*_waiting(view, lobby, cast), *_ahead(view, wish, choice, cast)]
    if wish is None:
        return [_elsewhere(choice)]
    reason = view.why_not(wish)
    if reason is not None:
        return [why_not(reason, wish, view, cast)]
    told = [_("Enter: {what}").format(what=done_words(wish, view, cast))]
    target = None if desk.discarding else choice.at(desk.place)
    if target is not None and len(target.ways) > 1:
        told.append(_("r: the other tool.") if choice.on_seats else _("r turns it."))
    return told


def _choose(view: View) -> str:
    return _("Your turn: choose a card, 1 to {last}.").format(last=len(view.hand))


def _under(desk: Desk, view: View, cast: Cast) -> list[str]:
    """What lies under the cursor, or how the player there stands."""
    if desk.seat is None:
        return around_words(desk.cell, view)[:1]
    return [f"{player_words(desk.seat, view, cast)}."]


def _elsewhere(choice: Choice) -> str:
    if choice.on_seats:
        return _("This card is played on a player: n jumps to one.")
    return _("This card is played in the mine: n jumps to a place.")


def _ahead(view: View, wish: Move | None, choice: Choice, cast: Cast) -> list[str]:
    """What a player who thinks ahead could do if it were their turn, or why not."""
    if wish is None or isinstance(wish, Keep):
        return []
    reason = choice.why_not(wish)
    if reason is not None:
        return [why_not(reason, wish, view, cast)]
    return [_("Then: {what}").format(what=done_words(wish, view, cast))]


def _waiting(view: View, lobby: Lobby, cast: Cast) -> list[str]:
    """Whom the game waits for, and why that may take long."""
    told = waiting(view, cast)
    if view.to_act is None or view.to_act == view.seat:
        return [told]
    chair = lobby.chairs[view.to_act]
    person = lobby.person(chair.member) if isinstance(chair, Taken) else None
    if person is None or person.presence is Presence.THERE:
        return [told]
    if person.presence is Presence.SHAKY:
        more = _("{name}'s connection is shaky.")
    elif lobby.settings.absent is Absence.WAIT:
        more = _("{name} is gone, and waited for.")
    else:
        more = _("{name} is gone: a bot plays for them.")
    return [f"{told} {more.format(name=cast.names[view.to_act])}"]


def _gold(view: View, desk: Desk, lobby: Lobby, cast: Cast) -> list[str]:
    if view.to_act != view.seat or view.seat is None:
        return _waiting(view, lobby, cast)
    kept = desk.kept(view)
    if kept is not None:
        return [_("Enter: {what}").format(what=done_words(Keep(kept), view, cast))]
    kinds = [str(nuggets) for nuggets in dict.fromkeys(view.offer)]
    told = _("Gold! Choose the card to keep by its nuggets: {kinds}.")
    return [told.format(kinds=listed(kinds))]


def _between(view: View, lobby: Lobby, cast: Cast) -> list[str]:
    """After a round: who won it, and who is not ready for the next."""
    told = waiting(view, cast)
    missing = waited_for(lobby)
    others = [seat for seat in missing if seat != view.seat]
    names = _("Waiting for {names}.").format(names=cast.call_all(others)) if others else ""
    if view.seat is not None and view.seat in missing:
        told = _("Enter: ready for the next round.")
    return [told, names] if names else [told]


def _over(now: Now) -> list[str]:
    told = [_("The game is over."), _("S saves the record."), _("Tab shows the mine.")]
    if now.is_host:
        told[0] += " " + _("Enter: play again, all keep their seats.")
    return told
