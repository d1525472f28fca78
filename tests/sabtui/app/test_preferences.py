"""What a player likes: kept, read again, and never in the way of playing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sabtui.app.preferences import (
    Bell,
    Preferences,
    PreferencesStore,
    Reactions,
    Theme,
    has_played,
    note_lesson,
    player_name,
    records_folder,
)
from sabtui.art import Art

LIKED = Preferences("Zoë", "en", Art.ASCII, Theme.LIGHT, Bell.OFF, Reactions.OFF)


@pytest.fixture
def store(tmp_path: Path) -> PreferencesStore:
    """What is kept of a player in a file that is not there yet."""
    return PreferencesStore(tmp_path / "settings")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    store = PreferencesStore(tmp_path / "new" / "settings")
    assert store.read() == (Preferences(), "")
    assert store.write(LIKED) == ""
    assert store.read() == (LIKED, "")
    assert [path.name for path in store.path.parent.iterdir()] == ["settings"]


def test_what_an_editor_on_windows_writes_is_read(store: PreferencesStore) -> None:
    store.path.write_bytes(b"\xef\xbb\xbfname = Ana\r\nbell = off\r\n")
    assert store.read() == (Preferences("Ana", bell=Bell.OFF), "")


@pytest.mark.skipif(os.name == "nt", reason="links as on POSIX")
def test_a_link_stays_one_and_what_it_leads_to_is_written(
    store: PreferencesStore, tmp_path: Path
) -> None:
    (tmp_path / "kept").mkdir()
    store.path.symlink_to(tmp_path / "kept" / "sabtui")
    assert store.write(LIKED) == ""
    assert store.path.is_symlink()
    assert PreferencesStore(tmp_path / "kept" / "sabtui").read() == (LIKED, "")


def test_wrong_values_fall_back_alone_and_are_named(store: PreferencesStore) -> None:
    store.path.write_text("name = Ana\nlanguage = xx\nbell = off\nsize = 7\n# mine\n\nnoise\n")
    liked, text = store.read()
    assert liked == Preferences("Ana", bell=Bell.OFF)
    assert "language, an unreadable line" in text


@pytest.mark.parametrize("spoilt", [b"\xff\xfe\x00", b"name = \x1b[31mX\x07\n", b"=\n" * 9])
def test_a_spoilt_file_is_never_fatal(store: PreferencesStore, spoilt: bytes) -> None:
    store.path.write_bytes(spoilt)
    liked, _text = store.read()
    assert liked.name.isprintable()


def test_a_folder_in_the_place_of_the_file_is_told(store: PreferencesStore, tmp_path: Path) -> None:
    store.path.mkdir()
    assert store.read()[0] == Preferences()
    assert ": using the default settings." in store.read()[1]
    assert store.write(LIKED).startswith("Cannot write ")
    assert [path.name for path in tmp_path.iterdir()] == ["settings"]


def test_without_a_name_one_is_called_as_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "bob\x1b[0m")
    assert player_name(Preferences("Ana")) == "Ana"
    assert player_name(Preferences()) == "bob[0m"
    monkeypatch.setattr("getpass.getuser", lambda: "")
    assert player_name(Preferences()) == "Player"


def test_a_kept_game_or_the_lesson_shows_that_one_has_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "a"))
    records_folder().mkdir(parents=True)
    assert not has_played()
    (records_folder() / "2026-11-23-Practice.sab").touch()
    assert has_played()
    (tmp_path / "file").touch()
    for home, is_noted in (("b", True), ("file", False)):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / home))
        note_lesson()
        assert has_played() is is_noted
