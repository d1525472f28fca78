"""Where host and client held different things, a file of the player's own tells what differed."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from net.client.remote import MAX_REPORT_CHARACTERS, text_of, write_report
from net.client.session import Disagreement, Update
from net.client.state import StatusPublisher
from net.protocol.lobby_events import Nudged
from net.protocol.messages import StepFrame
from net.protocol.requests import Chat
from sabtui.text.connection import report_sentence
from tests.net.room.room_fixture import Table, play_on, playing, three_at_a_table


def differing(table: Table) -> tuple[StatusPublisher, StepFrame, list[Update]]:
    """Ben's end, a step of a host that holds something else than Ben, and what Ben is told."""
    updates: list[Update] = []
    ben = table.people["Ben"]
    table.wants("Ann", Chat("now"))
    frame = ben.numbered[-1]
    assert isinstance(frame, StepFrame)
    publisher = StatusPublisher(ben.client, updates.append)
    return publisher, replace(frame, step=frame.step + 1, hash=bytes(8)), updates


def test_a_step_that_does_not_fit_is_written_down_and_where_is_told(tmp_path: Path) -> None:
    table = playing()
    play_on(table, 3)
    publisher, bad, updates = differing(table)
    path = tmp_path / "new" / "report.txt"
    publisher._report = partial(write_report, path)
    publisher.receive(bad)
    heard = updates[-1].received
    assert heard is not None
    assert heard.report == str(path)
    assert str(path) in report_sentence(heard.report)
    text = path.read_text(encoding="utf-8")
    assert f"step {bad.step}\n" in text
    assert "hash of the host 0000000000000000\nour hash " in text
    assert "events Said\n" in text
    assert sys.platform == "win32" or path.stat().st_mode & 0o077 == 0


def test_it_holds_no_secret_of_others() -> None:
    table = playing()
    publisher, bad, updates = differing(table)
    publisher.receive(bad)
    heard = updates[-1].received
    assert heard is not None
    assert heard.disagreed is not None
    assert heard.report == "", "nobody writes it here"
    assert heard.disagreed.view is publisher.state.status.view
    game = table.room.state.game
    assert game is not None
    others = [
        hand for seat, hand in enumerate(game.round.hands) if seat != publisher.state.status.seat
    ]
    line = text_of(heard.disagreed).splitlines()[-1]
    assert not any("/".join(card.text for card in hand) in line for hand in others)


def test_one_that_could_not_be_taken_in_at_all_is_written_down_too() -> None:
    publisher, bad, updates = differing(three_at_a_table())
    begun = playing().people["Ben"].numbered[-1]
    assert isinstance(begun, StepFrame)
    publisher.receive(replace(bad, events=begun.events))
    heard = updates[-1].received
    assert heard is not None
    assert heard.disagreed is not None
    text = text_of(heard.disagreed)
    assert "our hash none" in text
    assert "before the step no game" in text


def test_there_is_one_and_it_is_not_long(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    for step in (2, 3):
        frame = StepFrame(step, 1, 0, (Nudged(1),) * 9999, (), bytes(8))
        trouble = Disagreement(frame, bytes(8), None)
        assert write_report(path, trouble) == str(path)
        assert list(tmp_path.iterdir()) == [path]
        assert path.stat().st_size <= MAX_REPORT_CHARACTERS
    assert "step 3\n" in path.read_text(encoding="utf-8"), "the last one"


def test_a_folder_that_cannot_be_made_costs_only_the_report(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    trouble = Disagreement(StepFrame(2, 1, 0, (), (), bytes(8)), b"", None)
    assert write_report(tmp_path / "file" / "report.txt", trouble) == ""
