"""A guest at a door of the lost host comes to the new host's door, and has the seat again."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lan.lan import NewLan
from tests.lan.test_going_on import NEW_HOST, pause
from tests.lan.test_playing import all_read, host, join
from tests.lan.test_ssh_door import MINE, ssh

pytestmark = pytest.mark.skipif(
    find_spec("asyncssh") is None, reason="the SSH door needs asyncssh, which is not here"
)


# tests of the room, of its words and of the other LAN tests see each part
@pytest.mark.level("thorough")
@pytest.mark.needs("ssh")
async def test_a_guest_by_ssh_asks_at_the_new_hosts_door_for_the_seat_and_plays_on(
    new_lan: NewLan, tmp_path: Path
) -> None:
    async with new_lan(3) as lan:
        ann = await host(lan, tmp_path / "ann", "--ssh")
        ben = await join(lan, "h3", tmp_path / "ben", "Ben")
        async with await ssh(lan, tmp_path / "eva") as eva:
            await eva.sees("eva(?s:.*)You are in")
            await ann.reads("^eva has joined")
            ann.says("start")
            await all_read("^Round 1: ", ann, ben)
            await pause(ann, ben)
            await lan.run("cable", "h1", "out")
            await ben.reads("open there for eva")
        ben.says("go-on")
        await ben.reads(NEW_HOST)
        await ben.reads(r"^Friends without Sabtui: ssh -p 7351 NAME@10\.77\.0\.3$")
        async with await ssh(lan, tmp_path / "phone", at="10.77.0.3") as eva:
            await ben.reads("^eva 2 asks for eva's seat from another device")
            ben.says("give 3 eva 2")
            await ben.reads("^eva 2 took seat 3 from eva")
            await eva.sees("your hand")
            ben.says("go")
            await eva.sees(MINE)
            eva.type("  1x\r")
            await ben.reads("^eva passed")
