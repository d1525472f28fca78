"""A whole game by what a screen reader is told: Chromium's tree of accessibility alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from engine.state import Phase
from sabtui.doors.web_page import collect_page_words
from tests.sabtui.doors.browser import PATIENCE_S, PHONE, Page, Told
from tests.sabtui.doors.test_web_browser import GAME, LOOK_AGAIN_S, at_door, deal, sit

pytestmark = pytest.mark.level("thorough")

GO_ON = ("Got it", "Ready", "Next", "Back")


@dataclass(frozen=True)
class Node:
    """What a reader says of an element, and what it needs to press it."""

    role: str
    name: str
    key: int
    states: dict[str, object] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        return self.role == "button" and not self.states.get("disabled")


def value_of(told: object) -> object:
    return cast("Told", told or {}).get("value", "")


async def read_tree(page: Page) -> list[Node]:
    """Return what a reader finds, in its order."""
    tree = await page.command("Accessibility.getFullAXTree")
    return [
        Node(
            str(value_of(node.get("role"))),
            str(value_of(node.get("name"))),
            cast("int", node["backendDOMNodeId"]),
            {
                str(row["name"]): value_of(row["value"])
                for row in cast("list[Told]", node.get("properties", []))
            },
        )
        for node in cast("list[Told]", tree["nodes"])
        if not node.get("ignored") and "backendDOMNodeId" in node
    ]


async def press(page: Page, node: Node) -> None:
    """Press an element as a reader does: it is clicked, without a place."""
    try:
        found = await page.command("DOM.resolveNode", backendNodeId=node.key)
    except AssertionError:
        return  # it has gone since
    key = cast("Told", found["object"])["objectId"]
    script = "function () { this.click(); }"
    await page.command("Runtime.callFunctionOn", objectId=key, functionDeclaration=script)


def find_named(nodes: Iterable[Node], *names: str) -> Node | None:
    """Return the first button of these names that can be pressed, in the order of the names."""
    buttons = [node for node in nodes if node.is_on]
    found = (node for name in names for node in buttons if node.name == name)
    return next(found, None)


class Reader:
    """Somebody who plays by what their screen reader tells."""

    def __init__(self, page: Page) -> None:
        words = collect_page_words()
        self.page = page
        self.verbs = tuple(set(cast("dict[str, str]", words["verbs"]).values()))
        self.tried: list[str] = []
        self.places: list[str] = []

    async def act(self, nodes: list[Node]) -> None:
        """Do the next thing: what a sheet asks, else a step towards playing a card."""
        sheets = [node for node in nodes if node.role == "dialog"]
        assert all(sheet.name for sheet in sheets), "a sheet has a name"
        if sheets:
            gold = [node for node in nodes if node.is_on and re.fullmatch("[123]", node.name)]
            chosen = gold[0] if gold else find_named(nodes, *GO_ON)
        elif any(node.name == "YOUR TURN" for node in nodes):
            chosen = self.choose(nodes)
        else:
            self.tried.clear()
            chosen = find_named(nodes, "Gold", "Ready")
        if chosen is not None:
            await press(self.page, chosen)

    def choose(self, nodes: list[Node]) -> Node | None:
        """Play the card that is chosen, or choose one that was not tried; the last is discarded."""
        hand = [node for node in nodes if node.is_on and "keyshortcuts" in node.states]
        chosen = next((card for card in hand if card.states.get("pressed") == "true"), None)
        self.places += [
            node.name for node in nodes if "pressed" in node.states and node not in hand
        ]
        repairs = [node.name for node in nodes if node.name.startswith("Repair: ")]
        if chosen is None:
            untried = [card for card in hand if card.name not in self.tried]
            return (untried or hand)[0] if hand else None
        if button := find_named(nodes, *self.verbs, *repairs):
            return button
        players = [node for node in nodes if node.is_on and re.search(r"\d cards?", node.name)]
        fresh = [node for node in players if node.name not in self.tried and node not in hand]
        if fresh and any(node.name == "Choose a player." for node in nodes):
            self.tried.append(fresh[0].name)
            return fresh[0]
        if len(self.tried) < 20 and {card.name for card in hand} - {*self.tried, chosen.name}:
            self.tried.append(chosen.name)
            return chosen  # it is let go
        return find_named(nodes, "Discard?", "Discard")


async def test_a_game_is_played_to_its_end_by_what_a_screen_reader_is_told(
    where: Path, tmp_path: Path
) -> None:
    async with at_door(where, tmp_path, GAME) as (opened, browser):
        page = await sit(opened, browser, "Zoe", PHONE)
        await page.command("Accessibility.enable")
        await deal(opened, page)
        opened.host.plays = True
        opened.host.move()
        reader, before, laid = Reader(page), list[Node](), set[str]()
        clock = asyncio.get_running_loop().time
        since = clock()
        while opened.hosted.state.view(0).phase is not Phase.OVER:  # type: ignore[union-attr] # - a game is under way
            nodes = await read_tree(page)
            if nodes == before and clock() < since + LOOK_AGAIN_S / 10:
                await asyncio.sleep(0.05)
                continue
            assert clock() < since + PATIENCE_S, [(node.role, node.name) for node in nodes]
            since = clock() if nodes != before else since
            before = nodes
            names = [node.name for node in nodes]
            assert not [name for name in names if re.search(r"\b\d+:\d\d\b", name)], "a clock"
            assert not [name for name in names if re.search(r"@\d", name)], "notation"
            laid |= {name for name in names if name.startswith("You laid ")}
            await reader.act(nodes)
        assert laid
        assert reader.places
        assert all(re.search(r"\d (east|west|north|south)", name) for name in reader.places)
        assert page.troubles == []
