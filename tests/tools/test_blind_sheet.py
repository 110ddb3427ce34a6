"""Sheets for reading blind: filled with the right answers all items are right, and without them none."""

import json

from blind_sheet import app
from typer.testing import CliRunner

from bap_v2_dataset.items.prompts import completion_of


def test_a_sheet_has_no_answers_and_is_scored_exactly(tmp_path, monkeypatch):
    monkeypatch.setattr("blind_sheet.GAMES", 3)
    sheet, key = tmp_path / "sheet.md", tmp_path / "key.jsonl"
    runner = CliRunner()
    assert runner.invoke(app, ["write", str(sheet), str(key), "--items", "4"]).exit_code == 0
    rows = [json.loads(line) for line in key.read_text().splitlines()]
    empty = sheet.read_text()
    assert not any(row["completion"] in empty or completion_of(row, "ego") in empty for row in rows)
    assert runner.invoke(app, ["score", str(sheet), str(key)]).stdout.endswith("0 of 4 exactly\n")

    filled = empty
    for row in rows[:-1]:
        head, id_, rest = filled.partition(f"## {row['id']}\n")
        before, mark, after = rest.partition("### AS:\n")
        filled = head + id_ + before + mark + "# seen at once\n" + completion_of(row, "ego") + "\n" + after
    sheet.write_text(filled)
    out = runner.invoke(app, ["score", str(sheet), str(key)]).stdout
    assert out.startswith(rows[-1]["id"]) and out.endswith("3 of 4 exactly\n")
