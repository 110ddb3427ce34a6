"""A game that somebody plays by hand, as a value: which game it is, and what was answered so far."""

from dataclasses import dataclass, replace

from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.full_games.build_game import BuildGame


@dataclass(frozen=True)
class Session:
    """A game up to now. Equal sessions are equal games: they are played again when they are looked at."""

    simulator: str
    seed: int
    answers: tuple[str, ...] = ()  # the texts of the Builder's turns

    def game(self) -> BuildGame:
        """The game as it stands.

        Raises:
            SettingsError: for an unknown simulator, or a seed that is none.
        """
        game = BuildGame(simulator_of(self.simulator), self.seed)
        for text in self.answers:
            game.play(text)
        return game

    def played(self, text: str) -> "Session":
        """The session after one more turn."""
        return replace(self, answers=(*self.answers, text))

    def taken_back(self) -> "Session":
        """The session without its last turn."""
        return replace(self, answers=self.answers[:-1])
