"""Elections with a liar, and new hosts that go on from less than they have seen."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from msgspec import structs

from net.client.pledge import vote_statement
from net.client.session import OpenedHere
from net.protocol.election import Ballot, Elected, GivenUp, Mandate, Rally, Vote, VoteWanted
from net.protocol.lobby import MAX_TERM
from net.protocol.messages import ClientCommand, ClientMessage
from net.protocol.requests import ReportMissing
from net.room import inputs
from net.room.effects import Effects
from net.room.room import Room
from net.secure.keys import TableCertificate
from net.takeover import standby, succession
from net.takeover.election import Election
from net.takeover.election_acts import Act, Say, TakeOver
from tests.net.takeover.test_succession import Seat, is_prepared
from tests.workshop.rigged import Evening, findings_told, until

pytestmark = pytest.mark.thorough


@pytest.fixture
async def game(table: Evening, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A game under way, that goes on without its host soon."""
    await table.begin()
    await table.play(4)
    await until(lambda: all(is_prepared(one) for one in table.people.values()))
    for module in (standby, succession):
        monkeypatch.setattr(module, "ALARM_AFTER_S", 1.0)
        monkeypatch.setattr(module, "WARN_AFTER_S", 0.5)
    return table


def election(seat: Seat) -> Election:
    """A program's part in elections."""
    return seat.session._watch.election


def host_of(seat: Seat) -> str:
    """The name of the host whom a program follows."""
    lobby = seat.session.status.lobby
    person = None if lobby is None else lobby.person(lobby.host)
    return "" if person is None else person.name


async def went_on(table: Evening) -> None:
    """The host is gone, and the table has gone on."""
    await table.hosted.stop()
    await until(lambda: all(one.term > 0 for one in table.people.values()))


class PromisesMuch(Election):
    """Tells of the highest term there is."""

    __slots__ = ()

    def _rally(self) -> list[Act]:
        return [
            Say(act.member, structs.replace(act.message, promised=MAX_TERM, bound=MAX_TERM))
            if isinstance(act, Say) and isinstance(act.message, Rally)
            else act
            for act in Election._rally(self)
        ]


class StandsInTheHighestTerm(Election):
    """Asks everybody for votes in the highest term there is, again and again."""

    __slots__ = ()

    def _stand(self, now: float) -> list[Act]:
        del now
        wanted = VoteWanted(MAX_TERM, self.members, *self.list_number, *self.copy.position)
        return [Say(member, wanted) for member in self.dialled]


class LeadsOn(Election):
    """Asks for votes, and gives up at once."""

    __slots__ = ()

    def _stand(self, now: float) -> list[Act]:
        del now
        acts = list[Act]()
        for member, rally in self.rallies.items():
            term = max(rally.promised, rally.term) + 1
            wanted = VoteWanted(term, self.members, *self.list_number, *self.copy.position)
            acts += [Say(member, wanted), Say(member, GivenUp(term))]
        return acts


class VotesTwice(Election):
    """Votes for whoever asks, as often as they ask, and stands as well."""

    __slots__ = ()

    def _vote(self, member: int, wanted: VoteWanted, now: float) -> list[Act]:
        del now
        candidate = next(one for one in self.successors if one.member == member)
        about = self.table, wanted.term, member, candidate.fingerprint, wanted.electors
        return [Say(member, Vote(wanted.term, self.key.sign(vote_statement(*about))))]


class Hurries(Election):
    """Claims to have seen more than all others, and waits for nobody."""

    __slots__ = ()

    def _rally(self) -> list[Act]:
        return [
            Say(act.member, structs.replace(act.message, steps=act.message.steps + 50))
            if isinstance(act, Say) and isinstance(act.message, Rally)
            else act
            for act in Election._rally(self)
        ]

    def tick(self, now: float, *, alarmed: bool, sealed: bool = False) -> list[Act]:
        del alarmed
        return Election.tick(self, now, alarmed=True, sealed=sealed)

    def _may_stand(self, now: float) -> bool:
        return self._alarmed_at is not None and now >= self._not_before

    def _vote(self, member: int, wanted: VoteWanted, now: float) -> list[Act]:
        del member, wanted, now
        return []


