"""What the table answers to keys that can do nothing now, and what it keeps in sight."""

from __future__ import annotations

import pytest
from textual import events

from engine.edition import ITALIA
from net.protocol.lobby import TableClaim, Topic, clean_text
from net.protocol.requests import Chat, MakeClaim
from net.protocol.text import MAX_CHAT_BYTES, MAX_CHAT_CELLS
from sabtui.text import layout
from sabtui.text.width import width
from sabtui.tui.table.side import Side
from tests.sabtui.tui import scenes
from tests.sabtui.tui.lobby_fixture import evening
from tests.samples import first


async def test_keys_that_do_nothing_say_so_and_so_do_digits_of_no_card() -> None:
    async with evening() as at:
        await at.press("y")
        assert at.said == "y does nothing here. ? shows what you can do."
        await at.press("7")
        assert at.said == "You hold 6 cards."
        await at.press("p", "y")
        assert at.said.startswith("y does nothing here.")
    async with evening(scenes.now(scenes.between())) as at:
        await at.press("9")
        assert at.said != ""
        assert at.seat.requests == []


@pytest.mark.parametrize(("typed", "digit"), [("&", 1), ("é", 2), ('"', 3), ("'", 4), ("(", 5)])
async def test_digits_of_a_french_keyboard_need_no_shift(typed: str, digit: int) -> None:
    async with evening() as at:
        await at.press(str(digit))
        expected = at.table.model.selection, at.said
        await at.press("escape", typed)
        assert (at.table.model.selection, at.said) == expected
        assert "does nothing" not in at.said


async def test_what_does_not_fit_into_a_line_of_talk_is_told() -> None:
    async with evening() as at:
        await at.press("t")
        line = at.table.talk_line
        line.post_message(events.Paste("a pasted line\nand another " + "x" * 240))
        await at.pilot.pause()
        assert line.value.startswith("a pasted line and another xxx")
        assert len(line.value) == MAX_CHAT_CELLS
        assert at.said == "The talk line is full: the rest was cut off."
        await at.press("y")
        assert len(line.value) == MAX_CHAT_CELLS
        await at.press("enter")
        assert [type(wanted) for wanted in at.seat.requests] == [Chat]


@pytest.mark.parametrize("letter", ["x", "金", "\u0301", "\x1b", "\n"], ids=ascii)
async def test_a_paste_without_end_is_cut_before_it_is_measured(
    letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = list[int]()

    def measure(text: str) -> int:
        measured.append(len(text))
        assert len(measured) <= MAX_CHAT_BYTES, "one for each letter that can stay"
        return width(text)

    async with evening() as at:
        await at.press("t")
        line = at.table.talk_line
        line.post_message(events.Paste("first"))
        await at.pilot.pause()
        monkeypatch.setattr(layout, "width", measure)
        line.post_message(events.Paste(letter * 100_000))
        await at.pilot.pause()
        assert line.value.startswith("first")
        assert clean_text(line.value) == clean_text("first" + letter * 200)
        assert max(measured, default=0) <= 2 * MAX_CHAT_BYTES


async def test_letters_that_only_pictures_may_use_are_not_taken_into_a_line_of_talk() -> None:
    async with evening() as at:
        await at.press("t")
        line = at.table.talk_line
        line.post_message(events.Paste("dig \U000f0000\x1bhere\U0010eeee\ue0b0"))
        await at.pilot.pause()
        assert line.value == "dig here"


async def test_claims_without_room_are_on_another_page_and_can_be_clicked_there() -> None:
    view = scenes.view()
    broken = (7, *view.table.broken[1:])
    crowded = scenes.now(view._replace(table=view.table._replace(broken=broken)))
    async with evening(crowded, size=(60, 18)) as at:
        await at.press("c")
        assert "1/2 PgDn" in at.shown
        assert "who, me?" not in at.shown
        await at.press("pagedown")
        assert "2/2 PgUp" in at.shown
        row = next(
            at_row for at_row, line in enumerate(at.shown.splitlines()) if "who, me?" in line
        )
        await at.pilot.click(offset=(40, row))
        await at.pilot.pause()
        assert at.seat.requests == [MakeClaim(TableClaim(Topic.WHO_ME))]
        await at.press("c")
        assert "1/2 PgDn" in at.shown, "the list begins anew"
        await at.press("pagedown", "pageup")
        assert "1/2 PgDn" in at.shown


@pytest.mark.parametrize("size", first(1, [((60, 18),), ((80, 24),)], thorough=2), ids=str)
async def test_an_edition_in_which_turns_go_up_the_list_says_so(size: tuple[int, int]) -> None:
    async with evening(size=size) as at:
        assert "players ^" not in at.shown
    view = scenes.view()
    up = view._replace(table=view.table._replace(edition=ITALIA))
    async with evening(scenes.now(up), size=size) as at:
        assert "players ^" in at.shown
    crowd = scenes.crowd()
    up = crowd._replace(table=crowd.table._replace(edition=ITALIA))
    async with evening(scenes.crowd_now(up), size=size) as at:
        assert "players ^" in at.shown
        assert Side.above(at.said, scenes.sight(at.table.status), at.table.model).rows >= 3
