import { CONFIG_VARIABLES, type Variable } from './config-variables.ts';

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

/** Seconds, ports and counts are whole numbers; a member is undefined only where the variable has no default and was not given. */
export type Config = {
  readonly [Name in keyof Variables as CamelCase<Name>]: ValueOf<Variables[Name]>;
};

/** What a process that serves transmissions cannot do without. */
export type ServiceConfig = Config & {
  readonly [Name in 'databaseUrl' | 'encryptionKeys' | 'clientSecretPepper']: NonNullable<
    Config[Name]
  >;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The only reader of the environment. An empty variable counts as absent. Throws {@link ConfigError} naming every bad variable. */
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
  return values as Config;
}

/** Throws {@link ConfigError} naming each variable that an API or worker process lacks. */
export function demandServiceConfig(config: Config): ServiceConfig {
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
          `${name} is missing: set it to ${CONFIG_VARIABLES[name].rule}. Only "npm start" without DATABASE_URL makes its own.`,
      )
      .join('\n'),
  );
}

function problemOf(
  name: string,
  text: string,
  entry: Variable<unknown, string | undefined>,
): string {
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
