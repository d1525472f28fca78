"""A seat's own record: what it heard, in text, and back to the same views of the game."""

import pytest

from engine.cards import Role
from engine.edition import ARGENTINA, FRANCE, INTERNATIONAL, Edition
from engine.events import GoldShown, visible_to
from engine.game import Game
from engine.notation import NotationError, ObservedRecord, format_record, parse_record, replay
from engine.rules import can_play
from engine.state import PLAYERS, Phase
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


@pytest.mark.parametrize(
    "edition",
    first(1, [(FRANCE,), (INTERNATIONAL,), (ARGENTINA,)], thorough=3),
    ids=lambda book: book.book,
)
def test_a_game_cut_short_anywhere_has_its_seats_records(edition: Edition) -> None:
    offered = 0
    for seed in range(1):
        record, _, steps = play(seed, 4, edition, rounds=2)
        for count, (game, _) in enumerate(replay(record), 1):
            if count % 61 == 0 or game.phase is Phase.GOLD:
                for seat in (None, *range(4)):
                    seen = record_of_seat(seat, record, steps[:count])
                    assert read(format_record(seen)) == seen
                    offered += isinstance(seen.events[-1], GoldShown)
    assert offered, "nobody was choosing gold"


@pytest.mark.parametrize("name", ["seat_2", "watched"])
def test_the_records_in_files_are_read_and_written_alike(name: str) -> None:
    data = (RECORDS / f"{name}.sab").read_bytes()
    assert format_record(read(data)).encode() == data


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


