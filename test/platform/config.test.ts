import { ConfigError, demandServiceConfig, readConfig } from '../../shared/platform/config.ts';
import { CONFIG_VARIABLES } from '../../shared/platform/config-variables.ts';

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
      supervised: false,
    });
    expect(readConfig({}).databaseUrl).toBeUndefined();
    expect(readConfig({}).healthPort).toBeUndefined();
    expect(readConfig({}).workers).toBeUndefined();
  });

  it('takes an empty variable for an absent one', () => {
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

  it('names every bad variable at once', () => {
    expect(() => readConfig({ PORT: 'x', WORKERS: 'y' })).toThrow(/PORT.*WORKERS/s);
  });

  it('never shows the value of a secret', () => {
    expect(() => readConfig({ CLIENT_SECRET_PEPPER: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@host' })).not.toThrow(/hunter2/);
  });
});

describe('demandServiceConfig', () => {
  it('names each variable that a serving process lacks', () => {
    expect(() =>
      demandServiceConfig(readConfig({ DATABASE_URL: 'postgresql://localhost/x' })),
    ).toThrow(/^ENCRYPTION_KEYS is missing.*CLIENT_SECRET_PEPPER is missing/s);
  });

  it('passes a complete configuration through', () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://localhost/x',
      ENCRYPTION_KEYS: `k1:${KEY}`,
      CLIENT_SECRET_PEPPER: KEY,
    });
    expect(demandServiceConfig(config)).toEqual(config);
  });
});
