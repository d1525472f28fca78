"""The command line: what is offered, what is refused in one line, and how it ends."""

from __future__ import annotations

import ast
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sabtui
from engine.bots.review import Effort
from engine.notation import format_record
from sabtui.after.review import show_review
from sabtui.app.features import features
from sabtui.cli import args
from sabtui.cli.main import main
from sabtui.text.i18n import load_locale
from sabtui.text.rules import rules_pages
from tests.engine.notation.games import RECORDS
from tests.net.server.journal_tools import HOUSE
from tests.sabtui.games import game_record
from tests.sabtui.script import run_here
from tests.sabtui.tui.tour import speak
from tests.samples import first

SCRIPT = "from sabtui.__main__ import main"
"""Beginning of the command `sabtui`, as installers write it."""


@pytest.mark.parametrize("arguments", [["--version"], ["--plain", "--version"]])
def test_the_version_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"sabtui {sabtui.__version__}\n"


def test_one_code_is_the_example_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["join", "--help"], ["join", "--code", "amber"]):
        main(words)
    text = "".join(capsys.readouterr())
    assert text.count("amber-") == text.count("amber-tulip") == 3


def test_the_rules_are_printed_where_no_screen_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    whole = capsys.readouterr().out
    for page in rules_pages():
        assert f"{page.title}.\n" in whole
    for word in ("3", "tunnels", "Tunnels"):
        assert main(["rules", word, "--plain"]) == 0
        page_3 = capsys.readouterr().out
        assert page_3.startswith(f"{rules_pages()[2].title}.\n")
        assert page_3 in whole
        assert "Type" not in page_3, "there is nowhere to type the next page"


def test_a_game_is_watched_again_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    file, lines = str(RECORDS / "whole.sab"), "\nround\nseat 2\nq\n"
    code, out, err = run_here(capsys, "replay", file, "--plain", text=lines)
    assert (code, err) == (0, "")
    assert "Round 2: 5 players" in out
    assert "view: as Bruno saw it" in out


def test_games_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def find_games(seconds: float, out: io.TextIOBase) -> int:
        out.write(f"looked for {seconds:.0f} s\n")
        return 0

    monkeypatch.setattr("sabtui.cli.games.watch_games", find_games)
    assert main(["games"]) == 0
    assert capsys.readouterr().out == "looked for 3 s\n"


@pytest.mark.parametrize(
    "arguments", first(1, [[], ["--plain", "practise"], ["--plain"], ["practise"]], thorough=2)
)
def test_bytes_that_are_no_text_are_something_unknown_and_the_end_of_input_ends_a_practice_game(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run_here(capsys, *arguments, text=b"\xff\xfe\x00\n")
    told = (
        "sabtui: Input or output is not a terminal: no screen can be drawn. Playing in lines of "
        "text, as with --plain.\n"
    )
    assert (code, err) == (0, "" if "--plain" in arguments else told)
    assert "Round 1: 5 players" in out
    assert "Type ? for help, or t \ufffd\ufffd to say it.\n2 1 plays card 2" in out
    assert out.endswith("No more input. Unfinished games are not saved.\n")
    assert ("Starting a practice game; see sabtui --help" in out) == ("practise" not in arguments)


def test_options_set_up_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    house = ["--bots", "2", "--edition", "italia+linked", "--rounds", "1", "--seed", "7"]
    who = ["--name", "{0}\x1b", "--plain"]
    code, out, err = run_here(capsys, "practise", *house, *who, text="who\nrole\nquit\nyes\n")
    assert (code, err) == (0, "")
    assert "A practice game with " in out
    assert "1 {0} (you): " in out
    assert "Round 1 of 1. " in out
    assert "Direction: counter-clockwise." in out


@pytest.mark.skipif(os.name == "nt", reason="signals and pipes as on POSIX")
def test_an_interrupt_ends_without_a_traceback() -> None:
    # It hears interrupts even if the tests ignore them.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [sys.executable, "-m", "sabtui", "practise", "--plain", "--seed", "7", "--bots", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as game:
        signal.signal(signal.SIGINT, heard)
        assert game.stdout is not None
        while not game.stdout.readline().endswith(">\n"):
            pass
        assert game.stderr is not None
        game.send_signal(signal.SIGINT)
        game.wait(timeout=60)  # with its input open: the end of that would end it as well
        assert (game.returncode, game.stderr.read()) == (1, "\n")


@pytest.mark.parametrize("how", ["runpy.run_module('sabtui', run_name='__main__')", SCRIPT])
def test_an_older_python_gets_a_sentence(how: str) -> None:
    code = f"import runpy, sys; sys.version_info = (3, 9, 18); {how}"
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("sabtui: Sabtui needs Python 3.11 or later, and this is Python 3.9:")


@pytest.mark.parametrize(
    ("file", "version"),
    [
        ("sabtui/__init__.py", (3, 6)),
        ("sabtui/__main__.py", (3, 6)),
        ("tools/stick/start.py", (3, 7)),
    ],
)
def test_an_older_python_can_read_how_it_starts(file: str, version: tuple[int, int]) -> None:
    ast.parse((HOUSE / file).read_text(encoding="utf-8"), feature_version=version)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_another_package_in_the_place_of_ours_is_named(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "digger-1.0.dist-info").mkdir(parents=True)
    for name in ("engine", "net", "sabtui"):
        (site / name).symlink_to(HOUSE / name)
    (site / "digger-1.0.dist-info" / "METADATA").write_text("Name: digger\nVersion: 1.0\n")
    (site / "digger-1.0.dist-info" / "RECORD").write_text("engine/__init__.py,,\n")
    over = f"engine hides Sabtui's: {HOUSE / 'engine'} (digger)."
    told = {("doctor", str(site)): over}
    for name, words in (("engine", "doctor"), ("net", "practise --plain")):
        false = tmp_path / name / name / "__init__.py"
        false.parent.mkdir(parents=True)
        false.write_text("")
        first = f"{name} hides Sabtui's: {false}."
        told[words, f"{false.parents[1]}{os.pathsep}{HOUSE}"] = first
    for (words, path), text in told.items():
        done = subprocess.run(  # noqa: S603 - ourselves
            [sys.executable, "-P", "-m", "sabtui", *words.split()],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "HOME": str(tmp_path), "LANGUAGE": "en"},
        )
        assert done.returncode == 1
        (only,) = done.stderr.splitlines()
        assert only.startswith(f"sabtui: Another package's {text}")


