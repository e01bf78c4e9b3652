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
  /** The form of a valid value, worded to follow "must be". */
  readonly rule: string;
  readonly meaning: string;
  readonly schema: z.ZodType<Value, string>;
  /** The invalid part of a value, worded to follow "NAME:"; undefined when `rule` is explanation enough. */
  readonly explain: ((text: string) => string | undefined) | undefined;
  /** The value never appears in an error. */
  readonly secret: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const DATABASE_URL_RULE = 'a URL that begins with postgresql:// or postgres://';
const REGISTRY_ENVIRONMENTS = ['production', 'sandbox'] as const;
const NODE_ENVIRONMENTS = ['development', 'test', 'production'] as const;

/** Every variable that the program reads. The schema, the errors and the table in docs/operations.md are made from it. */
export const CONFIG_VARIABLES = {
  NODE_ENV: variable({
    default: 'development',
    rule: `one of ${NODE_ENVIRONMENTS.join(', ')}`,
    meaning: 'In `production`, demonstration data is never seeded.',
    schema: z.enum(NODE_ENVIRONMENTS),
  }),
  DATABASE_URL: variable({
    rule: DATABASE_URL_RULE,
    meaning:
      'The system of record, with the role that the service runs as. Without it `npm start` runs its own PostgreSQL under `DATA_DIR`.',
    schema: databaseUrl(),
    explain: findDatabaseUrlProblem,
    secret: true,
  }),
  DATABASE_OWNER_URL: variable({
    rule: DATABASE_URL_RULE,
    meaning:
      'The same database with the role that owns its tables: for `npm run migrate`, and for `npm start` on a database of your own. Without it `DATABASE_URL` is used.',
    schema: databaseUrl(),
    explain: findDatabaseUrlProblem,
    secret: true,
  }),
  DATABASE_DIRECT_URL: variable({
    rule: DATABASE_URL_RULE,
    meaning:
      'The same database and role without a connection pooler in between: for notices (LISTEN) and for the queue in PostgreSQL. Without it `DATABASE_URL` is used.',
    schema: databaseUrl(),
    explain: findDatabaseUrlProblem,
    secret: true,
  }),
  DATABASE_PASSWORD_FILE: variable({
    rule: 'the path of a file that holds the password alone',
    meaning: 'The password of `DATABASE_URL` and `DATABASE_DIRECT_URL`, which then contain none.',
    schema: z.string(),
  }),
  REDIS_URL: variable({
    rule: 'a URL that begins with redis:// or rediss://',
    meaning:
      'Redis for queue, nonces, rate limits and completion notices. Without it they are in PostgreSQL.',
    schema: redisUrl(),
    explain: findRedisUrlProblem,
    secret: true,
  }),
  DATA_DIR: variable({
    default: '.data',
    rule: 'the path of a folder',
    meaning: 'Folder of the embedded database, its keys and the demonstration clients.',
    schema: z.string(),
  }),
  HOST: variable({
    default: '127.0.0.1',
    rule: 'a host name or an address to listen on',
    meaning: 'Address on which the API and the health server of a process listen.',
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
      'Port of the health and metrics server of an API or worker process; 0 takes any free one. Without it there is no such server. `npm start` gives this port to the API and the following ones to the workers.',
    schema: wholeNumber(0, 65_535),
  }),
  REGISTRY_ENVIRONMENT: variable({
    default: 'production',
    rule: `one of ${REGISTRY_ENVIRONMENTS.join(', ')}`,
    meaning:
      'The registry itself, or a sandbox in which integrators try out their systems (D40). A database belongs to one of them for good.',
    schema: z.enum(REGISTRY_ENVIRONMENTS),
  }),
  REGISTRY_TIME_ZONE: variable({
    default: 'Asia/Manila',
    rule: 'an IANA time zone such as Asia/Manila',
    meaning: 'Time zone of all calendar dates (D8).',
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
    meaning: 'Proxies whose `X-Forwarded-For` is trusted (D19).',
    schema: commaList().refine((entries) => entries.every(isAddressOrBlock)),
  }),
  LOG_LEVEL: variable({
    default: 'info',
    rule: `one of ${LOG_LEVELS.join(', ')}`,
    meaning: 'Lowest severity that is logged.',
    schema: z.enum(LOG_LEVELS),
  }),
  WORKERS: variable({
    rule: 'a whole number from 0 to 64',
    meaning:
      'Number of worker processes that `npm start` runs. Without it, one for every two cores.',
    schema: wholeNumber(0, 64),
  }),
  WORKER_CONCURRENCY: variable({
    default: '2',
    rule: 'a whole number from 1 to 64',
    meaning: 'Number of batches that a worker process handles at the same time.',
    schema: wholeNumber(1, 64),
  }),
  DATABASE_POOL_MAX: variable({
    default: '10',
    rule: 'a whole number from 1 to 200',
    meaning: 'Maximum number of database connections of a process.',
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
    meaning: 'Prefix of every Redis key, so that several registries can share one Redis.',
    schema: z.string().regex(/^[\w.-]{1,64}$/),
  }),
  BACKLOG_AGE_MAX_SECONDS: variable({
    default: '600',
    rule: 'a whole number from 1 to 86400',
    meaning:
      'New transmissions of an organization are refused with 429 while its oldest waiting one is older than this; those of all organizations only while no worker claims anything (D20).',
    schema: wholeNumber(1, 86_400),
  }),
  BACKLOG_DRAIN_SECONDS: variable({
    default: '60',
    rule: 'a whole number from 1 to 86400',
    meaning:
      'Time within which a backlog should be processed; `registry_workers_wanted` is calculated from it.',
    schema: wholeNumber(1, 86_400),
  }),
  WORKER_RATE_PER_SECOND: variable({
    default: '100',
    rule: 'a whole number from 1 to 100000',
    meaning:
      'Certificates of one vehicle that a worker process is expected to process per second until more is observed. Ten vehicles of one certificate count as one, a change of a record as five.',
    schema: wholeNumber(1, 100_000),
  }),
  ENCRYPTION_KEYS: variable({
    rule: `a comma-separated list of id:key, the id 1 to 32 letters, digits, underscores or hyphens, the key ${ENCRYPTION_KEY_BYTES} bytes in base64 (openssl rand -base64 ${ENCRYPTION_KEY_BYTES})`,
    meaning:
      'Keys for personal data and signing secrets at rest: the first one seals, all of them open. `npm start` makes its own under `DATA_DIR` when it also makes its own database.',
    schema: commaList().transform(readEncryptionKeys),
    secret: true,
  }),
  CLIENT_SECRET_PEPPER: variable({
    rule: `a comma-separated list of keys of at least ${PEPPER_BYTES_MIN} bytes in base64 (openssl rand -base64 ${PEPPER_BYTES_MIN})`,
    meaning:
      'Keys for the hashes of client secrets (D18) and recovery codes: the first one hashes, all of them verify. `npm start` makes its own together with `ENCRYPTION_KEYS`.',
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
    meaning: 'How long a process may take to finish its work after SIGTERM.',
    schema: wholeNumber(1, 300),
  }),
  DRAIN_SECONDS: variable({
    default: '5',
    rule: 'a whole number from 0 to 300',
    meaning:
      'How long an API process keeps serving after SIGTERM while it reports that it is not ready, so that load balancers stop sending to it first; `SHUTDOWN_GRACE_SECONDS` begins afterwards. `npm start` waits only when it is set.',
    schema: wholeNumber(0, 300),
  }),
  LEASE_SECONDS: variable({
    default: '30',
    rule: 'a whole number from 1 to 3600',
    meaning:
      'How long a claim on a transmission is exclusive. After that another worker may claim it.',
    schema: wholeNumber(1, 3_600),
  }),
  SUPERVISED: variable({
    default: '0',
    rule: '0 or 1',
    meaning:
      'Set by `npm start` for the processes that it runs: the supervisor handles Ctrl-C, and the processes end with it.',
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
