"""Whole practice games, played through nothing but lines, and the choice of a table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from engine.bots import BOTS, Budget
from engine.bots.talk import SILENCE, Talk
from engine.edition import EDITIONS
from engine.moves import Move
from engine.notation import Record, parse_record, replay
from engine.view import View
from net.client.credentials import Credentials
from net.client.session import OnUpdate, RunnableSession
from net.discovery.advert import OURS, Advert, AdvertStage
from net.discovery.games import DiscoveredGame, GameStatus
from net.secure.address import Address
from net.secure.code import RoomCode
from sabtui.app import tables
from sabtui.app.errors import UserError
from sabtui.app.joining import NoTableFound, SeveralTables
from sabtui.app.launcher import credential_store
from sabtui.app.preferences import usual_path
from sabtui.app.requests import (
    HASTY_BUDGET,
    GoesOnElsewhere,
    JoinRequest,
    PracticeRequest,
    ReopenRequest,
    TableHandle,
)
from sabtui.cli import play
from sabtui.cli.args import read
from sabtui.cli.main import main
from sabtui.cli.play import join_in_lines, practise_in_lines
from sabtui.plain.console import Console
from sabtui.text.layout import width
from sabtui.tui.app import SabtuiApp
from sabtui.tui.screens.join import JoinScreen
from sabtui.tui.screens.rules import RulesScreen
from sabtui.tui.theme import ASCII
from tests.sabtui.script import Answer, Player, Script
from tests.samples import first, pairs

CLAIM = re.compile('[A-Z][a-z]+ says: "(north|middle|south) goal is (gold|stone)"')


def ending(player: Player, *answers: str) -> Answer:
    """Play as the player does, and once the game is over type these lines, then end the input."""
    at_last = iter(answers)

    def answer(prompt: str, lines: Sequence[str]) -> str | None:
        if prompt in ("The game is over", "Lobby"):
            return next(at_last, None)
        return player.answer(prompt, lines)

    return answer


@pytest.mark.parametrize(("edition", "bots"), first(1, pairs([*EDITIONS], (2, 4, 9)), thorough=4))
def test_a_whole_game_is_played_by_its_numbered_lists(
    edition: str, bots: int, rng: Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    script = Script(ending(Player(rng)))
    request = PracticeRequest(
        "Ana", bots, edition=EDITIONS[edition], seed=rng.randbytes(32), level="easy"
    )
    assert practise_in_lines(request, script) == 0
    (kept,) = tmp_path.rglob("*.sab")
    record = parse_record(kept.read_bytes())
    assert isinstance(record, Record)
    assert record.seeds[0] == request.seed
    assert len(set(record.seeds)) == 3, "each round has a seed of its own"
    *_before, (game, _events) = replay(record)
    assert game.score.winners
    assert game.score.nuggets
    assert len(game.score.wins) == 3
    mine = f"{game.score.nuggets[0]:4} Ana (you): "
    assert any(line.startswith(mine) for line in script.lines)
    ends = ("win the round.", "nobody wins the round.")  # three dwarves may all be miners
    assert sum(line.endswith(ends) for line in script.lines) == 3
    assert not any(line.startswith("You are a ") for line in script.lines), "a role unasked"
    assert sum(line == "Ana (you): ready." for line in script.lines) == 2
    assert all(width(line) <= 60 and line.isascii() for line in script.lines)


def test_again_begins_another_game_the_same_for_the_same_seed_and_lines(rng: Random) -> None:
    seed, lines = rng.randbytes(32), rng.randbytes(8)
    rows = []
    for _time in range(2):
        script = Script(ending(Player(Random(lines)), "again", "", "quit"))
        practise_in_lines(PracticeRequest("Ana", 2, rounds=1, seed=seed, level="easy"), script)
        rows.append((script.lines, script.prompts))
    assert rows[0] == rows[1]
    told, _prompts = rows[0]
    assert told[0].startswith("A practice game with Borin and Dagna, edition international.")
    assert told.count("Enter starts the game.") == 1
    assert len([line for line in told if line.startswith("Round 1: 3 players")]) == 2
    hands = [at for at, line in enumerate(told) if line.startswith("Your role card lies face")]
    one, other = (told[at + 2 : at + 8] for at in hands)
    assert one != other


def test_bots_say_what_they_saw_and_never_at_a_prompt(rng: Random) -> None:
    script = Script(ending(Player(rng)))
    practise_in_lines(PracticeRequest("Ana", 4, rounds=1, seed=bytes(32)), script)
    names = PracticeRequest("Ana", 4).opponents
    claims = [line for line in script.lines if CLAIM.fullmatch(line)]
    assert claims
    assert {claim.partition(" says:")[0] for claim in claims} <= set(names)


def test_a_bot_thinks_as_well_as_it_was_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    thought = list[Budget]()

    def think(view: View, rng: Random, budget: Budget, _talk: Talk = SILENCE) -> Move:
        thought.append(budget)
        return BOTS["greedy"](view, rng, budget)

    monkeypatch.setattr("net.client.local.BOTS", {**BOTS, "hard": think})
    script = Script(ending(Player(Random(1))))
    request = PracticeRequest("Ana", 2, rounds=1, seed=bytes(32), level="hard")
    assert practise_in_lines(request, script) == 0
    assert len(thought) > 10
    assert {*thought} == {HASTY_BUDGET}


@pytest.mark.skipif(os.name == "nt", reason="pipes as on POSIX")
def test_pipes_get_what_their_encoding_has_until_nobody_reads() -> None:
    command = [sys.executable, "-m", "sabtui", "practise", "--plain", "--name", "Zoë"]
    plain = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "TERM": "dumb"}
    with subprocess.Popen(  # noqa: S603 - ourselves
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **plain},
    ) as sabtui:
        assert sabtui.stdin is not None
        assert sabtui.stdout is not None
        assert sabtui.stderr is not None
        sabtui.stdin.write("who\n")
        sabtui.stdin.flush()
        while (line := sabtui.stdout.readline()) and "1 Zo? (you): " not in line:
            assert line[:-1].isprintable()
        assert line, sabtui.stderr.read()
        sabtui.stdout.close()
        sabtui.stdin.write("?\n" * 100)
        sabtui.stdin.close()
        assert sabtui.wait(60) == 0
        assert sabtui.stderr.read() == ""


def several() -> SeveralTables:
    """Return two tables, one of them full, that answer to a request."""
    stages = (AdvertStage.FULL, AdvertStage.LOBBY)
    adverts = [Advert(f"{at:016x}", "", OURS, stage, 2, 5) for at, stage in enumerate(stages)]
    at = (Address("192.168.1.20", 7341),)
    return SeveralTables(
        [
            DiscoveredGame(name, advert, GameStatus.JOINABLE, at)
            for name, advert in zip(("Alpha", "Bravo"), adverts, strict=True)
        ]
    )


@pytest.fixture
def questions_asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return what is asked for in turn: no name fits one table alone, and no table answers."""
    wanted = list[object]()

    async def find(request: JoinRequest) -> Credentials:
        wanted.append(request.at)
        raise several() if request.at == "" else UserError("It does not answer.")

    monkeypatch.setattr(tables, "credentials_to_join", find)
    return wanted


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> list[SabtuiApp]:
    """Have a screen, and return the apps that would run on it."""
    apps = list[SabtuiApp]()

    def show(app: SabtuiApp) -> int:
        apps.append(app)
        return 0

    monkeypatch.setattr("sabtui.tui.app.run", show)
    monkeypatch.setattr("sabtui.cli.main.why_no_screen", lambda _environ: "")
    return apps


