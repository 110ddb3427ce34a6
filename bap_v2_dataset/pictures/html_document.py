"""An HTML page in one file: our style, the data, and a script of ours that reads them."""

import html
import json
from functools import lru_cache
from importlib import resources


def html_document(
    title: str, body: str, data: object, package: str, script: str, before: str = "", after: str = ""
) -> str:
    """Return the page.

    Args:
        body: HTML.
        data: what the script reads, as JSON.
        package, script: where the script is, and its file.
        before, after: HTML with other scripts before the data, and the text of another script at the end.
    """
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")  # no tag can end the element
    style = asset(__package__, "pages.css")
    return (
        f"<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n"
        f"{before}\n<script id='data' type='application/json'>{text}</script>\n"
        f"<script>\n{asset(package, script)}</script>\n"
        + (f"<script>{after}</script>\n" if after else "")
        + "</body>\n</html>\n"
    )


@lru_cache
def asset(package: str, name: str) -> str:
    """Read a text file of a package."""
    return (resources.files(package) / name).read_text(encoding="utf-8")
