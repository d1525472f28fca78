"""What came of an update, in the lines of a lobby's log and in its status line.

Pure functions of what is now, what was, and what was heard.
"""

from __future__ import annotations

from collections.abc import Iterator

from net.client.seat import Now, Standing, Update
from net.lobby import Lobby, after, said_in
from net.table_view import Heard
from sabtui.words.endings import alarm_told, code_told, disk_told, own_news, report_told, standing
from sabtui.words.news import happened_here
from sabtui.words.refusals import refused
from sabtui.words.talk import spoken


def told(heard: Heard, lobby: Lobby, me: int) -> Iterator[str]:
    """What happened and what was said, to a member; `lobby` is as it was before."""
    if heard.alarm:
        yield alarm_told(heard.alarm)
    if heard.code:
        yield code_told(heard.code)
    for one in heard.news:
        happened = happened_here(one, lobby, me)
        if happened is not None:
            yield happened
        said = said_in(one, lobby)
        if said is not None:
            yield spoken(said, _names(lobby))
        lobby = after(lobby, one)


def talk_so_far(now: Now) -> Iterator[str]:
    """What was said before one came, or came back, and what one has to know."""
    if now.held is not None:
        names = _names(now.held.lobby)
        yield from (spoken(line, names) for line in now.held.talk)
    yield from own_news(now, Now())


def status(update: Update, was: Now) -> str | None:
    """What belongs in the status line, `None` where what is there may stay."""
    now, heard = update.now, update.heard
    if heard is not None and heard.refused is not None:
        return refused(heard.refused.why)
    if heard is not None and heard.alarm:
        return alarm_told(heard.alarm)
    if heard is not None and heard.report:
        return report_told(heard.report)
    if own := own_news(now, was):
        return own[0]
    if now.disk is not was.disk:
        return disk_told(now.disk, is_host=now.is_host)
    if now.standing is not was.standing:
        return "" if now.standing is Standing.LINKED else standing(now)
    return None


def _names(lobby: Lobby) -> list[str]:
    return [lobby.name_at(seat) for seat in range(len(lobby.chairs))]
