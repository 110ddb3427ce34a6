"""The environment of full games keeps the rules of gymnasium, alone and several at once."""

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="its extra is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from bap_v2_dataset.games.builders import BuilderError, builder_of  # noqa: E402
from bap_v2_dataset.games.environment import NAME, ActionError, row_of  # noqa: E402


def test_the_checker_of_gymnasium_finds_nothing():
    check_env(gymnasium.make(NAME, simulator="dss").unwrapped)


def test_the_symbolic_builder_wins_from_the_observations_alone():
    env, builder = gymnasium.make(NAME, simulator="dsb"), builder_of("symbolic")
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        rewards, over = [], False
        while not over:
            assert observation in env.observation_space
            observation, reward, terminated, truncated, info = env.step(builder(row_of(observation)))
            rewards.append(reward)
            over = terminated or truncated
        assert sum(rewards) == 1.0
        assert info["result"]["completed"]


def test_a_game_without_a_seed_follows_from_the_one_before():
    def second() -> str:
        env = gymnasium.make(NAME)
        env.reset(seed=5)
        return env.reset()[0]["dialogue"]

    assert second() == second()


def test_several_games_run_at_once():
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(NAME)] * 3)
    observations, _ = envs.reset(seed=[1, 2, 1])
    assert observations["dialogue"][0] == observations["dialogue"][2] != observations["dialogue"][1]
    _, rewards, terminations, _, _ = envs.step(("place red 0 1 0", "", "pick 0 1 0"))
    assert list(rewards) == [0.0, 0.0, 0.0]
    assert not any(terminations)


def test_what_is_not_ascii_stays_inside_the_observation_space():
    env = gymnasium.make(NAME)
    env.reset(seed=0)
    observation, *_ = env.unwrapped.step("<Builder> où exactement – ici?")
    assert observation in env.observation_space
    with pytest.raises(ActionError, match="None is not an action"):
        env.unwrapped.step(None)


def test_games_in_processes_of_their_own_see_whole_texts():
    apart = {"vectorization_mode": "async", "vector_kwargs": {"shared_memory": False}}
    envs = gymnasium.make_vec(NAME, num_envs=2, **apart)
    observations, _ = envs.reset(seed=[1, 2])
    envs.close()
    assert [gymnasium.make(NAME).reset(seed=seed)[0]["dialogue"] for seed in (1, 2)] == list(observations["dialogue"])


def test_an_unknown_builder_is_refused_with_the_names():
    with pytest.raises(BuilderError, match="symbolic_err25"):
        builder_of("nobody")
