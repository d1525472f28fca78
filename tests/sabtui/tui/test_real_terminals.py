"""The real program on real terminals: closed, interrupted, suspended, stalled, and broken by a bug.

Whatever happens, the seat is kept, and the terminal is given back as it was.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from net.protocol.lobby import Presence
from tests.net.server.journal_tools import HOUSE, POSIX
from tests.net.server.served_table import CODE, HERE, SMALL, Hosted, hosting
from tests.samples import first, pairs

if os.name == "nt":
    pytest.skip("POSIX only", allow_module_level=True)
assert sys.platform != "win32"  # so that types know, too

from tests.sabtui.tui.shell import PROMPT, environ, program, shell, start, start_redirected  # noqa: E402 - POSIX
from tests.terminal import PATIENCE  # noqa: E402 - POSIX

STALLS = 12.0
"""Seconds that a terminal takes nothing: a host gives up a link that is silent for ten."""

READY = "You have joined"
BREAKS = """
from sabtui.tui.screens import welcome
def break_down(screen):
    hand = "a secret hand"
    raise ZeroDivisionError
welcome.WelcomeScreen.read_rules = break_down
from sabtui.cli.main import main
raise SystemExit(main([]))
"""
COMPLAINS = """
import logging, threading
from sabtui.app.log import keep_off_terminal
keep_off_terminal()
logging.getLogger("asyncio").error("Task exception was never retrieved")
logging.getLogger("zeroconf").warning("no route")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
"""


def joining(hosted: Hosted) -> tuple[str, ...]:
    """What Ben types to come to a table."""
    where = f"{HERE}:{hosted.port}"
    return "-m", "sabtui", "join", where, "--code", str(CODE), "--name", "Ben"


def presence(hosted: Hosted) -> Presence:
    """How Ben's link is."""
    (ben,) = hosted.state.lobby.people
    assert (ben.name, hosted.state.lobby.seat_of(ben.member)) == ("Ben", 0)
    return ben.presence


async def close_terminal(where: Path, tmp_path: Path) -> None:
    """The terminal goes away; who comes back has their seat."""
    async with hosting(where, SMALL) as hosted:
        at, _screen = await program(tmp_path, *joining(hosted))
        async with at:
            await at.sees(READY)
            at._hang_up()
            async with asyncio.timeout(PATIENCE):
                assert await at.process.wait() in {-signal.SIGHUP, 1}
        again, _screen = await program(tmp_path, "-m", "sabtui", "join", f"{HERE}:{hosted.port}")
        async with again:
            await again.sees(READY)
            assert presence(hosted) is Presence.THERE


async def interrupt(where: Path, tmp_path: Path) -> None:
    """Ctrl+C asks, and gives the terminal back."""
    async with hosting(where, SMALL) as hosted:
        at, screen = await program(tmp_path, *joining(hosted))
        async with at:
            await at.sees(READY)
            at.type("\x03")
            await at.sees("Quit Sabtui. Your seat is kept")
            at.type("y")
            async with asyncio.timeout(PATIENCE):
                assert await at.process.wait() == 0
            await at.until(lambda: screen.is_given_back)
        presence(hosted)


async def suspend(where: Path, tmp_path: Path) -> None:
    """Ctrl+Z gives the terminal back to the shell, and it goes on at the same table.

    Something else may stand between the two, as with `make play`.
    """
    async with hosting(where, SMALL) as hosted:
        at, screen = await shell(tmp_path)
        async with at:
            joins = f"{shlex.join((sys.executable, *joining(hosted)))}; exit"
            at.type(f"{shlex.join(('sh', '-c', joins))}\n")
            await at.sees(READY)
            at.type("\x1a")
            await at.until(lambda: screen.is_given_back and PROMPT.encode() in screen.sent[-200:])
            at.type("fg\n")
            await at.until(lambda: not screen.is_given_back)
            at.type("r")
            await at.sees("not ready")
            assert presence(hosted) is Presence.THERE
            at.type("\x03")
            await at.sees("Your seat is kept")
            at.type("y")
            await at.until(lambda: screen.is_given_back)


async def stall(where: Path, tmp_path: Path) -> None:
    """The terminal takes nothing for a while, and the link beats on."""
    async with hosting(where, SMALL) as hosted:
        at, _screen = await program(tmp_path, *joining(hosted))
        async with at:
            await at.sees(READY)
            loop = asyncio.get_running_loop()
            loop.remove_reader(at._master)
            for _ in range(200):
                at.type("\x1b[B\x1b[A")
            seen: set[Presence] = set()
            late = loop.time() + STALLS
            while loop.time() < late:
                seen.add(presence(hosted))
                await asyncio.sleep(0.1)
            assert seen == {Presence.THERE}
            assert os.get_blocking(at._master)
            loop.add_reader(at._master, at._read)
            at.type("r")
            await at.sees("not ready")


# the tests that follow give the terminal back, `test_driver` goes on
@pytest.mark.level("thorough")
@pytest.mark.parametrize("all_that_befalls", [(suspend,), (close_terminal, interrupt, stall)])
async def test_whatever_befalls_a_terminal_the_seat_is_kept(
    all_that_befalls: tuple[Callable[[Path, Path], Coroutine[None, None, None]], ...],
    where: Path,
    tmp_path: Path,
) -> None:
    async with asyncio.TaskGroup() as group:  # each at a table of its own, for they take long
        for befalls in all_that_befalls:
            folders = where / befalls.__name__, tmp_path / befalls.__name__
            for folder in folders:
                folder.mkdir()
            group.create_task(befalls(*folders))


