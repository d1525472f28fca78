"""The browser door's page in each language, in headless Chromium: form, refusal, table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from net.protocol.requests import PutBot, Start
from sabtui.text.i18n import load_locale
from tests.net.server.served_table import CODE
from tests.sabtui.doors.browser import LAPTOP, LOOPBACK_ONLY, PHONE, Page, browsing
from tests.sabtui.doors.web_table import door
from tests.samples import first

pytestmark = pytest.mark.level("broad")

LANGUAGES = ("pt_BR", "es_AR", "fr", "it", "en")
"""English is last: `test_web_browser` sees it on the way."""

FITS = """(() => {
  const form = [...document.querySelectorAll('label, button, p')]
    .filter((one) => one.offsetParent && !one.closest('#hand'))
  return form.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
    .map((one) => one.textContent)
})()"""
"""A script that returns what stands out of the window, but for the hand, which is swiped."""


async def fits(page: Page) -> None:
    assert await page.run(FITS) == []


DEVICES = {"phone": PHONE, "laptop": LAPTOP}


# `test_web_page` has the page's words, and `test_web_browser` its form
@pytest.mark.level("thorough")
@pytest.mark.parametrize("device", first(1, DEVICES, thorough=len(DEVICES)))
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
        await fits(page)
        assert await page.run("document.documentElement.lang") == language.replace("_", "-")
        await page.fill(name="Zoe", code="no such words")
        wrong = "That is not this table's code: check the two words with the host."
        await page.sees(pattern_of(wrong))
        await fits(page)
        await page.fill(code=str(CODE))
        await page.until("document.querySelectorAll('#people .who').length === 3")
        await fits(page)
        for wanted in (PutBot(2, "Borin", "easy"), Start()):
            assert await opened.host.wants(wanted) is None
        await page.until("document.querySelector('#hand button')")
        await page.type("\r")  # the role card
        await fits(page)
        assert page.troubles == [], json.dumps(page.troubles)
