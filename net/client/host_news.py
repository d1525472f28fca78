"""The host's news of everything but the game: journal, doors, room code."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from net.client.session import Received, Status
from net.protocol.framing import BadFrame, FrameFault
from net.protocol.lobby import is_clean_text
from net.protocol.messages import (
    CODE_LENGTH,
    FINGERPRINT_LENGTH,
    Announcing,
    Code,
    Disk,
    DoorNow,
    GuessAlarm,
    Notice,
)
from net.protocol.text import is_clean, is_clean_name


def after_news(
    status: Status, news: Disk | GuessAlarm | Code | Announcing | DoorNow | Notice
) -> tuple[Status, Received]:
    """Return the status after news of the host, and what else came of it.

    Raises BadFrame: its text is unclean.
    """
    match news:
        case Disk(disk):
            return replace(status, disk=disk), Received()
        case GuessAlarm(tried):
            return status, Received(alarm=tried)
        case Code(code):
            if not is_clean(code, CODE_LENGTH, CODE_LENGTH):
                raise BadFrame(FrameFault.MESSAGE)
            return replace(status, code=code), Received(code=code)
        case Notice(name, text):
            if not (is_clean_name(name) and is_clean_text(text)):
                raise BadFrame(FrameFault.MESSAGE)
            return status, Received(notice=news)
        case Announcing(works):
            return replace(status, announced=works), Received()
        case DoorNow(kind, fingerprint=fingerprint):
            length = FINGERPRINT_LENGTH
            if fingerprint and not is_clean(fingerprint, length, length):
                raise BadFrame(FrameFault.MESSAGE)
            others = (door for door in status.doors if door.kind is not kind)
            return replace(status, doors=(*others, news)), Received()
        case _:
            assert_never(news)
