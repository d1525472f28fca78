"""People and seats at a table in words, and the questions and answers about one's own seat.

Both interfaces share them: phrases go beside a name, sentences are shown by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from net.client.session import Status
from net.protocol.lobby import Absence, BotChair, Lobby, Person, Presence
from sabtui.text.i18n import _, capitalise, join_words, lazy, ngettext, pgettext, put_title
from sabtui.text.settings import absence_words, level_name


def start_again_sentence(host: str) -> str:
    """Tell everybody but the host what follows a game."""
    return _("{name} can start another game. You keep your seats.").format(name=host)


waits_for_start: Final = lazy("Waiting for the game to start.")
enter_starts: Final = lazy("Enter starts the game.")
ready_to_start: Final = lazy("The game can start.")
drawing_sentence: Final = lazy("Dealing: waiting for one more player's computer.")
next_round_offered: Final = lazy("Enter: ready for the next round.")
table_locked: Final = lazy("The table is locked.")
looking_for_table: Final = lazy("Looking for the table...")
nobody_sits: Final = lazy("Nobody sits there.")
not_at_table: Final = lazy("You are not at the table yet.")
between_rounds: Final = lazy("You can only do that between rounds.")
leave_for_now: Final = lazy("leave for now")
autopilot_purpose: Final = lazy("let a bot play for you, or take over again")
autopilot_stopped: Final = lazy("You have taken over again.")
game_lost: Final = lazy("Unfinished games are not saved.")
leave_table_question: Final = lazy("Leave this table for good?")
seat_waits: Final = lazy("The seat is kept.")  # somebody else's
own_seat_waits: Final = lazy("Your seat is kept.")
yes_or_no: Final = lazy("yes or no")

UNEVEN_PLAYERS: Final = 4  # the number of players with which saboteurs win least

UNEVEN_LEVELS: Final = frozenset({"easy"})
"""The levels of bots at which saboteurs hardly win then; at the others all tables are even."""


def bot_words(level: str) -> str:
    return _("{level} bot").format(level=level_name(level))


def ready_words(*, ready: bool) -> str:
    return pgettext("a player", "ready") if ready else pgettext("a player", "not ready")


def person_facts(member: int, lobby: Lobby) -> Iterator[str]:
    """Yield the phrases on a person: host, projector, connection trouble."""
    if member == lobby.host:
        yield pgettext("a player", "host")
    person = lobby.person(member)
    if person is not None and person.projector:
        yield pgettext("a player", "projector")
    match None if person is None else person.presence:
        case Presence.SHAKY:
            yield _("connection shaky")
        case Presence.GONE | Presence.AWAY as presence:
            yield gone_words(presence)
        case Presence.THERE | None:
            pass


def gone_words(presence: Presence) -> str:
    """Report that somebody has lost their connection, or left for now."""
    if presence is Presence.AWAY:
        return pgettext("a player", "left for now")
    return pgettext("a player", "connection lost")


def shaky_sentence(name: str) -> str:
    shaky = _("connection shaky")
    return put_title(name, f"{shaky}.")


def gone_sentence(
    name: str, presence: Presence, absent: Absence | None, *, is_seated: bool = True
) -> str:
    """Report that somebody is lost or left, and what happens to their turns (`absent`) or seat."""
    text = _("{name} lost connection.") if presence is Presence.GONE else _("{name} left for now.")
    text = text.format(name=name)
    meanwhile = seat_waits() if absent is None else f"{capitalise(absence_words(absent))}."
    return f"{text} {meanwhile}" if is_seated else text


def new_seat(seat: int | None) -> str:
    if seat is None:
        return watching_sentence()
    return _("You are in seat {seat} now.").format(seat=seat + 1)


def waiting_sentence(people: Sequence[Person], knock: str = "") -> str | None:
    """Name the people the table waits for, and the key or word that reminds them."""
    text = _("Waiting for {names} to be ready.")
    text = _("Waiting for {names}: {key} knocks.") if knock else text
    names = join_words([person.name for person in people])
    return text.format(names=names, key=knock) if names else None


def waits_for_players(count: int) -> str:
    text = ngettext("Waiting for {count} more player.", "Waiting for {count} more players.", count)
    return text.format(count=count)


def more_needed(count: int, command: str) -> str:
    """Report that a game needs this many more players; a command adds bots."""
    return ngettext(
        "{count} more player needed: wait, or add a bot ({command}).",
        "{count} more players needed: wait, or add bots ({command}).",
        count,
    ).format(count=count, command=command)


def uneven_words(lobby: Lobby) -> str:
    """Warn of uneven sides, with a remedy; "" if they are even.

    Of four at most one is a saboteur, and against bots of some levels a lone saboteur loses four
    rounds in five: docs/bots.md.
    """
    levels = {chair.level for chair in lobby.chairs if isinstance(chair, BotChair)}
    if lobby.players != UNEVEN_PLAYERS or UNEVEN_LEVELS.isdisjoint(levels):
        return ""
    return _("Four players have at most one saboteur, who seldom wins. A fifth makes it fair.")


def dealt_without(number: int, names: Sequence[str]) -> str:
    """Report that people's programs took no part in the deal of a round."""
    text = _("Round {number} was dealt without {names}.")
    return text.format(number=number, names=join_words(list(names)))


