"""Whole practice games, played through nothing but lines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from engine.edition import EDITIONS
from engine.notation import Record, parse_record, replay
from sabtui.plain.console import Console
from sabtui.plain.wrap import Size
from sabtui.practise import DWARVES, Setup, practise, saved
from sabtui.words.cast import width
from tests.sabtui.player import Player

SMALL = Size(60, 18)


class Script(Console):
    """A console whose player is a `Player`."""

    def __init__(self, player: Player, answers: Iterable[str] = ()) -> None:
        self.player = player
        self.answers = iter(answers)
        self.told: list[str] = []
        self._since: list[str] = []

    @property
    def size(self) -> Size:
        return SMALL

    def say(self, lines: Iterable[str]) -> None:
        self._since += lines

    def ask(self, prompt: str) -> str | None:
        self.told += self._since
        lines, self._since = self._since, []
        if prompt == "The game is over":
            return next(self.answers, None)
        return self.player.answer(prompt, lines)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("bots", [2, 4, 9])
def test_a_whole_game_is_played_by_its_numbered_lists(
    edition: str, bots: int, rng: Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = Script(Player(rng), ["save kept"])
    practise(Setup("Ana", bots, EDITIONS[edition], seed=rng.randbytes(32)), script)
    record = parse_record(Path("kept.sab").read_bytes())
    assert isinstance(record, Record)
    *_before, (game, _events) = replay(record)
    assert game.score.winners
    assert len(game.score.wins) == 3
    mine = f"{game.score.nuggets[0]:4} Ana (you): "
    assert any(line.startswith(mine) for line in script.told)
    assert sum(line.endswith("win the round.") for line in script.told) == 3
    assert sum(line.startswith("You are a ") for line in script.told) == 3
    assert all(width(line) <= SMALL.columns and line.isascii() for line in script.told)


def test_the_same_seed_and_the_same_lines_give_the_same_game(rng: Random) -> None:
    seed, lines = rng.randbytes(32), rng.randbytes(8)
    told = []
    for _again in range(2):
        script = Script(Player(Random(lines)))
        practise(Setup("Ana", 3, seed=seed), script)
        told.append(script.told)
    assert told[0] == told[1]


def test_again_begins_another_game_with_the_same_players(rng: Random) -> None:
    script = Script(Player(rng), ["again", "quit"])
    practise(Setup("Ana", 2, rounds=1, seed=bytes(32)), script)
    greeting = "A practice game, international: you and Borin and Dagna."
    assert sum(line.startswith(greeting) for line in script.told) == 2
    assert sum(line.startswith("Round 1: 3 players") for line in script.told) == 2


def test_a_record_never_replaces_a_file_and_trouble_is_one_sentence(tmp_path: Path) -> None:
    record = Record(("Ana", "Bruno", "Chiara"), seed=bytes(32)).dealt()
    assert saved(record, str(tmp_path / "game")).startswith("Saved.")
    taken = saved(record, str(tmp_path / "game.sab"))
    assert taken.endswith("is there already: choose another name.")
    lost = saved(record, str(tmp_path / "no" / "game"))
    assert lost.endswith("cannot be written (No such file or directory): choose another.")
    assert "choose another" in saved(record, "\0")
    assert parse_record((tmp_path / "game.sab").read_bytes()) == record


def test_a_player_called_like_a_bot_is_told_apart() -> None:
    names = Setup(DWARVES[1].upper(), 3).cast.names
    assert names == ("DAGNA", "Borin", "Dagna 2", "Eitri")


def test_a_whole_game_goes_through_pipes_without_terminal_colour_or_unicode(rng: Random) -> None:
    command = [sys.executable, "-m", "sabtui", "practise", "--seed", "7", "--name", "Zoë"]
    plain = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    told: list[str] = []
    player = Player(rng)
    with subprocess.Popen(  # noqa: S603 - ourselves
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**plain, "TERM": "dumb"},
    ) as sabtui:
        assert sabtui.stdin is not None
        assert sabtui.stdout is not None
        assert sabtui.stderr is not None
        since: list[str] = []
        for line in sabtui.stdout:
            told.append(line)
            if not line.endswith(">\n"):
                since.append(line.rstrip("\n"))
                continue
            sabtui.stdin.write(f"{player.answer(line[:-2], since)}\n")
            sabtui.stdin.flush()
            since = []
        assert sabtui.wait(10) == 0
        assert sabtui.stderr.read() == ""
    text = "".join(told)
    assert text.isascii()
    assert "\x1b" not in text
    assert "The game is over>\n" in told
