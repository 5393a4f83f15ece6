"""The wire to a service: questions by HTTP with a token, answers as plain values, and problems as errors of ours."""

from __future__ import annotations

import ipaddress
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from sfumato.errors import (
    InfeasiblePolicy,
    MissingExtra,
    SecretError,
    ServiceRefusal,
    ServiceUnavailable,
    SfumatoError,
    TooOften,
)

if TYPE_CHECKING:
    import httpx

BASE = "/api/v1"
KIND = "urn:sfumato:problem:"
PAGE = 200  # items of a list that are asked for at a time
# Seconds before a question is asked again that the service could not answer: about half a minute together, in which a
# service is started again. Each is lengthened by chance, so that many clients do not come back in the same moment.
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
CONNECTING, READING = 10.0, 120.0  # seconds
SAFE = {"GET", "HEAD", "PUT", "DELETE"}  # to be asked again without harm; others are so where they say what they are
OFFSET = "Upload-Offset"
KEYED = {"Idempotency-Key", OFFSET}


@dataclass(frozen=True)
class WireAnswer:
    """What came back: the document, and which state of a thing it shows."""

    document: Any
    etag: str | None = None


@dataclass(frozen=True)
class Wire:
    """A way to ask one service. The token is in no representation of it."""

    url: str
    http: httpx.Client = field(repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    @classmethod
    def to(cls, url: str, token: str, *, certificates: str | None = None, transport: Any = None) -> Wire:
        """The wire to an address; certificates of servers are verified, by those of the system or by a file of them."""
        try:
            import httpx
        except ImportError:
            raise MissingExtra("The client", "client") from None
        address = url.rstrip("/").removesuffix(BASE)
        require_confidential(address)
        http = httpx.Client(
            base_url=address + BASE,
            headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
            timeout=httpx.Timeout(READING, connect=CONNECTING),
            verify=_trusted(certificates),
            transport=transport,
        )
        return cls(address, http)

    def get(self, *path: object, **query: Any) -> WireAnswer:
        """Ask for something."""
        return self.ask("GET", *path, params=query)

    def post(self, *path: object, body: Any = None, key: str | None = None) -> WireAnswer:
        """Start something: under one key it is started once, however often the question arrives."""
        return self.ask("POST", *path, json=body, headers={"Idempotency-Key": key or uuid.uuid4().hex})

    def ask(self, method: str, *path: object, **question: Any) -> WireAnswer:
        """Ask, and ask again with growing waits where the service does not answer and asking twice does no harm."""
        response = self._sent(method, path, question)
        is_json = "json" in response.headers.get("content-type", "")
        return WireAnswer(
            response.json() if is_json and response.content else response.text, response.headers.get("etag")
        )

    def pages(self, *path: object, **query: Any) -> Iterator[Any]:
        """All items of a list, page by page."""
        after: str | None = None
        while True:
            page = self.get(*path, **query, limit=PAGE, **({"after": after} if after else {})).document
            yield from page["items"]
            after = page.get("next")
            if after is None:
                return

    def stream(self, *path: object, **query: Any) -> Iterator[bytes]:
        """The bytes of a file, of which a piece is in memory at a time."""
        import httpx

        try:
            with self.http.stream("GET", _path(path), params=query) as response:
                if response.is_error:
                    response.read()
                    raise _error(response)
                yield from response.iter_bytes(1_000_000)
        except httpx.TransportError as error:
            raise _unreachable(self.url, error) from None

    def close(self) -> None:
        """Hang up."""
        self.http.close()

    def _sent(self, method: str, path: tuple[object, ...], question: Mapping[str, Any]) -> httpx.Response:
        import httpx

        repeatable = method in SAFE or bool(KEYED & question.get("headers", {}).keys())
        problem: SfumatoError = ServiceUnavailable("The service")
        for wait in (*WAITS, None):
            try:
                response = self.http.request(method, _path(path), **question)
            except httpx.TransportError as error:
                problem = _unreachable(self.url, error)
                if not repeatable:
                    raise problem from None
            else:
                if not response.is_error:
                    return response
                problem = _error(response)
                if response.status_code != 503:
                    raise problem
            if wait is not None:
                self.sleep(wait * (1 + random.random() / 4))
        raise problem


def require_confidential(address: str) -> None:
    """Refuse to send a token over a network in the clear.

    >>> require_confidential("https://sfumato.example.org"), require_confidential("http://127.0.0.1:8140")
    (None, None)
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)):
        return
    raise SecretError("A token is sent by TLS only: give an address that begins with https://.")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _trusted(certificates: str | None) -> Any:
    import ssl

    return ssl.create_default_context(cafile=certificates) if certificates else True


def _path(parts: tuple[object, ...]) -> str:
    """Parts of a path; what stands in one of them never becomes two.

    >>> _path(("projects", "a/b", "runs"))
    '/projects/a%2Fb/runs'
    """
    return "".join(f"/{quote(str(part), safe='')}" for part in parts)


def _unreachable(url: str, error: Exception) -> ServiceUnavailable:
    return ServiceUnavailable(f"The service at {url} ({type(error).__name__})")


def _error(response: httpx.Response) -> SfumatoError:
    """A problem document as the error that it was there."""
    try:
        problem = response.json()
        kind, detail = str(problem["type"]).removeprefix(KIND), str(problem["detail"])
        named = ", ".join(problem.get("fields") or ())
    except (ValueError, KeyError, TypeError):
        kind, detail, named = "", f"The service answered with the status {response.status_code}.", ""
    error = _like(kind, response.status_code)
    Exception.__init__(error, f"{detail} ({named})" if named else detail)
    if isinstance(error, TooOften):
        error.after = int(response.headers.get("retry-after", "60"))
    return error


def _like(kind: str, status: int) -> SfumatoError:
    """An error of the class that a problem is of, without words yet."""
    if status == 409 and kind == "refused":
        error: SfumatoError = InfeasiblePolicy.__new__(InfeasiblePolicy)
        error.advice = ()  # type: ignore[attr-defined]
        return error
    # Those of `sfumato.errors` alone: where a service is in the same process, it has finer ones of the same kinds.
    known = [one for one in ServiceRefusal.__subclasses__() if one.__module__ == ServiceRefusal.__module__]
    classes = {one.kind: one for one in known}
    by_status = {one.status: one for one in reversed(known)}
    chosen = classes.get(kind) or (by_status.get(status, ServiceRefusal) if status != 422 else ServiceRefusal)
    refusal = chosen.__new__(chosen)
    refusal.status, refusal.kind = status, kind or "refused"
    return refusal
