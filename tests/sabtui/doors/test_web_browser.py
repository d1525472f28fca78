"""The browser door in a real browser, headless Chromium, as a phone and as a laptop."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, cast

import pytest
from msgspec import structs

from engine.state import Phase
from net.protocol.doors import DoorKind
from net.protocol.lobby import Settings
from net.protocol.requests import Kick, PutBot, Start
from sabtui.app.launcher import find_doors
from sabtui.doors import serve_by, web_door
from sabtui.text.i18n import load_locale
from tests.net.server.served_table import CODE, HERE, QUICK, SMALL, until
from tests.sabtui.club.server.served_club import serve_folder
from tests.sabtui.doors.browser import (
    HURRY,
    LAPTOP,
    LOOPBACK_ONLY,
    LYING,
    PATIENCE_S,
    PHONE,
    SMALL_PHONE,
    Browser,
    Device,
    Page,
    browsing,
)
from tests.sabtui.doors.open_doors import in_this_process
from tests.sabtui.doors.web_guest import BrowserDoor, Gate, door, open_door
from tests.samples import first, is_run

pytestmark = pytest.mark.level("broad")

LOOK_AGAIN_S = 3.0
"""Seconds after which a person who saw nothing happen looks and acts again."""

IS_SEATED = "document.querySelectorAll('#people .who').length >= 3"


@asynccontextmanager
async def at_door(
    where: Path, tmp_path: Path, settings: Settings = SMALL
) -> AsyncIterator[tuple[BrowserDoor, Browser]]:
    async with (
        in_this_process(),
        door(where, tmp_path / "doors", settings) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        yield opened, browser


@asynccontextmanager
async def in_a_hall(where: Path, tmp_path: Path) -> AsyncIterator[tuple[str, Browser]]:
    """A club with its browser door: the address of the door, and a browser."""
    web = (*find_doors()[DoorKind.WEB].arguments, "0")
    options = replace(QUICK, doors={DoorKind.WEB: serve_by(web, tmp_path / "doors")})
    async with (
        in_this_process(),
        serve_folder(where, options, doors=(DoorKind.WEB,)) as club,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        doors = club.server.entrance.doors.now
        await until(lambda: DoorKind.WEB in doors)
        yield f"http://{HERE}:{doors[DoorKind.WEB].port}/", browser


async def sit(opened: BrowserDoor, browser: Browser, name: str, device: Device) -> Page:
    """A guest opens the link with the code, types a name, and sits at the table."""
    page = await browser.open(device)
    await page.go(f"{opened.address}#{CODE}")
    assert await page.run("location.href") == opened.address, "the code is not shown"
    await page.until("!document.getElementById('door').hidden")
    assert await page.run("document.getElementById('code-row').hidden")
    if device.is_phone:
        await page.fill(name=name)
    else:
        await page.type(f"{name}\r")
    await page.until(IS_SEATED)
    return page


async def deal(opened: BrowserDoor, page: Page) -> None:
    """The host adds a bot and starts a game of three."""
    for wanted in (PutBot(2, "Borin", "easy"), Start()):
        assert await opened.host.wants(wanted) is None
    await page.until("document.getElementById('sheet').open")  # one's own role card


async def do_main(page: Page, device: Device) -> None:
    """Touch the button that goes on, or press Enter."""
    if not device.is_phone:
        await page.type("\r")
    elif not await page.tap("dialog[open] .main"):
        await page.tap("#keys .main")


LOOK = """import('/state.js').then((now) => ({
    step: now.state.own.n, phase: now.phase(), turn: now.isTurn(), log: now.state.log.length,
    sheet: document.getElementById('sheet').open, offer: now.state.own.offer?.length ?? 0,
    first: now.hand().findIndex((kind) => kind.ways.length > 0) + 1,
    at_seat: now.hand().find((kind) => kind.ways.length > 0)?.ways[0].length === 2,
    chosen: !!document.querySelector('#hand .chosen') && now.state.chosen
        === (now.hand().find((kind) => kind.ways.length > 0) ?? now.hand()[0])?.card,
    aimed: !!document.querySelector('.who.chosen, .place.chosen'),
    sure: !!document.querySelector('#keys .sure'),
}))"""
"""A script that returns what a person would see at once."""


class Seen(TypedDict):
    """What a person sees at once."""

    step: int
    phase: str
    turn: bool
    log: int
    sheet: bool
    offer: int
    first: int
    at_seat: bool | None
    chosen: bool
    aimed: bool
    sure: bool


async def play(page: Page, device: Device) -> None:
    """Play the first card that can be played, with fingers or keys, until the game is over."""
    clock = asyncio.get_running_loop().time
    reached, since = (-1, -1), clock()
    while True:
        seen = cast("Seen", await page.run(LOOK))
        if (seen["step"], seen["log"]) != reached:
            reached, since = (seen["step"], seen["log"]), clock()
        assert clock() < since + PATIENCE_S, (
            f"nothing has happened for long: {seen}, {await page.text()}"
        )
        if seen["offer"] and device.is_phone and await page.tap("dialog[open] .gold"):
            pass
        elif seen["sheet"]:
            await do_main(page, device)
        elif seen["phase"] == "over":
            return
        elif seen["turn"]:
            await (touch_card if device.is_phone else type_card)(page, seen)
        elif seen["phase"] != "play":
            await do_main(page, device)
        with suppress(TimeoutError):  # what was done before all was drawn may have had no effect
            async with asyncio.timeout(LOOK_AGAIN_S):
                await page.until(f"({LOOK}).then((now) => JSON.stringify(now) !== '{spell(seen)}')")


def spell(seen: Seen) -> str:
    return json.dumps(seen, separators=(",", ":"))


async def touch_card(page: Page, seen: Seen) -> None:
    """Touch once what is next: a card, or where it is to be played, or that it is to be discarded.

    One touch for each look, as it may hit something else: what it was meant for moved meanwhile.
    So a card can be chosen and no place, or a place and nothing else.
    """
    if not seen["chosen"]:
        await page.tap(f"#hand button:nth-child({seen['first'] or 1})")
    elif not seen["first"]:
        await page.tap("#keys .sure" if seen["sure"] else "#keys button:nth-child(3)")
    elif seen["at_seat"]:
        await page.tap(".who.chosen" if seen["aimed"] else ".who.aim")
    else:
        await page.tap(".place.chosen" if seen["aimed"] else ".place")


async def type_card(page: Page, seen: Seen) -> None:
    """Type a card's number, and how it is to be played."""
    if not seen["chosen"]:
        await page.type(str(seen["first"] or 1))
    await page.type("xx" if not seen["first"] else "n\r" if seen["at_seat"] else "r\r")


