import { findUrlProblem, severalHosts, type UrlRules } from './server-url.ts';

/** Settings that the program makes for each session; a parameter of the URL would replace them. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  'binary',
  'client_encoding',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'query_timeout',
  'replication',
  'statement_timeout',
]);
const SCHEMA = 'public';

const RULES: UrlRules = {
  schemes: ['postgresql://', 'postgres://'],
  server: 'PostgreSQL',
  sockets:
    'name a socket by its folder, as in postgresql://user@/registry?host=/var/run/postgresql',
  findParameterProblem: (name, value) => {
    if (OWN_PARAMETERS.has(name))
      return `the parameter "${name}" is set by the program: leave it out`;
    if (name === 'schema' && value !== SCHEMA)
      return `the registry's tables are in the schema "${SCHEMA}": leave the parameter "schema" out`;
    if (name === 'host' && value.includes(',')) return severalHosts('PostgreSQL');
    return undefined;
  },
};

/** The invalid part of a database URL; undefined when the URL is valid or only its scheme is wrong. */
export function findDatabaseUrlProblem(text: string): string | undefined {
  const problem = findUrlProblem(text, RULES);
  if (problem !== undefined || !isDatabaseUrl(text)) return problem;
  return URL.canParse(canonicalDatabaseUrl(text)) ? undefined : 'it names no host';
}

export function isDatabaseUrl(text: string): boolean {
  return RULES.schemes.some((scheme) => text.toLowerCase().startsWith(scheme));
}

/**
 * The same database in a form that every parser reads. libpq allows a user without a host ("user@/name?host=/folder"), but
 * most URL parsers do not, so the folder of the socket becomes the host ("%2Ffolder").
 */
export function canonicalDatabaseUrl(text: string): string {
  const [, start = '', rest = ''] = /^([a-z]+:\/\/[^/?]*@)(\/.*)$/is.exec(text) ?? [];
  if (start === '') return text;
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const host = parameters.get('host');
  if (host === null) return text;
  parameters.delete('host');
  const kept = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  return `${start}${encodeURIComponent(host)}${path}${kept}`;
}

/** Adds a password to a URL that names a user and has no password. */
export function withPassword(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  // A URL without a host cannot have a password before it.
  if (url.host === '') url.searchParams.set('password', password);
  else url.password = encodeURIComponent(password);
  return url.href;
}

export function hasPassword(databaseUrl: string): boolean {
  const url = new URL(databaseUrl);
  return url.password !== '' || url.searchParams.has('password');
}

/** Server and database without user and password, for messages. */
export function placeOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${searchParams.get('host') ?? decodeURIComponent(host)}${pathname}`;
}

/** The user name; undefined when the client takes it from the environment. */
export function userOf(databaseUrl: string): string | undefined {
  const { username, searchParams } = new URL(databaseUrl);
  const user = searchParams.get('user') ?? decodeURIComponent(username);
  return user === '' ? undefined : user;
}
