"""The fold of events into the lobby: `apply`, by which the host and all clients hold the same.

The room has decided already that an event may happen (`net.room.permissions`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from net.protocol.evening import Evening
from net.protocol.fields import MAX_SEATS, NOBODY
from net.protocol.lobby import (
    THE_HOSTS_COMPUTER,
    BotChair,
    Chair,
    Drawer,
    Free,
    Lobby,
    Person,
    Presence,
    SeedDraw,
    Settings,
    Stage,
    Taken,
)
from net.protocol.lobby_events import (
    BotClaimed,
    BotRetired,
    BotSaid,
    BotSat,
    Closed,
    CodeRenewed,
    ComputerChanged,
    DrawBegan,
    ElectorChanged,
    Entered,
    EveningBegins,
    Exited,
    GameBegins,
    HostChanged,
    LobbyEvent,
    Locked,
    Paused,
    PresenceChanged,
    ReadyChanged,
    RecordPublished,
    Remark,
    Rematch,
    Reopened,
    RoundBegins,
    SatDown,
    SeatsDrawn,
    SettingsChanged,
    SharesCommitted,
    SharesShown,
    StoodIn,
    StoodUp,
)


def apply(lobby: Lobby, event: LobbyEvent) -> Lobby:
    """Return the lobby after an event.

    Raises LookupError: the event is about a seat or a member that the lobby does not have.
    """
    match event:
        case Entered(member, name, is_host, waits, computer):
            people = (*lobby.people, Person(member, name, Presence.THERE, waits, computer))
            return replace(lobby, people=people, host=member if is_host else lobby.host)
        case Exited(member):
            lobby = _rid_of(_without_draw_of(lobby, member), member)
            people = tuple(person for person in lobby.people if person.member != member)
            return replace(lobby, people=people)
        case SatDown(seat, member):
            if lobby.person(member) is None:
                raise LookupError(member)
            lobby = _nobody_youngest(_rid_of(lobby, member), seat)
            lobby = _on_chair(lobby, seat, Taken(member, ready=False))
            return _waiting_no_more(lobby, member)
        case StoodUp(seat):
            return _on_chair(_nobody_youngest(lobby, seat), seat, Free())
        case BotSat() | BotRetired():
            return _with_bot(lobby, event)
        case ReadyChanged(seat, ready):
            chair = lobby.chairs[seat]
            if not isinstance(chair, Taken):
                raise LookupError(seat)  # noqa: TRY004 - it is the seat that is not there
            return _on_chair(lobby, seat, Taken(chair.member, ready))
        case PresenceChanged(member, presence):
            return _with_presence(lobby, presence, member)
        case SettingsChanged(settings):
            return _apply_settings(lobby, settings)
        case Paused(paused):
            return replace(lobby, paused=paused)
        case GameBegins() | RoundBegins():
            begun = _compact(lobby) if isinstance(event, GameBegins) else lobby
            return _all_ready(begun, ready=False)
        case Rematch() | SeatsDrawn() | EveningBegins():
            return _between_games(lobby, event)
        case Reopened():
            return _with_presence(lobby, Presence.GONE)
        case HostChanged() | ComputerChanged() | ElectorChanged():
            return _with_succession(lobby, event)
        case Closed():
            return replace(lobby, stage=Stage.CLOSED)
        case Locked(locked):
            return replace(lobby, locked=locked)
        case Remark() | BotClaimed() | BotSaid() | StoodIn() | RecordPublished() | CodeRenewed():
            return lobby
        case DrawBegan() | SharesCommitted() | SharesShown():
            return replace(lobby, draw=_draw_after(lobby, event))
        case _:
            assert_never(event)


def _between_games(lobby: Lobby, event: Rematch | SeatsDrawn | EveningBegins) -> Lobby:
    match event:
        case Rematch():
            lobby = replace(lobby, stage=Stage.LOBBY, paused=False, draw=None)
            return _all_ready(lobby, ready=True)
        case SeatsDrawn(chairs):
            return _reseat(lobby, chairs)
        case EveningBegins():
            return replace(lobby, evening=Evening())
        case _:
            assert_never(event)


def _with_succession(lobby: Lobby, event: HostChanged | ComputerChanged | ElectorChanged) -> Lobby:
    match event:
        case HostChanged():
            return _with_host(lobby, event)
        case ComputerChanged(member, computer):
            return _with_computers(lobby, {member: computer})
        case ElectorChanged():
            return _with_elector(lobby, event)
        case _:
            assert_never(event)


def _with_host(lobby: Lobby, event: HostChanged) -> Lobby:
    draw = None if lobby.is_drawing else lobby.draw
    now = _computer_of(lobby, event.member)
    moved = {THE_HOSTS_COMPUTER: now, now: THE_HOSTS_COMPUTER}
    lobby = _with_computers(
        replace(lobby, host=event.member, term=event.term, draw=draw),
        {one.member: moved.get(one.computer, one.computer) for one in lobby.people},
    )
    return _with_presence(lobby, Presence.GONE)


def _computer_of(lobby: Lobby, member: int) -> int:
    """Return the number of a member's computer. Raises `LookupError`."""
    person = lobby.person(member)
    if person is None:
        raise LookupError(member)
    return person.computer


def _with_computers(lobby: Lobby, computers: Mapping[int, int]) -> Lobby:
    """Return the lobby with other numbers of computers, by member."""
    people = (
        replace(one, computer=computers.get(one.member, one.computer)) for one in lobby.people
    )
    return replace(lobby, people=tuple(people))


