"""A client of the transmission registry (machine API v1). One file, standard library only, Python 3.9 or later.

    registry = Registry("https://registry.example.org", client_id, client_secret, signing_secret)
    answer = registry.follow(registry.transmit(certificate))
    print(answer.data["status"])  # ACCEPTED, FLAGGED or REJECTED

The signature covers the exact bytes that are sent, so a body is turned into bytes once, before it is signed.
A client object may be used by several threads.
"""

import hashlib
import hmac
import http.client
import json
import random
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime

BASE = "/api/v1"
RETRIES = 5
# Not 500: the registry would most likely give the same answer again.
RETRIED_STATUSES = (429, 502, 503, 504)
RETRY_AFTER_MAX_SECONDS = 60
BACKOFF_MAX_SECONDS = 10
# A token is renewed when less than a tenth of its lifetime is left.
TOKEN_USE_SHARE = 0.9
WAIT_MAX_SECONDS = 30
ANSWER_TIMEOUT_SECONDS = 30
PAUSE_MIN_SECONDS = 0.2
TERMINAL = ("ACCEPTED", "FLAGGED", "REJECTED")


class NoAnswer(Exception):
    """No answer in the registry's envelope, after all retries. The request may have arrived; sending it again is safe."""


class Answer:
    """An answer in the registry's envelope. `error` is None on success; branch on error["code"]."""

    def __init__(self, status, headers, envelope):
        self.status = status
        self.headers = headers
        self.ok = envelope["success"]
        self.data = envelope.get("data")
        self.error = envelope.get("error")

    @property
    def code(self):
        return self.error["code"] if self.error else None


def sign(signing_secret, method, target, timestamp, nonce, body):
    """Lowercase hex HMAC-SHA256 of the five parts joined by newlines. `target` is path and query as sent, `body` is bytes."""
    parts = [method, target, timestamp, nonce, hashlib.sha256(body).hexdigest()]
    return hmac.new(signing_secret.encode(), "\n".join(parts).encode(), hashlib.sha256).hexdigest()


