"""The way to an endpoint: its address, the API key and what hides it, proxies and certificates."""

import html
import os
import re
from contextlib import suppress
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies

from requests.utils import select_proxy, should_bypass_proxies

from bap_v2_training.errors import UsageError

try:
    import httpx2
except ImportError:  # models that run here do not need it
    httpx2 = None


def checked_url(base_url: str) -> str:
    """Return the base URL without a slash at its end. Raises: UsageError: it is none, or holds a secret."""
    # What may be a secret is not shown; and it would be written beside the predictions.
    if set("@?#") & set(base_url):
        host = re.match(r"(?:\w+://)?(?:[^?#/]*@)?([\w.:-]+)(?=[/?#]|$)(?!.*@)", base_url)
        where = f" of {host[1]}" if host else ""
        raise UsageError(f"the address{where} holds a user name, password or query: give the API key in the "
                         "environment (see --api-key-env)")  # fmt: skip
    try:
        parts = urlsplit(base_url)
        right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # half an IPv6 address, or a port that is no number
        right = False
    if not right:
        raise UsageError(
            f"{base_url!r} is not the address of an endpoint (expected for example http://localhost:8000/v1)"
        )
    return base_url.rstrip("/")


def api_key(variable: str) -> str | None:
    """Read the API key in that environment variable, if any. Raises: UsageError: it cannot be sent."""
    key = os.environ.get(variable, "").strip()
    if wrong := next((character for character in key if not " " <= character <= "~"), None):
        what = "a line break" if wrong in "\r\n" else f"the character {wrong!a}"
        raise UsageError(f"the API key in {variable} holds {what}: copy it again, without quotation marks and breaks")
    return key or None


def hiding(key: str, cut_off: bool = False) -> re.Pattern[str]:
    """Return what finds a key in a text: as it is, and as URLs, JSON, HTML and Python write it.

    Args:
        cut_off: also the first half of a long one, with what follows.

    >>> hiding("sk-a/b+c&d1234").sub("***", "sk%2Da%2fb%2Bc%26D1234? sk-a/b+c&amp;d1234!")
    '***? ***!'
    """
    characters = []
    for character in key:
        code = ord(character)
        forms = [rf"\\*{re.escape(character)}", rf"\\+(?:u00|x){code:02x}", f"%(?:25)*{code:02x}"]
        forms += [f"&#(?:0*{code}|x0*{code:x});", re.escape(html.escape(character))]
        forms += [r"\s+|\+"] if character == " " else []
        characters.append(f"(?:{'|'.join(forms)})")
    half = "|" + "".join(characters[: len(key) // 2]) + r"[^\s\"'<>\\,;)}\]]*"
    return re.compile("".join(characters) + half * (cut_off and len(key) >= 16), re.IGNORECASE)


class Proxy(NamedTuple):
    """A proxy of the environment, which names it in a variable."""

    url: str
    variable: str

    def __str__(self) -> str:
        return f"{self.variable}={re.sub('//[^/]*@', '//', self.url)}"  # without its password


def proxy_of(url: str) -> Proxy | None:
    """Return the proxy that the environment names for an address; none for this machine, or where NO_PROXY says so."""
    host, found = urlsplit(url).hostname or "", getproxies()
    named = select_proxy(url, found)
    if named is None or should_bypass_proxies(url, found.get("no", "").replace("*.", ".")):
        return None
    with suppress(ValueError):  # not an address in numbers
        address = ip_address("127.0.0.1" if host.rpartition(".")[2] == "localhost" else host)
        if address.is_loopback or address.is_unspecified:
            return None
    scheme = next(key for key, value in found.items() if value == named)
    variable = next((name for name in os.environ if name.lower() == f"{scheme}_proxy"), "the proxy of this system")
    return Proxy(named if "://" in named else f"http://{named}", variable)


def client_of(url: str, key: str | None, timeout: float, proxy: Proxy | None) -> "httpx2.AsyncClient":
    """Return what sends requests to an address, with the key as a bearer token.

    Raises:
        UsageError: httpx2 is not installed, or a proxy or certificates of the environment cannot be used.
    """
    if httpx2 is None:
        raise UsageError('--backend openai needs httpx2: pip install "bap-v2[icl]"')
    try:
        # Certificates are read where they are needed; the environment says no more than this.
        secure = any(one.startswith("https:") for one in (url, proxy.url if proxy else ""))
        verify = httpx2.create_ssl_context() if secure else False
    except OSError as error:
        file = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
        raise UsageError(f"SSL_CERT_FILE={file}: no certificates can be read from it ({error})") from None
    try:
        return httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=timeout, verify=verify, trust_env=False,
            limits=httpx2.Limits(max_connections=None), proxy=proxy and proxy.url,
        )  # fmt: skip
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        fix = 'pip install "httpx2[socks]"' if isinstance(error, ImportError) else "expected http://HOST:PORT or socks5"
        around = f"NO_PROXY={urlsplit(url).hostname} to ask without it"
        raise UsageError(f"{proxy} cannot be used: {fix}; or {around}") from None
