"""The page on how to play says of each number of players what the deal says."""

from __future__ import annotations

from engine.dealing import HAND_SIZES, SABOTEURS
from tests.docs.pages import ROOT, tables

PAGE = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")


def test_the_table_of_the_deal_is_that_of_the_engine() -> None:
    [deal] = [table for table in tables(PAGE) if table.header[0] == "players"]
    rows = {name: cells for name, *cells in (deal.header, *deal.rows)}
    players = [int(cell) for cell in rows["players"]]
    assert players == [*SABOTEURS]
    for at, count in enumerate(players):
        most = SABOTEURS[count]
        # One dwarf card is left over: it may be a saboteur.
        assert rows["saboteurs"][at] == f"{most - 1} or {most}"
        assert rows["cards in each hand"][at] == str(HAND_SIZES[count])


def test_every_kind_of_card_has_its_picture() -> None:
    kept = {path.name for path in (ROOT / "docs" / "pictures" / "cards").iterdir()}
    assert kept
    assert {name for name in kept if f"(pictures/cards/{name})" not in PAGE} == set()
