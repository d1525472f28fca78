"""Nothing knows an end before it is shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.board import GOAL_CELLS
from engine.events import (
    Event,
    GameEnded,
    GoldTaken,
    Revealed,
    RoundEnded,
    SaboteursPaid,
    TurnBegan,
    visible_to,
)
from engine.notation.record import replay
from net.client.session import Received, Status
from net.protocol.chat import ChatLine, Moment
from net.protocol.lobby import TableClaim, Topic
from sabtui.tui.table.animation import DIM_FRAMES, TURNED_FROM
from sabtui.tui.theme import ASCII, BOX, Glyphs
from tests.sabtui.games import game_record
from tests.sabtui.tui import scenes
from tests.sabtui.tui.table.ceremony_table import (
    DUG,
    LAID,
    NAMES,
    STONE,
    TREASURE,
    mine,
    show_frames,
    table,
    tell,
    text_beside,
)
from tests.samples import first

OF_GOAL = ("TREASURE", "treasure", "is stone", "face up", "true", "false", "Your turn", "ring")
OF_END = (
    "the win",
    "win the game",
    "wins the game",
    "Nuggets",
    "All gold is",
    "ame over",
    "is over",
)
OF_GOLD = (*OF_END, "gold card", "YOUR GOLD", "gold: ", "for each saboteur", "took", "1?")
OF_ROLES = (*OF_GOLD, "Saboteurs", "Miners:", "miner", "SABOTEUR", "round over", "$")
SPOILERS = {
    Revealed: OF_GOAL,
    RoundEnded: OF_ROLES,
    SaboteursPaid: OF_GOLD,
    GoldTaken: ("took",),
    GameEnded: OF_END,
}


def steps(seed: int) -> Iterator[tuple[Status, tuple[Event, ...]]]:
    """A whole game as Ana receives it, in which Bruno says of each goal that it is gold."""
    claims = [TableClaim(Topic.GOLD_AT, goal) for goal in range(len(GOAL_CELLS))]
    for game, events in replay(game_record(seed, NAMES)):
        when = Moment(game.score.number, 60)
        talk = tuple(ChatLine("Bruno", 1, "", claim, when) for claim in claims)
        yield scenes.now(game.view(0), talk=talk), visible_to(events, 0)


@pytest.mark.parametrize(
    ("seed", "ends"),
    first(
        1,
        [
            (7, {Revealed, RoundEnded, GoldTaken, GameEnded}),
            (2, {RoundEnded, SaboteursPaid, GameEnded}),
        ],
        thorough=2,
    ),
)
def test_nothing_tells_an_end_before_it_is_shown(seed: int, ends: set[type[Event]]) -> None:
    first, *others = steps(seed)
    at, seen = table(first[0].view or DUG), set[type[Event]]()
    at.press_away()
    for status, events in others:
        if not SPOILERS.keys() & set(map(type, events)):
            at.hear(status, Received(events=events))
            at.press_away()
            continue
        before = text_beside(at)
        at.hear(status, Received(events=events))
        for _frame in show_frames(at):
            pending = [one.update.received or Received() for one in at.model.held]
            kinds = {type(event) for received in pending for event in received.events}
            now = text_beside(at)
            for kind in SPOILERS.keys() & kinds:
                seen.add(kind)
                known = [word for word in SPOILERS[kind] if now.count(word) > before.count(word)]
                assert not known, (kind, now)
        assert at.status == status
    assert seen == ends
    assert "game over" in text_beside(at)


@pytest.mark.parametrize("glyphs", first(1, [BOX, ASCII], thorough=2), ids=lambda one: one.name)
def test_no_frame_tells_the_treasure_from_a_stone_before_the_face_of_the_goal(
    glyphs: Glyphs,
) -> None:
    seen = list[list[tuple[list[str], str]]]()
    for turned in (TREASURE, STONE):
        at = table(glyphs=glyphs)
        tell(at, LAID, turned, TurnBegan(2))
        seen.append([(mine(at), text_beside(at)) for _frame in show_frames(at)])
    hidden = [at for at, (one, other) in enumerate(zip(*seen, strict=False)) if one == other]
    assert hidden == list(range(DIM_FRAMES + len(TURNED_FROM)))