def first_screen(app: SabtuiApp) -> object:
    """Return the screen above the welcome screen."""
    assert app._first is not None
    return app._first()


class Questioned(Script):
    """A console on which each question is answered in turn, with `None` at the end."""

    def __init__(self, *answers: str, eager: bool = True) -> None:
        super().__init__(lambda _prompt, _lines: None, eager=eager)
        self._typed = iter(answers)

    def ask(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return next(self._typed, None)


def test_of_several_tables_a_person_types_the_number(questions_asked: list[object]) -> None:
    console = Questioned("", "3", "1")
    with pytest.raises(UserError, match="It does not answer"):
        join_in_lines(JoinRequest("Ana", ""), console, is_on_autopilot=False)
    assert console.since == ["1 Bravo: 2/5 players, waiting", "2 Alpha: 2/5 players, full"]
    assert console.prompts == ["Join 1-2"] * 3
    assert questions_asked == ["", several().games[0]]


def test_somebody_who_is_asked_for_a_code_may_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def find(_request: JoinRequest) -> Credentials:
        return Credentials("Ana", (Address("127.0.0.1", 7341),))

    async def asks(_credentials: Credentials) -> bool:
        return True

    monkeypatch.setattr(tables, "credentials_to_join", find)
    monkeypatch.setattr(play, "asks_for_code", asks)
    console = Questioned("?", "quit", "amber-tulip")
    with pytest.raises(UserError, match="This table needs a code"):
        join_in_lines(JoinRequest("Ana", ""), console, is_on_autopilot=False)
    assert len(console.prompts) == 2


@pytest.mark.parametrize("eager", [True, False])
def test_a_pipe_or_the_end_of_input_is_told_how_to_name_one_of_several_tables(
    questions_asked: list[object], *, eager: bool
) -> None:
    console = Questioned(eager=eager)
    with pytest.raises(SeveralTables, match="Choose one: sabtui join NAME"):
        join_in_lines(JoinRequest("Ana", ""), console, is_on_autopilot=False)
    assert questions_asked == [""]
    assert bool(console.prompts) == eager


def test_of_several_tables_a_player_with_screens_chooses_in_the_list(
    questions_asked: list[object], screens: list[SabtuiApp]
) -> None:
    assert main(["join", "--name", "Ana", "--code", "amber-tulip", "--watch"]) == 0
    (join,) = map(first_screen, screens)
    assert isinstance(join, JoinScreen)
    assert join.request == JoinRequest(
        "Ana", "", RoomCode.parse("amber-tulip"), watch=True, claims_name=True
    )
    assert questions_asked == [""]
    assert main(["rules", "tunnels"]) == 0
    rules = first_screen(screens[-1])
    assert isinstance(rules, RulesScreen)
    assert rules.at == 2


def test_somebody_who_comes_before_the_table_waits_in_the_list(
    monkeypatch: pytest.MonkeyPatch, screens: list[SabtuiApp]
) -> None:
    async def find(request: JoinRequest) -> Credentials:
        raise NoTableFound(f"Nothing called {request.at!r}.")

    monkeypatch.setattr(tables, "credentials_to_join", find)
    assert main(["join", "--name", "Ana"]) == 0
    assert isinstance(first_screen(screens[0]), JoinScreen)
    assert main(["join", "Rush"]) == 1, "a table that was named is not there"
    assert len(screens) == 1


def test_a_player_before_the_table_waits_for_it_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = list[object]()

    async def find(request: JoinRequest) -> Credentials:
        looked.append(request.at)
        raise NoTableFound("None yet.") if len(looked) < 3 else UserError("It is full.")

    monkeypatch.setattr(tables, "credentials_to_join", find)
    console = Questioned()
    with pytest.raises(UserError, match="It is full"):
        join_in_lines(JoinRequest("Ana", ""), console, is_on_autopilot=False)
    assert console.since == ["None yet.", "Waiting for a table; Ctrl+C ends this."]
    looked.clear()
    with pytest.raises(NoTableFound):
        join_in_lines(JoinRequest("Ana", ""), Questioned(eager=False), is_on_autopilot=False)
    assert looked == [""], "a pipe is told at once"


ANSWERS = dict.fromkeys(("", "y", "yes"), "there") | dict.fromkeys(("n", "no"), "here")
"""Where the table is that is entered; any other answer, or none, is that of somebody who quits."""


@pytest.mark.parametrize("typed", [[answer] for answer in (*ANSWERS, "q", "quit")] + [[]], ids=str)
def test_somebody_who_brings_a_table_back_that_goes_on_elsewhere_says_whether_to_join_it(
    typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def session(_on_update: OnUpdate) -> RunnableSession:
        raise AssertionError("nobody sits down")

    async def here() -> TableHandle:
        return TableHandle(session, in_club=True)

    async def open_table(_request: ReopenRequest) -> TableHandle:
        raise GoesOnElsewhere(Address("10.77.0.2", 7341), TableHandle(session), here)

    monkeypatch.setattr(tables, "open_table", open_table)
    console, where = Questioned(*typed), ANSWERS.get("".join(typed)) if typed else None
    if where is None:
        with pytest.raises(UserError, match="now: join it there"):
            play._open(ReopenRequest("a.table"), console)
    else:
        handle = play._open(ReopenRequest("a.table"), console)
        assert handle.in_club == (where == "here"), "which marks the table here"
    assert console.prompts == ["yes or no"]
    (told,) = console.since
    assert told.startswith("The table is now at 10.77.0.2:7341. Join it there?")


def test_somebody_who_joins_without_a_seat_is_told_of_one_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = credential_store()
    store.store(Credentials("Ana", (), table="amber", title="Gold Rush", pin=bytes(32)))
    path = store.list_stored()[0].path
    spoilt = bytearray(path.read_bytes())
    spoilt[10] ^= 1  # of the digest: the title can be read still
    path.write_bytes(spoilt)
    (tmp_path / "sabtui").mkdir(exist_ok=True)
    (tmp_path / "sabtui" / "settings").write_text("art = loud")

    async def find_none(_request: JoinRequest) -> Credentials:
        raise NoTableFound("none")

    monkeypatch.setattr(tables, "credentials_to_join", find_none)
    play._print_lost_seats.cache_clear()
    assert main(["join", "Gold Rush", "--plain"]) == 1
    told = capsys.readouterr().err
    assert told.count("Your seat at Gold Rush cannot be read: join with code and name") == 1
    assert "Some settings in" in told


def test_without_a_screen_it_is_said_where_a_table_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async def find(_journal: Path) -> Address:
        return Address("10.77.0.2", 7341)

    monkeypatch.setattr(tables, "find_table_to_reopen", lambda _title: ReopenRequest("a.table"))
    monkeypatch.setattr(tables, "find_elsewhere", find)
    with pytest.raises(UserError, match="now: join it there"):
        play.run_headless(read(["host", "--resume", "--headless"]))


def test_how_the_screens_are_drawn_is_what_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, screens: list[SabtuiApp]
) -> None:
    monkeypatch.delenv("TEXTUAL_ANIMATIONS", raising=False)
    assert main(["--calm"]) == main(["--ascii"]) == main(["learn", "--art", "ascii"]) == 0
    drawn = [(app.is_calm, app.glyphs is ASCII) for app in screens]
    assert drawn == [(True, False), (False, True), (False, True)]


@pytest.mark.parametrize("setting", ["on", "off"])
def test_the_setting_of_reactions_is_that_of_the_lines(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual_path().parent.mkdir(parents=True, exist_ok=True)
    usual_path().write_text(f"reactions = {setting}\n")
    told = list[bool]()

    def practise(_request: PracticeRequest, console: Console, *, is_on_autopilot: bool) -> int:
        told.append(console.shows_reactions)
        return int(is_on_autopilot)

    monkeypatch.setattr(play, "practise_in_lines", practise)
    assert main(["practise", "--plain"]) == 0
    usual_path().unlink()
    assert told == [setting == "on"]