@pytest.mark.parametrize("liar", [PromisesMuch, StandsInTheHighestTerm, LeadsOn])
async def test_liar_at_an_election(game: Evening, liar: type[Election]) -> None:
    election(game.people["Cleo"]).__class__ = liar
    await went_on(game)
    assert {host_of(one) for one in game.people.values()} == {"Ben"}


async def test_votes_twice(game: Evening) -> None:
    election(game.people["Cleo"]).__class__ = VotesTwice
    await went_on(game)
    assert {host_of(game.people[name]) for name in ("Ann", "Ben")} == {"Ben"}


async def test_claims_the_newest_copy(game: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cleo's program is elected, and holds the table from then on."""
    monkeypatch.setattr("net.takeover.election.GRACE_S", 3.0)  # as honest programs wait for others
    election(game.people["Cleo"]).__class__ = Hurries
    await went_on(game)
    assert {host_of(one) for one in game.people.values()} == {"Cleo"}


async def test_key_withheld(game: Evening) -> None:
    """Cleo's program keeps its part of the key: there are just two, and both are needed."""
    game.people["Cleo"].session.publisher.state.key = None
    await game.hosted.stop()

    def waits(name: str) -> bool:
        sealed = game.people[name].session.status.sealed
        return sealed is not None and sealed.waiting == ("Cleo",)

    await until(lambda: waits("Ann") and waits("Ben"))


async def test_forged_mandate(game: Evening) -> None:
    """Cleo's program shows that it was elected, with the one vote that it can sign."""
    cleo, links = election(game.people["Cleo"]), game.people["Cleo"].session._watch.links
    about = 1, cleo.member, cleo.fingerprint, cleo.members
    ballot = Ballot(cleo.member, cleo.key.sign(vote_statement(cleo.table, *about)))
    others = [Ballot(one, ballot.signature) for one in cleo.members if one != cleo.member]
    shown = Elected(Mandate(*about, (ballot, *others)), 7341, (bytes(4),))
    calls = [
        asyncio.create_task(links._call_up(one))
        for one in cleo.electors
        if one.member != cleo.member
    ]
    await until(lambda: len(links._out) == len(calls))
    for member in links._out:
        links._say(member, shown)
    await asyncio.sleep(0)
    await game.play_out()
    for call in calls:
        call.cancel()
    for name in ("Ann", "Ben"):
        assert (game.people[name].term, host_of(game.people[name])) == (0, "Ann")


@pytest.mark.parametrize("filters", [False, True], ids=["undoes", "filters the reports"])
async def test_new_host_with_fewer_moves(
    game: Evening, monkeypatch: pytest.MonkeyPatch, *, filters: bool
) -> None:
    """Ben's program goes on from a copy that lacks the last moves."""
    ben = game.people["Ben"].tables
    honest = ben.open

    async def shorter(order: TakeOver, certificate: TableCertificate) -> OpenedHere | None:
        opened = await honest(replace(order, steps=order.steps[:-3]), certificate)
        if filters:
            room = ben.opened[-1].room
            receive = inputs.receive

            def hear(table: Room, now: float, connection: int, message: ClientMessage) -> Effects:
                is_report = isinstance(message, ClientCommand) and isinstance(
                    message.request, ReportMissing
                )
                is_lost = is_report and table is room  # nobody is told by others
                return Effects() if is_lost else receive(table, now, connection, message)

            monkeypatch.setattr(inputs, "receive", hear)
        return opened

    ben.open = shorter  # type: ignore[method-assign]  # - a copy that was cut off
    await went_on(game)
    for name in ("Ann", "Cleo"):
        assert any(line.startswith("lost: ") for line in findings_told(game.people[name]))
