"""The review of a game in sentences."""

from engine.bots.review import Suspicion
from engine.notation.record import Replay
from sabtui.after.text import found_out_lines
from sabtui.text.names import PlayerNames
from tests.sabtui.games import game_record


def test_of_miners_more_suspected_it_is_said_than_which_saboteur() -> None:
    replay = Replay.of(game_record(5))
    names = PlayerNames.of(("Ana", "Bruno", "Chiara", "Dede", "Eitri"), None)
    suspicions = Suspicion(1, 3, None, (1, 2)), Suspicion(1, 4, None, (1,))
    lines = [line for one in suspicions for line in found_out_lines(replay, one, names)]
    assert "At the end of round 1, Bruno and Chiara looked more suspicious than Dede." in lines
    assert "At the end of round 1, Bruno looked more suspicious than Eitri." in lines
