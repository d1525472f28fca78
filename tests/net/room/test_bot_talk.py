"""What bots say and are told, as people and the wire have it: nothing in it hangs on secrets."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest

from engine import Phase
from engine.bots.talk import (
    Claim,
    DigsAgainstUs,
    DigsForUs,
    GoldAt,
    HelpMe,
    Statement,
    StoneAt,
    Talk,
    WhoMe,
)
from engine.cards import Role, Tool
from engine.edition import EDITIONS
from net.protocol.chat import read_claim, table_claim, talk_of
from net.protocol.lobby import Settings, TableClaim, Topic
from net.protocol.requests import MakeClaim, PutBot, SetReady, Start
from net.room import inputs
from net.room.bots import BotClaimRequest, MapUsed, bot_claim
from tests.net.room.bot_table import (
    NAMES,
    blames,
    claim_due_of,
    claims,
    first_claim,
    play,
    speak,
    with_bots,
)
from tests.net.room.room_fixture import Table
from tests.net.room.twin_tables import (
    ME,
    PEOPLE,
    Script,
    as_long_to_all,
    games,
    make,
    plan,
    same_to,
    short_of_the_gold,
    short_of_the_record,
    there,
    twin_script,
    with_other_dwarves,
)
from tests.samples import first, first_pairs


def perform(
    script: Script, monkeypatch: pytest.MonkeyPatch, seed: int
) -> tuple[Table, list[BotClaimRequest]]:
    """Do all of a script at a table with three bots, who say by chance what all can hear."""
    table = Table(Settings(seats=5, rounds=script.rounds, edition=script.edition.text))
    for name in PEOPLE[:2]:
        table.come(name)
        table.wants(name, SetReady(ready=True))
    table.come("Wim", watch=True)
    for seat, name in NAMES.items():
        table.wants("Ann", PutBot(seat, name, "random"))
    dealt = lambda _seed, number, *_: script.deals[number - 1]  # noqa: E731 - it is patched in
    monkeypatch.setattr("engine.notation.record.deal", dealt)
    assert table.wants("Ann", Start()) is None
    rng, dues = Random(seed), []
    for number, moves in enumerate(script.moves):
        if number:
            for name in PEOPLE[:2]:
                table.wants(name, SetReady(ready=True))
        for move in moves:
            if rng.random() < 0.2:
                blames(table, there(table, rng.choice(PEOPLE[:2])), rng.randrange(5))
            if rng.random() < 0.02:
                table.crash()
                for name in ("Ann", "Ben", "Wim"):
                    table.come(name)
            make(table, move)
            while rng.random() < 0.8 and (due := table.room.claim_request()) is not None:
                dues.append(due)
                topic = rng.choice((Topic.WHO_ME, Topic.DIGS_AGAINST_US))
                claim = TableClaim(topic, 0 if topic is Topic.WHO_ME else rng.randrange(5))
                claims(table, due, claim)
    return table, dues


def length(claim: TableClaim | None) -> int:
    """How many bytes a claim takes in a frame."""
    return len(msgspec.msgpack.encode(claim))


@pytest.mark.level("broad")
@pytest.mark.rule("K")
@pytest.mark.parametrize("seed", first(1, range(6)))
@pytest.mark.parametrize(("what", "me"), first_pairs(["cards", "dwarves and goals"], [ME, None]))
def test_when_and_how_long_bots_speak_does_not_hang_on_what_a_seat_never_saw(
    seed: int, what: str, me: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = plan(seed, "greedy", tuple(EDITIONS.values())[seed % len(EDITIONS)])
    if what == "cards":
        script, other = (
            short_of_the_record(script),
            short_of_the_record(twin_script(script, me, seed)),
        )
    else:
        _, end = next(games(script))
        script = short_of_the_gold(script)
        other = with_other_dwarves(script, me, end, seed)
    assert other.deals != script.deals
    one, dues = perform(script, monkeypatch, seed)
    two, others = perform(other, monkeypatch, seed)
    same_to(one, two, "Ben" if me is not None else "Wim")
    as_long_to_all(one, two)
    asked = [(due.number, due.seat, due.occasion) for due in dues]
    assert asked
    assert asked == [(due.number, due.seat, due.occasion) for due in others]
    for mine, theirs in zip(dues, others, strict=True):
        claim, instead = (
            bot_claim(mine.view, mine.occasion),
            bot_claim(theirs.view, theirs.occasion),
        )
        assert (claim is None) == (instead is None)
        assert length(claim) == length(instead)


@pytest.mark.parametrize(
    ("made", "put"),
    [
        (GoldAt((8, -2)), TableClaim(Topic.GOLD_AT, 0)),
        (StoneAt((8, 2)), TableClaim(Topic.STONE_AT, 2)),
        (DigsAgainstUs(4), TableClaim(Topic.DIGS_AGAINST_US, 4)),
        (DigsForUs(3), TableClaim(Topic.DIGS_FOR_US, 3)),
        (HelpMe(Tool.LANTERN), TableClaim(Topic.HELP_ME, 1)),
        (WhoMe(), TableClaim(Topic.WHO_ME)),
    ],
    ids=lambda claim: type(claim).__name__,
)
def test_a_claim_is_put_as_people_put_theirs(made: Claim, put: TableClaim) -> None:
    assert table_claim(made) == put


def test_all_claims_are_as_long_as_each_other() -> None:
    claims = [TableClaim(topic, about) for topic in Topic for about in range(10)]
    assert len({length(claim) for claim in claims}) == 1


def test_bots_are_told_all_that_was_said_and_a_table_brought_back_still_knows() -> None:
    table = with_bots()
    due = claim_due_of(table, MapUsed)
    claim = speak(table, due)
    blames(table, "Ann", 4)
    blames(table, "Ann", 4)
    assert table.wants("Wim", MakeClaim(TableClaim(Topic.DIGS_FOR_US, 2))) is None
    assert claim is not None
    unplayed = due.view.table.unplayed
    said = (
        Statement(due.seat, read_claim(claim), unplayed),
        Statement(0, DigsAgainstUs(4), unplayed),
    )
    assert table.room.talk == Talk(said)
    due = first_claim(table)
    turned = bot_claim(due.view, due.occasion, due.talk)
    assert due.talk.said == said
    assert turned is not None
    claims(table, due, turned)
    table.happen(inputs.tick(table.room, table.now))
    turn = table.room.bot_turn()
    assert turn is None or turn.talk == table.room.talk
    talk = table.room.talk
    assert inputs.resume(table.kept, table.disk, 2, lambda: table.seed, 0.0).talk == talk
    held = table.people["Ben"].held
    assert held.view is not None
    assert talk_of(held.view, held.talk) == talk
    later = held.view._replace(score=replace(held.view.score, number=2))
    assert talk_of(later, held.talk) == Talk()


@pytest.mark.parametrize("topic", Topic)
def test_a_claim_is_the_same_to_bots_and_at_the_table(topic: Topic) -> None:
    for about in range(10):
        claim = TableClaim(topic, about)
        if claim.fits(10):
            assert table_claim(read_claim(claim)) == claim


def test_what_a_round_proves_of_who_spoke_is_kept_for_the_game_and_not_beyond() -> None:
    table, rng = with_bots(Settings(seats=5, rounds=2), seed=2), Random(2)

    def phase() -> Phase | None:
        return table.room.state.phase

    honest = {}
    while phase() is Phase.PLAY:
        due = table.room.claim_request()
        if due is None:
            play(table, rng)
        elif isinstance(due.occasion, MapUsed):
            claim = bot_claim(due.view, due.occasion)
            claims(table, due, claim)
            honest[due.seat, due.occasion.goal] = claim
        else:
            claims(table, due, None)
    while phase() is Phase.GOLD:
        play(table, rng)
    game = table.game
    end = game.round.table.end
    assert end is not None
    for name in ("Ann", "Ben"):
        table.wants(name, SetReady(ready=True))
    assert phase() is Phase.PLAY
    talk = table.room.talk
    assert talk.said == ()
    assert honest
    for seat, record in enumerate(talk.records):
        told = sum(guest == seat for guest, _ in honest)
        assert sum(map(sum, record)) == told
        assert record.miner.false == 0, "miners tell what they saw"
        assert sum(record.miner) == told * (end.roles[seat] is Role.MINER)