WRONG_FOR_THE_SEAT = [
    # The heading.
    ("Round 1 - ?/?/? 3", "Round 1 - ?/?/? -", "it is nobody's turn"),
    ("Round 2 - ?/?/? 4", "Round 2 - ?/?/? 5", "another seat begins this round (N2)"),
    ("Round 2 -", "Round 3 -", "expected 2 here"),
    ("6,NESW/-C/-C/+C/+C/R,6,6,6 37", "6,NESW/-C/-C/+C/+C/R,6,6,6 36", "a round has 67 cards"),
    (
        "6,NESW/-C/-C/+C/+C/R,6,6,6 37",
        "5,NESW/-C/-C/+C/+C/R,6,6,6 37",
        "each player is dealt 6 cards",
    ),
    ("6,NESW/-C/-C/+C/+C/R,6,6,6", "6,6,6,6,6", "only the hand of the seat that made this"),
    (
        "6,NESW/-C/-C/+C/+C/R,6,6,6",
        "NESW/-C/-C/+C/+C/R,6,6,6,6",
        "only the hand of the seat that made this",
    ),
    ("6,NESW/-C/-C/+C/+C/R,6,6,6", "6,NESW/NS/-C/+C/+C/R,6,6,6", "-C is not in the hand"),
    ("6,NESW/-C/-C/+C/+C/R", "6,-C/NESW/-C/+C/+C/R", "expected 6,NESW/-C/-C/+C/+C/R,6,6,6 here"),
    (
        "?/?/? 3 -,-,-,-,- 6,NESW/-C/-C/+C/+C/R,6,6,6 37 ?m???+?",
        "?/?/? 3 -,-,-,-,-,- 6,NESW/-C/-C/+C/+C/R,6,6,6,6 31 ?m????+?",
        "5 play",
    ),
    ("?m???+?", "?????+?", "the dwarf of seat 2 is missing"),
    ("?m???+?", "?s???+?", "seat 2 was dealt another dwarf"),
    ("?m???+?", "sm???+?", "expected ?m???+? here"),
    ("Round 1 - ?/?/?", "Round 1 - ?/(NE)/?", "expected ?/?/? here"),
    # A turn.
    ("ESW@-1=?", "ESW@-2=?", "seat 3 cannot do this now: no face-up path card lies beside -2"),
    ("ESW@-1=?", "ESW@-1", "each turn ends with a card drawn, if there is"),
    ("ESW@-1=?", "ESW@-1=EW", "the seat that drew this card knows it: write it (K)"),
    ("ESW@-1=?", "xNS=?", "it is not seat 3's turn"),
    ("ESW@-1=?", "$1", "it is not seat 3's turn"),
    ("ESW@-1=?", "ESW@-1!8:NE=?", "these are not the goals reached, or not in"),
    ("ESW@-1=?", "ESW@-1!8=?", "missing: which way round the goal lies, as in !8:SW"),
    ("ESW@-1=?", "ESW@-1!8:NS=?", "a face-up goal is written NESW (the"),
    ("ESW@-1=?", "M@8:(NE)=?", "the seat that looked knows the goal: write it, as in"),
    ("xR=+PL", "xR=+PC", "no more +PC: the deck has 1, and all were seen already"),
    ("NESW@1=NW", "NESW@1=?", "the seat that drew this card knows it: write it (K)"),
    ("NESW@1=NW", "NESW@1=ES", "off the table, this card is written NW"),
    ("NESW@1=NW", "NS@1=NW", "seat 2 cannot do this now: NS is not in the hand"),
    ("NESW@1=NW", "x?=NW", "it is not seat 2's turn"),
    ("NESW@1=NW", "NESW@1=EW", "seat 2 cannot do this now: NW is not in the hand"),
    ("e@4n3 NESW@4", "e@4n3=? NESW@4", "each turn ends with a card drawn, if there is"),
    ("NESW@7!8:NW=?", "NESW@7=?", "goal 8 is reached: what is it? (G1)"),
    ("NESW@7!8:NW=?", "NESW@7!8:ES=?", "goal 8 has to lie as NW (G3)"),
    ("NESW@7!8:NW=?", "NESW@7!8:NW!8s2:NE=?", "these are not the goals reached, or not in"),
    ("NEW@7s2!8s2:SW=?", "NEW@7s2!8s2:ES=?", "8 is known to be NW"),
    ("M@8n2 x? xe", "M@8n2:(NESW) x? xe", "the seat that looked knows the goal: write it, as in"),
    # The end of the round.
    ("Won m", "Won s", "the table shows that the miners won (R1, R2): write m"),
    ("\nWon s", "\nWon m", "the table shows that the saboteurs won (R1, R2): write s"),
    ("Won m mmmss+m", "Won m mmmss", "these are not the dwarf cards for 5 players (S2)"),
    ("Won m mmmss+m", "Won m mmmss+s", "these are not the dwarf cards for 5 players (S2)"),
    ("Won m mmmss+m", "Won m msmsm+m", "seat 2 was dealt another dwarf"),
    ("NESW/NW/NE\n", "NESW/NE/NW\n", "8 is known to be NW"),
    ("NESW/NW/NE\n", "NESW/NW\n", "these are not the three goals"),
    ("\nWon s", "\nEnd\nWon s", "nothing may follow"),
    ("+P>2 M@8n2\n", "+P>2\n", "no move is written like this; a card is"),
    # Gold.
    ("Gold 5", "Gold 4", "expected 5 here"),
    ("Gold 5 $?", "Gold 5 $1", "expected $? here"),
    ("$1:(3111)", "$2:(3111)", "this gold card is not among those to choose from"),
    ("$1:(3111)", "$1:(311)", "expected 4 gold cards of 3, 2 or 1 here"),
    ("$1:(3111)", "$1:(1113)", "expected 4 gold cards of 3, 2 or 1 here"),
    ("$1:(3111)", "$1:3111", "missing: the cards to choose from, as in $2:(32)"),
    ("$1:(3111)", "$1:(3111", "missing: the cards to choose from, as in $2:(32)"),
    ("$1:(3111)", "$1", "missing: the cards to choose from, as in $2:(32)"),
    ("$1:(3111)", "$4:(3111)", "a gold card has 1, 2 or 3 nuggets"),
    ("$1:(3111)", "$?:(3111)", "expected End here"),
    ("$? $3", "$? $?", "a gold card has 1, 2 or 3 nuggets"),
    ("$? $3", "$? $3:(3)", "a gold card has 1, 2 or 3 nuggets"),
    ("Paid 3", "Paid 4", "expected 3 here"),
    ("1,1,0,0,0 0,", "0,1,0,0,0 0,", "seat 1 cannot have been paid like this"),
    ("1,1,0,0,0 0,", "1,1,1,0,0 0,", "seat 3 cannot have been paid like this"),
    ("1,1,0,0,0 0,", "4,1,0,0,0 0,", "seat 1 cannot have been paid like this"),
    ("1,1,0,0,0 0,0,0", "1,1,0,0,0 0,0,1", "seat 3 cannot have been paid like this"),
    ("1,1,0,0,0 0,0,0", "1,1,0,0,0 4,0,0", "seat 1 cannot have been paid like this"),
    ("1,1,0,0,0 0,", "1,1,0,0 0,", "expected a number for each of the 5 seats here"),
    ("1,1,0,0,0 0,", "1,1,0,0,x 0,", "expected a number from 0 to 99 here"),
    ("0,0,0,0,0 $3", "0,0,0,0,0 $2", "this is not the amount paid (D5)"),
    ("0,0,0,0,0 $3", "0,0,0,0,0 $33", "expected 1 gold cards of 3, 2 or 1 here"),
    ("0,0,0,0,0 $3", "0,0,0,0,0 +3", "expected $3 here"),
    ("Shown 31,331,21,-,-", "Shown 31,331,21,-", "5 seats have to show their gold"),
    ("Shown 31,331,21,-,-", "Shown 31,331,21,1,-", "expected 0 gold cards of 3"),
    ("Shown 31,331,21,-,-", "Shown 31,331,2,-,-", "expected 2 gold cards of 3"),
    ("Shown 31,331,21,-,-", "Shown 31,333,21,-,-", "seat 2 took different gold"),
    (
        "Shown 31,331,21,-,-",
        "Shown 33,331,33,-,-",
        "there are not that many gold cards of this kind (S5)",
    ),
    ("\nEnd 4", "\nRound 3\nEnd 4", "expected End here"),
    ("\nShown 31,331,21,-,-", "", "expected Shown here"),
    ("End 4 7", "End 5 6", "expected 4 here"),
    ('[Result "4 7', '[Result "5 6', 'going by what follows, the result is "'),
]


