import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Members that never reach a log line (D22), at any depth. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-signature',
  'token',
  'access_token',
  'accessToken',
  'secret',
  'client_secret',
  'clientSecret',
  'signingSecret',
  'password',
  'signature',
  'tin',
  'email',
  'contactEmail',
  'phone',
  'contactPhone',
]);
const REDACTED = '[redacted]';
/** Anything deeper is redacted. */
const DEPTH_MAX = 6;

export interface LoggerOptions {
  readonly level: string;
  readonly name: string;
  /** Standard output when left out. */
  readonly destination?: DestinationStream;
}

/** JSON lines, time in ISO 8601, secrets and personal data replaced by "[redacted]". */
export function makeLogger({ level, name, destination }: LoggerOptions): Logger {
  const options = {
    level,
    name,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...SECRET_MEMBERS].map((name) => `["${name}"]`), censor: REDACTED },
    formatters: { log: withoutSecrets },
    serializers: { err: (error: Error) => withoutSecrets(pino.stdSerializers.err(error)) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** For flat lines, which are most of them, pino's redaction is enough. Only nested lines pay for a copy. */
function withoutSecrets(members: object): Record<string, unknown> {
  const flat = members as Record<string, unknown>;
  const isDeep = Object.values(flat).some((value) => typeof value === 'object' && value !== null);
  return isDeep ? copyWithoutSecrets(flat, 0) : flat;
}

function copyWithoutSecrets(members: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      SECRET_MEMBERS.has(name) ? REDACTED : deeperWithoutSecrets(value, depth + 1),
    ]),
  );
}

function deeperWithoutSecrets(value: unknown, depth: number): unknown {
  // An error is redacted later, by its serializer.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > DEPTH_MAX) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => deeperWithoutSecrets(item, depth + 1));
  return value instanceof Date ? value : copyWithoutSecrets(value, depth);
}
