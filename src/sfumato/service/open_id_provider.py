"""A provider of OpenID Connect: what it says of itself, and whether what it says of somebody is from it and for us.

Nobody else is asked: the client goes to the issuer, and to hosts that the administrator names, follows no redirect, and
reads no answer beyond a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.discovery import get_well_known_url
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from sfumato.errors import SecretError, ServiceRefusal, ServiceUnavailable
from sfumato.secrets import private_file
from sfumato.service.settings import LOOPBACK, OpenIdSettings

# Signed with a key that only the provider has: with none, or with a secret that is known here too, it proves nothing.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
TOLD = ("email", "email_verified", "name", "preferred_username")
LEEWAY = 60  # seconds that clocks may differ by
PATIENCE = 10  # seconds that a provider has for an answer
MOST_BYTES = 1_000_000
PROVIDER = "The provider of your organisation's sign-in"


class OpenIdRefused(ServiceRefusal):
    """Somebody is not let in with what a provider says of them."""

    status, kind = 403, "openid-refused"


@dataclass(frozen=True)
class OpenIdProvider:
    """The provider of the settings."""

    settings: OpenIdSettings
    clock: Callable[[], datetime]

    def metadata(self) -> Mapping[str, str]:
        """What the provider says of itself: its endpoints, which are on hosts that may be asked."""
        with self._client() as client:
            said = _document(client, "GET", get_well_known_url(self.settings.issuer, external=True))
        if said.get("issuer") != self.settings.issuer:
            raise OpenIdRefused(f"{PROVIDER} calls itself by another name than the one in the settings (issuer).")
        if not all(isinstance(said.get(name), str) for name in ENDPOINTS):
            raise OpenIdRefused(f"{PROVIDER} does not say where its endpoints are.")
        methods = said.get("code_challenge_methods_supported")
        if isinstance(methods, list) and "S256" not in methods:
            raise OpenIdRefused(f"{PROVIDER} does not know PKCE with S256, and this service does not do without.")
        named = [*ENDPOINTS, *(["userinfo_endpoint"] if isinstance(said.get("userinfo_endpoint"), str) else [])]
        self._require_known(*(said[name] for name in named))
        return {**{name: said[name] for name in named}, **_answers_with_issuer(said)}

    def sign_in_address(self, *, state: str, nonce: str, verifier: str, answer: str) -> str:
        """Where the browser is sent."""
        asked = {
            "response_type": "code",
            "client_id": self.settings.client,
            "redirect_uri": answer,
            "scope": "openid email profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        endpoint = self.metadata()["authorization_endpoint"]
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    def claims(self, code: str, *, verifier: str, nonce: str, answer: str, issuer: str | None) -> Mapping[str, Any]:
        """What the provider says of somebody, for a code; `OpenIdRefused` where anything of it is not as it must be.

        `issuer` is who the answer says it is from (RFC 9207), against answers that another provider made.
        """
        metadata = self.metadata()
        if issuer != self.settings.issuer and (issuer is not None or "issuer_in_answers" in metadata):
            raise OpenIdRefused("This answer is not from the provider that was asked. Begin again.")
        with self._client() as client:
            asked = {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": answer,
                "code_verifier": verifier,
                "client_id": self.settings.client,
            }
            given = _document(client, "POST", metadata["token_endpoint"], data=asked, auth=self._secret())
            claims = self.verified(given.get("id_token"), _document(client, "GET", metadata["jwks_uri"]), nonce)
            if "email" in claims or "userinfo_endpoint" not in metadata:
                return claims
            # Many providers tell names and addresses at a place of their own (OpenID Connect Core, 5.4).
            bearer = {"Authorization": f"Bearer {given.get('access_token')}"}
            more = _document(client, "GET", metadata["userinfo_endpoint"], headers=bearer)
        if more.get("sub") != claims["sub"]:
            raise OpenIdRefused(f"{PROVIDER} speaks of two different people. Begin again.")
        return {**{name: more[name] for name in TOLD if name in more}, **claims}

    def verified(self, token: object, keys: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
        """The claims of a token: signed by the provider, for this client, this sign-in and this time."""
        registry = jwt.JWTClaimsRegistry(
            now=int(self.clock().timestamp()),
            leeway=LEEWAY,
            iss={"essential": True, "value": self.settings.issuer},
            aud={"essential": True, "value": self.settings.client},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            read = jwt.decode(str(token), KeySet.import_key_set({"keys": _signing(keys)}), algorithms=[*ALGORITHMS])
            registry.validate(read.claims)
            if not isinstance(read.claims["sub"], str):  # joserfc looks at its type in later versions only
                raise TypeError
        except (JoseError, ValueError, TypeError, KeyError):
            raise OpenIdRefused(f"What {PROVIDER.lower()} says of you cannot be verified. Begin again.") from None
        claims: Mapping[str, Any] = read.claims
        party = claims.get("azp", self.settings.client)
        alone = isinstance(claims["aud"], str) or len(claims["aud"]) == 1
        if party != self.settings.client or not (alone or "azp" in claims):
            raise OpenIdRefused(f"What {PROVIDER.lower()} says of you is meant for another service.")
        return claims

    def _secret(self) -> httpx.Auth | None:
        if self.settings.secret_file is None:
            return None
        try:
            secret = private_file(self.settings.secret_file, "the secret of the client").decode().strip()
        except (SecretError, UnicodeDecodeError):  # where the file is, and what is wrong with it, is not for everybody
            raise OpenIdRefused("The service cannot read its secret for this sign-in. Tell an administrator.") from None
        return httpx.BasicAuth(self.settings.client, secret)

    def _require_known(self, *addresses: str) -> None:
        for address in addresses:
            if not self._known(address):
                raise OpenIdRefused(
                    f"{PROVIDER} names an endpoint on a host that is not its own. An administrator can name that host "
                    "in the settings (open_id: hosts)."
                )

    def _known(self, address: str) -> bool:
        """Whether an address is of the issuer, or of a host that was named; by TLS, but for one on this machine."""
        here, issuer = urlsplit(address), urlsplit(self.settings.issuer)
        if here.scheme != "https" and here.hostname not in LOOPBACK:
            return False
        same = (here.scheme, here.netloc) == (issuer.scheme, issuer.netloc)
        return same or (here.scheme == "https" and here.netloc in self.settings.hosts)

    @contextmanager
    def _client(self) -> Iterator[httpx.Client]:
        """A client that goes nowhere else, whatever it is told."""

        def only_known(request: httpx.Request) -> None:
            self._require_known(str(request.url))

        hooks = {"request": [only_known]}
        with httpx.Client(timeout=PATIENCE, follow_redirects=False, trust_env=False, event_hooks=hooks) as client:
            yield client


def _document(
    client: httpx.Client, method: str, address: str, *, headers: Mapping[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """The JSON that an address answers with. What is wrong with it is not told further: it may hold a secret."""
    import json

    content = b""
    try:
        with client.stream(
            method, address, headers={"Accept": "application/json", **(headers or {})}, **more
        ) as answer:
            for chunk in answer.iter_bytes():
                content += chunk
                if len(content) > MOST_BYTES:
                    raise OpenIdRefused(f"{PROVIDER} answers with more than {MOST_BYTES:,} bytes.")
    except httpx.HTTPError:
        raise ServiceUnavailable(PROVIDER) from None
    if answer.status_code >= 500:
        raise ServiceUnavailable(PROVIDER)
    try:
        document = json.loads(content)
    except ValueError:
        document = None
    if answer.status_code != 200 or not isinstance(document, dict):
        raise OpenIdRefused(f"{PROVIDER} did not accept what it was asked ({answer.status_code}). Begin again.")
    return document


def _signing(keys: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The keys that sign; a set may hold others, and kinds that nobody here knows."""
    listed = keys.get("keys")
    known = [key for key in listed if isinstance(key, dict)] if isinstance(listed, list) else []
    return [key for key in known if key.get("kty") in ("RSA", "EC", "OKP") and key.get("use", "sig") == "sig"]


def _answers_with_issuer(said: Mapping[str, Any]) -> dict[str, str]:
    promised = said.get("authorization_response_iss_parameter_supported") is True
    return {"issuer_in_answers": "yes"} if promised else {}