TABLES_ALONE = "engine", "cryptography"
"""What only tables need."""


@pytest.mark.parametrize(
    ("begin", "heavy"),
    [
        (
            "import sabtui.cli.main",
            ("engine", "net", "textual", "rich", "asyncio", "zeroconf", "cryptography", "msgpack"),
        ),
        ("import sabtui.cli.main; sabtui.cli.main.main(['--help'])", ("asyncio", "secrets")),
        (
            "import sabtui.tui.app",
            ("net.client", "net.room", "msgspec", "secrets", "zeroconf", "_hashlib"),
        ),
        ("import sabtui.cli.games", ("net.room", "msgspec", "msgpack", "zeroconf")),
    ],
    ids=["the start", "help", "the welcome screen", "listing games"],
)
def test_nothing_is_loaded_that_is_of_use_only_later(begin: str, heavy: tuple[str, ...]) -> None:
    code = f"{begin}; import sys; print(*(name for name in sys.argv[1:] if name in sys.modules))"
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", code, *TABLES_ALONE, *heavy],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == ""


def test_no_line_of_help_in_french_begins_with_a_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "62")
    with speak(load_locale("fr")), pytest.raises(SystemExit):
        args.read(["host", "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert "Exemples :" in lines
    assert not [line for line in lines if line.strip()[:2] in {":", ": ", "; "}]


@pytest.mark.parametrize(
    "words",
    [
        (),
        *((name,) for name in args.EXAMPLES if name),
        *((command.name,) for feature in features() for command in feature.commands()),
    ],
)
def test_help_has_examples_and_breaks_no_word(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        args.read([*words, "--help"])
    text = capsys.readouterr().out
    assert f"Examples:\n  sabtui {' '.join(words)}" in text
    assert not [line for line in text.splitlines() if line.endswith("-")]
    quiet = {"arena", "bot", "club", "games", "review", "stage", "standings"}
    assert ("--plain" in text) == quiet.isdisjoint(words)
    assert "show this help" not in text


def test_a_game_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.sab"
    file.write_text(format_record(game_record(6)), encoding="utf-8")
    assert show_review(str(file), Effort(1, 6, 6)) == 0
    told = capsys.readouterr()
    assert "Round 1" in told.out
    assert "%" not in told.out
    assert told.err == "", "no progress but on a terminal"


def test_what_cannot_be_reviewed_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "nowhere.sab"]) == 1
    assert capsys.readouterr().err.startswith("sabtui: Cannot read nowhere.sab")


def test_games_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabtui.after.library.records_folder", lambda: tmp_path)
    for number, names in enumerate((("Ana", "Bruno", "Chi"), ("Annie", "Bruno", "Dora"))):
        text = format_record(game_record(number, names))
        (tmp_path / f"{number}.sab").write_text(text, encoding="utf-8")
    assert main(["standings"]) == 0
    said = capsys.readouterr()
    assert not said.err
    counted, _blank, _header, *rows = said.out.splitlines()
    assert counted == "2 finished games."
    assert sorted(row.split()[0] for row in rows) == ["Ana", "Annie", "Bruno", "Chi", "Dora"]
