"""Sessions that compare by themselves, at the end of a game, whether all have seen the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from hashlib import scrypt
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from net.client.session import Comparison
from net.client.trail import GameState
from net.protocol.lobby_events import Said
from net.protocol.messages import NOTHING_SEEN, StepFrame
from net.protocol.requests import Chat, PutBot, SetReady, Start
from net.room import broadcast, steps
from net.room.broadcast import OwnHalves, StepChange
from net.secure import code
from net.secure.code import words_to_compare
from net.takeover import comparing, standby
from net.takeover.comparing import COMPARED_S
from net.tasks import cancel_and_wait
from tests.net.room.room_fixture import dig
from tests.net.server.served_table import HERE, Hosted, hosting, until
from tests.net.takeover.test_succession import Seat, is_prepared


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for the others, and let nothing but this computer be told of.

    Words are made at once: how slowly they are made in earnest, `test_words` has.
    """
    monkeypatch.setattr(code, "scrypt", lambda running, **cost: scrypt(running, **cost | {"n": 2}))
    monkeypatch.setattr(comparing, "OTHER_WAY_S", 0.6)
    monkeypatch.setattr(standby, "STANDBY_PORTS", (0,))
    monkeypatch.setattr(standby, "own_addresses", lambda: [HERE])


@pytest.fixture
async def hosted_table(where: Path) -> AsyncIterator[Hosted]:
    """A table."""
    async with hosting(where) as hosted:
        yield hosted


@pytest.fixture
async def people(hosted_table: Hosted, tmp_path: Path) -> AsyncIterator[dict[str, Seat]]:
    """Three people in a game, whose programs know where the others listen."""
    people = dict[str, Seat]()
    for name in ("Ann", "Ben", "Cleo"):
        people[name] = Seat(name, hosted_table, tmp_path)
        await until(lambda: all(one.term == 0 for one in people.values()))
    for one in people.values():
        one.session.request(SetReady(ready=True))
    await until(lambda: all(chair.ready for chair, _ in hosted_table.state.lobby.sitting))
    people["Ann"].session.request(Start())
    await until(lambda: all(is_prepared(one) for one in people.values()))
    try:
        yield people
    finally:
        for one in people.values():
            await one.leave()


def state_held(seat: Seat) -> GameState:
    """What a program holds of the table."""
    state = seat.session.status.game_state
    assert state is not None
    return state


async def play_out(people: dict[str, Seat]) -> None:
    """Play the round, the only one, and its gold, as all dig."""
    rng = Random(0)
    while True:
        for one in people.values():
            status = one.session.status
            view = status.view
            assert view is not None
            if view.score.gold is not None:
                return
            if view.seat is not None and view.to_act == view.seat and not status.unanswered:
                one.session.request(status.move_request(dig(view, rng)))
        await asyncio.sleep(0.005)


def comparisons_of(seat: Seat) -> list[Comparison]:
    """What came of comparing, as a program has told its player."""
    heard = (update.received for update in seat.updates if update.received is not None)
    return [one.comparison for one in heard if one.comparison is not None]


async def compare_all(people: dict[str, Seat]) -> dict[str, Comparison]:
    """Play, and wait until all have compared."""
    await play_out(people)
    await until(lambda: all(comparisons_of(one) for one in people.values()))
    return {name: comparisons_of(one)[0] for name, one in people.items()}


@pytest.mark.thorough  # `test_words` has it without links, a LAN with firewalls
async def test_all_agree_at_the_end_of_the_game_and_have_the_same_words(
    people: dict[str, Seat],
) -> None:
    told = await compare_all(people)
    words = words_to_compare(state_held(people["Ann"]).running)
    assert told == {
        "Ann": Comparison(agreed=("Ben", "Cleo"), words=words),
        "Ben": Comparison(agreed=("Ann", "Cleo"), words=words),
        "Cleo": Comparison(agreed=("Ann", "Ben"), words=words),
    }
    assert people["Ann"].session.status.compared == told["Ann"]
    await until(lambda: not any(one.session._watch.links._dialling for one in people.values()))
    await asyncio.sleep(0.3)
    assert all(len(comparisons_of(one)) == 1 for one in people.values())


