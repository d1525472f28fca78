"""What the page shows, in Chromium: where one may play, the end of a round, a stage, a hall."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from engine.state import Phase
from net.protocol.lobby import Settings
from net.protocol.requests import PlayAgain, PutBot, Start
from tests.net.server.served_table import CODE, SMALL, until
from tests.sabtui.doors.browser import (
    HURRY,
    LYING,
    PHONE,
    PROJECTOR,
    SMALL_PHONE,
    Browser,
    Device,
    Page,
)
from tests.sabtui.doors.test_web_browser import (
    LOOK,
    Seen,
    at_door,
    deal,
    do_main,
    in_a_hall,
    sit,
    touch_card,
)
from tests.sabtui.doors.web_guest import BrowserDoor
from tests.samples import first, is_run

pytestmark = pytest.mark.level("broad")

TURNS = 20 if is_run("thorough") else 2
"""How often a place is tapped twice."""

GAMES = 2 if is_run("thorough") else 1
"""How many games a stage shows."""

PLACES = """(() => {
    const mine = document.getElementById('mine').getBoundingClientRect();
    return [...document.querySelectorAll('.place')].map((place) => {
        const at = place.getBoundingClientRect();
        const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
        const isIn = at.left > mine.left - 1 && at.right < mine.right + 1
            && at.top > mine.top - 1 && at.bottom < mine.bottom + 1;
        const touched = document.elementFromPoint(x, y);
        return { at: place.dataset.at, x, y, inSight: isIn && touched.closest('#mine') !== null };
    });
})()"""
"""A script that returns the places of the chosen card, and which of them can be touched."""


@dataclass(frozen=True)
class Place:
    """A place of the chosen card, and where it is in the window."""

    at: str
    x: float
    y: float
    in_sight: bool


async def find_places(page: Page) -> list[Place]:
    found = cast("list[dict[str, object]]", await page.run(PLACES))
    return [
        Place(str(row["at"]), float(str(row["x"])), float(str(row["y"])), bool(row["inSight"]))
        for row in found
    ]


async def tap_at(page: Page, place: Place) -> None:
    await page.touch("touchStart", (place.x, place.y))
    await page.touch("touchEnd")


async def until_next_turn(page: Page, playing: Awaitable[None]) -> None:
    """Play, and wait until the turn has passed on."""
    since = "import('/state.js').then(({ state }) => state.turnSince)"
    before = await page.run(since)
    await playing
    await page.until(f"({since}).then((now) => now !== {before})")


async def touch_on(page: Page) -> None:
    """Touch what is next until a card is played."""
    while (seen := cast("Seen", await page.run(LOOK)))["turn"]:
        await touch_card(page, seen)
        await asyncio.sleep(0.2)


async def play_and_watch(
    opened: BrowserDoor, browser: Browser, device: Device
) -> tuple[Page, Page]:
    """Return the pages of a player in a game that has begun, and of a watcher at a projector."""
    page = await sit(opened, browser, "Zoe", device)
    await deal(opened, page)
    watcher = await sit(opened, browser, "Wim", PROJECTOR)
    await watcher.sees("You're watching")
    return page, watcher


async def close_sheet(page: Page) -> None:
    """Touch what closes a sheet, again if that was before it was drawn."""
    while await page.tap("dialog[open] .main"):  # noqa: ASYNC110 - a page tells nobody
        await asyncio.sleep(0.2)


async def settle(page: Page) -> None:
    """Wait until the camera rests."""
    before = None
    while (
        now := await page.run(
            "JSON.stringify([...document.querySelectorAll('.tile')]"
            ".map((tile) => tile.getBoundingClientRect()))"
        )
    ) != before:
        before = now
        await asyncio.sleep(0.15)


CARDS_WITH_CELLS = """import('/state.js').then((now) => now.hand()
    .map((kind, at) => kind.ways.length && kind.ways[0].length === 3 ? at + 1 : 0)
    .filter(Boolean))"""


@pytest.mark.parametrize("device", first(1, (PHONE, SMALL_PHONE, LYING), thorough=3))
async def test_each_legal_place_is_in_sight_the_first_tap_chooses_it_and_the_second_plays(
    device: Device, where: Path, tmp_path: Path
) -> None:
    settings = Settings(seats=3, rounds=3, chat=SMALL.chat)
    async with at_door(where, tmp_path, settings) as (opened, browser):
        page = await sit(opened, browser, "Zoe", device)
        await deal(opened, page)
        opened.host.plays = True
        opened.host.move()
        played = 0
        while played < TURNS:
            is_due = "now.turn || now.sheet || now.offer || now.phase !== 'play'"
            await page.until(f"({LOOK}).then((now) => {is_due})")
            seen = cast("Seen", await page.run(LOOK))
            if seen["phase"] == "over":
                assert await opened.host.wants(PlayAgain()) is None
                await page.until(f"({LOOK}).then((now) => now.phase !== 'over')")
            elif seen["offer"] and await page.tap("dialog[open] .gold"):
                pass
            elif seen["sheet"] or not seen["turn"]:
                await do_main(page, device)
            elif cards := cast("list[int]", await page.run(CARDS_WITH_CELLS)):
                await tap_a_place_twice(page, cards[played % len(cards)])
                played += 1
            else:
                await until_next_turn(page, touch_on(page))
            await asyncio.sleep(0.1)
        assert page.troubles == []


async def tap_a_place_twice(page: Page, card: int) -> None:
    """Choose a card, then with two taps the last of its places, and see it played there."""
    share = await page.run(
        "document.getElementById('mine').clientHeight / document.documentElement.clientHeight"
    )
    assert float(str(share)) > 0.5, "the mine comes first"
    tops = await page.run(
        "new Set([...document.querySelectorAll('.held')].map((card) => card.offsetTop)).size"
    )
    edge = "document.getElementById('role').getBoundingClientRect().right <= innerWidth"
    assert await page.run(edge), "one's role is in sight"
    is_lying = await page.run("innerWidth > innerHeight")
    assert is_lying or tops == 1, "all cards stand in one row"
    await settle(page)
    await page.tap(f"#hand button:nth-child({card})")
    await page.until("document.querySelector('.place.chosen')")
    places = await find_places(page)
    assert all(place.in_sight for place in places), places
    place = places[-1]
    if len(places) > 1:
        await tap_at(page, place)
        await page.until(f"document.querySelector('.place.chosen').dataset.at === '{place.at}'")
        assert [(one.at, one.x, one.y) for one in await find_places(page)] == [
            (one.at, one.x, one.y) for one in places
        ], "nothing moves under a finger"
    await page.run("import('/state.js').then(({ state }) => { window.wanted = state.place; })")
    await until_next_turn(page, tap_at(page, place))
    assert await page.run("window.wanted") == place.at


async def test_a_discard_needs_a_second_tap_and_the_role_a_finger_that_stays(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page = await sit(opened, browser, "Zoe", SMALL_PHONE)
        await deal(opened, page)
        role = "import('/state.js').then(({ state }) => state.own.role.text)"
        text = str(await page.run(role))
        shown = "document.documentElement.outerHTML"
        assert text not in str(await page.run(shown)), "nobody has asked to see it"
        await close_sheet(page)
        opened.host.plays = True
        opened.host.move()
        await page.until(f"({LOOK}).then((now) => now.turn && !now.sheet)")
        at = cast(
            "list[float]",
            await page.run(
                "(() => { const at = document.getElementById('role')"
                ".getBoundingClientRect(); return [at.left + 9, at.top + 9]; })()"
            ),
        )
        await page.touch("touchStart", (at[0], at[1]))
        await page.until(f"{shown}.includes({json.dumps(text)})")
        await page.touch("touchEnd")
        await page.until(f"!{shown}.includes({json.dumps(text)})")
        title = await page.run("document.title")
        assert str(title).startswith("\u25b6"), "the tab calls"
        await page.tap("#hand button")
        await page.until("document.querySelector('.held.chosen')")
        await page.tap("#keys button:nth-child(3)")
        await page.until("document.querySelector('#keys .sure')")
        seen = cast("Seen", await page.run(LOOK))
        assert seen["turn"], "it was asked for once"
        await page.tap("#keys .sure")
        await page.until(f"({LOOK}).then((now) => now.step > {seen['step']})")


NOTE_REACTIONS = """(() => {
    const now = Date.now();
    Date.now = () => now;
    window.tapped = window.sent = 0;
    window.shown = [];
    addEventListener('click', () => { window.tapped += 1; });
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) { window.sent += 1; return send.call(this, data); };
    const note = ({ textContent }) =>
        window.shown.includes(textContent) || window.shown.push(textContent);
    new MutationObserver(() => document.querySelectorAll('em:not(.unseen)').forEach(note))
        .observe(document, { subtree: true, childList: true });
})()"""
"""A script with which a page counts taps and what it sends, and notes the reactions that it shows.

