import { findUrlProblem, type UrlRules } from './server-url.ts';

const NO_SOCKETS = 'sockets are not supported: write host and port, as in redis://127.0.0.1:6379';
/** The client would apply any other parameter as a connection setting, in place of the program's own. */
const PARAMETERS: Readonly<Record<string, RegExp>> = { db: /^\d{1,5}$/, family: /^[046]$/ };

const RULES: UrlRules = {
  schemes: ['redis://', 'rediss://'],
  server: 'Redis',
  sockets: NO_SOCKETS,
  findParameterProblem: (name, value) => {
    const rule = PARAMETERS[name];
    if (rule === undefined)
      return `the parameter "${name}" would replace a setting of the program: leave it out`;
    return rule.test(value) ? undefined : `the parameter "${name}" has an invalid value`;
  },
};

/** The invalid part of a Redis URL; undefined when the URL is valid or only its scheme is wrong. */
export function findRedisUrlProblem(text: string): string | undefined {
  const problem = findUrlProblem(text, RULES);
  if (problem !== undefined || !isRedisUrl(text)) return problem;
  if (!URL.canParse(text)) return 'it names no host';
  const { host, pathname } = new URL(text);
  if (/^\/?(\d{1,5})?$/.test(pathname)) return undefined;
  return host === '' ? NO_SOCKETS : 'the part after the host must be the number of a database';
}

export function isRedisUrl(text: string): boolean {
  return RULES.schemes.some((scheme) => text.toLowerCase().startsWith(scheme));
}

/** The client would read a scheme in capitals as one without TLS. */
export function canonicalRedisUrl(text: string): string {
  return text.replace(/^[a-z]+/i, (scheme) => scheme.toLowerCase());
}