@pytest.mark.thorough  # on a LAN, firewalls keep programs apart in each run
async def test_whoever_nobody_can_connect_to_connects_to_the_others(
    people: dict[str, Seat],
) -> None:
    listening = people["Cleo"].session._watch.links._listening
    assert listening is not None
    await cancel_and_wait(listening)
    assert (await compare_all(people))["Ann"].agreed == ("Ben", "Cleo")


async def test_with_a_program_that_says_nothing_people_compare_words_aloud(
    people: dict[str, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people["Cleo"].session._watch.links, "compare", lambda *_end: None)
    await play_out(people)
    asking = people["Ann"], people["Ben"]
    compare = [one.session._watch.links.comparing for one in asking]
    await until(lambda: all(len(one._same) == 1 for one in compare))
    for one in compare:
        one._began -= COMPARED_S  # so long have they waited for Cleo
    await until(lambda: all(comparisons_of(one) for one in asking))
    words = words_to_compare(state_held(people["Cleo"]).running)
    assert comparisons_of(people["Ann"]) == [Comparison(("Ben",), missing=("Cleo",), words=words)]
    assert comparisons_of(people["Ben"]) == [Comparison(("Ann",), missing=("Cleo",), words=words)]


@pytest.mark.thorough  # `test_comparing` has nobody to ask
async def test_who_plays_with_the_host_and_bots_alone_has_nobody_to_compare_with(
    hosted_table: Hosted, tmp_path: Path
) -> None:
    ann, ben = (Seat(name, hosted_table, tmp_path) for name in ("Ann", "Ben"))
    await until(lambda: ann.term == ben.term == 0)
    ann.session.request(PutBot(2, "Bot", "random"))
    for one in (ann, ben):
        one.session.request(SetReady(ready=True))
    await until(lambda: all(chair.ready for chair, _ in hosted_table.state.lobby.sitting))
    ann.session.request(Start())
    await until(lambda: all(one.session.status.view is not None for one in (ann, ben)))
    try:
        await play_out({"Ann": ann, "Ben": ben})
        await until(lambda: state_held(ann).running == state_held(ben).running)
        assert comparisons_of(ann) == comparisons_of(ben) == []
        assert ben.session._watch.links.comparing.mark == NOTHING_SEEN, "it was never begun"
    finally:
        for one in (ann, ben):
            await one.leave()


@pytest.fixture
def two_stories(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host whose program tells Cleo other words than were said."""
    honest = broadcast.broadcast

    def rig_frames(
        change: StepChange, incarnation: int, halves: OwnHalves, sealed: bytes
    ) -> Iterator[tuple[StepFrame, list[int]]]:
        for frame, members in honest(change, incarnation, halves, sealed):
            told = list(members)
            cleo = next((one.member for one in change.now.lobby.people if one.name == "Cleo"), 0)
            if cleo in told:
                news = [
                    replace(one, text="I saw gold") if isinstance(one, Said) else one
                    for one in frame.lobby_events
                ]
                told.remove(cleo)
                yield replace(frame, lobby_events=tuple(news)), [cleo]
            yield frame, told

    monkeypatch.setattr(steps, "broadcast", rig_frames)


async def test_whoever_was_told_another_story_is_named_to_all_and_all_to_them(
    people: dict[str, Seat], two_stories: None
) -> None:
    del two_stories
    cleo = people["Cleo"]
    await until(lambda: not cleo.session.publisher.state.lost)  # else steps are sent again
    people["Ann"].session.request(Chat("I saw stone"))
    await until(lambda: any(line.text == "I saw gold" for line in state_held(cleo).talk))
    told = await compare_all(people)
    ours, theirs = told["Ann"].words, told["Cleo"].words
    assert ours != theirs
    assert told == {
        "Ann": Comparison(("Ben",), differing=("Cleo",), words=ours),
        "Ben": Comparison(("Ann",), differing=("Cleo",), words=ours),
        "Cleo": Comparison(differing=("Ann", "Ben"), words=theirs),
    }


@pytest.mark.thorough  # `test_comparing` has who is asked
async def test_whoever_watches_is_asked_by_nobody_and_asks_nobody(
    people: dict[str, Seat], hosted_table: Hosted, tmp_path: Path
) -> None:
    wim = Seat("Wim", hosted_table, tmp_path, watch=True)
    await until(lambda: wim.term == 0)
    try:
        assert (await compare_all(people))["Ben"].agreed == ("Ann", "Cleo")
        assert comparisons_of(wim) == []
    finally:
        await wim.leave()
