"""A chat model behind an endpoint that plays: several episodes at once, each with requests of its own."""

from bap_v2_training.in_context.conversation import Conversation, usable
from bap_v2_training.in_context.endpoint import Endpoint, Usage
from bap_v2_training.in_context.endpoint_settings import EndpointRun, request_options
from bap_v2_training.playing.games import Answer, Game
from bap_v2_training.playing.play_arguments import PlayArguments


class EndpointGames(EndpointRun[Game]):
    """Plays episodes at an endpoint. One that fails is no episode in which the model gave up."""

    unanswered = "episodes failed"

    def __init__(self, arguments: PlayArguments):
        request: dict = {"model": arguments.model, "temperature": arguments.temperature}
        if arguments.reasoning:  # models that reason refuse other fields
            request = {"model": arguments.model, "max_completion_tokens": arguments.max_new_tokens}
        else:
            request |= {"max_tokens": arguments.max_new_tokens, "stop": ["\n"]}
        if arguments.top_p < 1.0:
            request["top_p"] = arguments.top_p
        super().__init__(arguments, request)
        self._seeded = bool(arguments.temperature) and "seed" not in request_options(arguments)

    def name_of(self, asked: Game) -> str:
        return f"{asked.episode.task['id']}, run {asked.run}"

    async def answered(self, endpoint: Endpoint, asked: Game) -> Game:
        while not asked.episode.ended:
            self.check_cost()
            asked.take(await self._answer(endpoint, asked))
        return asked

    async def _answer(self, endpoint: Endpoint, game: Game) -> Answer:
        request = {**self.request, "messages": game.chat}
        if self._seeded:
            request["seed"] = game.turn_seed  # so that each turn has a cached response of its own
        response = await endpoint.response("chat/completions", request, usable)
        came, used = Conversation(response), Usage()
        used.add(response)
        known = not used.without_usage
        return Answer(
            came.text,
            used.prompt_tokens if known else None,
            used.completion_tokens if known else None,
            came.finished,
        )