def autopilot_plays(key: str) -> str:
    """Report that a bot plays for the reader, and the key or word that stops it."""
    return _("A bot plays for you: {key} takes over again.").format(key=key)


def leave_question(status: Status, *, close: str = "C", is_kept: bool = False) -> str:
    """Return the question before leaving, "" if nothing is lost; `close` closes the table.

    It names no key if `close` is "".
    `is_kept` is True for a practice game that can be resumed.
    """
    if status.lobby is None or not status.lobby.name:  # Practice and the lesson have no name.
        if is_kept:
            return _("Leave this practice game? Resume brings it back.")
        leave = _("Leave this game?")
        return f"{leave} {game_lost()}"
    if status.is_host and not close:
        return _("Leave for now? The table stays open for the others.")
    if status.is_host:
        text = _(
            "Leave for now? The table stays open for the others. To close it for good: {close}."
        )
        return text.format(close=close)
    return ""


def way_back(status: Status) -> str:
    """Explain how to return after leaving for now, "" in practice, where nobody can."""
    if status.lobby is None or not status.lobby.name:
        return ""
    if status.is_host:
        return table_stays("sabtui join", "C")
    return (seat_kept if status.seat is not None else return_sentence)("sabtui join")


def table_stays(command: str, close: str) -> str:
    """Tell a host who leaves for now that the table stays open, and how to close it."""
    text = _("Your table goes on without you. To come back: {command}. To close it then: {close}.")
    return text.format(command=command, close=close)


def seat_kept(command: str) -> str:
    return f"{own_seat_waits()} {return_sentence(command)}"


same_way: Final = lazy("Come back the same way.")


def guest_seat_kept() -> str:
    """Tell a guest, who has no command of ours, that their seat is kept."""
    return f"{own_seat_waits()} {same_way()}"


def return_sentence(command: str) -> str:
    return _("{command} brings you back.").format(command=command)


def yes_words() -> list[str]:
    return pgettext("answers", "yes y quit q").split()


def watching_sentence(key: str = "") -> str:
    """Tell the reader that they have no seat, and the key or word that takes one."""
    text = _("You are watching: {key} takes a seat.") if key else _("You are watching.")
    return text.format(key=key)


def watcher_lines(*, waits: bool) -> list[str]:
    """List a watcher's options in a game; `waits` if they came to play."""
    seat = _("Between rounds you can take a free seat or a bot's: Ctrl+P, then type seat.")
    if waits:
        seat = _("You get a seat in the next game, or between rounds: Ctrl+P, then type seat.")
    look = _("Tab shows what was claimed, and which cards nobody has seen.")
    return [watching_sentence(), seat, look]


def press_when_ready(key: str) -> str:
    """Name the key with which a player gets ready."""
    return _("Press {key} when you are ready.").format(key=key)