DEVICES = {"upright": PHONE, "small": SMALL_PHONE, "lying": LYING, "laptop": LAPTOP}
GAME = structs.replace(SMALL, rounds=3) if is_run("thorough") else SMALL


@pytest.mark.parametrize("device", first(1, DEVICES, thorough=len(DEVICES)))
async def test_a_whole_game_is_played_by_touch_or_keys_and_no_address_outside_is_asked(
    device: str, where: Path, tmp_path: Path
) -> None:
    kind = DEVICES[device]
    async with at_door(where, tmp_path, GAME) as (opened, browser):
        page = await sit(opened, browser, "Zoe", kind)
        await deal(opened, page)
        opened.host.plays = True
        opened.host.move()
        try:
            await play(page, kind)
        except BaseException:
            await page.picture(tmp_path / f"{device}.png")
            raise
        view = opened.hosted.state.view(0)
        assert view is not None
        assert view.phase is Phase.OVER
        await page.go(opened.address)  # it comes back to the same table
        await page.until(f"({LOOK}).then((now) => now.phase === 'over' && now.log > 0)")
        assert page.troubles == []
        ours = re.compile(rf"(https?|ws)://{HERE}:{opened.port}/")
        assert page.asked
        assert [address for address in page.asked if not ours.match(address)] == []


PLACE_OF_START = """(() => {
    const at = document.querySelector('.tile').getBoundingClientRect();
    return [at.left, at.top, at.width].map(Math.round);
})()"""


TOPS_OF_GOALS = """[...document.querySelectorAll('.tile')].slice(-3)
    .map((goal) => goal.getBoundingClientRect().top)"""
"""A script that returns how far down the goals are, which a page draws last, from the north on."""


CHOOSE_AHEAD = """import('/state.js').then((now) => {
    const [kind] = now.hand();
    const hear = (turn, ways) =>
        now.hear({ ...now.state.own, t: 'own', news: [], turn, hand: [{ ...kind, ways }] });
    hear(false, []);
    now.letGo();
    now.choose(kind.card);
    hear(true, [['NES@1n0', 1, 0], ['NES@2n0', 2, 0]]);
    const seen = [now.state.chosen === kind.card, now.state.place];
    const { table } = now.state.parts;
    now.hear({ t: 'public', news: [], table: { ...table, phase: 'deal' } });
    now.choose(kind.card);
    seen.push(now.state.chosen === undefined);
    now.hear({ t: 'public', news: [], table });
    return seen;
})"""
"""A script that chooses a card before one's turn, and between rounds.

Returns whether the first stays chosen, its place once the turn begins, and whether none is between.
"""


