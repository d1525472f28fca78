"""docs/protocol.md: a client written from it alone plays a game, and its tables match the code."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import re
import secrets
from dataclasses import replace as with_changes
from pathlib import Path
from typing import Final, get_args

from msgspec import Struct
from spake2.parameters.ed25519 import ParamsEd25519

from engine import Phase
from engine.cards import CARDS, PATHS
from engine.events import GoldEvent
from net.discovery.advert import OURS, Advert, AdvertStage, DoorPorts, read_question, write_answer
from net.protocol import board, chat, lobby
from net.protocol import lobby as model
from net.protocol.game_wire import EVENT_ROWS, MOVE_ROWS, OwnWire, PublicWire, ScoreWire, TableWire
from net.protocol.hall import Visit
from net.protocol.lobby_events import LobbyEvent
from net.protocol.messages import CLIENT_KINDS, HOST_KINDS, CloseReason, DiskStatus, Refusal
from net.protocol.requests import TableRequest
from net.secure.handshake import HANDSHAKE_CLIENT_KINDS, HANDSHAKE_HOST_KINDS, RejectReason
from tests.docs import page_client, page_formats
from tests.docs.page_client import PageClient
from tests.docs.page_formats import question, read_answer
from tests.docs.pages import ROOT, tables
from tests.net.server.journal_tools import quick_folder
from tests.net.server.served_table import CODE, HERE, Hosted, hosting

PAGE: Final = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


async def play(client: PageClient, *, until_step: int | None = None) -> None:
    """Play until the game's record has come, or up to a step."""
    async with asyncio.timeout(20):
        while not client.record and (until_step is None or client.step < until_step):
            await client.take()
            client.move()


async def agree(hosted: Hosted, client: PageClient) -> None:
    """Follow the last steps, as somebody may say `ready` at the very end; compare the pasts."""
    while client.step < hosted.state.number:
        await client.take()
    assert client.running == hosted.state.running


async def begin(hosted: Hosted, client: PageClient) -> None:
    """Let two guests of the project and the client come and sit down."""
    guests = await hosted.come("Ann", "Ben")
    await client.join()
    while client.seat < 0:
        await client.take()
    seat = client.seat
    client.request("stand-up")
    while client.seat >= 0:
        await client.take()
    client.request("sit", seat)
    while client.seat < 0:
        await client.take()
    for guest in guests:  # not before: all who sit are ready, and the host starts at once
        guest.plays = True
        guest.move()


async def test_a_client_written_from_the_page_alone_plays_a_game_to_its_end() -> None:
    with quick_folder() as where:
        async with hosting(where) as hosted:
            client = PageClient("Paige", HERE, hosted.port, str(CODE))
            await begin(hosted, client)
            await play(client)
            state = hosted.state
            assert state.phase is Phase.OVER
            assert state.game is not None
            assert [list(cards) for cards in client.gold] == [
                list(cards) for cards in state.game.purse.held
            ]
            assert client.moves > 0
            assert client.refusals == []
            await agree(hosted, client)
            assert client.check_seeds() == 1
            before = client.snapshots
            client.resync()  # it compares both hashes with those of the snapshot
            while client.snapshots == before:
                await client.take()
            await client.close()


async def test_it_comes_back_by_its_key_and_gets_the_steps_that_it_missed() -> None:
    with quick_folder() as where:
        async with hosting(where) as hosted:
            client = PageClient("Paige", HERE, hosted.port, str(CODE))
            await begin(hosted, client)
            await play(client, until_step=client.step + 6)
            await client.close()
            snapshots = client.snapshots
            await client.come_back()
            await play(client)
            assert client.snapshots == snapshots
            assert client.refusals == []
            await agree(hosted, client)
            await client.close()


def test_the_client_knows_nothing_but_the_page() -> None:
    folder = Path(__file__).parent
    sources = [(folder / f"page_{name}.py").read_text("utf-8") for name in ("client", "formats")]
    imported = {
        getattr(node, "module", None) or node.names[0].name
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
    } - {page_formats.__name__}
    packages = {name.partition(".")[0] for name in imported}
    assert not packages & {"engine", "net", "sabtui", "tests", "importlib"}


# The tables of the page.


def fields_of(cell: str) -> tuple[str, ...]:
    """Name the fields in a cell such as `low, high: versions; nonce: 32 bytes`."""
    said = [part.partition(":")[0] for part in cell.split(";")] if cell else []
    return tuple(name.split("(")[0].strip() for part in said for name in part.split(","))


def rows_of(*headers: str) -> dict[str, tuple[str, ...]]:
    """Gather the rows of all tables whose first column is headed so: name and fields."""
    rows: dict[str, tuple[str, ...]] = {}
    for table in tables(PAGE):
        if table.header[0] in headers:
            for name, cell, *_ in table.rows:
                assert rows.get(name, fields_of(cell)) == fields_of(cell), name
                rows[name] = fields_of(cell)
    return rows


def shapes(*kinds: type[Struct]) -> dict[str, tuple[str, ...]]:
    """Name the fields of wire types, by tag."""
    tagged = {str(kind.__struct_config__.tag): kind.__struct_fields__ for kind in kinds}
    return {(tag if tag.isdecimal() else f"`{tag}`"): names for tag, names in tagged.items()}


def test_the_page_has_every_message_with_its_fields() -> None:
    handshake = (*HANDSHAKE_CLIENT_KINDS, *HANDSHAKE_HOST_KINDS)
    assert rows_of("message") == shapes(*CLIENT_KINDS, *HOST_KINDS, *handshake, Visit)


