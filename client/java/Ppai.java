import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.time.*;
import java.time.format.*;
import java.util.*;
import java.util.concurrent.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A client of the transmission registry (machine API v1). One file, the JDK's own library only, Java 17 or later.
 *
 * <pre>
 * var registry = new Ppai("https://registry.example.org", clientId, clientSecret, signingSecret);
 * var answer = registry.follow(registry.transmit(json, 10), 120);
 * System.out.println(answer.registered() ? answer.text("registryReference") : answer.json());
 * </pre>
 *
 * The signature covers the exact bytes that are sent. So a body is JSON that your own library has made; it is sent unchanged.
 * An object may be used by several threads.
 */
public final class Ppai {
  /** For `wait`: let the registry decide how long it waits for the outcome. */
  public static final int REGISTRY_DEFAULT = -1;

  private static final String BASE = "/api/v1";
  private static final int RETRIES = 5;
  /** And 500 with Retry-After, with which the registry says that it expects to be back. */
  private static final Set<Integer> RETRIED_STATUSES = Set.of(429, 502, 503, 504);
  private static final int RETRY_AFTER_MAX_SECONDS = 60;
  private static final double BACKOFF_MAX_SECONDS = 10;
  /** A token is renewed when less than a tenth of its lifetime is left. */
  private static final double TOKEN_USE_SHARE = 0.9;
  private static final int WAIT_MAX_SECONDS = 30;
  private static final int ANSWER_TIMEOUT_SECONDS = 30;
  private static final double PAUSE_MIN_SECONDS = 0.2;
  private static final int TEXT_SHOWN_MAX = 200;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          // A redirected request would have another target than the one that was signed.
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(ANSWER_TIMEOUT_SECONDS))
          .build();
  private final SecureRandom random = new SecureRandom();
  private final String baseUrl;
  private final String clientId;
  private final String clientSecret;
  private final String signingSecret;
  private final int retries;
  private String token;
  private double renewAt;
  private volatile long clockOffsetSeconds;
  /** Shared by all requests: after a 429, none is sent until its Retry-After has passed. */
  private volatile double pausedUntil;

  public Ppai(String baseUrl, String clientId, String clientSecret, String signingSecret) {
    this(baseUrl, clientId, clientSecret, signingSecret, RETRIES);
  }

  public Ppai(String baseUrl, String clientId, String clientSecret, String signingSecret, int retries) {
    this.retries = retries;
    this.baseUrl = baseUrl.replaceAll("/+$", "");
    this.clientId = clientId;
    this.clientSecret = clientSecret;
    this.signingSecret = signingSecret;
  }

  /** No answer in the registry's envelope, after all retries. The request may have arrived; sending it again is safe. */
  public static final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoAnswer(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * An answer in the registry's envelope. `ok` says that the registry did what was asked, also when that was to look up a
   * transmission that is REJECTED or in progress. `code` is that of the error, null on success. `data` and `error` hold maps,
   * lists, strings, numbers (BigDecimal), booleans and null; `json` is the whole answer for a JSON library of your own.
   */
  public record Answer(int status, Integer retryAfter, Instant date, String json, Map<?, ?> data, Map<?, ?> error) {
    public boolean ok() {
      return error == null;
    }

    public String code() {
      return error == null ? null : (String) error.get("code");
    }

    /** Whether this is a transmission that is ACCEPTED or FLAGGED: the change is in the registry. */
    public boolean registered() {
      return ok() && ("ACCEPTED".equals(text("status")) || "FLAGGED".equals(text("status")));
    }

    /** A text of `data`, or null. */
    public String text(String member) {
      return data != null && data.get(member) instanceof String text ? text : null;
    }

    /** The reference of a transmission in progress; null when there is nothing to wait for. */
    String referenceInProgress() {
      String status = text("status");
      boolean isInProgress = "RECEIVED".equals(status) || "VALIDATING".equals(status);
      return isInProgress && (ok() || "TRANSMISSION_IN_PROGRESS".equals(code())) ? text("transmissionReference") : null;
    }
  }

  /** Sends a certificate. `wait` is in seconds, 0 to 30; 0 does not wait for the outcome. */
  public Answer transmit(byte[] certificate, int wait) {
    return send("POST", BASE + "/ppai/policies", certificate, wait);
  }

  public Answer amend(String registryReference, byte[] amendment, int wait) {
    return send("POST", BASE + "/ppai/policies/" + escape(registryReference) + "/amendments", amendment, wait);
  }

  public Answer cancel(String registryReference, byte[] cancellation, int wait) {
    return send("POST", BASE + "/ppai/policies/" + escape(registryReference) + "/cancellation", cancellation, wait);
  }

  /** By transmission reference or your own externalTransactionId. */
  public Answer readTransmission(String reference, int wait) {
    return send("GET", BASE + "/ppai/transmissions/" + escape(reference), null, wait);
  }

  /**
   * Polls a submission until it is ACCEPTED, FLAGGED or REJECTED, or until the deadline. Returns the last answer; `registered`
   * says whether the change is in the registry.
   */
  public Answer follow(Answer answer, int deadlineSeconds) {
    double endsAt = now() + deadlineSeconds;
    while (answer.referenceInProgress() != null && now() < endsAt) {
      double askedAt = now();
      double left = endsAt - askedAt;
      answer = readTransmission(answer.referenceInProgress(), (int) Math.min(WAIT_MAX_SECONDS, Math.ceil(left)));
      // The registry answered at once instead of waiting.
      if (now() - askedAt < PAUSE_MIN_SECONDS && answer.referenceInProgress() != null) {
        pause(Math.min(left, Math.max(PAUSE_MIN_SECONDS, answer.retryAfter() == null ? 0 : answer.retryAfter())));
      }
    }
    return answer;
  }

  /**
   * One page of the change feed. Store `next` of its data once you have processed `items`; pass it as `after` next time. Null
   * for `after` starts at the beginning; null for `types` means all.
   */
  public Answer changes(String after, int limit, String types, boolean includeRecord, int wait) {
    String target = BASE + "/ppai/changes?limit=" + limit;
    if (after != null) target += "&after=" + escape(after);
    if (types != null) target += "&types=" + escape(types);
    if (includeRecord) target += "&include=record";
    return send("GET", target, null, wait);
  }

  public Answer obtainToken() {
    String basic = Base64.getEncoder().encodeToString(bytesOf(escape(clientId) + ":" + escape(clientSecret)));
    String[] headers = {"Content-Type", "application/x-www-form-urlencoded", "Authorization", "Basic " + basic};
    byte[] body = bytesOf("grant_type=client_credentials");
    return exchange("POST", BASE + "/oauth/token", body, headers, REGISTRY_DEFAULT, false);
  }

  /** Signs and sends a request; null for no body. `target` is the path with its query, already escaped. */
  public Answer send(String method, String target, byte[] body, int wait) {
    return send(method, target, body, wait, null);
  }

  /** The same with what happens to a submission in a sandbox, such as "FLAGGED"; production refuses it. */
  public Answer send(String method, String target, byte[] body, int wait, String scenario) {
    byte[] content = body == null ? new byte[0] : body;
    List<String> headers = new ArrayList<>();
    if (body != null) headers.addAll(List.of("Content-Type", "application/json"));
    boolean isAsync = method.equals("POST") && wait == 0;
    if (wait != REGISTRY_DEFAULT) headers.addAll(List.of("Prefer", isAsync ? "respond-async" : "wait=" + wait));
    if (scenario != null) headers.addAll(List.of("X-PPAI-Sandbox-Scenario", scenario));
    return exchange(method, target, content, headers.toArray(String[]::new), wait, true);
  }

  /**
   * Retries after RETRIED_STATUSES and a lost connection, each time with a new signature and not before Retry-After. What `correct`
   * can mend is sent once more.
   */
  private Answer exchange(String method, String target, byte[] body, String[] headers, int wait, boolean isSigned) {
    Set<String> corrected = new HashSet<>();
    for (int attempt = 0; ; attempt += 1) {
      pause(pausedUntil - now());
      String used = null;
      var request =
          HttpRequest.newBuilder(URI.create(baseUrl + target))
              .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
      if (headers.length > 0) request.headers(headers);
      if (isSigned) {
        Renewal renewal = renewToken();
        if (renewal.refusal() != null) return renewal.refusal();
        used = renewal.token();
        request.headers(signatureHeaders(used, method, target, body));
      }
      Integer retryAfter = null;
      int status = 0;
      try {
        HttpResponse<String> response = receive(request.build(), ANSWER_TIMEOUT_SECONDS + Math.max(0, wait));
        status = response.statusCode();
        retryAfter = retryAfterOf(response);
        if (status == 429 && retryAfter != null) pausedUntil = Math.max(pausedUntil, now() + retryAfter);
        boolean isRetried = RETRIED_STATUSES.contains(status) || (status == 500 && retryAfter != null);
        if (attempt >= retries || !isRetried) {
          Answer answer = answerOf(response, retryAfter);
          if (!isSigned || corrected.contains(answer.code()) || !correct(answer, used)) return answer;
          corrected.add(answer.code());
          attempt -= 1;
          continue;
        }
      } catch (IOException lost) {
        String message = method + " " + target + " got no answer in " + (attempt + 1) + " attempts: " + lost;
        if (attempt >= retries) throw new NoAnswer(message, lost);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new NoAnswer("The thread was interrupted.", interrupted);
      }
      double backoff = Math.min(BACKOFF_MAX_SECONDS, 0.3 * Math.pow(2, attempt));
      pause(retryAfter != null ? retryAfter : backoff * ThreadLocalRandom.current().nextDouble());
    }
  }

  /** The timeout of HttpRequest ends with the headers; this one includes the body. */
  private HttpResponse<String> receive(HttpRequest request, int timeoutSeconds) throws IOException, InterruptedException {
    var receiving = http.sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    try {
      return receiving.get(timeoutSeconds, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException lost ? lost : new IOException(failed.getCause());
    } catch (TimeoutException late) {
      throw new IOException("no answer within " + timeoutSeconds + " seconds");
    } finally {
      receiving.cancel(true);
    }
  }

  /**
   * Whether the request may succeed when it is signed again: with another token, with the registry's time, or with another nonce
   * when a proxy, or the JDK itself, has sent it twice.
   */
  private boolean correct(Answer answer, String used) {
    if ("INVALID_TOKEN".equals(answer.code())) {
      dropToken(used);
      return true;
    }
    if ("TIMESTAMP_OUT_OF_RANGE".equals(answer.code()) && answer.date() != null) {
      clockOffsetSeconds = answer.date().getEpochSecond() - Instant.now().getEpochSecond();
      return true;
    }
    return "NONCE_REUSED".equals(answer.code());
  }

  private String[] signatureHeaders(String used, String method, String target, byte[] body) {
    String timestamp = String.valueOf(Instant.now().getEpochSecond() + clockOffsetSeconds);
    byte[] bytes = new byte[24];
    random.nextBytes(bytes);
    String nonce = HexFormat.of().formatHex(bytes);
    return new String[] {
      "Authorization", "Bearer " + used,
      "X-PPAI-Client-Id", clientId,
      "X-PPAI-Timestamp", timestamp,
      "X-PPAI-Nonce", nonce,
      "X-PPAI-Signature", sign(signingSecret, method, target, timestamp, nonce, body)
    };
  }

  /** Lowercase hex HMAC-SHA256 of the five parts joined by newlines. `target` is path and query as sent. */
  public static String sign(
      String signingSecret, String method, String target, String timestamp, String nonce, byte[] body) {
    try {
      String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytesOf(signingSecret), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(bytesOf(String.join("\n", method, target, timestamp, nonce, digest))));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Maps, lists, strings, BigDecimal, booleans and null. Throws IllegalArgumentException for what is not JSON. */
  public static Object readJson(String json) {
    return new JsonReader(json).read();
  }

  /** A token, or the answer of the token endpoint that issued none. */
  private record Renewal(String token, Answer refusal) {}

  private synchronized Renewal renewToken() {
    double askedAt = now();
    if (token != null && askedAt < renewAt) return new Renewal(token, null);
    Answer answer = obtainToken();
    if (!answer.ok()) return new Renewal(null, answer);
    token = answer.text("access_token");
    renewAt = askedAt + ((Number) answer.data().get("expires_in")).doubleValue() * TOKEN_USE_SHARE;
    return new Renewal(token, null);
  }

  /** Not one that another thread has renewed. */
  private synchronized void dropToken(String used) {
    if (used.equals(token)) token = null;
  }

  private static Answer answerOf(HttpResponse<String> response, Integer retryAfter) {
    String json = response.body();
    try {
      Map<?, ?> envelope = (Map<?, ?>) readJson(json);
      boolean isSuccess = (Boolean) envelope.get("success");
      Map<?, ?> error = isSuccess ? null : (Map<?, ?>) envelope.get("error");
      if (!isSuccess) Objects.requireNonNull((String) error.get("code"));
      return new Answer(response.statusCode(), retryAfter, dateOf(response), json, (Map<?, ?>) envelope.get("data"), error);
    } catch (IllegalArgumentException | ClassCastException | NullPointerException unreadable) {
      String message = response.uri() + " was answered " + response.statusCode() + " without the registry's envelope.";
      String shown = json.substring(0, Math.min(json.length(), TEXT_SHOWN_MAX));
      throw new NoAnswer(message + " Is the base URL right? It begins with: " + shown, unreadable);
    }
  }

  private static Integer retryAfterOf(HttpResponse<?> response) {
    String text = response.headers().firstValue("Retry-After").orElse("");
    return text.matches("\\d{1,9}") ? Math.min(Integer.parseInt(text), RETRY_AFTER_MAX_SECONDS) : null;
  }

  private static Instant dateOf(HttpResponse<?> response) {
    try {
      String text = response.headers().firstValue("Date").orElse("");
      return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeParseException absent) {
      return null;
    }
  }

  /** Escapes one segment of a path, or one value of a query. */
  private static String escape(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static byte[] bytesOf(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Seconds of a clock that never jumps. */
  private static double now() {
    return System.nanoTime() / 1e9;
  }

  private static void pause(double seconds) {
    if (seconds <= 0) return;
    try {
      Thread.sleep((long) Math.ceil(seconds * 1_000));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("The thread was interrupted.", interrupted);
    }
  }

  /** The JDK has no JSON reader. */
  private static final class JsonReader {
    private final String json;
    private int at;

    JsonReader(String json) {
      this.json = json;
    }

    Object read() {
      char first = skipSpace();
      if (first == '"') return readString();
      if (first == '[') {
        List<Object> items = new ArrayList<>();
        for (expect('['); isBefore(']', items.isEmpty()); ) items.add(read());
        return items;
      }
      if (first == '{') {
        Map<String, Object> members = new LinkedHashMap<>();
        for (expect('{'); isBefore('}', members.isEmpty()); ) members.put(readName(), read());
        return members;
      }
      int start = at;
      while (at < json.length() && ",]} \t\r\n".indexOf(json.charAt(at)) < 0) at += 1;
      String word = json.substring(start, at);
      if (word.equals("null")) return null;
      return word.equals("true") || word.equals("false") ? Boolean.valueOf(word) : new BigDecimal(word);
    }

    /** Whether another item follows. Steps over the comma before it, or over the end. */
    private boolean isBefore(char end, boolean isFirst) {
      if (skipSpace() == end) {
        at += 1;
        return false;
      }
      if (!isFirst) expect(',');
      return true;
    }

    private String readName() {
      String name = readString();
      expect(':');
      return name;
    }

    private String readString() {
      StringBuilder text = new StringBuilder();
      for (expect('"'); charAt(at) != '"'; at += 1) {
        if (charAt(at) != '\\') {
          text.append(charAt(at));
          continue;
        }
        at += 1;
        int control = "bfnrt".indexOf(charAt(at));
        if (charAt(at) == 'u') {
          text.append((char) Integer.parseInt(json.substring(at + 1, Math.min(at + 5, json.length())), 16));
          at += 4;
        } else {
          text.append(control < 0 ? charAt(at) : "\b\f\n\r\t".charAt(control));
        }
      }
      at += 1;
      return text.toString();
    }

    private void expect(char wanted) {
      if (skipSpace() != wanted) throw new IllegalArgumentException("unexpected character at " + at);
      at += 1;
    }

    private char skipSpace() {
      while (" \t\r\n".indexOf(charAt(at)) >= 0) at += 1;
      return charAt(at);
    }

    private char charAt(int position) {
      if (position < json.length()) return json.charAt(position);
      throw new IllegalArgumentException("the JSON ends too early");
    }
  }
}