END_A_ROUND = """Promise.all([import('/sheets.js'), import('/state.js')]).then(([sheets, now]) => {
    const end = { winner: 'miner', goals: [true, false, false] };
    const news = [{ is: 'round ended', lines: ['The miners are rich.', 'Miners: all.'] }];
    const sheet = document.getElementById('sheet');
    const own = { ...now.state.own, t: 'own', news };
    const hear = (line) => Boolean(now.hear(line).end);
    const steps = [hear({ t: 'public', news: [], end }), hear(own)];
    sheets.showEnd();
    const told = sheet.textContent.includes(news[0].lines.join(''));
    sheet.close();
    sheets.showTalk();  // before the event of the sheet that was closed
    const over = { ...end, lines: ['Ann wins the game.'] };
    steps.push(hear({ t: 'public', news: [], end: over }), hear(own), hear(own));
    return [...steps, told, now.state.held === undefined, sheet.open];
})"""
"""A script that ends a round and then the game for the page; returns what it saw."""


END_WHILE_TYPING = """import('/sheets.js').then((sheets) => {
    const typed = () => document.querySelector('dialog[open] input')?.value ?? null;
    sheets.showTalk();
    document.querySelector('dialog input').value = 'half a sen';
    const seen = [typed()];
    sheets.showInTime(sheets.showEnd);
    seen.push(typed());
    document.getElementById('sheet').close();
    return [...seen, typed()];
})"""
"""A script to which a game's end comes while somebody types; returns what is typed, then `None`."""


BEGIN_ANOTHER = """import('/state.js').then((now) => {
    now.hear({ t: 'public', news: [], end: null });
    now.draw();
})"""
"""A script to which another game begins while a result is still read."""