Its clock stands still, so that of two taps the second comes too soon, however slow the machine is.
"""


async def test_a_reaction_is_a_tap_a_short_sign_for_all_and_no_second_one_within_a_second(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page, watcher = await play_and_watch(opened, browser, SMALL_PHONE)
        await close_sheet(page)
        for one in (page, watcher):
            await one.run(NOTE_REACTIONS)
        await page.until("document.querySelectorAll('#reactions button').length === 4")
        for word in (2, 3):  # the second comes too soon
            await page.tap(f"#reactions button:nth-child({word})")
        await page.until("window.tapped === 2")
        assert await page.run("window.sent") == 1
        for one in (page, watcher):
            await one.until("window.shown.length")
            await one.until("!document.querySelector('em')")
            assert await one.run("window.shown") == ["bravo!"]
        await watcher.tap("#reactions button")
        await page.until("window.shown.length === 2")
        assert await page.run("window.shown.at(-1)") == "Wim: haha!"
        await page.tap("#hand button")
        await page.until("!document.querySelector('#reactions')")  # it would cover places
        assert page.troubles == []


OVER_HTTP = "Object.defineProperty(navigator, 'wakeLock', { value: undefined })"
"""A script that takes what browsers give to pages of https and of their own computer alone."""


async def test_back_closes_what_is_open_a_film_keeps_a_phone_awake_and_a_hidden_tab_calls(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page = await browser.open(SMALL_PHONE)
        await page.command("Page.addScriptToEvaluateOnNewDocument", source=OVER_HTTP)
        await page.go(f"{opened.address}#{CODE}")
        await page.fill(name="Zoe")
        await page.until("document.querySelectorAll('#people .who').length >= 3")
        while not await page.run("document.getElementById('sheet').open"):
            await page.tap("#keys button:nth-last-child(2)")  # Talk
            await asyncio.sleep(0.2)
        await page.until("document.getElementById('film')?.currentTime > 0")
        await page.run("history.back()")
        await page.until("!document.getElementById('sheet').open")
        await page.run("window.requestAnimationFrame = () => 1")  # as in a tab that is hidden
        for wanted in (PutBot(2, "Borin", "easy"), Start()):
            assert await opened.host.wants(wanted) is None
        opened.host.plays = True
        opened.host.move()
        await page.until("document.title.startsWith('\u25b6')")
        assert page.troubles == []


NOTE_THE_END = """(() => {
    window.seen = [];
    let waited = 0;
    const note = (what) => window.seen.some(([told]) => told === what)
        || window.seen.push([what, waited]);
    const areInSight = () => {
        const mine = document.getElementById('mine').getBoundingClientRect();
        return [...document.querySelectorAll('.turned')].some((goal) => {
            const at = goal.getBoundingClientRect();
            return at.left > mine.left - 1 && at.right < mine.right + 1
                && at.top > mine.top - 1 && at.bottom < mine.bottom + 1;
        });
    };
    import('/state.js').then((now) => {
        const later = setTimeout;
        window.setTimeout = (what, ms = 0) => later(() => {
            if (now.state.held) waited = Math.max(waited, ms);
            what();
        }, ms);
        setInterval(() => {
            if (!now.state.held) return;
            note('ended');
            if (areInSight()) note('goal');
            if (document.getElementById('verdict') && areInSight()) note('verdict');
            if (document.getElementById('sheet').open) note('result');
        }, 20);
    });
})()"""
"""A script with which a page notes the parts of a round's end in the order in which they are seen.

