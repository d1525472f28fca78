"""The loss of beliefs about roles is what its definition says, over rounds that stay the same."""

import shutil
from collections.abc import Sequence
from math import log
from pathlib import Path

import pytest

from benchmarks.arena import judging
from benchmarks.arena.__main__ import main
from benchmarks.arena.judging import MOMENTS, RECORDS, _loss, judge, states_of
from benchmarks.arena.statistics import Scale
from engine.cards import Role
from engine.view import View
from tests.samples import first

RECORD = RECORDS / "05-0.sab"


def know_nothing(view: View) -> Sequence[float]:
    """Beliefs of somebody else: they know nothing at all."""
    return [0.5] * view.table.players


@pytest.mark.parametrize("number", first(1, range(6), thorough=6))
def test_beliefs_are_asked_before_the_round_is_over(number: int) -> None:
    paths = sorted(RECORDS.glob(f"*-{number}.sab"))
    assert [path.name for path in paths] == [f"{size:02}-{number}.sab" for size in range(3, 11)]
    for path in paths:
        states = list(states_of(path))
        assert len(states) == len(MOMENTS)
        assert all(game.round.table.end is None for game in states)
        left = [game.round.table.unplayed for game in states]
        assert left == sorted(left, reverse=True)


def test_the_loss_is_minus_the_logarithm_of_what_was_given_to_the_truth() -> None:
    *_, game = states_of(RECORD)
    roles = game.round.roles
    assert _loss("", know_nothing, game) == pytest.approx(log(2))
    assert _loss("", lambda _: [float(role is Role.SABOTEUR) for role in roles], game) == 0
    wrong = _loss("", lambda _: [float(role is Role.MINER) for role in roles], game)
    assert wrong == pytest.approx(-log(1e-6))


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure over two rounds, of the least and the greatest size."""
    for players in (3, 10):
        shutil.copy(RECORDS / f"{players:02}-1.sab", tmp_path)
    monkeypatch.setattr(judging, "RECORDS", tmp_path)


@pytest.mark.usefixtures("few")
def test_our_bots_lose_less_than_chance() -> None:
    rows = {str(row[0]): float(str(row[6]).split()[0]) for row in judge(Scale())}
    assert rows["wary and search"] < rows["by chance"] / 2
    assert rows["a watcher"] < rows["by chance"] / 2
    assert rows["by chance"] < log(2)


@pytest.mark.usefixtures("few")
def test_anybodys_beliefs_are_measured_beside_ours(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--beliefs", f"{__name__}:know_nothing"], Scale())
    last = capsys.readouterr().out.splitlines()[-3]
    assert last.startswith(
        f"| {__name__}:know_nothing | 2 | 0.693 | 0.693 | 0.693 | 0.693 | 0.693 ("
    )
