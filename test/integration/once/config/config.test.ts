import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConfigError,
  readConfig,
  requireOwnHealthPort,
  requireServiceConfig,
} from '../../../../shared/platform/config/config.ts';
import { CONFIG_VARIABLES } from '../../../../shared/platform/config/config-variables.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('readConfig', () => {
  it('gives every default for an empty environment', () => {
    expect(readConfig({})).toMatchObject({
      nodeEnv: 'development',
      dataDir: '.data',
      host: '127.0.0.1',
      port: 3000,
      registryTimeZone: 'Asia/Manila',
      transmitWaitSeconds: 10,
      trustedProxies: [],
      backlogAgeMaxSeconds: 600,
      leaseSeconds: 30,
      drainSeconds: 5,
      supervised: false,
    });
    expect(readConfig({}).databaseUrl).toBeUndefined();
    expect(readConfig({}).healthPort).toBeUndefined();
    expect(readConfig({}).workers).toBeUndefined();
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ REDIS_URL: '', PORT: ' ' })).toMatchObject({ port: 3000 });
    expect(readConfig({ REDIS_URL: '' }).redisUrl).toBeUndefined();
  });

  it('reads lists, keys and the pepper', () => {
    const config = readConfig({
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
      ADMIN_ALLOWED_ORIGINS: 'https://staff.example.org',
      ENCRYPTION_KEYS: `k2:${KEY},k1:${KEY}`,
      CLIENT_SECRET_PEPPER: KEY,
    });
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '2001:db8::1']);
    expect(config.adminAllowedOrigins).toEqual(['https://staff.example.org']);
    expect(config.encryptionKeys?.map(({ id }) => id)).toEqual(['k2', 'k1']);
    expect(config.encryptionKeys?.[0]?.key).toHaveLength(32);
    expect(config.clientSecretPepper?.map(({ key }) => key.length)).toEqual([32]);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '3.5'],
    ['WORKERS', '-1'],
    ['REGISTRY_TIME_ZONE', 'Asia/Atlantis'],
    ['TRANSMIT_WAIT_SECONDS', '31'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'localhost'],
    ['LOG_LEVEL', 'loud'],
    ['REDIS_URL', 'http://localhost'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
    ['ENCRYPTION_KEYS', KEY],
    ['ENCRYPTION_KEYS', `k1:${KEY},k1:${KEY}`],
    ['CLIENT_SECRET_PEPPER', 'c2hvcnQ='],
    ['ADMIN_ALLOWED_ORIGINS', 'https://staff.example.org/path'],
  ])('refuses %s=%s and names the variable and its rule', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      `${name} must be ${CONFIG_VARIABLES[name as keyof typeof CONFIG_VARIABLES].rule}`,
    );
  });

  it.each([
    [
      'postgresql://user:hunter2#x@host/db',
      /^DATABASE_URL: the user name or the password contains "#": write %23\.$/,
    ],
    ['postgresql://user:12#hunter2@host/db', /the password contains "#": write %23/],
    ['postgresql://user:hunter2/x@host/db', /the password contains "\/": write %2F/],
    ['postgresql://user:12/hunter2@host/db', /the password contains "\/": write %2F/],
    ['postgresql://user:hunter2?x@host/db', /the password contains "\?": write %3F/],
    [
      'postgresql://user:hunter2%2F%x@host/db',
      /the password contains "%" that is not an escape: write %25/,
    ],
    ['postgresql://user:hunter2%ff@host/db', /the password contains "%" that is not an escape/],
    ['postgresql://user:hunter2@host/db#x', /it contains "#", which ends a URL: write %23/],
    ['postgresql://user:hunter2@one:5432,two:5432/db', /several hosts: put a proxy/],
    ['postgresql://user:hunter2@/db?host=one,two', /several hosts: put a proxy/],
    ['postgresql://user:hunter2@host:port/db', /the port must be a whole number from 1 to 65535/],
    ['postgresql://user:hunter2@host:70000/db', /the port must be a whole number/],
    ['postgresql://user:hunter2@/db', /it names no host/],
    ['postgresql://user:hunter2@my host/db', /the host is neither a name nor an address/],
    ['postgresql://user:hunter2@[::1/db', /the (host|port)/],
    [
      'postgresql://user:hunter2@host/db?statement_timeout=0',
      /the parameter "statement_timeout" is set by the program/,
    ],
    ['postgresql://user:hunter2@host/db?schema=other', /in the schema "public"/],
    ['/var/run/postgresql registry', /name a socket by its folder, as in postgresql:/],
    ['socket:/var/run/postgresql?db=registry', /name a socket by its folder/],
  ])('names the wrong part of DATABASE_URL=%s, never the secret', (value, message) => {
    const read = () => readConfig({ DATABASE_URL: value });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2/);
    expect(read).not.toThrow(/must be a URL that begins/);
    const owner = () => readConfig({ DATABASE_OWNER_URL: value });
    expect(owner).toThrow(/^DATABASE_OWNER_URL: /);
  });

  it.each([
    [
      'redis://:hunter2#x@host',
      /^REDIS_URL: the user name or the password contains "#": write %23\.$/,
    ],
    ['redis://:hunter2/x@host', /the password contains "\/": write %2F/],
    ['redis://:hunter2@one:6379,two:6379', /several hosts: put a proxy/],
    ['redis://:hunter2@host:port', /the port must be a whole number/],
    ['redis://:hunter2@host/tmp/redis.sock', /must be the number of a database/],
    [
      'redis://:hunter2@host?enableOfflineQueue=true',
      /the parameter "enableOfflineQueue" would replace/,
    ],
    ['redis://:hunter2@host?db=first', /the parameter "db" has an invalid value/],
    ['redis:///run/redis.sock', /sockets are not supported: write host and port/],
    ['/run/redis.sock', /sockets are not supported/],
    ['unix:///run/redis.sock', /sockets are not supported/],
  ])('names the wrong part of REDIS_URL=%s, never the secret', (value, message) => {
    const read = () => readConfig({ REDIS_URL: value });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2/);
  });

  it.each([
    'postgresql://host',
    'postgres://user@host:5432/db',
    'postgresql://user:p%40ss%23word@[::1]:5432/db?sslmode=verify-full&application_name=x@y',
    'postgresql://user:p@ss@host/db',
    'postgresql:///db?host=/var/run/postgresql',
    'postgresql://user:secret@%2Fvar%2Frun%2Fpostgresql/db',
    'postgresql://host/db?options=-c%20work_mem=7MB',
  ])('accepts DATABASE_URL=%s unchanged', (value) => {
    expect(readConfig({ DATABASE_URL: value }).databaseUrl).toBe(value);
  });

  it('writes a socket in the form that every parser reads', () => {
    const { databaseUrl } = readConfig({
      DATABASE_URL: 'postgresql://user:secret@/db?host=/run/pg&sslmode=disable',
    });
    expect(databaseUrl).toBe('postgresql://user:secret@%2Frun%2Fpg/db?sslmode=disable');
  });

  it('accepts a scheme in capitals, with TLS for REDISS', () => {
    expect(readConfig({ REDIS_URL: 'REDISS://host/3?family=6' }).redisUrl).toBe(
      'rediss://host/3?family=6',
    );
  });

  it('names all invalid variables at once', () => {
    expect(() => readConfig({ PORT: 'x', WORKERS: 'y' })).toThrow(/PORT.*WORKERS/s);
  });

  it('never shows the value of a secret', () => {
    expect(() => readConfig({ CLIENT_SECRET_PEPPER: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host' })).not.toThrow(/hunter2/);
  });
});

it.each(['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])(
  '%s without DATABASE_URL is refused, for it would be ignored',
  (name) => {
    expect(() => readConfig({ [name]: 'postgresql://u:hunter2@h/d' })).toThrow(
      new RegExp(`^${name} is set without DATABASE_URL`),
    );
  },
);

describe('DATABASE_PASSWORD_FILE', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'password-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function fileOf(text: string): string {
    const path = join(folder, 'password');
    writeFileSync(path, text);
    return path;
  }

  it('adds the password with any characters to the URLs of the service', () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://service@host/db',
      DATABASE_DIRECT_URL: 'postgresql://service@direct/db',
      DATABASE_OWNER_URL: 'postgresql://owner:other@host/db',
      DATABASE_PASSWORD_FILE: fileOf('p#/?@% s\n'),
    });
    const password = 'p%23%2F%3F%40%25%20s';
    expect(config.databaseUrl).toBe(`postgresql://service:${password}@host/db`);
    expect(config.databaseDirectUrl).toBe(`postgresql://service:${password}@direct/db`);
    expect(config.databaseOwnerUrl).toBe('postgresql://owner:other@host/db');
  });

  it.each([
    [
      'a URL that has one, too',
      { DATABASE_URL: 'postgresql://u:hunter2@h/d' },
      'hunter3',
      /DATABASE_URL holds a password/,
    ],
    ['a URL without a user', { DATABASE_URL: 'postgresql://h/d' }, 'hunter3', /names no user/],
    ['no DATABASE_URL', {}, 'hunter3', /without DATABASE_URL/],
    ['an empty file', { DATABASE_URL: 'postgresql://u@h/d' }, '\n', /is empty/],
    [
      'a file of several lines',
      { DATABASE_URL: 'postgresql://u@h/d' },
      'hunter3\nx',
      /has several lines/,
    ],
  ])('is refused with %s, without showing a secret', (_case, variables, text, message) => {
    const read = () => readConfig({ ...variables, DATABASE_PASSWORD_FILE: fileOf(text) });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter/);
  });

  it('is named when it does not exist', () => {
    const read = () =>
      readConfig({
        DATABASE_URL: 'postgresql://u@h/d',
        DATABASE_PASSWORD_FILE: join(folder, 'none'),
      });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/DATABASE_PASSWORD_FILE can.t be read: .*ENOENT/);
  });
});

describe('requireServiceConfig', () => {
  it('names each missing variable', () => {
    expect(() =>
      requireServiceConfig(readConfig({ DATABASE_URL: 'postgresql://localhost/x' })),
    ).toThrow(/^ENCRYPTION_KEYS is missing.*CLIENT_SECRET_PEPPER is missing/s);
  });

  it('accepts a complete configuration', () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://localhost/x',
      ENCRYPTION_KEYS: `k1:${KEY}`,
      CLIENT_SECRET_PEPPER: KEY,
    });
    expect(requireServiceConfig(config)).toEqual(config);
  });
});

describe('the ports of an API', () => {
  it('must differ, because callers must not reach metrics and readiness', () => {
    const ports = (environment: NodeJS.ProcessEnv) => () =>
      requireOwnHealthPort(readConfig(environment));
    expect(ports({ HEALTH_PORT: '3000' })).toThrow(
      new ConfigError(
        'HEALTH_PORT and PORT are both 3000: give the health and metrics server of the API a port of its own.',
      ),
    );
    expect(ports({})).not.toThrow();
    expect(ports({ HEALTH_PORT: '3001' })).not.toThrow();
    expect(ports({ HEALTH_PORT: '0', PORT: '0' })).not.toThrow();
  });
});