class Registry:
    def __init__(self, base_url, client_id, client_secret, signing_secret, scope=None, retries=RETRIES):
        self.base_url = base_url.rstrip("/")
        self.client_id = client_id
        self.client_secret = client_secret
        self.signing_secret = signing_secret
        self.scope = scope
        self.retries = retries
        self._token = None
        self._renew_at = 0.0
        self._renewing = threading.Lock()
        self._clock_offset = 0.0
        # Shared by all requests: after a 429, none is sent until its Retry-After has passed.
        self._paused_until = 0.0
        self._opener = urllib.request.build_opener(_NoRedirects)

    def transmit(self, certificate, wait=None):
        """Sends a certificate: a dict, or bytes or text of JSON, which are sent unchanged. `wait=0` does not wait for the outcome."""
        return self.send("POST", BASE + "/ppai/policies", certificate, wait)

    def amend(self, registry_reference, amendment, wait=None):
        return self.send("POST", f"{BASE}/ppai/policies/{quote(registry_reference)}/amendments", amendment, wait)

    def cancel(self, registry_reference, cancellation, wait=None):
        return self.send("POST", f"{BASE}/ppai/policies/{quote(registry_reference)}/cancellation", cancellation, wait)

    def read_transmission(self, reference, wait=None):
        """By transmission reference or your own externalTransactionId."""
        return self.send("GET", f"{BASE}/ppai/transmissions/{quote(reference)}", wait=wait)

    def follow(self, answer, deadline=120):
        """Polls a submission until it is ACCEPTED, FLAGGED or REJECTED, or until the deadline in seconds. Returns the last answer."""
        ends_at = time.monotonic() + deadline
        while True:
            left = ends_at - time.monotonic()
            reference = _reference_in_progress(answer)
            if reference is None or left <= 0:
                return answer
            asked_at = time.monotonic()
            answer = self.read_transmission(reference, wait=min(WAIT_MAX_SECONDS, left))
            # The registry answered at once instead of waiting.
            if time.monotonic() - asked_at < PAUSE_MIN_SECONDS and _reference_in_progress(answer):
                time.sleep(min(max(left, 0), _retry_after(answer.headers) or PAUSE_MIN_SECONDS))

    def changes(self, after=None, limit=500, types=None, include_record=False, wait=None):
        """One page of the change feed. Store data["next"] once you have processed data["items"]; pass it as `after` next time."""
        query = {"after": after, "limit": limit, "types": types, "include": "record" if include_record else None}
        given = {name: value for name, value in query.items() if value is not None}
        return self.send("GET", f"{BASE}/ppai/changes?{urllib.parse.urlencode(given)}", wait=wait)

    def send(self, method, target, body=None, wait=None):
        """Signs and sends a request. `target` is the path with its query, already escaped. Raises NoAnswer."""
        content = _bytes_of(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        if wait is not None:
            headers["Prefer"] = "respond-async" if method == "POST" and wait == 0 else f"wait={round(wait)}"
        timeout = ANSWER_TIMEOUT_SECONDS + (wait or 0)
        answer = self._exchange(method, target, content, headers, timeout, signed=True)
        if answer.code == "INVALID_TOKEN":
            self._renew_at = 0.0
            return self._exchange(method, target, content, headers, timeout, signed=True)
        if answer.code == "TIMESTAMP_OUT_OF_RANGE" and "Date" in answer.headers:
            self._clock_offset = parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time()
            return self._exchange(method, target, content, headers, timeout, signed=True)
        return answer

    def obtain_token(self):
        parameters = {
            "grant_type": "client_credentials",
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            **({"scope": self.scope} if self.scope else {}),
        }
        headers = {"Content-Type": "application/json"}
        target = BASE + "/oauth/token"
        return self._exchange("POST", target, _bytes_of(parameters), headers, ANSWER_TIMEOUT_SECONDS, signed=False)

    def _exchange(self, method, target, body, headers, timeout, signed):
        """Retries after 429, 502, 503, 504 and a lost connection, each time with a new signature and not before Retry-After."""
        attempt = 0
        while True:
            time.sleep(max(0.0, self._paused_until - time.monotonic()))
            own = dict(headers)
            if signed:
                refusal = self._renew_token()
                if refusal is not None:
                    return refusal
                own.update(self._signature_headers(method, target, body))
            status, answered, text = self._attempt(method, target, body, own, timeout)
            if status == 429:
                pause = min(_retry_after(answered) or 0, RETRY_AFTER_MAX_SECONDS)
                self._paused_until = max(self._paused_until, time.monotonic() + pause)
            if status is not None and (status not in RETRIED_STATUSES or attempt == self.retries):
                return Answer(status, answered, _envelope_of(text, f"{method} {target} was answered {status}"))
            if attempt == self.retries:
                raise NoAnswer(f"{method} {target} got no answer in {attempt + 1} attempts: {text}")
            backoff = min(BACKOFF_MAX_SECONDS, 0.3 * 2**attempt) * random.random()
            retry_after = _retry_after(answered) if status in (429, 503) else None
            time.sleep(backoff if retry_after is None else min(retry_after, RETRY_AFTER_MAX_SECONDS))
            attempt += 1

    def _attempt(self, method, target, body, headers, timeout):
        """One exchange: status, headers and text; without an answer the status is None and the text is the reason."""
        url = self.base_url + target
        request = urllib.request.Request(url, data=body or None, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()
        except (OSError, http.client.HTTPException) as error:
            return None, {}, str(error)

    def _signature_headers(self, method, target, body):
        timestamp = str(int(time.time() + self._clock_offset))
        nonce = secrets.token_urlsafe(24)
        return {
            "Authorization": f"Bearer {self._token}",
            "X-PPAI-Client-Id": self.client_id,
            "X-PPAI-Timestamp": timestamp,
            "X-PPAI-Nonce": nonce,
            "X-PPAI-Signature": sign(self.signing_secret, method, target, timestamp, nonce, body),
        }

    def _renew_token(self):
        """Obtains a token if necessary. Returns the answer of the token endpoint if it issued none."""
        with self._renewing:
            if time.monotonic() < self._renew_at:
                return None
            asked_at = time.monotonic()
            answer = self.obtain_token()
            if not answer.ok:
                return answer
            self._token = answer.data["access_token"]
            self._renew_at = asked_at + answer.data["expires_in"] * TOKEN_USE_SHARE
            return None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected request would have another target than the one that was signed."""

    def redirect_request(self, *_):
        return None


def quote(value):
    """Escapes one segment of a path."""
    return urllib.parse.quote(value, safe="")


def _bytes_of(body):
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return text.encode()


def _reference_in_progress(answer):
    data = answer.data or {}
    if data.get("status") in (None, *TERMINAL) or answer.code not in (None, "TRANSMISSION_IN_PROGRESS"):
        return None
    return data["transmissionReference"]


def _retry_after(headers):
    text = headers.get("Retry-After") or ""
    return int(text) if text.isdigit() else None


def _envelope_of(text, what):
    try:
        envelope = json.loads(text)
        if isinstance(envelope["success"], bool):
            return envelope
    except (ValueError, KeyError, TypeError):
        pass
    raise NoAnswer(f"{what} without the registry's envelope. Is the base URL right?")