def _with_elector(lobby: Lobby, event: ElectorChanged) -> Lobby:
    """Return the lobby with one elector more, or less. Raises `LookupError`."""
    electors = tuple(one for one in lobby.electors if one != event.member)
    electors += (event.member,) if event.elects else ()
    if len(electors) == len(lobby.electors) or len(electors) > MAX_SEATS:
        raise LookupError(event.member)
    return replace(lobby, electors=electors, changes=lobby.changes + 1)


def _draw_after(lobby: Lobby, event: DrawBegan | SharesCommitted | SharesShown) -> SeedDraw:
    """Return the draw after an event. Raises `LookupError`."""
    match event:
        case DrawBegan():
            return _draw_of(lobby, event)
        case SharesCommitted(commitments):
            return replace(_present(lobby), commitments=commitments)
        case SharesShown(shares):
            return replace(_present(lobby), shares=shares, done=True)
        case _:
            assert_never(event)


def _draw_of(lobby: Lobby, event: DrawBegan) -> SeedDraw:
    names = {person.member: person.name for person in lobby.people}
    people, absent = (
        tuple(Drawer(member, names[member]) for member in members)
        for members in (event.members, event.absent)
    )
    host_name = names.get(lobby.host, "")
    return SeedDraw(event.id, event.round, event.commitment, people, absent, host_name=host_name)


def _without_draw_of(lobby: Lobby, member: int) -> Lobby:
    """Give up the draw under way, if there is one and a member takes part in it or has a seat."""
    if lobby.draw is None or lobby.draw.done:
        return lobby
    takes_part = any(person.member == member for person in lobby.draw.people)
    if takes_part or lobby.seat_of(member) is not None:
        return replace(lobby, draw=None)
    return lobby


def _present(lobby: Lobby) -> SeedDraw:
    """Return the draw under way. Raises `LookupError` if there is none."""
    if lobby.draw is None or lobby.draw.done:
        raise LookupError("no seed is being drawn")
    return lobby.draw


def _on_chair(lobby: Lobby, seat: int, chair: Chair) -> Lobby:
    chairs = list(lobby.chairs)
    chairs[seat] = chair
    return replace(lobby, chairs=tuple(chairs))


def _with_bot(lobby: Lobby, event: BotSat | BotRetired) -> Lobby:
    """Return the lobby with a bot on a seat, or with ours wherever another's was retired."""
    match event:
        case BotSat(seat, name, level):
            return _on_chair(lobby, seat, BotChair(name, level))
        case BotRetired(bot, level):
            chairs = (
                BotChair(chair.name, level)
                if isinstance(chair, BotChair) and chair.level == bot
                else chair
                for chair in lobby.chairs
            )
            settings = lobby.settings
            if settings.stand_in == bot:
                settings = replace(settings, stand_in=level)
            return replace(lobby, chairs=tuple(chairs), settings=settings)
        case _:
            assert_never(event)


def _rid_of(lobby: Lobby, member: int) -> Lobby:
    """Free a member's seat, if they have one."""
    seat = lobby.seat_of(member)
    return lobby if seat is None else _on_chair(_nobody_youngest(lobby, seat), seat, Free())


def _nobody_youngest(lobby: Lobby, seat: int) -> Lobby:
    """Unset the seat that begins the game (S8), if it is this one."""
    if lobby.settings.youngest != seat:
        return lobby
    return replace(lobby, settings=replace(lobby.settings, youngest=NOBODY))


def _waiting_no_more(lobby: Lobby, member: int) -> Lobby:
    person = lobby.person(member)
    if person is None or not person.waits:
        return lobby
    people = (replace(one, waits=False) if one is person else one for one in lobby.people)
    return replace(lobby, people=tuple(people))


def _reseat(lobby: Lobby, order: Sequence[int]) -> Lobby:
    """Return the lobby with its chairs in this order. Raises `LookupError` if it is none."""
    if sorted(order) != list(range(len(lobby.chairs))):
        raise LookupError(order)
    youngest = lobby.settings.youngest
    youngest = NOBODY if youngest == NOBODY else order.index(youngest)
    settings = replace(lobby.settings, youngest=youngest)
    return replace(lobby, settings=settings, chairs=tuple(lobby.chairs[seat] for seat in order))


def count_game(lobby: Lobby, nuggets: Sequence[int]) -> Lobby:
    """Return the lobby after a game that brought each seat so much gold, if it has an evening.

    This is no event: every program that saw the game counts it by itself.
    """
    if lobby.settings.evening is None:
        return lobby
    names = [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
    return replace(lobby, evening=lobby.evening.after(names, nuggets))


def _with_presence(lobby: Lobby, presence: Presence, only: int | None = None) -> Lobby:
    return replace(
        lobby,
        people=tuple(
            replace(person, presence=presence) if only in (None, person.member) else person
            for person in lobby.people
        ),
    )


def _apply_settings(lobby: Lobby, settings: Settings) -> Lobby:
    chairs = lobby.chairs[: settings.seats]
    chairs += (Free(),) * (settings.seats - len(chairs))
    return replace(lobby, settings=settings, chairs=chairs)


def _compact(lobby: Lobby) -> Lobby:
    """Begin a game: remove free chairs, and renumber the seats."""
    kept = [seat for seat, chair in enumerate(lobby.chairs) if not isinstance(chair, Free)]
    youngest = lobby.settings.youngest
    settings = replace(
        lobby.settings,
        seats=len(kept),
        youngest=kept.index(youngest) if youngest in kept else NOBODY,
    )
    chairs = tuple(lobby.chairs[seat] for seat in kept)
    return replace(lobby, settings=settings, chairs=chairs, stage=Stage.PLAYING)


def _all_ready(lobby: Lobby, *, ready: bool) -> Lobby:
    return replace(
        lobby,
        chairs=tuple(
            Taken(chair.member, ready) if isinstance(chair, Taken) else chair
            for chair in lobby.chairs
        ),
    )
