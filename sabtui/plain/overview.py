"""The table in lines, without turns: seats, settings, who is waited for, and what comes next."""

from __future__ import annotations

from typing import Final, assert_never

from engine.state import Phase
from net.client.session import Status
from net.protocol.lobby import BotChair, Free, Lobby, Presence, TablePhase, Taken
from net.protocol.requests import Request, SetReady, Sit, Start, TableRequest
from net.room.decisions import why_not
from net.room.permissions import is_asked_whether_ready, people_awaited, players_missing
from sabtui.table.commands import NUDGE, PLAY_AGAIN
from sabtui.text import evening, moves, seats, settings
from sabtui.text.i18n import _, capitalise, join_words, pgettext, phrases, put_title
from sabtui.text.lobby import player_names, settings_sentence, table_name

BETWEEN: Final = Phase.DEAL, Phase.OVER  # phases in which the game waits for no move


def phase_of(status: Status) -> Phase | None:
    """Return the phase of the game, `None` if there is no game."""
    return None if status.view is None else status.view.phase


def table_lines(status: Status, lobby: Lobby) -> list[str]:
    names = player_names(lobby, status.member)
    agreed = settings.describe_terms(lobby.settings, names, alone=not lobby.name)
    uneven = seats.uneven_words(lobby) if lobby.stage is TablePhase.LOBBY else ""
    return [
        _sentence(_("Table"), table_name(lobby)),
        *seat_lines(status, lobby),
        *others_lines(status, lobby),
        settings_sentence(agreed),
        *evening.evening_lines(lobby),
        *([uneven] if uneven else []),
        *([seats.table_locked()] if lobby.locked else []),
    ]


def seat_lines(status: Status, lobby: Lobby) -> list[str]:
    names = player_names(lobby, status.member)
    lines = []
    for seat, chair in enumerate(lobby.chairs):
        match chair:
            case Free():
                free = pgettext("seat", "free")
                lines.append(f"{seat + 1:2} {free}")
                continue
            case BotChair(_name, level):
                facts = [seats.bot_words(level)]
            case Taken(member, ready):
                facts = [*seats.person_facts(member, lobby)]
                is_due = phase_of(status) is None and member != lobby.host  # who starts it
                if is_due or phase_of(status) is Phase.DEAL:
                    facts.insert(0, seats.ready_words(ready=ready))
            case _:
                assert_never(chair)
        text = names.name(seat)
        if facts:
            text = put_title(text, ", ".join(facts))
        lines.append(f"{seat + 1:2} {text}")
    return lines


def others_lines(status: Status, lobby: Lobby) -> list[str]:
    """Name the watchers in one line, or in no line if there are none."""
    watchers = list[str]()
    for person in lobby.watchers:
        facts = [pgettext("a player", "you")] if person.member == status.member else []
        facts += seats.person_facts(person.member, lobby)
        watchers.append(f"{person.name} ({', '.join(facts)})" if facts else person.name)
    return [_sentence(_("watching"), ", ".join(watchers))] if watchers else []


def bot_lines(lobby: Lobby) -> list[str]:
    """Name the bots in one line, or in no line if there are none."""
    bots = [chair.name for chair in lobby.chairs if isinstance(chair, BotChair)]
    return [_sentence(capitalise(_("bots")), join_words(bots))] if bots else []


def _sentence(title: str, text: str) -> str:
    """Return a sentence that begins with a title: "Watching: Eva."."""
    return put_title(capitalise(title), f"{text}.")


def gone_lines(lobby: Lobby) -> list[str]:
    """Name the players who are not connected in one line, or in no line if all are."""
    names: dict[Presence, list[str]] = {Presence.GONE: [], Presence.AWAY: []}
    for _chair, person in lobby.sitting:
        if person.presence is not Presence.THERE:
            kind = Presence.AWAY if person.presence is Presence.AWAY else Presence.GONE
            names[kind].append(person.name)
    return [
        _sentence(seats.gone_words(kind), join_words(gone)) for kind, gone in names.items() if gone
    ]


def find_next_request(status: Status, lobby: Lobby) -> Request | None:
    """Return the request that an empty line makes, `None` if several steps are possible."""
    request: TableRequest = SetReady(ready=True)
    if lobby.stage is TablePhase.LOBBY and status.is_host:
        request = Start()
    elif not is_asked_whether_ready(lobby, status.view, status.member):
        return None
    reason = why_not(lobby, status.view, status.member, request)
    return request if reason is None else None


def open_seats(status: Status) -> tuple[int, ...]:
    chairs = () if status.lobby is None else status.lobby.chairs
    return tuple(seat for seat in range(len(chairs)) if status.why_not(Sit(seat)) is None)


def offer_lines(status: Status, lobby: Lobby) -> list[str]:
    """Return what can be done while the game does not wait for a move, or who is waited for."""
    if lobby.is_drawing:
        return [seats.drawing_sentence()]
    match phase_of(status):
        case None:
            return [_before_the_game(status, lobby)]
        case Phase.DEAL:
            if status.seat is None and open_seats(status):
                return [_seat_offered(status)]
            if status.seat is not None and find_next_request(status, lobby) is not None:
                return [seats.next_round_offered()]
            knock = "" if status.seat is None else NUDGE.typed[0]
            return [seats.waiting_sentence(people_awaited(lobby), knock) or moves.not_dealt()]
        case Phase.OVER:
            ways = {"quit": seats.leave_for_now()}
            if status.is_host:
                ways = {PLAY_AGAIN.typed[0]: PLAY_AGAIN.purpose(), **ways}
            if status.game_state is not None and status.game_state.record:
                ways = {"replay": _("watch a finished game again"), **ways}
            offers = phrases([put_title(word, does) for word, does in ways.items()])
            host, then = lobby.person(lobby.host), ""
            if lobby.is_of_night:
                then = moves.night_goes_on()
            elif lobby.name and host is not None and not status.is_host:
                then = seats.start_again_sentence(host.name)
            return [f"{then} {offers}.".lstrip()]
        case Phase.PLAY | Phase.GOLD:
            return []


def _before_the_game(status: Status, lobby: Lobby) -> str:
    waited = people_awaited(lobby)
    if status.is_host:
        missing = players_missing(lobby)
        if not missing and not waited:
            return seats.enter_starts()
        if missing:
            return seats.more_needed(missing, f"bots {missing}")
    elif status.seat is None:
        return _seat_offered(status)
    elif find_next_request(status, lobby) is not None:
        return seats.press_when_ready(pgettext("key", "Enter"))
    return seats.waiting_sentence(waited) or seats.waits_for_start()


def _seat_offered(status: Status) -> str:
    free = open_seats(status)
    return seats.watching_sentence(f"sit {free[0] + 1}" if free else "")
