<?php
/**
 * A client of the transmission registry (machine API v1). One file, PHP 8.1 or later with allow_url_fopen, and openssl for https.
 *
 *     $registry = new Ppai\Registry('https://registry.example.org', $clientId, $clientSecret, $signingSecret);
 *     $answer = $registry->follow($registry->transmit($certificate));
 *     echo $answer->registered ? $answer->data['status'] : ($answer->code ?? $answer->data['status']);
 *
 * The signature covers the exact bytes that are sent, so a body is turned into bytes once, before it is signed.
 */

declare(strict_types=1);

namespace Ppai;

const BASE = '/api/v1';
const RETRIES = 5;
/** And 500 with Retry-After, with which the registry says that it expects to be back. */
const RETRIED_STATUSES = [429, 502, 503, 504];
const RETRY_AFTER_MAX_SECONDS = 60;
const BACKOFF_MAX_SECONDS = 10;
/** A token is renewed when less than a tenth of its lifetime is left. */
const TOKEN_USE_SHARE = 0.9;
const WAIT_MAX_SECONDS = 30;
const ANSWER_TIMEOUT_SECONDS = 30;
const PAUSE_MIN_SECONDS = 0.2;
const TEXT_SHOWN_MAX = 200;

/** No answer in the registry's envelope, after all retries. The request may have arrived; sending it again is safe. */
final class NoAnswer extends \RuntimeException
{
}

/**
 * An answer in the registry's envelope. `ok` says that the registry did what was asked, also when that was to look up a
 * transmission that is REJECTED or in progress. `error` is null then; otherwise branch on its code.
 */
final class Answer
{
    public readonly bool $ok;
    /** Whether this is a transmission that is ACCEPTED or FLAGGED: the change is in the registry. */
    public readonly bool $registered;
    public readonly ?array $data;
    public readonly ?array $error;
    public readonly ?string $code;

    /** @param array<string, string> $headers names in lower case */
    public function __construct(public readonly int $status, public readonly array $headers, string $text, string $request)
    {
        $envelope = json_decode($text, true);
        $error = $envelope['error'] ?? null;
        $isEnvelope = is_array($envelope) && is_bool($envelope['success'] ?? null);
        if (!$isEnvelope || ($error !== null && !is_string($error['code'] ?? null))) {
            $shown = substr($text, 0, TEXT_SHOWN_MAX);
            throw new NoAnswer("$request was answered $status without the registry's envelope. Is the base URL right? It begins with: $shown");
        }
        $this->ok = $envelope['success'];
        $this->data = $envelope['data'] ?? null;
        $this->error = $error;
        $this->code = $error['code'] ?? null;
        $this->registered = $this->ok && in_array($this->data['status'] ?? null, ['ACCEPTED', 'FLAGGED'], true);
    }

    /** Null without a header Retry-After of whole seconds. */
    public function retryAfter(): ?int
    {
        return retryAfterOf($this->headers);
    }

    /** The reference of a transmission in progress; null when there is nothing to wait for. */
    public function referenceInProgress(): ?string
    {
        $isInProgress = in_array($this->data['status'] ?? null, ['RECEIVED', 'VALIDATING'], true);
        $isAnswered = $this->code === null || $this->code === 'TRANSMISSION_IN_PROGRESS';
        return $isInProgress && $isAnswered ? $this->data['transmissionReference'] : null;
    }
}

/** Lowercase hex HMAC-SHA256 of the five parts joined by newlines. `$target` is path and query as sent, `$body` the bytes. */
function sign(string $signingSecret, string $method, string $target, string $timestamp, string $nonce, string $body): string
{
    return hash_hmac('sha256', implode("\n", [$method, $target, $timestamp, $nonce, hash('sha256', $body)]), $signingSecret);
}

final class Registry
{
    private string $token = '';
    private float $renewAt = 0;
    private int $clockOffset = 0;
    /** After a 429, no request is sent until its Retry-After has passed. */
    private float $pausedUntil = 0;
    private readonly string $baseUrl;

