"""Names and talk made to hurt whoever reads them: too long, with escape codes, turned round."""

import unicodedata
from pathlib import Path

import pytest

from net.protocol.framing import FrameFault
from net.protocol.lobby import MAX_PEOPLE
from net.protocol.messages import NOTHING_SEEN, EnterTable
from net.protocol.text import MAX_CHAT_CELLS, MAX_NAME_CELLS, display_width
from net.room import sessions
from net.secure.connection import ConnectionFault
from tests.net.attack.connection_attack import a_game, join_from
from tests.net.server.served_table import HERE, until

pytestmark = pytest.mark.level("broad")

NASTY = {
    "escape codes": "\x1b[2J\x1b]0;owned\x07\x1b[31mEve",
    "eight-bit controls": "\x9b2J\x9d0;owned\x9cEve",
    "turned round": "\u202eadA\u2066\u200f\u061c",
    "markup": "[bold red on white]Eve[/] [link=file:///]x[/link]",
    "many marks": "E" + "\u0301" * 40,
    "line breaks": "Eve\r\nAnn: I am\u2028a\u2029saboteur\v\f\x85",
    "wide": "\u5bb6" * 50,
    "unseen": "E\u200bv\u200d\ufeff\u2060e\u00ad\U000e0041",
    "unseen letters": "\u115f\u1160E\u034fl\ufe0f\u180bi\U000e0100\u17b4",
    "blank letters": "\u3164\u2800E\u3164\u2800ve\uffa0\u2800",
    "private and unassigned": "Eva\ue000\U0010fffd\u0378",
}


def is_harmless(text: str, most: int) -> bool:
    """Whether a text may stand on any terminal, in its place."""
    kinds = {unicodedata.category(character) for character in text}
    return not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} and (
        sum(map(display_width, text)) <= most and text == text.strip()
    )


@pytest.mark.level("thorough")  # `room/test_commands` and `protocol/test_text` clean such
async def test_what_the_others_read_is_harmless(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_PER_ADDRESS", MAX_PEOPLE)  # one address stands for many
    async with a_game(where) as hosted:
        for number, nasty in enumerate(NASTY.values(), 4):
            eve = await join_from(HERE, hosted.port)
            eve.send(EnterTable(nasty[:56], watch=True, incarnation=0, seen=NOTHING_SEEN))
            eve.send({"is": "command", "id": 1, "request": ["chat", nasty[:160]]})
            await until(lambda number=number: len(hosted.state.talk) == number - 3)  # type: ignore[misc] # - mypy infers none
            eve.abort()
        await hosted.all_know()
        for guest in hosted.guests:
            assert guest.state.status.game_state is not None
            names = [one.name for one in guest.lobby.people[3:]]
            said = [line.text for line in guest.state.status.game_state.talk]
            assert len(names) == len(said) == len(NASTY)
            assert all(text and is_harmless(text, MAX_NAME_CELLS) for text in names)
            assert all(text and is_harmless(text, MAX_CHAT_CELLS) for text in said)


@pytest.mark.level("thorough")  # `room/test_rough_guests` has each bound
async def test_a_name_or_talk_that_is_too_long_ends_the_connection(
    where: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "net.server.output")
    async with a_game(where) as hosted:
        for length in (161, 4000, 10_000):
            enter = {
                "is": "enter",
                "name": "e" * length,
                "watch": True,
                "incarnation": 0,
                "seen": 0,
            }
            say = {"is": "command", "id": 1, "request": ["chat", "e" * length]}
            for said in (enter, say):
                eve = await join_from(HERE, hosted.port)
                eve._limit = 64 * 1024  # we send what we like
                if said is say:
                    eve.send(
                        EnterTable(f"Eve {length}", watch=True, incarnation=0, seen=NOTHING_SEEN)
                    )
                eve.send(said)
                await until(lambda: len(hosted.host._connections) == 3)
                eve.abort()
        assert hosted.state.talk == ()
    reasons = [one.partition(": ")[2] for one in caplog.messages if "is gone" in one]
    assert reasons[:6] == [FrameFault.MESSAGE] * 4 + [ConnectionFault.BAD_FRAME] * 2
