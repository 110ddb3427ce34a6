"""`make demo` shows a learned Builder first; the whole path fits a screen, and tells its result."""

import json

import demo

SCORES = {"pointer_demo": 0.838, "stack": 0.252, "symbolic": 1.0}


def test_a_learned_builder_comes_first_and_training_as_a_choice_tells_its_result(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo.console, "width", 80)
    commands = []
    monkeypatch.setattr(demo, "step", lambda what, *command, shown=False: commands.append(command) or 20.0)
    demo.FIRST.parent.mkdir(parents=True)
    demo.FIRST.write_text('{"id": "dss-test-3/1"}\n')
    demo.main([])
    assert "compact" in commands[0] and "dss-test-3/1" in commands[2] and len(commands) == 3
    assert "after 60 s" in (out := capsys.readouterr().out) and "TRAIN=1" in out
    # The whole path, on less than a screen; it says why a rule has 100.
    systems = [{"name": name, "scores": {"fairer_f1": score}} for name, score in SCORES.items()]
    demo.REPORT.mkdir(parents=True)
    (demo.REPORT / "report.json").write_text(json.dumps({"tests": [{"systems": {"systems": systems}}]}))
    demo.main(["--train"])
    out = capsys.readouterr().out
    assert "83.8 of 100" in " ".join(out.split()) and "symbolic has 100.0 because it inverts the grammar" in out
    assert len(out.splitlines()) + 4 * len(commands[6:]) + 24 <= 80  # steps have four lines, the table of the report 24
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  ")] == ["bap-v2", "bap-v2", "less"]
    assert not any("compare" in map(str, command) for command in commands)