def test_the_page_has_every_request_lobby_event_event_and_move_with_its_fields() -> None:
    assert rows_of("request") == shapes(*get_args(TableRequest))
    assert rows_of("tag") == shapes(*get_args(LobbyEvent))
    assert rows_of("event") == shapes(*(row.form for row in EVENT_ROWS))
    assert rows_of("move") == shapes(*(row.form for row in MOVE_ROWS))


def test_the_page_has_every_value_of_a_snapshot_with_its_fields() -> None:
    kinds = {
        "lobby": model.Lobby,
        "settings": model.Settings,
        "evening": lobby.Evening,
        "row": lobby.EveningRow,
        "person": model.Person,
        "dwarf": model.Dwarf,
        "relocation": model.Relocation,
        "deserted": model.Deserted,
        "draw": model.SeedDraw,
        "drawer": model.Drawer,
        "public": PublicWire,
        "table": TableWire,
        "score": ScoreWire,
        "own": OwnWire,
        "claim": model.TableClaim,
        "line of talk": chat.ChatLine,
        "when": chat.Moment,
    }
    assert rows_of("value") == {name: kind.__struct_encode_fields__ for name, kind in kinds.items()}
    on_board = {
        "board": board.HallBoard,
        "table": board.HallTable,
        "night": board.Night,
        "round": board.NightRound,
        "table of a round": board.NightTable,
    }
    told = {name: kind.__struct_encode_fields__ for name, kind in on_board.items()}
    assert rows_of("on a board") == told


def words_after(opening: str) -> set[str]:
    """Return the words in backticks in the paragraph that begins so."""
    paragraph = " ".join(PAGE[PAGE.index(opening) :].partition("\n\n")[0].split())
    return set(re.findall(r"`([^`]+)`", paragraph))


def test_the_page_has_every_reason_of_the_host() -> None:
    assert words_after("The reasons for refusing one:") == set(Refusal)
    assert words_after("The reasons for closing a connection:") == set(CloseReason)
    row = PAGE[PAGE.index("| `handshake-refused` | why") :].partition("\n")[0]
    assert set(re.findall(r"`([a-z ]+)`", row)) == set(RejectReason)
    row = PAGE[PAGE.index("| `disk` | disk") :].partition("\n")[0].removeprefix("| `disk` |")
    assert set(re.findall(r"`([a-z ]+)`", row)) == set(DiskStatus)


def test_the_page_names_the_events_that_a_ledger_has() -> None:
    said = " ".join(PAGE.split())
    found = re.search(r"`ledger` those of the events ([^.]*) that it received", said)
    assert found is not None
    tags = {row.kind: str(row.form.__struct_config__.tag) for row in EVENT_ROWS}
    assert set(re.findall("`([a-z]+)`", found[1])) == {tags[kind] for kind in get_args(GoldEvent)}


def test_the_page_numbers_the_cards_and_paths_as_the_code_does() -> None:
    said = " ".join(PAGE.split())
    cards, paths = (re.search(rf"0 to {most} for ([^.:]*)[.:]", said) for most in (26, 25))
    assert cards is not None
    assert paths is not None
    assert cards[1].split(", ") == [card.text for card in CARDS]
    assert paths[1].split(", ") == [path.text for path in PATHS]
    assert [card.text for card in CARDS] == page_formats.CARDS
    assert [path.text for path in PATHS] == page_formats.PATHS
    sums = [sum(1 << "NESW".index(side) for side in path.text.upper()) for path in PATHS]
    dead_ends = [path.text.islower() for path in PATHS]
    assert [*zip(dead_ends, sums, strict=True)] == sorted(zip(dead_ends, sums, strict=True))
    for path in PATHS:
        assert page_formats.card_played("laid", path.index) == path.card.index


def test_the_page_has_the_points_of_the_key_exchange() -> None:
    for point in (ParamsEd25519.M, ParamsEd25519.N):
        assert f"`{point.to_bytes().hex()}`" in PAGE


def test_the_page_tells_the_list_of_words_by_its_hash() -> None:
    words = (ROOT / "net" / "secure" / "words.txt").read_bytes()
    assert f"of the {len(words.split())} in `net/secure/words.txt`" in PAGE
    assert f"`{hashlib.sha256(words).hexdigest()}`" in PAGE


def test_a_probe_is_as_the_page_says() -> None:
    nonce = secrets.token_bytes(8)
    assert read_question(question(nonce)) == nonce
    doors = DoorPorts(7351, 7361)
    advert = Advert("0123456789abcdef", "Zur Ader ♦", OURS, AdvertStage.LOCKED, 4, 6, doors, 2)
    answer = read_answer(write_answer(nonce, advert))
    assert (OURS.low, OURS.high) == (page_client.VERSION, page_client.VERSION)
    assert answer == (nonce, advert.id, OURS.low, OURS.high, 4, 4, 6, advert.name)
    found = re.search(r"The stage is (.*?) any other", " ".join(PAGE.split()))
    assert found is not None
    for number, word in re.findall("([0-9]+) ([a-z]+)", found[1]):
        at = with_changes(advert, stage=AdvertStage(word))
        assert read_answer(write_answer(nonce, at))[4] == int(number), word
    assert {key for row in tables(PAGE) if row.header[0] == "key" for key, _ in row.rows} == {
        f"`{key}`" for key in advert.txt
    }
