"""An OpenAI-compatible endpoint in this process, for tests: chat completions and embeddings over HTTP, and its faults.

    with ChatStandIn(answer=lambda messages: "place red 0 1 0") as endpoint:
        run([..., "--base_url", endpoint.url])
        endpoint.faults += [Fault(status=429, retry_after="0.2"), Fault(cut=True)]
        endpoint.requests            # [(path, headers, body), ...]

    python tests/support/chat_stand_in.py 8901 0.3     # as a process of its own, 0.3 s an answer; prints its address

An answer takes `delay` seconds. Tokens are words. The vector of a text counts its letters.
"""

import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


@dataclass
class Fault:
    """What goes wrong with one request. The first fault of the list happens to the next request and is removed."""

    status: int | None = None  # answers with that, and `message`
    message: str = "injected fault"
    retry_after: str | None = None
    cut: bool = False  # closes the connection in the middle of the body
    half: bool = False  # a whole answer over HTTP, but only half of the JSON
    delay: float = 0.0  # seconds
    body: object = None  # answers with this JSON and `status` or 200; a text as it is
    location: str | None = None
    stays_open: bool = False  # after the body, whose length is not told


class Request(NamedTuple):
    path: str
    headers: dict[str, str]  # names in lower case
    body: dict


class ChatStandIn:
    """The server; `answer` gets the messages of a request and gives the text, or more of the message as a dict.

    Such a dict has "content", and may have "tool_calls", "reasoning_content" and "finish_reason".
    """

    def __init__(
        self,
        answer: Callable[[list[dict]], str | dict] = lambda messages: "place red 0 1 0",
        delay: float = 0.0,
        port: int = 0,
    ):
        self.answer = answer
        self.delay = delay
        self.faults: list[Fault] = []
        self.requests: list[Request] = []
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"stand_in": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> "ChatStandIn":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def response(self, path: str, body: dict) -> dict:
        """The response of the endpoint if nothing goes wrong."""
        if path.endswith("/embeddings"):
            vectors = [
                [text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in body["input"]
            ]
            data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
            words = sum(len(text.split()) for text in body["input"])
            return {"data": data[::-1], "usage": {"prompt_tokens": words, "total_tokens": words}}
        answer = self.answer(body["messages"])
        message = {"role": "assistant", **(answer if isinstance(answer, dict) else {"content": answer})}
        finish = message.pop("finish_reason", "tool_calls" if message.get("tool_calls") else "stop")
        thoughts = len((message.get("reasoning_content") or "").split())
        usage = {
            "prompt_tokens": sum(len((message["content"] or "").split()) for message in body["messages"]),
            "completion_tokens": len((message["content"] or "").split()) + thoughts,
        }
        if thoughts:
            usage["completion_tokens_details"] = {"reasoning_tokens": thoughts}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return {"object": "chat.completion", "choices": [choice], "usage": usage}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stand_in: ChatStandIn

    def do_POST(self) -> None:
        stand_in = self.stand_in
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with stand_in.lock:
            stand_in.requests.append(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            fault = stand_in.faults.pop(0) if stand_in.faults else Fault()
            stand_in.at_once += 1
            stand_in.most_at_once = max(stand_in.most_at_once, stand_in.at_once)
        try:
            time.sleep(stand_in.delay + fault.delay)
            self._answer(body, fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client has given up
        finally:
            with stand_in.lock:
                stand_in.at_once -= 1

    def _answer(self, body: dict, fault: Fault) -> None:
        if fault.body is not None:
            answer = fault.body
        elif fault.status is not None:
            answer = {"error": {"message": fault.message, "type": "injected"}}
        else:
            answer = self.stand_in.response(self.path, body)
        content = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        if fault.half:
            content = content[: len(content) // 2]
        self.send_response(fault.status or 200)
        self.send_header("Content-Type", "application/json")
        if not fault.stays_open:
            self.send_header("Content-Length", str(len(content)))
        if fault.location is not None:
            self.send_header("Location", fault.location)
        if fault.retry_after is not None:
            self.send_header("Retry-After", fault.retry_after)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if fault.cut else content)
        if fault.stays_open:
            self.wfile.flush()
            time.sleep(5)
        self.close_connection = self.close_connection or fault.cut or fault.stays_open

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    with ChatStandIn(port=int(sys.argv[1]), delay=float(sys.argv[2]) if len(sys.argv) > 2 else 0.0) as running:
        print(running.url, flush=True)
        threading.Event().wait()
