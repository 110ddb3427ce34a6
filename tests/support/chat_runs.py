"""Runs of predict.py with --backend openai, in this process."""

from pathlib import Path

from answer_lines import lines_by_id

KEY = "sk-stand-in-0123456789"


def command(url: str, data: Path, folder: Path, *changes: str) -> list[str]:
    return [
        *("--backend", "openai", "--base_url", url, "--model", "toy", "--dataset_path", str(data)),
        *("--out", str(folder / "chat.jsonl"), "--cache", str(folder / "cache")),
        *("--retry_delay", "0.01", "--max_retries", "4", "--shots", "3", "--timeout", "20", *changes),
    ]


def predicted(url: str, data: Path, folder: Path, *changes: str) -> dict[str, dict]:
    """The lines that predict.py writes, by id."""
    from bap_v2_training import predict

    return lines_by_id(predict.main(predict.parse_arguments(command(url, data, folder, *changes))))
