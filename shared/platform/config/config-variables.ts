import { z } from 'zod';
import {
  commaList,
  databaseUrl,
  ENCRYPTION_KEY_BYTES,
  isAddressOrBlock,
  isOrigin,
  isTimeZone,
  PEPPER_BYTES_MIN,
  readEncryptionKeys,
  readPeppers,
  redisUrl,
  wholeNumber,
} from './config-values.ts';
import { findDatabaseUrlProblem } from './database-url.ts';
import { findRedisUrlProblem } from './redis-url.ts';

export interface Variable<Value, Default extends string | undefined> {
  readonly default: Default;
  /** What a value must look like, worded to follow "must be". */
  readonly rule: string;
  readonly meaning: string;
  readonly schema: z.ZodType<Value, string>;
  /** Says which part of a bad value is wrong, worded to follow "NAME:"; undefined when the rule says it all. */
  readonly explain: ((text: string) => string | undefined) | undefined;
  /** The value never appears in an error. */
  readonly secret: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const DATABASE_URL_RULE = 'a URL that begins with postgresql:// or postgres://';
const NODE_ENVIRONMENTS = ['development', 'test', 'production'] as const;

/** Every variable the program knows. The schema, the errors and the README's table come from here. */
export const CONFIG_VARIABLES = {
  NODE_ENV: variable({
    default: 'development',
    rule: `one of ${NODE_ENVIRONMENTS.join(', ')}`,
    meaning: 'Demonstration data is never seeded in production.',
    schema: z.enum(NODE_ENVIRONMENTS),
  }),
  DATABASE_URL: variable({
    rule: DATABASE_URL_RULE,
    meaning:
      'The system of record, as the role that the service runs as. Without it `npm start` runs its own PostgreSQL under `DATA_DIR`.',
    schema: databaseUrl(),
    explain: findDatabaseUrlProblem,
    secret: true,
  }),
  DATABASE_OWNER_URL: variable({
    rule: DATABASE_URL_RULE,
    meaning:
      'The same database as the role that owns its tables: for `npm run migrate`, and for `npm start` on a database of your own. Without it `DATABASE_URL`.',
    schema: databaseUrl(),
    explain: findDatabaseUrlProblem,
    secret: true,
  }),
  DATABASE_DIRECT_URL: variable({
    rule: DATABASE_URL_RULE,
    meaning:
      'The same database and role without a connection pooler in between: for notices (LISTEN) and for the queue in PostgreSQL. Without it `DATABASE_URL`.',
    schema: databaseUrl(),
    explain: findDatabaseUrlProblem,
    secret: true,
  }),
  DATABASE_PASSWORD_FILE: variable({
    rule: 'the path of a file that holds the password alone',
    meaning: 'The password of `DATABASE_URL` and `DATABASE_DIRECT_URL`, which then hold none.',
    schema: z.string(),
  }),
  REDIS_URL: variable({
    rule: 'a URL that begins with redis:// or rediss://',
    meaning:
      'Queue, nonces, rate limits and completion events. Without it they live in PostgreSQL.',
    schema: redisUrl(),
    explain: findRedisUrlProblem,
    secret: true,
  }),
  DATA_DIR: variable({
    default: '.data',
    rule: 'the path of a folder',
    meaning: 'Embedded database, its keys and the demonstration clients.',
    schema: z.string(),
  }),
  HOST: variable({
    default: '127.0.0.1',
    rule: 'a host name or an address to listen on',
    meaning: 'Where the API, and the health server of a process, listen.',
    schema: z.string(),
  }),
  PORT: variable({
    default: '3000',
    rule: 'a whole number from 0 to 65535',
    meaning: 'Port of the API; 0 takes any free one.',
    schema: wholeNumber(0, 65_535),
  }),
  HEALTH_PORT: variable({
    rule: 'a whole number from 0 to 65535',
    meaning:
      'Port of the health and metrics server of a process, API or worker; 0 takes any free one. Without it there is no such server. `npm start` gives it to the API and those after it to the workers.',
    schema: wholeNumber(0, 65_535),
  }),
  REGISTRY_TIME_ZONE: variable({
    default: 'Asia/Manila',
    rule: 'an IANA time zone such as Asia/Manila',
    meaning: 'The zone whose calendar dates count (D8).',
    schema: z.string().refine(isTimeZone),
  }),
  TRANSMIT_WAIT_SECONDS: variable({
    default: '10',
    rule: 'a whole number from 0 to 30',
    meaning: 'How long a POST waits for the terminal status before it answers 202 (D3).',
    schema: wholeNumber(0, 30),
  }),
  TRUSTED_PROXIES: variable({
    default: '',
    rule: 'a comma-separated list of IP addresses or CIDR blocks',
    meaning: 'Proxies whose `X-Forwarded-For` is believed (D19).',
    schema: commaList().refine((entries) => entries.every(isAddressOrBlock)),
  }),
  LOG_LEVEL: variable({
    default: 'info',
    rule: `one of ${LOG_LEVELS.join(', ')}`,
    meaning: 'Least severity that is logged.',
    schema: z.enum(LOG_LEVELS),
  }),
  WORKERS: variable({
    rule: 'a whole number from 0 to 64',
    meaning: 'Worker processes that `npm start` runs; without it one for every two cores.',
    schema: wholeNumber(0, 64),
  }),
  WORKER_CONCURRENCY: variable({
    default: '2',
    rule: 'a whole number from 1 to 64',
    meaning:
      'Batches that one worker process has in hand at a time, but for what is settled beside a large one.',
    schema: wholeNumber(1, 64),
  }),
  DATABASE_POOL_MAX: variable({
    default: '10',
    rule: 'a whole number from 1 to 200',
    meaning: 'Database connections of one process at most.',
    schema: wholeNumber(1, 200),
  }),
  QUEUE_NAME: variable({
    default: 'transmissions',
    rule: '1 to 64 letters, digits, dots, underscores or hyphens',
    meaning: 'Name of the BullMQ queue.',
    schema: z.string().regex(/^[\w.-]{1,64}$/),
  }),
  REDIS_PREFIX: variable({
    default: 'registry',
    rule: '1 to 64 letters, digits, dots, underscores or hyphens',
    meaning: 'First part of every Redis key, so that several registries can share one Redis.',
    schema: z.string().regex(/^[\w.-]{1,64}$/),
  }),
  BACKLOG_AGE_MAX_SECONDS: variable({
    default: '600',
    rule: 'a whole number from 1 to 86400',
    meaning:
      "When an organization's oldest waiting transmission is older than this, its new ones are refused with 429; everybody's, when no worker takes anything (D20).",
    schema: wholeNumber(1, 86_400),
  }),
  BACKLOG_DRAIN_SECONDS: variable({
    default: '60',
    rule: 'a whole number from 1 to 86400',
    meaning:
      'Within this time a backlog is to be worked off; `registry_workers_wanted` goes by it.',
    schema: wholeNumber(1, 86_400),
  }),
  WORKER_RATE_PER_SECOND: variable({
    default: '100',
    rule: 'a whole number from 1 to 100000',
    meaning:
      'Certificates of one vehicle that one worker process is expected to settle per second while more is not observed; ten vehicles of one certificate count as one, a change as five at least.',
    schema: wholeNumber(1, 100_000),
  }),
  ENCRYPTION_KEYS: variable({
    rule: `a comma-separated list of id:key, the id 1 to 32 letters, digits, underscores or hyphens, the key ${ENCRYPTION_KEY_BYTES} bytes in base64 (openssl rand -base64 ${ENCRYPTION_KEY_BYTES})`,
    meaning:
      'Keys of personal data and signing secrets at rest: the first one seals, all of them open. `npm start` makes its own under `DATA_DIR` when it also makes its own database.',
    schema: commaList().transform(readEncryptionKeys),
    secret: true,
  }),
  CLIENT_SECRET_PEPPER: variable({
    rule: `a comma-separated list of keys of at least ${PEPPER_BYTES_MIN} bytes in base64 (openssl rand -base64 ${PEPPER_BYTES_MIN})`,
    meaning:
      'Keys of the hashes of client secrets (D18) and recovery codes: the first one hashes, all of them verify. Made like `ENCRYPTION_KEYS`.',
    schema: commaList().transform(readPeppers),
    secret: true,
  }),
  ADMIN_ALLOWED_ORIGINS: variable({
    default: '',
    rule: 'a comma-separated list of origins such as https://staff.example.org',
    meaning: 'Browser origins that may use the staff API.',
    schema: commaList().refine((entries) => entries.every(isOrigin)),
  }),
  SHUTDOWN_GRACE_SECONDS: variable({
    default: '15',
    rule: 'a whole number from 1 to 300',
    meaning: 'How long a process may take to finish what it holds after SIGTERM.',
    schema: wholeNumber(1, 300),
  }),
  DRAIN_SECONDS: variable({
    default: '5',
    rule: 'a whole number from 0 to 300',
    meaning:
      'How long an API process that got SIGTERM answers as before while it says that it is not ready, so that load balancers turn away first; `SHUTDOWN_GRACE_SECONDS` begins when it is over. `npm start` waits only when it is set.',
    schema: wholeNumber(0, 300),
  }),
  LEASE_SECONDS: variable({
    default: '30',
    rule: 'a whole number from 1 to 3600',
    meaning: 'How long a worker may hold a transmission before another one may take it.',
    schema: wholeNumber(1, 3_600),
  }),
  SUPERVISED: variable({
    default: '0',
    rule: '0 or 1',
    meaning:
      'Set by `npm start` for the processes it runs: Ctrl-C is left to the supervisor, and its end is theirs.',
    schema: z.enum(['0', '1']).transform((value) => value === '1'),
  }),
} as const;

function variable<Value>(entry: {
  default: string;
  rule: string;
  meaning: string;
  schema: z.ZodType<Value, string>;
  explain?: (text: string) => string | undefined;
  secret?: boolean;
}): Variable<Value, string>;
function variable<Value>(entry: {
  rule: string;
  meaning: string;
  schema: z.ZodType<Value, string>;
  explain?: (text: string) => string | undefined;
  secret?: boolean;
}): Variable<Value, undefined>;
function variable<Value>(entry: {
  default?: string;
  rule: string;
  meaning: string;
  schema: z.ZodType<Value, string>;
  explain?: (text: string) => string | undefined;
  secret?: boolean;
}): Variable<Value, string | undefined> {
  const { explain, secret = false } = entry;
  return { ...entry, default: entry.default, explain, secret };
}
