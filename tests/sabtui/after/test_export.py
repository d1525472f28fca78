"""A game can be shared as a page, whole in one file."""

import os
import re
import sys
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.notation import Record, parse_record
from engine.notation.record import Replay
from sabtui.after.export import (
    MAX_PAGES,
    _draw_hand,
    export_page,
    game_html,
    gold_words,
    list_frames,
    save_export,
)
from sabtui.app.errors import UserError
from sabtui.cli.main import main

RECORDS = Path(__file__).parents[2] / "data" / "records"
WHOLE, SEEN, TALK = "whole.sab", "seat_2.sab", "talk.sab"
WICKED = '<script>alert("1")</script> & \' " -->'


@cache
def replay_of(name: str) -> Replay:
    return Replay.of(parse_record((RECORDS / name).read_bytes()))


@cache
def write_game(name: str) -> str:
    """Return a game of the records as a page, written once for all tests."""
    return game_html(replay_of(name))


def wicked_game() -> Replay:
    """A game of people whose names and words are written to break out of a page."""
    record = Record((WICKED, "]]>", "</style><img src=x>"), rounds=1, seed=bytes(32)).add_round()
    return Replay.of(record.add_utterance(0, WICKED, text="</p></nav><script src=//x></script>"))


class Page(HTMLParser):
    """The tags and attributes of a page, and the texts of its style and script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, str] = {}
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._within = tag

    def handle_data(self, data: str) -> None:
        self.texts[self._within] = self.texts.get(self._within, "") + data

    def handle_endtag(self, tag: str) -> None:
        del tag
        self._within = ""

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def used(self) -> set[str]:
        """The pictures that it shows."""
        return {tag["href"].removeprefix("#") for tag in self.all("use")}


@cache
def page_of(name: str) -> Page:
    return Page(write_game(name))


@pytest.mark.parametrize("name", [WHOLE, SEEN, TALK, "watched.sab", "begun.sab"])
def test_every_record_is_exported(name: str) -> None:
    assert write_game(name).endswith("</html>\n")


def test_in_a_seats_own_record_only_its_own_hand_is_known_and_its_passes_are_told() -> None:
    *_, last = [
        frame
        for frame in list_frames(replay_of(SEEN))
        if frame.round == 1 and not gold_words(frame.sight, 1)
    ]
    other, own = (_draw_hand(last.sight, seat) for seat in (0, 1))
    assert re.fullmatch(r"\d x <svg.*#back-90.*", other)
    assert own.count("<svg") == last.sight.view.table.hands[1] > 0
    assert "#back" not in own
    passed = [frame for frame in list_frames(replay_of(SEEN)) if frame.move.startswith("x")]
    assert passed
    assert all("discarded" in step.lines[0] for step in passed)


def test_what_was_said_is_told_with_its_worth() -> None:
    said = [line for frame in list_frames(replay_of(TALK)) for line in frame.said]
    assert "A: who, me? (a lie)" in said
    assert "Ida: middle goal is gold (false)" in said
    assert "Wim: A is bluffing (true)" in said
    assert "B: Hello {all}" in said


def test_a_page_asks_for_nothing_and_allows_only_its_own_script() -> None:
    for page in (page_of(WHOLE), Page(game_html(wicked_game()))):
        policy = next(tag["content"] for tag in page.all("meta") if "http-equiv" in tag)
        assert policy.startswith("default-src 'none'; ")
        for kind in ("style", "script"):
            digest = b64encode(sha256(page.texts[kind].encode()).digest()).decode()
            assert f"{kind}-src 'sha256-{digest}'" in policy
        assert len(page.all("script")) == 1
        named = [
            value for _tag, fields in page.tags for key, value in fields.items() if key == "href"
        ]
        assert "img-src data:; " in policy
        pictures = [tag["href"] for tag in page.all("image")]
        assert all(value.startswith("data:image/png;base64,") for value in pictures)
        assert set(pictures) == {value for value in named if not value.startswith("#")}
        keys = {key for _tag, fields in page.tags for key in fields}
        assert not keys & {"src", "style", "action", "srcdoc"}
        assert not any(key.startswith("on") for key in keys)


def test_a_page_shows_one_moment_at_each_step_and_its_end_without_a_script() -> None:
    replay, page = replay_of(WHOLE), page_of(WHOLE)
    end = len(replay.steps) - 1
    parts = [fields for _tag, fields in page.tags if "data-a" in fields]
    for part in parts:
        assert 0 <= int(part["data-a"]) <= int(part["data-z"]) <= end
        assert ("hidden" in part) == (int(part["data-z"]) < end)
    moments = [(tag["data-a"], tag["data-z"]) for tag in page.all("div") if "data-a" in tag]
    assert moments == [(str(step), str(step)) for step in range(end + 1)]
    links = [tag["href"] for tag in page.all("a")]
    assert links == [f"#{step}" for step in range(end + 1)]


def test_a_page_has_each_picture_that_it_shows_once_and_no_others() -> None:
    for name in (WHOLE, SEEN, TALK):
        page = page_of(name)
        defined = [tag["id"] for tag in page.all("symbol")]
        assert sorted(page.used) == sorted(defined)
        pictures = [tag["href"] for tag in page.all("image")]
        assert len(pictures) == len(set(pictures))
    assert len(write_game(WHOLE)) < 420_000


def test_a_page_draws_dwarves_roles_hands_broken_tools_and_gold() -> None:
    used = page_of(WHOLE).used
    assert {"dwarf-0-0-64", "miner-90", "saboteur-90", "break-P-90", "map-90", "pile-1-64"} <= used
    assert any(name.endswith("-broken-64") for name in used)
    assert any(name.startswith("cold-") for name in used), "a tunnel that is cut off"
    assert "lit-start-15-0-144" in used
    assert {"goal-treasure-144", "goal-stone-144"} <= used
    assert "back-90" in page_of(SEEN).used


def test_an_export_is_written_to_a_new_file_only(tmp_path: Path) -> None:
    replay, path = replay_of(TALK), tmp_path / "game.html"
    before = os.umask(0o022)
    try:
        assert save_export(replay, path) == f"Saved: {path}"
    finally:
        os.umask(before)
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o644, "others may read it"
    assert path.read_text(encoding="utf-8") == write_game(TALK)
    with pytest.raises(UserError, match="already exists"):
        save_export(replay, path)
    with pytest.raises(UserError, match="Cannot write"):
        save_export(replay, tmp_path / "nowhere" / "game.html")


def test_the_command_writes_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "\x1b[31mred.html"
    assert main(["replay", str(RECORDS / TALK), "--export", str(path)]) == 0
    assert capsys.readouterr().out == f"Saved: {tmp_path}/\\x1b[31mred.html\n"


def test_a_page_gets_a_name_that_is_free(tmp_path: Path) -> None:
    replay, where = replay_of(TALK), tmp_path / "records"
    assert export_page(replay, "../Gold: Rush", where) == f"Saved: {where / 'Gold-Rush.html'}"
    assert export_page(replay, "Gold Rush", where) == f"Saved: {where / 'Gold-Rush-2.html'}"
    assert export_page(replay, "...", where) == f"Saved: {where / 'game.html'}"
    assert export_page(replay, 300 * "\u91d1", where).startswith("Saved: ")
    (tmp_path / "file").touch()
    assert export_page(replay, "x", tmp_path / "file" / "no").startswith("Cannot write")
    (where / "x.html").mkdir()
    for number in range(2, MAX_PAGES + 1):
        (where / f"x-{number}.html").touch()
    assert "already exists" in export_page(replay, "x", where)
