import { readFileSync } from 'node:fs';
import { CONFIG_VARIABLES, type Variable } from './config-variables.ts';
import { hasPassword, userOf, withPassword } from './database-url.ts';

type Variables = typeof CONFIG_VARIABLES;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type ValueOf<V> =
  V extends Variable<infer Value, infer Default>
    ? Default extends string
      ? Value
      : Value | undefined
    : never;

/** Seconds, ports and counts are whole numbers. A member is undefined only if the variable has no default and is not set. */
export type Config = {
  readonly [Name in keyof Variables as CamelCase<Name>]: ValueOf<Variables[Name]>;
};

/** The configuration that an API or worker process requires. */
export type ServiceConfig = Config & {
  readonly [Name in 'databaseUrl' | 'encryptionKeys' | 'clientSecretPepper']: NonNullable<
    Config[Name]
  >;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The only reader of the environment. An empty variable counts as absent. Throws {@link ConfigError} that names every invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, entry] of Object.entries<Variable<unknown, string | undefined>>(
    CONFIG_VARIABLES,
  )) {
    const given = environment[name]?.trim();
    const text = given === undefined || given === '' ? entry.default : given;
    if (text === undefined) {
      values[camelCase(name)] = undefined;
      continue;
    }
    const parsed = entry.schema.safeParse(text);
    if (parsed.success) values[camelCase(name)] = parsed.data;
    else problems.push(problemOf(name, text, entry));
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return withPasswords(values as Config);
}

/** Adds the password from DATABASE_PASSWORD_FILE to the URLs of the service's role. */
function withPasswords(config: Config): Config {
  const { databasePasswordFile: path, databaseUrl, databaseDirectUrl, databaseOwnerUrl } = config;
  const requireDatabaseUrl = {
    DATABASE_OWNER_URL: databaseOwnerUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_PASSWORD_FILE: path,
  };
  if (databaseUrl === undefined) {
    const [name] =
      Object.entries(requireDatabaseUrl).find(([, value]) => value !== undefined) ?? [];
    if (name === undefined) return config;
    throw new ConfigError(`${name} is set without DATABASE_URL. Set both or none.`);
  }
  if (path === undefined) return config;
  const password = readPassword(path);
  return {
    ...config,
    databaseUrl: addPassword('DATABASE_URL', databaseUrl, password),
    databaseDirectUrl:
      databaseDirectUrl === undefined
        ? undefined
        : addPassword('DATABASE_DIRECT_URL', databaseDirectUrl, password),
  };
}

function addPassword(name: string, url: string, password: string): string {
  if (hasPassword(url))
    throw new ConfigError(
      `${name} holds a password and DATABASE_PASSWORD_FILE is set. Remove the password from the URL, or unset the file.`,
    );
  if (userOf(url) === undefined)
    throw new ConfigError(
      `${name} names no user for the password of DATABASE_PASSWORD_FILE. Write it before the host: postgresql://user@host/name.`,
    );
  return withPassword(url, password);
}

function readPassword(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`DATABASE_PASSWORD_FILE can't be read: ${reason}.`, { cause: error });
  }
  const password = text.replace(/\r?\n$/, '');
  if (password === '' || /[\r\n]/.test(password))
    throw new ConfigError(
      `DATABASE_PASSWORD_FILE must be ${CONFIG_VARIABLES.DATABASE_PASSWORD_FILE.rule}: ${JSON.stringify(path)} ${password === '' ? 'is empty' : 'has several lines'}.`,
    );
  return password;
}

/** Throws {@link ConfigError} that names each missing variable of an API or worker process. */
export function requireServiceConfig(config: Config): ServiceConfig {
  const { databaseUrl, encryptionKeys, clientSecretPepper } = config;
  if (
    databaseUrl !== undefined &&
    encryptionKeys !== undefined &&
    clientSecretPepper !== undefined
  ) {
    return { ...config, databaseUrl, encryptionKeys, clientSecretPepper };
  }
  const missing = [
    ...(databaseUrl === undefined ? (['DATABASE_URL'] as const) : []),
    ...(encryptionKeys === undefined ? (['ENCRYPTION_KEYS'] as const) : []),
    ...(clientSecretPepper === undefined ? (['CLIENT_SECRET_PEPPER'] as const) : []),
  ];
  throw new ConfigError(
    missing
      .map(
        (name) =>
          `${name} is missing: set it to ${CONFIG_VARIABLES[name].rule}. Only "npm start" without DATABASE_URL creates its own.`,
      )
      .join('\n'),
  );
}

/** Throws {@link ConfigError} when the API and its health server have the same port. */
export function requireOwnHealthPort({
  port,
  healthPort,
}: Pick<Config, 'port' | 'healthPort'>): void {
  if (healthPort === undefined || healthPort === 0 || healthPort !== port) return;
  throw new ConfigError(
    `HEALTH_PORT and PORT are both ${port}: give the health and metrics server of the API a port of its own.`,
  );
}

function problemOf(
  name: string,
  text: string,
  entry: Variable<unknown, string | undefined>,
): string {
  const explained = entry.explain?.(text);
  if (explained !== undefined) return `${name}: ${explained}.`;
  const shown = entry.secret ? '' : `, not ${JSON.stringify(text)}`;
  const remedy =
    entry.default === undefined
      ? 'Correct it or leave it out.'
      : `Correct it or leave it out for ${JSON.stringify(entry.default)}.`;
  return `${name} must be ${entry.rule}${shown}. ${remedy}`;
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
