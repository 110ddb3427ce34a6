"""`make demo` fits a screen, and ends with its result."""

import json

import demo

SCORES = {"pointer_demo": 0.838, "stack": 0.252, "symbolic": 1.0}


def test_the_demo_tells_its_result_and_why_a_rule_has_100_on_less_than_a_screen(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo.console, "width", 80)
    commands = []
    monkeypatch.setattr(demo, "step", lambda what, *command, shown=False: commands.append(command) or 70.0)
    systems = [{"name": name, "scores": {"fairer_f1": score}} for name, score in SCORES.items()]
    demo.REPORT.mkdir(parents=True)
    (demo.REPORT / "report.json").write_text(json.dumps({"tests": [{"systems": {"systems": systems}}]}))
    demo.main([])
    out = capsys.readouterr().out
    assert "83.8 of 100" in " ".join(out.split()) and "symbolic has 100.0 because it inverts the grammar" in out
    assert len(out.splitlines()) + 4 * len(commands) + 24 <= 80  # steps have four lines, the table of the report 24
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  ")] == ["bap-v2", "bap-v2", "less"]
    assert not any("compare" in map(str, command) for command in commands)
