import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Lets the tests use the Java client. Reads one command per line, its arguments separated by tabs, from standard input. Prints one
 * line per answer (status, code and the data as JSON, separated by tabs), and "." after the answers to a command.
 */
public final class Drive {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  public static void main(String[] none) throws IOException {
    Ppai registry =
        new Ppai(
            variable("REGISTRY_URL"),
            variable("REGISTRY_CLIENT_ID"),
            variable("REGISTRY_CLIENT_SECRET"),
            variable("REGISTRY_SIGNING_SECRET"));
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      try {
        execute(registry, line.split("\t", -1));
      } catch (Ppai.NoAnswer error) {
        String message = error.getMessage().replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s", " ");
        OUT.println("0\tNO_ANSWER\t{\"message\":\"" + message + "\"}");
      }
      OUT.println(".");
    }
  }

  private static void execute(Ppai registry, String[] command) throws IOException {
    switch (command[0]) {
      case "sign" -> printSignatures(command[1]);
      case "transmit" -> {
        for (int index = 1; index < command.length; index += 1) {
          Ppai.Answer first = registry.transmit(Files.readAllBytes(Path.of(command[index])), 0);
          print(first);
          print(registry.follow(first, 60));
        }
      }
      case "send" -> {
        byte[] body = command.length > 3 ? Files.readAllBytes(Path.of(command[3])) : null;
        print(registry.send(command[1], command[2], body, Ppai.REGISTRY_DEFAULT));
      }
      case "changes" -> print(registry.changes(command[1].isEmpty() ? null : command[1], 2, null, false, 1));
      default -> throw new IllegalArgumentException(command[0]);
    }
  }

  private static void printSignatures(String file) throws IOException {
    Map<?, ?> vectors = (Map<?, ?>) Ppai.readJson(Files.readString(Path.of(file)));
    for (Object item : (List<?>) vectors.get("cases")) {
      Map<?, ?> parts = (Map<?, ?>) item;
      Object repeats = parts.get("bodyRepeats");
      String hex = text(parts, "bodyHex").repeat(repeats == null ? 1 : ((Number) repeats).intValue());
      OUT.println(
          Ppai.sign(
              text(parts, "signingSecret"),
              text(parts, "method"),
              text(parts, "target"),
              text(parts, "timestamp"),
              text(parts, "nonce"),
              HexFormat.of().parseHex(hex)));
    }
  }

  private static void print(Ppai.Answer answer) {
    OUT.println(answer.status() + "\t" + (answer.ok() ? "-" : answer.code()) + "\t" + write(answer.data()));
  }

  /** Writes what the client has read, so that the tests see whether it read correctly. */
  private static String write(Object value) {
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream()
          .map(member -> write(member.getKey()) + ":" + write(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> items) {
      return items.stream().map(Drive::write).collect(Collectors.joining(",", "[", "]"));
    }
    return value instanceof String text ? quote(text) : String.valueOf(value);
  }

  private static String quote(String text) {
    return text.chars()
        .mapToObj(unit -> unit < ' ' || unit == '"' || unit == '\\' ? String.format("\\u%04x", unit) : String.valueOf((char) unit))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static String text(Map<?, ?> members, String name) {
    return (String) members.get(name);
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value;
  }
}
