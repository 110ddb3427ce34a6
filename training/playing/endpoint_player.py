"""A chat model behind an endpoint that plays: several episodes at once, each with requests of its own."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from bap_v2_training.in_context.conversation import Conversation, usable
from bap_v2_training.in_context.endpoint import Endpoint, EndpointError, Usage
from bap_v2_training.in_context.endpoint_settings import endpoint_at, request_options
from bap_v2_training.playing.games import Answer, Game
from bap_v2_training.playing.play_arguments import PlayArguments


class EndpointGames:
    """Plays episodes at an endpoint. One that fails is not written: it is no episode in which the model gave up.

    Attributes:
        usage: what the run used so far.
        failures: the episodes that got no answer, and why.
    """

    def __init__(self, arguments: PlayArguments):
        self._arguments = arguments
        request: dict = {"model": arguments.model, "temperature": arguments.temperature}
        if arguments.reasoning:  # models that reason refuse other fields
            request = {"model": arguments.model, "max_completion_tokens": arguments.max_new_tokens}
        else:
            request |= {"max_tokens": arguments.max_new_tokens, "stop": ["\n"]}
        if arguments.top_p < 1.0:
            request["top_p"] = arguments.top_p
        self._options = request_options(arguments)
        self._request = request
        self.usage = Usage()
        self.failures: list[str] = []

    async def play_all(self, games: Sequence[Game], write: Callable[[Game], None]) -> None:
        """Plays all episodes, `concurrency` at a time; each is written when it ends.

        Raises:
            EndpointError: nothing more can be answered, too many episodes failed, or --max_cost is reached.
        """
        remaining = iter(games)  # shared: each worker takes the next one
        arguments = self._arguments
        async with endpoint_at(arguments.base_url, arguments.api_key_env, arguments) as endpoint:
            endpoint.usage = self.usage
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(arguments.concurrency, len(games))):
                        workers.create_task(self._play(endpoint, remaining, write))
            except* EndpointError as group:
                raise group.exceptions[0] from None

    async def _play(self, endpoint: Endpoint, games: Iterator[Game], write: Callable[[Game], None]) -> None:
        """One worker: plays episodes until there are none left."""
        for game in games:
            try:
                while not game.episode.ended:
                    self._check_cost()
                    game.take(await self._answer(endpoint, game))
            except EndpointError as error:
                self.failures.append(f"{game.episode.task['id']}, run {game.run}: {error}")
                if error.fatal:
                    raise
                if len(self.failures) >= self._arguments.max_failures:
                    raise EndpointError(f"{len(self.failures)} episodes failed; the last: {error}", True) from error
            else:
                write(game)

    async def _answer(self, endpoint: Endpoint, game: Game) -> Answer:
        request = {**self._request, "messages": game.chat}
        if self._arguments.temperature:
            request["seed"] = game.turn_seed  # so that each turn has a cached response of its own
        request = {name: value for name, value in (request | self._options).items() if value is not None}
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

    def _check_cost(self) -> None:
        """Raises: EndpointError if --max_cost is reached."""
        limit = self._arguments.max_cost
        cost = self.usage.cost(self._arguments.price_prompt, self._arguments.price_completion)
        if limit is not None and cost >= limit:
            raise EndpointError(f"this run has cost {cost:.4f}, and --max_cost is {limit:g}", True)
