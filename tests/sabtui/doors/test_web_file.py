"""The host's file of Sabtui, which guests fetch at the browser door by real HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from sabtui.doors import web_server
from sabtui.doors.guests import DOWNLOAD_PLACES
from sabtui.doors.web_page import MAX_FILE_BYTES, PIECE_BYTES, VARIABLE, open_file
from tests.net.server.served_table import until
from tests.sabtui.doors.web_guest import HERE, Gate, OpenDoor, WebGuest, open_door

PACKED = bytes(range(256)) * 40_000  # 10 MB: more than the buffers between two programs hold
SHA256 = sha256(PACKED).hexdigest()
NAME = "sabtui-linux-x86_64.pyz"


def write_file(folder: Path, name: str = NAME) -> Path:
    path = folder / name
    path.write_bytes(PACKED)
    return path


@asynccontextmanager
async def giving(folder: Path) -> AsyncIterator[OpenDoor]:
    with open_file({VARIABLE: str(write_file(folder))}) as given:
        async with open_door(folder / "door", Gate(), given=given) as opened:
            yield opened


async def ask(
    port: int, path: str, address: str = HERE, *, is_small: bool = True
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, str]:
    """Ask for a path, and read no more than the head of the answer.

    Without `is_small` all of the file may find room in the buffers between the two programs.
    """
    link = socket.socket()
    if is_small:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    link.bind((address, 0))
    link.connect((HERE, port))
    reader, writer = await asyncio.open_connection(sock=link, limit=4096)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HERE}:{port}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    return reader, writer, head


async def fetch(port: int, path: str) -> tuple[str, bytes]:
    """Return the head of the answer, and what follows until the connection ends."""
    reader, writer, head = await ask(port, path, is_small=False)
    body = await reader.read()
    writer.close()
    return head, body


async def read_to_the_end(reader: asyncio.StreamReader) -> int:
    """Count what comes until the connection ends, however it does."""
    count = 0
    try:
        while piece := await reader.read(PIECE_BYTES):
            count += len(piece)
    except ConnectionError:
        pass
    return count


async def test_a_guest_gets_the_file_whole_and_with_a_name_to_save_it_by(tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        head, body = await fetch(door.port, f"/{NAME}")
    assert head.startswith("HTTP/1.1 200 OK\r\n")
    assert f"Content-Length: {len(PACKED)}\r\n" in head
    assert head.count("Content-Length") == 1
    assert f'Content-Disposition: attachment; filename="{NAME}"\r\n' in head
    assert "X-Content-Type-Options: nosniff\r\n" in head
    assert sha256(body).hexdigest() == SHA256


async def test_the_page_says_where_the_file_is_and_its_hash(tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        _head, told = await fetch(door.port, "/words.js")
    assert f'"file": "/{NAME}"' in told.decode()
    assert SHA256 in told.decode()


async def test_a_door_without_a_file_says_nothing_of_one(tmp_path: Path) -> None:
    async with open_door(tmp_path / "door", Gate()) as door:
        _head, told = await fetch(door.port, "/words.js")
        head, _body = await fetch(door.port, f"/{NAME}")
    assert '"file"' not in told.decode()
    assert " 404 " in head


@pytest.mark.parametrize(
    "path", ["/sabtui.pyz", f"/../{NAME}", f"/%2e%2e/{NAME}", "/etc/passwd", f"//{NAME}"]
)
async def test_no_other_file_is_given(path: str, tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        head, _body = await fetch(door.port, path)
    assert " 404 " in head


async def test_who_reads_nothing_holds_nobody_up_and_costs_next_to_nothing(tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        slow = [await ask(door.port, f"/{NAME}") for _ in range(3)]
        _head, body = await fetch(door.port, f"/{NAME}")
        assert sha256(body).hexdigest() == SHA256
        anna = await WebGuest.enter(door.port)
        await anna.sees(b"hello")
        for connection in door.door._here:
            assert connection.transport.get_write_buffer_size() <= 2 * PIECE_BYTES
        for _reader, writer, _head in slow:
            writer.close()


async def test_one_address_that_fetches_again_and_again_ends_its_own_first_fetches(
    tmp_path: Path,
) -> None:
    async with giving(tmp_path) as door:
        friend, theirs, _head = await ask(door.port, f"/{NAME}", "127.0.0.2", is_small=False)
        greedy = [await ask(door.port, f"/{NAME}") for _ in range(DOWNLOAD_PLACES)]
        await until(lambda: len(door.door._downloads) == DOWNLOAD_PLACES // 4 + 1)
        assert await read_to_the_end(greedy[0][0]) < len(PACKED)
        assert await read_to_the_end(friend) == len(PACKED)
        for writer in (theirs, *(writer for _reader, writer, _head in greedy)):
            writer.close()


async def test_who_takes_too_long_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "DOWNLOAD_TIMEOUT_S", 0.05)
    async with giving(tmp_path) as door:
        reader, writer, _head = await ask(door.port, f"/{NAME}")
        await until(lambda: not door.door._here)
        assert await read_to_the_end(reader) < len(PACKED)
        writer.close()


async def test_who_asks_for_nothing_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "REQUEST_TIMEOUT_S", 0.05)
    async with giving(tmp_path) as door:
        reader, writer = await asyncio.open_connection(HERE, door.port)
        assert await read_to_the_end(reader) == 0
        writer.close()


async def test_a_page_that_has_asked_in_time_stays(tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        anna = await WebGuest.enter(door.port)
        (connection,) = door.door._here
        assert connection._late is not None
        assert connection._late.cancelled()
        await anna.sees(b"hello")


async def test_a_file_that_changes_is_given_no_more(tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        reader, writer, _head = await ask(door.port, f"/{NAME}")
        (tmp_path / NAME).write_bytes(b"evil" * len(PACKED))
        assert await read_to_the_end(reader) < len(PACKED)
        _head, body = await fetch(door.port, f"/{NAME}")
        assert body == b""
        writer.close()


async def test_a_door_that_closes_ends_downloads(tmp_path: Path) -> None:
    async with giving(tmp_path) as door:
        reader, writer, _head = await ask(door.port, f"/{NAME}")
    assert await read_to_the_end(reader) < len(PACKED)
    writer.close()


def test_a_file_is_given_by_its_name_if_that_is_ours(tmp_path: Path) -> None:
    for name, shown in ((NAME, NAME), ('x"\r\n.pyz', "sabtui.pyz"), ("Sabtui.zip", "sabtui.pyz")):
        with open_file({VARIABLE: str(write_file(tmp_path, name))}) as found:
            assert found is not None
            assert (found.name, found.path, found.sha256) == (shown, f"/{shown}", SHA256)


def test_what_is_no_file_is_not_given(tmp_path: Path) -> None:
    huge = tmp_path / "huge.pyz"
    with huge.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    paths = ["", str(tmp_path), str(tmp_path / "none"), f"{tmp_path}/a\0b", str(huge)]
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        paths.append(str(tmp_path / "pipe"))
    for environment in ({}, *({VARIABLE: path} for path in paths)):
        with open_file(environment) as found:
            assert found is None