With each it notes the longest wait, in ms, that the page has asked for until then: what passes by
the clock depends on the machine.
"""


async def test_the_goal_turns_where_all_look_then_who_has_won_is_told_and_then_the_result(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page, watcher = await play_and_watch(opened, browser, PHONE)
        for one in (page, watcher):
            await one.run(NOTE_THE_END)
        opened.host.plays = True
        opened.host.move()
        await page.run("import('/state.js').then((now) => now.send({ do: 'auto' }))")
        await close_sheet(page)
        for one in (page, watcher):
            await one.until("window.seen.length === 4")
            told = dict(cast("list[tuple[str, float]]", await one.run("window.seen")))
            assert list(told) == ["ended", "goal", "verdict", "result"]
            assert 1500 < told["verdict"] < 6000, "all have a moment for the treasure"
        assert page.troubles == []


NOTE_THE_PODIUM = """
new MutationObserver(() => { window.podium ||= document.querySelector('dialog[open] #podium') })
  .observe(document, {subtree: true, attributes: true, childList: true})"""
"""A script with which a page notes a podium, which a page in a hurry shows for 1.5 s."""


async def test_a_stage_that_nobody_looks_after_shows_each_game_and_the_lobby_again_after_it(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        stage = await browser.open(PROJECTOR)
        await stage.command("Page.addScriptToEvaluateOnNewDocument", source=HURRY)
        await stage.command("Page.addScriptToEvaluateOnNewDocument", source=NOTE_THE_PODIUM)
        await stage.go(f"{opened.address}stage#{CODE}")
        await stage.sees(str(CODE))
        await stage.until("document.querySelector('#join.large svg path')")
        assert opened.names() == ["Ann", "Projector"]
        for seat in (1, 2):
            assert await opened.host.wants(PutBot(seat, f"Bot {seat}", "easy")) is None
        opened.host.plays = True
        assert await opened.host.wants(Start()) is None
        for _game in range(GAMES):
            opened.host.move()
            await stage.until("import('/state.js').then((now) => now.isGame())")
            await stage.until("document.querySelector('.tile[src]')")
            await until(lambda: opened.host.is_over)
            await stage.until("window.podium")
            await stage.run("window.podium = null")
            await stage.until("!document.getElementById('sheet').open")
            await stage.until("document.querySelector('#join.large')")
            assert await opened.host.wants(PlayAgain()) is None
            await stage.until("import('/state.js').then((now) => !now.state.held)")
        assert stage.troubles == []


async def test_in_a_wide_window_a_hall_shows_its_tables_and_a_click_sits_down_there(
    where: Path, tmp_path: Path
) -> None:
    async with in_a_hall(where, tmp_path) as (address, browser):
        host = await browser.open(PHONE)
        await host.go(f"{address}#{CODE}")
        await host.fill(name="Gus")
        await host.sees("no table here yet")
        await host.go(address)  # it comes back
        await host.sees("no table here yet")
        assert await host.tap("#keys .main")
        await host.sees("Waiting for 2 more players")
        for device, path in ((PROJECTOR, ""), (PROJECTOR, "stage")):
            page = await browser.open(device)
            await page.go(f"{address}{path}#{CODE}")
            if not path:
                await page.fill(name="Hal")
            await page.sees("Gus's table")
            assert "no table here yet" not in await page.text(), "nothing stale stays"
            table = "document.querySelector('#hall button')"
            at = cast(
                "list[float]",
                await page.run(
                    f"(() => {{ const at = {table}.getBoundingClientRect();"
                    " return [at.left + at.width / 2, at.top + at.height / 2]; })()"
                ),
            )
            for kind in ("mousePressed", "mouseReleased"):
                await page.command(
                    "Input.dispatchMouseEvent",
                    type=kind,
                    x=at[0],
                    y=at[1],
                    button="left",
                    clickCount=1,
                )
            await page.until("document.querySelector('.lobby #people .who')")
            assert page.troubles == []
        await host.tap("#keys button:not(.main):not(.menu)")  # a bot
        await host.run("import('/sheets.js').then(({ showSettings }) => showSettings())")
        await host.run("document.querySelectorAll('dialog details')[1].open = true")
        await host.tap("dialog details:nth-of-type(2) button")
        await host.sees("1 round\\b")
        await host.run("import('/state.js').then((now) => now.send({ do: 'quit' }))")
        await host.sees("Leave for now")
        await host.tap("dialog[open] .row button:not(.main)")
        await host.sees("In the hall: ")


async def test_ones_dwarf_is_picked_by_taps_in_the_lobby_and_comes_along_to_the_next_table(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page = await sit(opened, browser, "Zoe", PHONE)
        seen = (
            "import('/state.js').then((now) => now.seats().find(({{ name }}) => name === '{}')?.{})"
        )
        for tapped, look in ((4, "face"), (8, "colour")):
            await page.tap_once_there("#people [aria-label^='You:']")
            kind = 1 if look == "face" else 2
            await page.until(
                "(([...all]) => all.length === 20 && all.every((one) => one.naturalWidth > 0))"
                "(document.querySelectorAll('dialog[open] .looks img'))"
            )
            await page.tap_once_there(
                f"dialog[open] .looks:nth-of-type({kind}) button:nth-child({tapped})"
            )
            await page.until(f"({seen.format('Zoe', look)}).then((at) => at === {tapped - 1})")
            await close_sheet(page)
        await page.run("localStorage.removeItem('sabtui seat')")
        await page.go(opened.address)
        await page.until("!document.getElementById('door').hidden")
        await page.fill(name="Yan", code=str(CODE))
        for look, at in (("face", 4), ("colour", 8)):  # as Zoe has the one before
            await page.until(f"({seen.format('Yan', look)}).then((now) => now === {at})")
        assert page.troubles == []


AS_OLD = """
for (const name of ['findLast', 'at']) {
    delete Array.prototype[name]; delete Uint8Array.prototype[name]; delete String.prototype[name];
}
delete Object.hasOwn;
delete HTMLDialogElement.prototype.showModal;
delete HTMLDialogElement.prototype.close;
delete window.HTMLDialogElement;
"""
"""A script that takes from a browser what those of 2020 did not have."""


@pytest.mark.level("thorough")
async def test_a_browser_of_2020_plays_a_game_and_one_without_scripts_reads_a_sentence(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page = await browser.open(PHONE)
        await page.command("Page.addScriptToEvaluateOnNewDocument", source=AS_OLD)
        await page.go(f"{opened.address}#{CODE}")
        await page.fill(name="Zoe")
        await page.until("document.querySelectorAll('#people .who').length >= 3")
        await deal(opened, page)
        opened.host.plays = True
        opened.host.move()
        await close_sheet(page)
        while opened.hosted.state.view(0).phase is Phase.PLAY:  # type: ignore[union-attr] # - a game is under way
            seen = cast("Seen", await page.run(LOOK))
            if seen["turn"] and not seen["sheet"]:
                await touch_card(page, seen)
            await asyncio.sleep(0.2)
        assert page.troubles == []
        plain = await browser.open(PHONE)
        await plain.command("Emulation.setScriptExecutionDisabled", value=True)
        await plain.command("Network.setExtraHTTPHeaders", headers={"Accept-Language": "fr"})
        await plain.command("Page.navigate", url=opened.address)
        shown = ""
        async with asyncio.timeout(30):
            while "Tu lis encore ceci ?" not in shown:
                await asyncio.sleep(0.05)
                shown = str(await plain.command("DOM.getDocument", depth=-1))
