"""A phone's browser on a test LAN: `python -m tests.lan.browse FOLDER ADDRESS NAME CODE [PATTERN]`.

It loads the page, enters, and prints `seated` once it sees the pattern, the pattern of a lobby
unless it is given. Then it does what its lines say and answers each: `sees PATTERN`, `type KEYS`,
`tap SELECTOR`, `text`, which gives all that is to be seen as JSON, and `asked`, which lists the
addresses that the page has asked.
"""

import asyncio
import json
import sys
from pathlib import Path

from tests.sabtui.doors.browser import PHONE, Page, browsing, end_browsers

LOBBY = "Waiting for "


async def main(folder: str, address: str, name: str, code: str, seated: str = LOBBY) -> None:
    """Browse until the standard input ends."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with browsing(Path(folder)) as browser:
        page = await browser.open(PHONE)
        write_line("open")
        await page.go(address)
        await page.sees("Your name")
        await page.fill(name=name, code=code)
        await page.sees(seated)
        write_line("seated")
        while line := (await reader.readline()).decode().rstrip("\n"):
            write_line(await obey(page, *line.split(" ", 1)))
    end_browsers()


async def obey(page: Page, verb: str, pattern: str = "") -> str:
    """Do what a line says, and return the answer."""
    if verb == "asked":
        return " ".join(page.asked)
    if verb == "text":
        return json.dumps(await page.text())
    if verb == "type":
        await page.type(pattern)
    elif verb == "tap":
        await page.tap(pattern)
    else:
        await page.sees(pattern)
    return f"{verb} {pattern}"


def write_line(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201 - it speaks through a pipe


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
