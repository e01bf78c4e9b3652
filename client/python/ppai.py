"""A client of the transmission registry (machine API v1). One file, standard library only, Python 3.9 or later.

    registry = Registry("https://registry.example.org", client_id, client_secret, signing_secret)
    answer = registry.follow(registry.transmit(certificate))
    print(answer.registered, answer.code or answer.data["status"])

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
# And 500 with Retry-After, with which the registry says that it expects to be back.
RETRIED_STATUSES = (429, 502, 503, 504)
RETRY_AFTER_MAX_SECONDS = 60
BACKOFF_MAX_SECONDS = 10
# A token is renewed when less than a tenth of its lifetime is left.
TOKEN_USE_SHARE = 0.9
WAIT_MAX_SECONDS = 30
ANSWER_TIMEOUT_SECONDS = 30
PAUSE_MIN_SECONDS = 0.2
REGISTERED = ("ACCEPTED", "FLAGGED")
IN_PROGRESS = ("RECEIVED", "VALIDATING")
TEXT_SHOWN_MAX = 200


class NoAnswer(Exception):
    """No answer in the registry's envelope, after all retries. The request may have arrived; sending it again is safe."""


class Answer:
    """An answer in the registry's envelope. `ok` says that the registry did what was asked, also when that was to look up a
    transmission that is REJECTED or in progress. `error` is None then; otherwise branch on error["code"].
    """

    def __init__(self, status, headers, envelope):
        self.status = status
        self.headers = headers
        self.ok = envelope["success"]
        self.data = envelope.get("data")
        self.error = envelope.get("error")

    @property
    def code(self):
        return self.error["code"] if self.error else None

    @property
    def registered(self):
        """Whether this is a transmission that is ACCEPTED or FLAGGED: the change is in the registry."""
        return self.ok and (self.data or {}).get("status") in REGISTERED


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

    def transmit(self, certificate, wait=None, scenario=None):
        """Sends a certificate: a dict, or bytes or text of JSON, which are sent unchanged. `wait=0` does not wait for the outcome.
        `scenario` says what happens to it in a sandbox, such as "FLAGGED"; production refuses it.
        """
        return self.send("POST", BASE + "/ppai/policies", certificate, wait, scenario)

    def amend(self, registry_reference, amendment, wait=None, scenario=None):
        return self.send("POST", f"{BASE}/ppai/policies/{quote(registry_reference)}/amendments", amendment, wait, scenario)

    def cancel(self, registry_reference, cancellation, wait=None, scenario=None):
        return self.send("POST", f"{BASE}/ppai/policies/{quote(registry_reference)}/cancellation", cancellation, wait, scenario)

    def read_transmission(self, reference, wait=None):
        """By transmission reference or your own externalTransactionId."""
        return self.send("GET", f"{BASE}/ppai/transmissions/{quote(reference)}", wait=wait)

    def follow(self, answer, deadline=120):
        """Polls a submission until it is ACCEPTED, FLAGGED or REJECTED, or until the deadline in seconds. Returns the last answer;
        `registered` says whether the change is in the registry.
        """
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

    def send(self, method, target, body=None, wait=None, scenario=None):
        """Signs and sends a request. `target` is the path with its query, already escaped. Raises NoAnswer."""
        content = _bytes_of(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        if wait is not None:
            headers["Prefer"] = "respond-async" if method == "POST" and wait == 0 else f"wait={round(wait)}"
        if scenario is not None:
            headers["X-PPAI-Sandbox-Scenario"] = scenario
        timeout = ANSWER_TIMEOUT_SECONDS + (wait or 0)
        return self._exchange(method, target, content, headers, timeout, signed=True)

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
        """Retries after RETRIED_STATUSES and a lost connection, each time with a new signature and not before Retry-After.
        What `_correct` can mend is sent once more.
        """
        attempt = 0
        corrected = set()
        while True:
            time.sleep(max(0.0, self._paused_until - time.monotonic()))
            own = dict(headers)
            token = None
            if signed:
                token, refusal = self._renew_token()
                if refusal is not None:
                    return refusal
                own.update(self._signature_headers(token, method, target, body))
            status, answered, text = self._attempt(method, target, body, own, timeout)
            retry_after = _retry_after(answered)
            if status == 429:
                self._paused_until = max(self._paused_until, time.monotonic() + (retry_after or 0))
            is_retried = status in RETRIED_STATUSES or (status == 500 and retry_after is not None)
            if status is not None and (not is_retried or attempt == self.retries):
                answer = Answer(status, answered, _envelope_of(text, f"{method} {target} was answered {status}"))
                if not signed or answer.code in corrected or not self._correct(answer, token):
                    return answer
                corrected.add(answer.code)
                continue
            if attempt == self.retries:
                raise NoAnswer(f"{method} {target} got no answer in {attempt + 1} attempts: {text}")
            backoff = min(BACKOFF_MAX_SECONDS, 0.3 * 2**attempt) * random.random()
            time.sleep(backoff if retry_after is None else retry_after)
            attempt += 1

    def _correct(self, answer, token):
        """Whether the request may succeed when it is signed again: with another token, with the registry's time, or with another
        nonce when a proxy has sent it twice.
        """
        if answer.code == "INVALID_TOKEN":
            with self._renewing:
                # Another thread may have renewed it.
                if self._token == token:
                    self._renew_at = 0.0
            return True
        if answer.code == "TIMESTAMP_OUT_OF_RANGE" and "Date" in answer.headers:
            self._clock_offset = parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time()
            return True
        return answer.code == "NONCE_REUSED"

    def _attempt(self, method, target, body, headers, timeout):
        """One exchange: status, headers and text; without an answer the status is None and the text is the reason."""
        url = self.base_url + target
        request = urllib.request.Request(url, data=body or None, headers=headers, method=method)
        try:
            with self._open(request, timeout) as response:
                return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            return None, {}, str(error)

    def _open(self, request, timeout):
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as refusal:
            return refusal

    def _signature_headers(self, token, method, target, body):
        timestamp = str(int(time.time() + self._clock_offset))
        nonce = secrets.token_urlsafe(24)
        return {
            "Authorization": f"Bearer {token}",
            "X-PPAI-Client-Id": self.client_id,
            "X-PPAI-Timestamp": timestamp,
            "X-PPAI-Nonce": nonce,
            "X-PPAI-Signature": sign(self.signing_secret, method, target, timestamp, nonce, body),
        }

    def _renew_token(self):
        """The token, a new one if necessary, and None; or None and the answer of the token endpoint that issued none."""
        with self._renewing:
            asked_at = time.monotonic()
            if asked_at < self._renew_at:
                return self._token, None
            answer = self.obtain_token()
            if not answer.ok:
                return None, answer
            self._token = answer.data["access_token"]
            self._renew_at = asked_at + answer.data["expires_in"] * TOKEN_USE_SHARE
            return self._token, None


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
    if data.get("status") in IN_PROGRESS and answer.code in (None, "TRANSMISSION_IN_PROGRESS"):
        return data["transmissionReference"]
    return None


def _retry_after(headers):
    """Whole seconds, at most RETRY_AFTER_MAX_SECONDS; None without them."""
    text = headers.get("Retry-After") or ""
    return min(int(text), RETRY_AFTER_MAX_SECONDS) if text.isdigit() else None


def _envelope_of(text, what):
    try:
        envelope = json.loads(text)
        error = envelope.get("error")
        if isinstance(envelope["success"], bool) and (error is None or isinstance(error["code"], str)):
            return envelope
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    shown = text[:TEXT_SHOWN_MAX].decode(errors="replace")
    raise NoAnswer(f"{what} without the registry's envelope. Is the base URL right? It begins with: {shown}")
