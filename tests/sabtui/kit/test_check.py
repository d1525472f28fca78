"""`sabtui bot check` asks in all kinds of positions, and tells authors what failed, and where."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine import Phase
from engine.bots import Budget, SpokenMove, greedy
from engine.bots.talk import SILENCE, Claim, GoldAt, Talk, WhoMe
from engine.moves import Move
from engine.view import View
from sabtui.app.errors import UserError
from sabtui.cli.main import main
from sabtui.kit import check as module
from sabtui.kit.check import ask, check, list_positions
from tests.engine.bots.test_installed import FIRST, SHELL, Writer, write

__all__ = ["write"]


@pytest.fixture(autouse=True, scope="module")
def _positions_played_once() -> Iterator[None]:
    """Play the games once, whose positions all checks ask about."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "list_positions", cache(list_positions))
        yield


def test_the_positions_are_of_all_phases_sizes_and_editions_and_the_same_each_time() -> None:
    positions = list_positions()
    assert len(positions) == 200
    assert {asked.game.round.table.players for asked in positions} == {*range(3, 11)}
    assert {asked.game.phase for asked in positions} == {Phase.PLAY, Phase.GOLD}
    assert len({asked.game.round.table.edition for asked in positions}) == 4
    assert {asked.game.score.number for asked in positions} == {1, 2, 3}
    assert sum(bool(asked.talk.said) for asked in positions) > 20
    assert any(asked.talk.lines for asked in positions)
    assert positions[7] == list_positions()[7]


@SHELL
def test_a_program_that_plays_has_no_failures(
    write: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", "check", str(write(FIRST))]) == 0
    first, times, said = capsys.readouterr().out.splitlines()
    assert first == "200 positions of 3 to 10 players: 200 moves, 0 failures"
    assert times.startswith("milliseconds for a move: ")
    assert said == "said: 0 claims, 0 lines of text"


@SHELL
def test_what_a_program_has_started_ends_with_the_check(
    write: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = f"sleep 60 & echo $! >started\n{FIRST}"
    few = list_positions()[:2]
    monkeypatch.setattr(module, "list_positions", lambda: few)
    bot = write(starts)
    assert check(str(bot)) == 0
    state = Path("/proc", (bot.parent / "started").read_text().strip(), "stat")
    deadline = time.monotonic() + 30
    with suppress(FileNotFoundError, ProcessLookupError):  # it is gone
        while state.read_text().split()[2] != "Z":
            assert time.monotonic() < deadline, "killed, and not yet gone"
            time.sleep(0.01)


@SHELL
def test_each_failure_of_a_program_has_its_reason_and_its_line_in(
    write: Writer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cheats = FIRST.replace(
        "  echo", """  case $line in *'"phase": "gold"'*) move=xNS;; esac; echo"""
    )
    with_claims = cheats.replace('}"\n', ', \\"claims\\": [\\"gold 0\\", \\"me\\"]}"\n')
    few = module.list_positions()[:30]
    gold = [at for at, asked in enumerate(few, 1) if asked.game.phase is Phase.GOLD]
    monkeypatch.setattr(module, "list_positions", lambda: few)
    assert main(["bot", "check", str(write(with_claims))]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith(f"{30 - len(gold)} moves, {len(gold)} failures")
    assert told[2] == f"said: {30 - len(gold)} claims, 0 lines of text"
    assert told[3] == f"left out {30 - len(gold)} times: an unknown claim"
    reasons, lines = told[4::2], told[5::2]
    assert [int(reason.split()[1]) for reason in reasons] == gold
    assert all("which is no legal move" in reason for reason in reasons)
    for line in lines:
        assert json.loads(line.removeprefix("  line in: "))["phase"] == "gold"


def dawdler(view: View, rng: Random, budget: Budget) -> Move:
    """A bot that never ends with ten players, whatever it catches."""
    while view.table.players == 10:
        with suppress(Exception):
            time.sleep(0.01)
    return greedy(view, rng, budget)


def babbler(view: View, rng: Random, budget: Budget, talk: Talk = SILENCE) -> SpokenMove:
    """A bot that says much."""
    claims: tuple[Claim, ...] = (WhoMe(), GoldAt((0, 0)), WhoMe())
    return SpokenMove(greedy(view, rng, budget), claims, "hm" if talk.lines else "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no alarm")
def test_a_bot_that_takes_too_long_is_told_with_the_place_and_the_check_stops_in_time() -> None:
    positions = module.list_positions()
    slow = [asked for asked in positions if asked.game.round.table.players == 10]
    others = [asked for asked in positions if asked.game.round.table.players == 5][:5]
    found = ask(f"{__name__}:dawdler", [*others, *slow], limit=0.05)
    assert (found.moves, len(found.failures)) == (5, module.MAX_FAILURES)
    assert all(why.startswith("no answer within 0.05 seconds") for _, why in found.failures)


def test_what_a_function_says_is_counted() -> None:
    found = ask(f"{__name__}:babbler", module.list_positions()[:40])
    assert (found.moves, found.claims) == (40, 80)
    assert found.texts > 0
    assert found.dropped == {"an unknown claim": 40}


@SHELL
def test_what_no_table_takes_is_refused(write: Writer) -> None:
    for name in (*map(str, (write(FIRST, "easy.sh"), write(FIRST, "x.sh", 0o644))), "./nobody"):
        with pytest.raises(UserError, match="is not offered"):
            check(name)
    with pytest.raises(UserError, match="no bot nowhere"):
        check("nowhere")
