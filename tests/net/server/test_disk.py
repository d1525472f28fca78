"""A disk that takes no more, and a host that is killed: the table comes back with all it told."""

import asyncio
from pathlib import Path

import pytest

from net.protocol.messages import DiskStatus, Refusal
from net.protocol.requests import Chat, Close, GoUnsaved
from net.secure.keys import SeatKey
from net.server import journal
from net.server.journal import Journal
from net.server.journal_format import Damage, JournalBroken, PutMeta
from net.server.tables import resume
from tests.net.server.journal_tools import POSIX, no_file_beyond
from tests.net.server.served_table import Guest, Hosted, hosting, new_table, run, until

pytestmark = pytest.mark.level("broad")


@pytest.fixture(autouse=True)
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "WRITE_RETRY_S", 0.05)


async def all_are_told(people: list[Guest], disk: DiskStatus) -> None:
    await until(lambda: all(guest.state.status.disk is disk for guest in people))


async def fill(hosted: Hosted, people: list[Guest]) -> int:
    """Somebody says what the disk does not take; the last step that all know of."""
    known = hosted.state.number
    people[1].say(*people[1].state.request(Chat("is this saved?")))
    await all_are_told(people, DiskStatus.FULL)
    assert hosted.state.number == known + 1
    assert all(guest.step == known for guest in people), "nobody knows what is not saved"
    return known


@POSIX
async def test_a_full_disk_pauses_the_table_until_it_takes_all_that_waited(where: Path) -> None:
    async with hosting(where) as hosted:
        ann, ben, cleo = people = await hosted.begin()
        with no_file_beyond(0):
            known = await fill(hosted, people)
            assert await ann.wants(Chat("and this?")) is Refusal.DISK_FULL
            assert await ann.wants(Close()) is Refusal.DISK_FULL
            await cleo.leave()
            twin = hosted.guests[2] = Guest("Cleo", hosted.port, cleo.key)
            twin.pin = cleo.pin
            coming = asyncio.create_task(twin.come_back())
            await until(lambda: len(hosted.host._connections) == 3)
            assert await ann.wants(Chat("no")) is Refusal.DISK_FULL
            assert twin.step == 0, "who comes while it is full is told all later"
            assert hosted.state.number == known + 1
        await coming
        assert twin.step > known
        await all_are_told([ann, ben, twin], DiskStatus.OK)
        await hosted.all_know()
        assert [line.text for line in hosted.state.talk] == ["is this saved?"]
        await hosted.go_on()
    with Journal.open(hosted.table.journal.path) as journal:
        assert journal.last == hosted.state.number


@POSIX
@pytest.mark.parametrize("is_closed", [False, True], ids=["stopped", "closed"])
async def test_the_host_goes_on_unsaved_and_the_journal_ends_where_it_was_full(
    where: Path, *, is_closed: bool
) -> None:
    async with hosting(where) as hosted:
        people = await hosted.begin()
        with no_file_beyond(0):
            known = await fill(hosted, people)
            assert await people[1].wants(GoUnsaved()) is Refusal.HOST_ONLY
            assert await people[0].wants(GoUnsaved()) is None
            await all_are_told(people, DiskStatus.UNSAVED)
            await until(lambda: all(guest.step == known + 1 for guest in people))
            await hosted.go_on()
            if is_closed:
                people[0].say(*people[0].state.request(Close()))
                await hosted.wait_for_end()
    async with run(resume(hosted.table.journal.path), hosted.host_key) as again:
        assert again.state.number == known, "what was not saved is gone"
        for guest in people:
            guest.port, guest.plays = again.port, False
        await asyncio.gather(*(guest.come_back() for guest in people))
        assert people[0].state.status.disk is DiskStatus.OK
        assert people[0].state.status.view == again.state.view(0)
        assert not again.state.talk


@POSIX
async def test_a_table_stopped_while_the_disk_is_full_keeps_what_was_told(where: Path) -> None:
    async with hosting(where) as hosted:
        people = await hosted.begin()
        with no_file_beyond(0):
            known = await fill(hosted, people)
            await hosted.stop()
    with Journal.open(hosted.table.journal.path) as journal:
        assert journal.last == known


@pytest.mark.parametrize(
    ("key", "value"),
    [("founding", b"junk"), ("code", b"junk"), ("code", b"\xff"), ("port", b"junk")],
)
def test_a_journal_of_something_else_is_let_go_of(where: Path, key: str, value: bytes) -> None:
    table = new_table(where, SeatKey.new())
    table.journal.commit([PutMeta(key, value)])
    table.journal.close()
    for _ in range(2):
        with pytest.raises(JournalBroken) as caught:
            resume(table.journal.path)
        assert caught.value.damage is Damage.DAMAGED
