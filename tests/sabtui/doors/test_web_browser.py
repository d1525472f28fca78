"""The browser door in a real browser, headless Chromium, as a phone and as a laptop."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine.state import Phase
from net.protocol.requests import PutBot, Start
from net.secure.code import BadCode, RoomCode, words
from sabtui.art.catalogue import Drawing
from sabtui.art.colours import list_shades
from sabtui.art.kitty import Placed, number_picture
from sabtui.art.store import number_names, read_sprite
from sabtui.doors import web_server
from sabtui.text.doors import door_full
from sabtui.text.i18n import load_locale
from tests.net.server.served_table import CODE, HERE, until
from tests.sabtui.doors.browser import LAPTOP, LOOPBACK_ONLY, PHONE, Browser, Device, Page, browsing
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.web_guest import Gate, open_door
from tests.sabtui.doors.web_table import Door, door

pytestmark = pytest.mark.broad

HINT = r"\bi hint"
READY = "You are in"
RESULT = "(wins? the game|share the win)(?s:.*)gold"
"""The final table, in place of the mine once all dwarves are unveiled."""

CURSOR = "!!document.querySelector('.xterm-cursor')"
"""A script that is true while the terminal's own cursor is to be seen."""


@asynccontextmanager
async def at_door(where: Path, tmp_path: Path) -> AsyncIterator[tuple[Door, Browser]]:
    async with (
        in_this_process(),
        door(where, tmp_path / "doors") as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        yield opened, browser


async def sit(opened: Door, browser: Browser, name: str, device: Device) -> Page:
    """A guest opens the page, types name and code, and sits at the table."""
    page = await browser.open(device)
    await page.go(opened.address)
    await page.sees("Your name")
    await page.fill(name=name, code=str(CODE).replace("-", " ").upper())
    await page.sees(READY)
    return page


async def play(page: Page, device: Device) -> bool:
    """Play by the table's own hints until the game is over, with fingers or keys.

    Returns True if the terminal's cursor was seen meanwhile.
    """
    pointed = False
    while "game over" not in (text := await page.sees(r"YOUR (?:TURN|GOLD)|game over")):
        if re.search("Enter do it|Enter: ", text):
            await (page.press("Enter") if device.is_phone else page.type("\r"))
        elif re.search(HINT, text):
            await (page.tap_in(text, HINT) if device.is_phone else page.type("i"))
        await page.changes(text)
        pointed |= bool(await page.run(CURSOR))
    return pointed


@pytest.mark.thorough  # `test_web_languages` and the next ones see each part of it
async def test_a_phone_and_a_laptop_play_a_whole_game_and_ask_no_address_outside(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        phone = await sit(opened, browser, "Zoe", PHONE)
        laptop = await sit(opened, browser, "Bruno", LAPTOP)
        assert opened.names() == ["Ann", "Zoe", "Bruno"]
        opened.host.plays = True
        opened.host.move()
        try:
            pointed = await asyncio.gather(play(phone, PHONE), play(laptop, LAPTOP))
        except BaseException:
            await phone.picture(tmp_path / "phone.png")
            await laptop.picture(tmp_path / "laptop.png")
            raise
        view = opened.hosted.state.view(0)
        assert view is not None
        assert view.phase is Phase.OVER
        assert any(pointed)
        for page in (phone, laptop):
            await page.sees(RESULT)
            assert not await page.run(CURSOR), "it points at nothing any more"
            await page.go(opened.address)  # a new terminal, in which all has to be set again
            await page.sees(RESULT)
            assert not await page.run(CURSOR)
            assert page.troubles == []
            assert page.asked
            ours = re.compile(rf"(https?|ws)://{HERE}:{opened.port}/")
            assert [address for address in page.asked if not ours.match(address)] == []


@pytest.mark.thorough  # as in `test_web_server`
async def test_a_guest_for_whom_there_is_no_screen_reads_why_and_may_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "MAX_SCREENS", 0)
    async with (
        open_door(tmp_path, Gate()) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        page = await browser.open(LAPTOP)
        await page.go(f"http://{HERE}:{opened.port}/")
        await page.fill(name="Zoe", code="lantern tiger")
        await page.sees(re.escape(door_full()))
        await page.until("!document.getElementById('enter').disabled")
        monkeypatch.setattr(web_server, "MAX_SCREENS", 1)
        await page.fill(name="Zoe", code="lantern tiger")
        await page.sees("hello")


NOTE_A_LOST_LINK = """
new MutationObserver(() => { window.lostLink ||= !document.querySelector('.linked') })
  .observe(document, {subtree: true, attributes: true, childList: true})"""
"""A script that notes a lost link, however soon it is back."""


@pytest.mark.thorough  # a page is cut off on a LAN in each run; `test_web_server` asks again
async def test_a_page_tells_of_a_wrong_code_and_comes_back_to_its_place_if_loaded_anew_or_cut_off(
    tmp_path: Path,
) -> None:
    gate = Gate()
    async with (
        open_door(tmp_path, gate) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        address = f"http://{HERE}:{opened.port}/"
        page = await browser.open(PHONE)
        await page.go(address)
        await page.fill(name="Zoe", code="no such words")
        await page.sees("That is not this table's code")
        assert gate.settled == [], "it was never sent"
        await page.fill(code="amber tiger")
        await until(lambda: gate.settled == [False])
        await page.until("!document.getElementById('enter').disabled")
        await page.fill(code=str(CODE).replace("-", " ").upper())
        await page.sees("hello")
        assert gate.settled == [False, True]
        await page.go(address)
        await page.sees("REDRAWN")
        await page.run(NOTE_A_LOST_LINK)
        await page.run("window.dispatchEvent(new Event('online'))")
        await page.until("window.lostLink")
        await page.until("document.querySelector('.linked')")
        await page.type("still here")
        await page.sees("STILL HERE")
        assert len(opened.screens) == 1
        assert gate.settled == [False, True], "it came back without the code"


async def deal(opened: Door, page: Page) -> None:
    """The host adds a bot and starts a game of three."""
    for wanted in (PutBot(2, "Borin", "easy"), Start()):
        assert await opened.host.wants(wanted) is None
    await page.sees(r"Zoe\S* +3 Borin(?s:.*)your hand")  # the players in a strip: it is laid out


async def read_numbers(page: Page, numbers: list[int]) -> object:
    """What the page makes of numbers of pictures."""
    script = f"""import('/pictures.js').then(({{ readNumber }}) => {json.dumps(numbers)}
        .map(readNumber).map((one) => [one.name, one.across, one.down, one.columns, one.rows,
                                       one.isDark, one.isGlass]))"""
    return await page.run(script)


GOAL = Drawing("goal")
COUNT_POINTS = """(() => {
  const canvas = document.querySelector('#terminal canvas.pictures');
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const isNear = (at) => [%s, 255].every((part, n) => Math.abs(part - data[at + n]) < 24);
  return data.filter((_, at) => at %% 4 === 0 && isNear(at)).length;
})()"""
"""A script that counts the points of pictures that have nearly one colour."""


async def test_a_page_draws_pictures_of_cards_and_fingers_choose_one_and_move_the_mine(
    where: Path, tmp_path: Path
) -> None:
    pictures = [
        Placed(Drawing(name, across), size, is_dark, is_glass)
        for name, size in (("goal", (9, 4)), ("miner", (12, 8)), ("lit-path-15-2", (18, 8)))
        for across, is_dark, is_glass in product((False, True), repeat=3)
    ]
    ((blue, _count),) = Counter(b"".join(read_sprite(GOAL, (72, 64)).rows)).most_common(1)
    seen = COUNT_POINTS % ", ".join(map(str, list_shades()[blue].colour))
    async with at_door(where, tmp_path) as (opened, browser):
        page = await sit(opened, browser, "Zoe", PHONE)
        numbers = [number_picture(picture) for picture in pictures]
        assert await read_numbers(page, numbers) == [
            [number_names()[name], across, down, *cells, is_dark, is_glass]
            for (name, across, down), cells, is_dark, is_glass in pictures
        ]
        await deal(opened, page)
        await page.until(f"{seen} > 100")  # three goals of 4x2 cells
        await choose_card_and_move_mine(page)
        await page.type("?")  # help covers all
        await page.until(f"{seen} === 0")
        assert page.troubles == []


async def choose_card_and_move_mine(page: Page) -> None:
    """Touch a card of the hand, move the mine with a finger, and enlarge it with two."""
    lines = (await page.sees(r"\n── your hand ─+\n 1")).splitlines()
    hand = next(row for row, text in enumerate(lines) if "your hand" in text)
    rows = await page.rows()
    await page.type("  ")  # one's own role card is turned over, and that is skipped
    await page.sees("── your role ─")
    await page.tap_cell(2, hand + 1, rows)
    await page.sees(r"\n 1>")
    before = axis(await page.text())
    middle = await page.place(22, 8, rows)
    await page.swipe(middle, (middle[0] - 120, middle[1]))
    await page.until_text(lambda text: axis(text) != before)
    await page.pinch(middle, 40, 160)
    await page.until_text(lambda text: re.search(r"\d {4,}\d", axis(text)) is not None)


def axis(text: str) -> str:
    """The names of the columns above the mine."""
    return text.splitlines()[1]


@pytest.mark.thorough  # `test_web_languages` and `test_web_page` see it in parts
@pytest.mark.parametrize(("asked", "language"), [("fr-CA", "fr"), ("pt-PT,en", "pt_BR")])
async def test_page_and_screen_speak_the_language_of_the_browser(
    asked: str, language: str, where: Path, tmp_path: Path
) -> None:
    told = load_locale(language).catalogue.gettext
    async with at_door(where, tmp_path) as (opened, browser):
        page = await browser.open(LAPTOP)
        await page.command("Network.setExtraHTTPHeaders", headers={"Accept-Language": asked})
        await page.go(opened.address)
        await page.sees(re.escape(told("Your name")))
        await page.fill(name="Zoe", code=str(CODE))
        await page.sees(re.escape(told("You are in.")))
        assert await page.run("document.documentElement.lang") == language.replace("_", "-")


def parse_code(typed: str) -> str:
    """What Python makes of a typed code, "" if it is none."""
    try:
        return str(RoomCode.parse(typed))
    except BadCode:
        return ""


@pytest.mark.thorough  # the page before types its code, and `test_code` reads mistyped ones
async def test_the_page_reads_a_typed_code_as_the_table_does(tmp_path: Path) -> None:
    rng = Random(7361)
    typed = [
        "",
        "lantern",
        "no such",
        "a b c",
        "LANTERN-tiger",
        " lanterntiger ",
        "\uff4cantern tiger",
    ]
    for _ in range(200):
        first, second = rng.sample(words(), 2)
        at = rng.randrange(len(first))
        slip = rng.choice((first[:at] + first[at + 1 :], first[:at] + "x" + first[at:], first))
        typed.append(slip + rng.choice((" ", "-", "", ". ")) + second)
    async with (
        open_door(tmp_path, Gate()) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        page = await browser.open(LAPTOP)
        await page.go(f"http://{HERE}:{opened.port}/")
        script = f"""Promise.all([import('/code.js'), import('/words.js')]).then(([code, told]) =>
            {json.dumps(typed)}.map((text) => code.parseCode(text, told.default.codeWords)))"""
        assert await page.run(script) == [parse_code(text) for text in typed]
