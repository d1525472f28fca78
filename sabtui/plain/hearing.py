"""What comes from a seat, made lines and the next `Sitting`.

Knows updates: news of the table, events of the game, answers, and how the link stands. A snapshot
is told as where one is, and never as all that led there.
"""

from __future__ import annotations

from dataclasses import replace

from net.client.seat import Now, Standing, Update
from net.lobby import Lobby, News, Stage, after, said_in
from net.table_view import Heard
from sabtui.plain.face import Face
from sabtui.plain.lobby import BETWEEN, obvious, others_lines, phase, table_lines
from sabtui.plain.looking import player_lines, round_words
from sabtui.plain.sitting import Answer, Question, Sitting
from sabtui.words.endings import alarm_told, code_told, disk_told, own_news, report_told, standing
from sabtui.words.events import your_role
from sabtui.words.lost import lost_asked, lost_moves, lost_told
from sabtui.words.news import cast_of, happened_here, table_name
from sabtui.words.refusals import refused
from sabtui.words.talk import spoken
from sabtui.words.tongue import _


def hear(sitting: Sitting, update: Update) -> Answer:
    """Hear what came, and say it, and where that leaves one if it is another place than before."""
    before, now = sitting.now, update.now
    heard = update.heard or Heard()
    after_it = replace(
        sitting,
        now=now,
        awaiting=_awaiting(sitting, update),
        face=_face(sitting, now, heard),
        silent=sitting.silent and now.view is None,
    )
    lines = _link_told(before, now)
    if now.undone is not None and before.undone is None:
        after_it = replace(after_it, question=Question.GONE_BACK)
        lines += [lost_told(now.undone), *lost_moves(now.undone, now.member), lost_asked()]
    lines += _table_told(after_it, before, heard)
    if heard.refused is not None:
        lines.append(refused(heard.refused.why))
    if heard.code:
        lines.append(code_told(heard.code))
    if heard.alarm:
        lines.append(alarm_told(heard.alarm))
    if heard.report:
        lines.append(report_told(heard.report))
    if before.held is not None and before.disk is not now.disk:
        lines.append(disk_told(now.disk, is_host=now.is_host))
    lines += own_news(now, before)
    if not after_it.silent and _is_elsewhere(after_it, before, heard):
        lines += after_it.where()
    return after_it.say(lines)


def _table_told(sitting: Sitting, before: Now, heard: Heard) -> list[str]:
    """What happened, or after a snapshot where one is.

    Where a table has gone back, that is told once the player goes on from there.
    """
    if before.undone is not None and sitting.now.undone is None:
        return _renewed(sitting, replace(before, held=None))
    if heard.renewed:
        return _renewed(sitting, before) if sitting.now.undone is None else []
    return [] if sitting.silent else _happened(sitting, before, heard)


def _awaiting(sitting: Sitting, update: Update) -> int:
    """How much the host has to answer yet.

    What was wished a moment ago may not have reached the seat when it told this, so that only an
    answer lowers the count.
    """
    heard, now = update.heard or Heard(), update.now
    answered = heard.settled or heard.refused is not None or heard.renewed
    if answered or now.standing is not sitting.now.standing:
        return now.unanswered
    return max(sitting.awaiting, now.unanswered)


def _face(sitting: Sitting, now: Now, heard: Heard) -> Face | None:
    """The game's face after an update: a card stays chosen while nothing happens."""
    if now.view is None or now.lobby is None:
        return None
    cast, hints = cast_of(now.lobby, now.member), now.lobby.settings.hints
    if sitting.face is None or heard.events or heard.renewed:
        return Face(now.view, cast, sitting.size, hints=hints)
    return replace(sitting.face, view=now.view, cast=cast, hints=hints)


def _link_told(before: Now, now: Now) -> list[str]:
    """How one's own link stands, where that is worth a line: an end is told by the driver."""
    if before.standing is now.standing or now.standing in (Standing.LINKING, Standing.ENDED):
        return []
    if before.standing is Standing.LINKING and now.standing is Standing.LINKED:
        return []
    return [standing(now)]


def _happened(sitting: Sitting, before: Now, heard: Heard) -> list[str]:
    """News and events of one step, in order."""
    lines: list[str] = []
    lobby = before.lobby
    for news in heard.news:
        assert lobby is not None, "news of a table that was not shown yet"
        told = _news_told(news, lobby, sitting)
        lines += [] if told is None else [told]
        lobby = after(lobby, news)
    if sitting.face is not None:
        lines += sitting.face.hear(heard.events)
    return lines


def _news_told(news: News, lobby: Lobby, sitting: Sitting) -> str | None:
    said = said_in(news, lobby)
    if said is None:
        return happened_here(news, lobby, sitting.now.member)
    return spoken(said, cast_of(lobby, sitting.now.member).names)


def _renewed(sitting: Sitting, before: Now) -> list[str]:
    """A snapshot came: all there is on entering, and a sentence to who was there before."""
    now, lobby, face = sitting.now, sitting.lobby, sitting.face
    if before.held is None:
        if sitting.silent:
            return []
        if face is None:
            return table_lines(now, lobby)
        lines = [_("You are at the table {name}.").format(name=table_name(lobby))]
        if now.seat is None:
            lines.append(_("The game has begun, and you watch."))
        if now.view is not None and now.view.role is not None:
            lines.append(your_role(now.view.role))
        lines += player_lines(face.view, face.cast)
        return [*lines, *others_lines(now, lobby), round_words(face.view)]
    if now.seat == before.seat:
        told = _("You are up to date again.")
    elif now.seat is None:
        told = _("You have no seat any more: you watch now.")
    else:
        told = _("You have seat {seat} now.").format(seat=now.seat + 1)
    return [told if face is None else f"{told} {round_words(face.view)}"]


def _is_elsewhere(sitting: Sitting, before: Now, heard: Heard) -> bool:
    """Whether one has to be told where one is."""
    now = sitting.now
    if now.lobby is None or now.standing is not Standing.LINKED or now.undone is not None:
        return False
    if now.lobby.paused or now.lobby.stage is Stage.CLOSED:
        return False
    if heard.renewed or before.undone is not None:
        return True
    if now.lobby.stage is Stage.PLAYING and phase(now) not in BETWEEN:
        mine = sitting.face is not None and sitting.face.my_turn and not sitting.flying
        return mine and (bool(heard.events) or bool(before.lobby and before.lobby.paused))
    return _place(before) != _place(now)


def _place(now: Now) -> object:
    """What makes one place another where the game waits for no move."""
    if now.lobby is None:
        return None
    chair = None if now.seat is None else now.lobby.chairs[now.seat]
    return now.lobby.stage, phase(now), chair, obvious(now, now.lobby)