@pytest.mark.rule("K", "T1", "T2", "G1", "G3", "R4", "D4", "D5", "F1")
@pytest.mark.parametrize(
    ("old", "new", "problem"), WRONG_FOR_THE_SEAT, ids=range(len(WRONG_FOR_THE_SEAT))
)
def test_a_recounted_record_is_refused_where_it_tells_what_cannot_be(
    old: str, new: str, problem: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(SEAT_2, old, new))
    assert problem in caught.value.problem, caught.value
    assert caught.value.line is not None


@pytest.mark.rule("K")
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("x?=?", "xEW=?", "it is not seat "),
        ("M@8=?", "M@8:(NE)=?", "the seat that looked knows the goal: write"),
        ("6,6,6,6,6", "6,M/M/M/M/M/M,6,6,6", "only the hand of the seat that made this"),
        ("Gold 5 $?", "Gold 5 $2", "expected $? here"),
        ("0,0,0,0,0\n", "0,0,0,0,0 $3\n", "expected Shown here"),
        ("Shown 31,331", "Shown 31,332", 'going by what follows, the result is "'),
    ],
    ids=range(6),
)
def test_a_watchers_record_holds_nothing_that_is_secret(old: str, new: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_record(forge(WATCHED, old, new))
    assert problem in caught.value.problem, caught.value


@pytest.mark.rule("R3")
def test_in_argentina_a_round_ends_once_nobody_can_play() -> None:
    games = (play(seed, 4, ARGENTINA, rounds=1) for seed in range(60))
    record, steps, hands = next(
        (record, steps, game.round.hands)
        for record, game, steps in games
        if game.score.wins == (Role.SABOTEUR,) and any(game.round.hands)
    )
    for seat in range(4):
        seen = record_of_seat(seat, record, steps)
        assert read(format_record(seen)) == seen
    assert max(map(len, hands)) > 0


@pytest.mark.rule("R3")
def test_a_seat_that_could_still_play_knows_that_the_round_goes_on() -> None:
    record, _, steps = play(1, 3, ARGENTINA, rounds=1)
    count, now = next(
        (count, game.round)
        for count, (game, _) in enumerate(replay(record), 1)
        if game.round.table.pile == 0 and can_play(game.round.table, 0, game.round.hands[0])
    )
    text = format_record(record_of_seat(0, record, steps[:count]))
    end = f"{''.join(now.roles)}+{now.spare} {'/'.join(goal.text for goal in now.goals)}"
    with pytest.raises(NotationError, match=r"seat 1 could still play a card \(R3\)"):
        parse_record(forge(text, "End *", f"Won s {end}\nEnd *"))


@pytest.mark.rule("D6")
def test_where_nobody_is_a_saboteur_nobody_is_paid() -> None:
    games = (play(seed, 3, INTERNATIONAL, rounds=1) for seed in range(100))
    record, steps = next(
        (record, steps)
        for record, game, steps in games
        if game.score.wins == (Role.SABOTEUR,) and Role.SABOTEUR not in game.round.roles
    )
    text = format_record(record_of_seat(2, record, steps))
    assert "Paid" not in text
    assert read(text).events == record_of_seat(2, record, steps).events
