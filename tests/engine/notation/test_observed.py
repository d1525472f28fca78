"""A seat's own record: what it heard, in text, and back to the same views of the game."""

import pytest

from engine.edition import Edition
from engine.events import visible_to
from engine.game import Game
from engine.notation import NotationError, ObservedRecord, format_record, parse_record, replay
from engine.state import PLAYERS
from engine.view import View
from tests.engine.notation.games import BOOKS, NAMES, RECORDS, forge, play, record_of_seat
from tests.samples import first, pairs

SEAT_2 = (RECORDS / "seat_2.sab").read_text(encoding="utf-8")
WATCHED = (RECORDS / "watched.sab").read_text(encoding="utf-8")


def read(text: str | bytes) -> ObservedRecord:
    record = parse_record(text)
    assert isinstance(record, ObservedRecord)
    return record


@pytest.mark.level("broad")
@pytest.mark.rule("K", "A5", "D4", "D7")
@pytest.mark.parametrize(
    ("players", "edition"), first(1, pairs(PLAYERS, BOOKS), thorough=len(BOOKS))
)
def test_each_seat_and_a_watcher_find_in_their_record_all_that_they_knew(
    edition: Edition, players: int
) -> None:
    record, _, steps = play(200 + players, players, edition)
    games = [game for game, _ in replay(record)]
    for seat in (None, *range(players)):
        seen = record_of_seat(seat, record, steps)
        again = read(format_record(seen))
        assert again == seen
        compare(again, games, [len(visible_to(events, seat)) for events in steps])


def compare(seen: ObservedRecord, games: list[Game], heard: list[int]) -> None:
    """Compare the fold of a record's events with the views of the game, step by step."""
    views: list[View] = [view for _, view in seen.views()]
    after = 0
    for count, game in zip(heard, games, strict=True):
        after += count
        if game.round.table.end is not None or after % 17 == 0:
            assert views[after - 1] == game.view(seen.seat)


@pytest.mark.rule("K")
def test_a_seats_record_is_what_it_heard_of_the_whole_one() -> None:
    whole = parse_record((RECORDS / "whole.sab").read_bytes())
    assert not isinstance(whole, ObservedRecord)
    games, steps = ([*told] for told in zip(*replay(whole), strict=True))
    for seen, seat in ((read(SEAT_2), 1), (read(WATCHED), None)):
        assert seen == record_of_seat(seat, whole, steps)
        compare(seen, games, [len(visible_to(events, seat)) for events in steps])


@pytest.mark.rule("K")
def test_a_record_of_nothing_heard_holds_its_tags() -> None:
    record = ObservedRecord(NAMES[:4], 3)
    assert read(format_record(record)) == record
    assert list(record.views()) == []


@pytest.mark.rule("K", "T1", "T2", "G1", "G3", "R4", "D4", "D5", "F1")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RoundBegan 1 3", "RoundBegan 2 3"),
        ("RoundBegan 1 3 6/6/6/6/6", "RoundBegan 1 3 6/6/6/6"),
        ("RoundBegan 1 3 6/6/6/6/6 37", "RoundBegan 1 3 6/6/6/6/6 36"),
        ("RoundBegan 1", "Began 1"),
        ("DwarfDealt 2 m", "DwarfDealt 3 m"),
        ("DwarfDealt 2 m", "DwarfDealt 2 x"),
        ("HandDealt 2 NESW/-C/-C", "HandDealt 2 NESW/NS/-C/-C"),
        ("HandDealt 2 NESW/-C", "HandDealt 2 NS/-C"),
        ("TurnBegan 3", "TurnBegan 6"),
        ("TurnBegan 3", "TurnBegan 2"),
        ("Laid 3 ESW -1", "Laid 3 ESW -2"),
        ("Laid 3 ESW -1", "Laid 3 ESW"),
        ("Laid 3 ESW -1", "Laid 3 ESW -1 -1"),
        ("Passed 4", "Passed 3"),
        ("Dealt 2 NW", "Dealt 2 ES"),
        ("Revealed 8 NW", "Revealed 7 NW"),
        ("Revealed 8 NW", "Revealed 8 NS"),
        ("RoundEnded m m/m/m/s/s", "RoundEnded m m/m/m/s"),
        ("NESW/NW/NE", "NESW/NE/NE"),
        ("SaboteursPaid 3 1/1/0/0/0", "SaboteursPaid 3 1/1/0/0"),
        ("GameEnded 3+1/3+3+1/2+1/-/-", "GameEnded 3+1/3+3+1/2+1/-"),
        ("GameEnded 3+1/3+3+1/2+1/-/-", "GameEnded 3+1/3+2+1/2+1/-/-"),
        ("GameEnded 3+1/3+3+1/2+1/-/-", "GameEnded 4+1/3+3+1/2+1/-/-"),
        ("End 4 7", "End 5 6"),
        ('[Result "4 7', '[Result "5 6'),
        ('[Seen "2"]', '[Seen "1"]'),
        ('[Seen "2"]', '[Seen "6"]'),
        ('[Seen "2"]', '[Seen "2"]\n[Youngest "2"]'),
    ],
    ids=range(28),
)
def test_a_recounted_record_is_refused_where_it_tells_what_cannot_be(old: str, new: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(SEAT_2, old, new))
    assert caught.value.line is not None
    assert str(caught.value).isprintable()


@pytest.mark.rule("K")
def test_a_watchers_record_holds_nothing_that_is_secret() -> None:
    for line in SEAT_2.splitlines():
        if line.split()[0] in {"DwarfDealt", "HandDealt", "Dealt", "DiscardedCard", "GoldShown"}:
            told = f"{line.rsplit(' #', 1)[0]}\nTurnBegan 3"
            with pytest.raises(NotationError, match="only seat 2 receives this"):
                parse_record(forge(WATCHED, "TurnBegan 3", told))


@pytest.mark.rule("S3", "S4")
def test_more_cards_than_there_are_make_no_record() -> None:
    for old, new in (("Dealt 2 NW", "Dealt 2 +PC"), ("\nDealt 2 NW", "")):
        with pytest.raises(NotationError):
            parse_record(forge(SEAT_2, old, new))
