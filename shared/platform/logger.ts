import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Members that never reach a log line (D22), down to the third level of what is logged. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
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
] as const;

const REDACTED_PATHS = [
  ...SECRET_MEMBERS.flatMap((member) => [
    member,
    `*.${member}`,
    `*.*.${member}`,
    `*.*.*.${member}`,
  ]),
  'req.headers["x-signature"]',
  'res.headers["set-cookie"]',
];

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
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