async def test_fingers_choose_a_card_and_move_the_mine_and_each_end_is_told_once(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page = await sit(opened, browser, "Zoe", PHONE)
        await deal(opened, page)

        async def measure(script: str) -> list[float]:
            return cast("list[float]", await page.run(script))

        await page.until("document.querySelectorAll('.tile[src]').length >= 4")
        await page.run("document.activeElement.blur()")  # as if what had the focus were gone
        await page.type("\r")
        await page.until("!document.getElementById('sheet').open")
        await page.tap("#hand button")
        await page.until("document.querySelector('.held.chosen')")
        tops = await measure(TOPS_OF_GOALS)
        assert tops == sorted(set(tops)), "north is up"
        left, top, width = await measure(PLACE_OF_START)
        await page.drag(((200, 400), (120, 460)))
        moved_left, moved_top, _width = await measure(PLACE_OF_START)
        assert moved_left < left - 40
        assert moved_top > top + 30
        await page.drag(((170, 400), (120, 400)), ((230, 400), (280, 400)))
        assert (await measure(PLACE_OF_START))[2] > width, "the mine is larger"
        assert await page.run(CHOOSE_AHEAD) == [True, "1,0", True]
        assert await page.run(END_A_ROUND) == [False, True, False, True, False, True, True, True]
        assert await page.run(END_WHILE_TYPING) == ["half a sen", "half a sen", None]
        await page.sees("Ann wins the game.")
        await page.run(BEGIN_ANOTHER)
        await page.until("!document.getElementById('sheet').open")
        assert page.troubles == []


NOTE_A_LOST_LINK = """
new MutationObserver(() => { window.lostLink ||= !document.querySelector('.linked') })
  .observe(document, {subtree: true, attributes: true, childList: true})"""
"""A script that notes a lost link, however soon it is back."""


async def test_what_is_said_is_text_for_all_a_claim_is_a_touch_and_leaving_is_asked_twice(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path) as (opened, browser):
        page = await sit(opened, browser, "Zoe", PHONE)
        await page.type("t")
        await page.until("document.querySelector('dialog[open] input')")
        await page.run("document.querySelector('dialog input').value = 'hello <b>you</b> é'")
        await page.run("document.querySelector('dialog form').requestSubmit()")
        await page.sees('Zoe says: "hello <b>you</b> é"')
        await page.type("t")
        said = "document.querySelector('dialog[open] .log')?.textContent.includes('Zoe says: ')"
        await page.until(said)  # what was said stands where one answers it
        await page.until("document.querySelectorAll('dialog[open] .row button').length > 5")
        await page.tap("dialog details .row button")
        await page.sees("north goal is gold")
        await page.run("document.getElementById('sheet').close()")
        await page.run("import('/sheets.js').then(({ showMenu }) => showMenu())")
        last = "[...document.querySelectorAll('#sheet .rows button')].at(-1)"
        await page.until(f"{last}.textContent.startsWith('leave for good')")
        assert "for all to see" not in await page.text(), "a reaction has its own button"
        await page.run(f"{last}.click()")
        yes = "#sheet .row button:not(.main)"
        await page.until(f"document.querySelector('{yes}')?.textContent === 'Yes'")
        before = await page.run("document.getElementById('title').textContent")
        await page.tap(yes)
        await page.until("document.getElementById('sheet').open")
        assert await page.run("document.getElementById('title').textContent") != before
        assert len(opened.names()) == 2
        await page.tap(yes)
        await until(lambda: len(opened.names()) == 1)
        assert page.troubles == []


async def test_a_page_that_hears_nothing_of_its_door_says_so_and_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_door, "BEAT_S", 1e9)  # after the first: as if the host were gone
    async with (
        open_door(tmp_path, Gate()) as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        page = await browser.open(LAPTOP)
        await page.command("Page.addScriptToEvaluateOnNewDocument", source=HURRY)
        await page.go(f"http://{HERE}:{opened.port}/")
        await page.fill(name="Zoe", code="lantern tiger")
        await page.until("document.querySelector('.linked')")
        await page.run(NOTE_A_LOST_LINK)
        await page.until("window.lostLink")
        monkeypatch.setattr(web_door, "BEAT_S", 0.05)
        await page.until("document.querySelector('.linked')")
        assert len(opened.screens) == 1


ON_TOP = """(() => {
    const at = document.querySelector('#hall > *').getBoundingClientRect();
    return document.elementFromPoint(at.left + 5, at.top + 5)?.closest('#hall') !== null; })()"""


async def test_a_phone_sees_a_clubs_hall_opens_a_table_there_and_fills_it_with_bots(
    where: Path, tmp_path: Path
) -> None:
    async with in_a_hall(where, tmp_path) as (address, browser):
        page = await browser.open(PHONE)
        await page.go(f"{address}#{CODE}")
        await page.fill(name="Zoe")
        told = await page.sees("There is no table here yet")
        assert await page.run(ON_TOP), "the mine lies over the hall"
        assert "organiser PASSWORD" not in told, "a phone types no commands"
        assert await page.tap("#keys .main")
        await page.sees("Waiting for 2 more players")
        for _bot in range(2):
            assert await page.tap("#keys button:not(.main):not(.menu)")
        await page.sees("Waiting for the game to start")
        await page.until("document.querySelector('#keys .main') !== null")
        assert await page.tap("#keys .main")
        await page.until("document.getElementById('sheet').open")  # one's own role card


LANGUAGES = ("pt_BR", "es_AR", "fr", "it", "en")
"""English is last: the tests above see it on the way."""

FITS = """(() => {
  const form = [...document.querySelectorAll('label, button, p')]
    .filter((one) => one.offsetParent && !one.closest('#hand'))
  return form.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
    .map((one) => one.textContent)
})()"""
"""A script that returns what stands out of the window, but for the hand, which is swiped."""


async def check_fits(page: Page) -> None:
    assert await page.run(FITS) == []


# `test_web_page` has the page's words, and the tests above its form
@pytest.mark.level("thorough")
@pytest.mark.parametrize("device", first(1, ("upright", "laptop"), thorough=2))
@pytest.mark.parametrize("language", first(1, LANGUAGES, thorough=len(LANGUAGES)))
async def test_a_phone_and_a_laptop_are_spoken_to_in_their_language_from_the_form_to_the_table(
    language: str, device: str, where: Path, tmp_path: Path
) -> None:
    gettext = load_locale(language).catalogue.gettext

    def pattern_of(text: str) -> str:
        return re.escape(gettext(text))

    async with (
        door(where, tmp_path / "doors") as opened,
        browsing(tmp_path, LOOPBACK_ONLY) as browser,
    ):
        accepted = {"Accept-Language": f"{language.replace('_', '-')},en;q=0.5"}
        page = await browser.open(DEVICES[device])
        await page.command("Network.setExtraHTTPHeaders", headers=accepted)
        await page.go(opened.address)
        await page.sees(pattern_of("Your name"))
        await check_fits(page)
        assert await page.run("document.documentElement.lang") == language.replace("_", "-")
        await page.fill(name="Zoe", code="no such words")
        wrong = "That is not this table's code: check the two words with the host."
        await page.sees(pattern_of(wrong))
        await check_fits(page)
        await page.fill(code=str(CODE))
        await page.until("document.querySelectorAll('#people .who').length === 3")
        await check_fits(page)
        for wanted in (PutBot(2, "Borin", "easy"), Start()):
            assert await opened.host.wants(wanted) is None
        await page.until("document.querySelector('#hand button')")
        await page.type("\r")  # the role card
        await check_fits(page)
        await page.run("import('/sheets.js').then(({ showTalk }) => showTalk())")
        zoe = opened.hosted.state.lobby.sitting[1][1].member
        assert await opened.host.wants(Kick(zoe)) is None
        await page.until("!document.getElementById('notice').hidden")
        assert not await page.run("document.getElementById('sheet').open"), "it hid the notice"
        assert page.troubles == [], json.dumps(page.troubles)
