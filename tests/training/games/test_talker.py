"""Models that one talks to: their answer is that of `predict`, and what else they would do builds something else."""

import pytest
from chat_stand_in import ChatStandIn
from small_builders import ROWS, save_builder

from bap_v2_dataset.games.talk import Talk
from bap_v2_metric.notation import parse_structure, read_prediction
from bap_v2_simulators.full_games.build_game import carried_out
from bap_v2_training.commands import talker
from bap_v2_training.decoding.learned_builder import load_builder


@pytest.mark.parametrize("kind", ["bap_pointer", "bap_gru", "bap_ensemble"])
def test_a_learned_builder_answers_as_it_predicts_and_says_how_sure_it_is(kind, tmp_path):
    model = str(save_builder(tmp_path / kind, kind))
    person = talker(["--model", model])
    samples = {} if kind == "bap_ensemble" else {"samples": 16}
    row = {**next(row for row in ROWS if row["before"]), "id": "talk/0"}
    reply = person.reply(row)
    assert [reply.text] == [text for text, _ in load_builder(model, **samples).answers([row])]
    built = {carried_out(parse_structure(row["before"]), read_prediction(text).actions)[1] for text in reply.others}
    assert len(built) == len(reply.others) >= 2 and reply.text not in reply.others
    assert reply.likelihoods and all(0 < share <= 1 for share in reply.likelihoods.values())
    assert not read_prediction("\n".join(reply.likelihoods)).unparsed_lines
    assert person.unseen("put a zork block, please xyzzy") == [3, 6]
    if kind != "bap_ensemble":
        greedy = talker(["--model", model, "--samples", "0"]).reply(row)
        assert greedy.text == load_builder(model).answers([row])[0][0] and not greedy.likelihoods


def test_a_chat_model_is_talked_to_and_gives_one_answer():
    with ChatStandIn(lambda messages: "place red 0 1 0") as endpoint:
        person = talker(["--model", "m", "--backend", "openai", "--base_url", endpoint.url, "--shots", "0"])
        talk = Talk.begun(person).said("a red block", person).said("again", person)
    assert talk.outcomes[0].sentence == "placed 1 red"
    assert talk.outcomes[1].sentence.startswith("nothing changed; action 1") and not talk.turns[0].reply.others