    public function __construct(
        string $baseUrl,
        private readonly string $clientId,
        #[\SensitiveParameter] private readonly string $clientSecret,
        #[\SensitiveParameter] private readonly string $signingSecret,
        private readonly ?string $scope = null,
        private readonly int $retries = RETRIES,
    ) {
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /**
     * Sends a certificate: an array, or JSON as a string, which is sent unchanged. `wait: 0` does not wait for the outcome.
     * `scenario` says what happens to it in a sandbox, such as 'FLAGGED'; production refuses it.
     */
    public function transmit(array|string $certificate, ?int $wait = null, ?string $scenario = null): Answer
    {
        return $this->send('POST', BASE . '/ppai/policies', $certificate, $wait, $scenario);
    }

    public function amend(string $registryReference, array|string $amendment, ?int $wait = null, ?string $scenario = null): Answer
    {
        $target = BASE . '/ppai/policies/' . rawurlencode($registryReference) . '/amendments';
        return $this->send('POST', $target, $amendment, $wait, $scenario);
    }

    public function cancel(string $registryReference, array|string $cancellation, ?int $wait = null, ?string $scenario = null): Answer
    {
        $target = BASE . '/ppai/policies/' . rawurlencode($registryReference) . '/cancellation';
        return $this->send('POST', $target, $cancellation, $wait, $scenario);
    }

    /** By transmission reference or your own externalTransactionId. */
    public function readTransmission(string $reference, ?int $wait = null): Answer
    {
        return $this->send('GET', BASE . '/ppai/transmissions/' . rawurlencode($reference), null, $wait);
    }

    /**
     * Polls a submission until it is ACCEPTED, FLAGGED or REJECTED, or until the deadline in seconds. Returns the last answer;
     * `registered` says whether the change is in the registry.
     */
    public function follow(Answer $answer, float $deadline = 120): Answer
    {
        $endsAt = now() + $deadline;
        while (($reference = $answer->referenceInProgress()) !== null && ($left = $endsAt - now()) > 0) {
            $askedAt = now();
            $answer = $this->readTransmission($reference, (int) min(WAIT_MAX_SECONDS, ceil($left)));
            // The registry answered at once instead of waiting.
            if (now() - $askedAt < PAUSE_MIN_SECONDS && $answer->referenceInProgress() !== null) {
                pause(min($left, $answer->retryAfter() ?: PAUSE_MIN_SECONDS));
            }
        }
        return $answer;
    }

    /** One page of the change feed. Store data['next'] once you have processed data['items']; pass it as `after` next time. */
    public function changes(?string $after = null, int $limit = 500, ?string $types = null, bool $includeRecord = false, ?int $wait = null): Answer
    {
        $query = ['after' => $after, 'limit' => $limit, 'types' => $types, 'include' => $includeRecord ? 'record' : null];
        return $this->send('GET', BASE . '/ppai/changes?' . http_build_query($query, '', '&'), null, $wait);
    }

    public function obtainToken(): Answer
    {
        $parameters = ['grant_type' => 'client_credentials', 'client_id' => $this->clientId, 'client_secret' => $this->clientSecret];
        $body = json_encode($this->scope === null ? $parameters : $parameters + ['scope' => $this->scope], JSON_THROW_ON_ERROR);
        return $this->exchange('POST', BASE . '/oauth/token', $body, ['Content-Type: application/json'], ANSWER_TIMEOUT_SECONDS, false);
    }

    /** Signs and sends a request. `$target` is the path with its query, already escaped. Throws NoAnswer. */
    public function send(
        string $method,
        string $target,
        array|string|null $body = null,
        ?int $wait = null,
        ?string $scenario = null,
    ): Answer {
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;
        $content = is_array($body) ? json_encode($body, $flags) : (string) $body;
        $headers = $body === null ? [] : ['Content-Type: application/json'];
        if ($wait !== null) {
            $headers[] = $method === 'POST' && $wait === 0 ? 'Prefer: respond-async' : "Prefer: wait=$wait";
        }
        if ($scenario !== null) {
            $headers[] = "X-PPAI-Sandbox-Scenario: $scenario";
        }
        return $this->exchange($method, $target, $content, $headers, ANSWER_TIMEOUT_SECONDS + ($wait ?? 0), true);
    }

    /**
     * Retries after RETRIED_STATUSES and a lost connection, each time with a new signature and not before Retry-After. What
     * `correct` can mend is sent once more.
     */
    private function exchange(
        string $method,
        string $target,
        #[\SensitiveParameter] string $body,
        array $headers,
        int $timeout,
        bool $isSigned,
    ): Answer {
        $corrected = [];
        for ($attempt = 0; ; $attempt++) {
            pause($this->pausedUntil - now());
            if ($isSigned && ($refusal = $this->renewToken()) !== null) {
                return $refusal;
            }
            $own = $isSigned ? $this->signatureHeaders($method, $target, $body) : [];
            [$status, $answered, $text] = $this->attempt($method, $target, $body, [...$headers, ...$own], $timeout);
            $retryAfter = retryAfterOf($answered);
            if ($status === 429) {
                $this->pausedUntil = max($this->pausedUntil, now() + ($retryAfter ?? 0));
            }
            $isLast = $attempt >= $this->retries;
            $isRetried = in_array($status, RETRIED_STATUSES, true) || ($status === 500 && $retryAfter !== null);
            if ($status !== null && ($isLast || !$isRetried)) {
                $answer = new Answer($status, $answered, $text, "$method $target");
                if (!$isSigned || in_array($answer->code, $corrected, true) || !$this->correct($answer)) {
                    return $answer;
                }
                $corrected[] = $answer->code;
                $attempt--;
                continue;
            }
            if ($isLast) {
                throw new NoAnswer("$method $target got no answer in " . ($attempt + 1) . " attempts: $text");
            }
            $backoff = min(BACKOFF_MAX_SECONDS, 0.3 * 2 ** $attempt) * mt_rand() / mt_getrandmax();
            pause($retryAfter ?? $backoff);
        }
    }

    /**
     * Whether the request may succeed when it is signed again: with another token, with the registry's time, or with another nonce
     * when a proxy has sent it twice.
     */
    private function correct(Answer $answer): bool
    {
        $serverTime = strtotime($answer->headers['date'] ?? '');
        if ($answer->code === 'INVALID_TOKEN') {
            $this->renewAt = 0;
            return true;
        }
        if ($answer->code === 'TIMESTAMP_OUT_OF_RANGE' && $serverTime !== false) {
            $this->clockOffset = $serverTime - time();
            return true;
        }
        return $answer->code === 'NONCE_REUSED';
    }

    /** One exchange: status, headers and text; without an answer the status is null and the text is the reason. */
    private function attempt(
        string $method,
        string $target,
        #[\SensitiveParameter] string $body,
        array $headers,
        int $timeout,
    ): array {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $headers,
            'content' => $body,
            'timeout' => $timeout,
            'ignore_errors' => true,
            // A redirected request would have another target than the one that was signed.
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ]]);
        $stream = @fopen($this->baseUrl . $target, 'rb', false, $context);
        if ($stream === false) {
            return [null, [], error_get_last()['message'] ?? 'no connection'];
        }
        $text = (string) stream_get_contents($stream);
        ['wrapper_data' => $lines, 'timed_out' => $isTimedOut] = stream_get_meta_data($stream);
        fclose($stream);
        $answered = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $answered[strtolower($name)] = trim($value);
        }
        // A chunked answer does not tell its length: one that begins as JSON and is none was cut.
        $isShort = isset($answered['content-length'])
            ? strlen($text) < (int) $answered['content-length']
            : str_starts_with($text, '{') && json_decode($text) === null;
        if ($isTimedOut || $isShort || !preg_match('#^HTTP/\S+ (\d{3})#', $lines[0] ?? '', $statusLine)) {
            return [null, [], 'the connection was lost'];
        }
        return [(int) $statusLine[1], $answered, $text];
    }

    private function signatureHeaders(string $method, string $target, string $body): array
    {
        $timestamp = (string) (time() + $this->clockOffset);
        $nonce = bin2hex(random_bytes(24));
        return [
            "Authorization: Bearer $this->token",
            "X-PPAI-Client-Id: $this->clientId",
            "X-PPAI-Timestamp: $timestamp",
            "X-PPAI-Nonce: $nonce",
            'X-PPAI-Signature: ' . sign($this->signingSecret, $method, $target, $timestamp, $nonce, $body),
        ];
    }

    /** Obtains a token if necessary. Returns the answer of the token endpoint if it issued none. */
    private function renewToken(): ?Answer
    {
        $askedAt = now();
        if ($askedAt < $this->renewAt) {
            return null;
        }
        $answer = $this->obtainToken();
        if (!$answer->ok) {
            return $answer;
        }
        $this->token = $answer->data['access_token'];
        $this->renewAt = $askedAt + $answer->data['expires_in'] * TOKEN_USE_SHARE;
        return null;
    }
}

/** Whole seconds, at most RETRY_AFTER_MAX_SECONDS; null without them. */
function retryAfterOf(array $headers): ?int
{
    $text = $headers['retry-after'] ?? '';
    return ctype_digit($text) ? min((int) $text, RETRY_AFTER_MAX_SECONDS) : null;
}

/** Seconds of a clock that never jumps. */
function now(): float
{
    return hrtime(true) / 1e9;
}

function pause(float $seconds): void
{
    usleep((int) max(0, $seconds * 1e6));
}