async def test_what_no_shell_would_wake_is_not_suspended(tmp_path: Path) -> None:
    at, screen = await program(tmp_path, "-m", "sabtui")
    async with at:
        await at.sees("Practise")
        at.type("\x1a")
        await at.until(lambda: screen.times_taken == 2)  # given back in between
        at.type("u")
        await at.sees("What it is about")


BREAKS_AT_A_KEY = """
from sabtui.tui import driver
def feed(self, text, now):
    if text == "u":
        raise ZeroDivisionError
    return ()
driver.TerminalInput.feed = feed
from sabtui.cli.main import main
raise SystemExit(main([]))
"""


@pytest.mark.parametrize(
    ("program_text", "sentence", "logged"),
    [
        (BREAKS, "Sabtui stopped (ZeroDivisionError)", "ZeroDivisionError"),
        (BREAKS_AT_A_KEY, "Sabtui stopped (ZeroDivisionError)", "ZeroDivisionError"),
        ("", "Sabtui stopped (SIGTERM)", "ended by SIGTERM"),
    ],
    ids=["a bug", "a bug where keys are read", "another program asks for it"],
)
async def test_a_screen_that_ends_by_itself_says_why_in_a_sentence_without_secrets(
    tmp_path: Path, program_text: str, sentence: str, logged: str
) -> None:
    command = ("-c", program_text) if program_text else ("-m", "sabtui")
    at, screen = await program(tmp_path, *command)
    async with at:
        await at.sees("Rules")
        if program_text:
            at.type("u")
        else:
            at.process.terminate()
        async with asyncio.timeout(PATIENCE):
            assert await at.process.wait() == 1
        await at.until(lambda: sentence.encode() in screen.sent)
        assert screen.is_given_back
        text = screen.sent[screen.sent.rindex(b"\x1b[?1049l") :].decode()
        assert text.count("\n") == 1
        kept = (tmp_path / "STATE" / "sabtui" / "sabtui.log").read_text()
        assert logged in kept
        assert "Traceback" not in text
        assert all("secret hand" not in told for told in (text, kept))


@POSIX
def test_what_libraries_complain_of_goes_to_a_file(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", COMPLAINS],
        cwd=HOUSE,
        env=environ(tmp_path),
        capture_output=True,
        check=True,
    )
    assert done.stdout == done.stderr == b""
    kept = (tmp_path / "STATE" / "sabtui" / "sabtui.log").read_text()
    for text in ("Task exception was never retrieved", "no route", "ZeroDivisionError"):
        assert text in kept


@pytest.mark.parametrize(
    ("term", "command"), first(1, pairs(("dumb", ""), ((), ("practise",))), thorough=2), ids=repr
)
async def test_where_no_screen_can_be_drawn_it_says_so_once_and_plays_in_lines_to_their_end(
    term: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    named = term or '""'
    why = f"TERM is {named}: no screen"
    at, screen = await program(tmp_path, "-m", "sabtui", *command, TERM=term)
    async with at:
        await at.until(lambda: b"Your turn, card" in screen.sent)
        at.type("\x04")
        async with asyncio.timeout(PATIENCE):
            assert await at.process.wait() == 0
    assert b"No more input. Unfinished games are not saved.\r\n" in screen.sent
    shown = screen.sent.decode()
    assert "\x1b" not in shown
    assert (
        shown.count(f"sabtui: {why} can be drawn. Playing in lines of text, as with --plain.") == 1
    )


async def test_a_screen_has_the_size_of_its_window_whatever_the_environment_says(
    tmp_path: Path,
) -> None:
    env = environ(tmp_path, COLUMNS="80", LINES="24")
    at, _screen = await start(env, sys.executable, "-m", "sabtui", size=(100, 35))
    async with at:
        await at.sees("Practise")
        await at.until(lambda: at.screen.lines[-1])
        at.resize(60, 18)
        await at.sees("Practise")
        await at.until(lambda: at.screen.lines[-1])


async def test_a_screen_is_drawn_where_errors_go_nowhere(tmp_path: Path) -> None:
    at, screen = await start_redirected(tmp_path, "2>&-", "-m", "sabtui")
    async with at:
        await at.sees("Practise")
        at.type("q")
        async with asyncio.timeout(PATIENCE):
            assert await at.process.wait() == 0
        await at.until(lambda: screen.is_given_back)


@pytest.mark.parametrize("streams", first(2, [">&-", "<&- >&- 2>&-", "<&-"], thorough=3))
async def test_a_stream_that_is_closed_is_told_in_a_sentence(tmp_path: Path, streams: str) -> None:
    told = "sabtui: Input or output is not a terminal: no screen can be drawn."
    sentence = "" if "2>" in streams else told
    at, screen = await start_redirected(tmp_path, streams, "-m", "sabtui")
    async with at:
        await at.until(lambda: sentence.encode() in screen.sent)
        if "<&-" not in streams:
            at.type("\x04")
        async with asyncio.timeout(PATIENCE):
            assert await at.process.wait() == 0
    assert b"Traceback" not in screen.sent
