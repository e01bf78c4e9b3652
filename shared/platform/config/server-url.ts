// Finds the invalid part of a server's URL without showing a secret. A URL parser is not enough: it only reports "invalid", and
// it reads "user:12#x@host" as the host "user" with port 12.

export interface UrlRules {
  /** Each ends with "://". */
  readonly schemes: readonly string[];
  /** The server's name in messages. */
  readonly server: string;
  /** The message for a socket: how to write it, or that sockets are not supported. */
  readonly sockets: string;
  /** The problem with a query parameter; undefined when it is valid. */
  readonly findParameterProblem: (name: string, value: string) => string | undefined;
}

const PORT_MAX = 65_535;
const ESCAPES: Readonly<Record<string, string>> = { '#': '%23', '/': '%2F', '?': '%3F' };

/** The problem, worded to follow "NAME:". Undefined when the URL is valid or only its scheme is wrong. */
export function findUrlProblem(text: string, rules: UrlRules): string | undefined {
  const scheme = rules.schemes.find((known) => text.toLowerCase().startsWith(known));
  if (scheme === undefined) return isSocket(text) ? rules.sockets : undefined;
  const rest = text.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const after = end < 0 ? '' : rest.slice(end);
  return (
    findUnescaped(authority, after) ??
    findUserProblem(authority) ??
    findHostProblem(authority.slice(authority.lastIndexOf('@') + 1), rules) ??
    findPathProblem(after) ??
    findQueryProblem(after, rules)
  );
}

function isSocket(text: string): boolean {
  return (
    text.startsWith('/') || /^(socket|unix|redis\+unix|rediss\+unix|redis\+socket):/i.test(text)
  );
}

/** A character that ends the authority before an "@" is an unescaped part of the password. */
function findUnescaped(authority: string, after: string): string | undefined {
  const [first = ''] = after;
  const path = after.split(/[?#]/, 1)[0] ?? '';
  const isCut =
    after.includes('@') &&
    !authority.includes('@') &&
    (first === '#' || path.includes('@') || !isPortOf(authority));
  if (isCut) return `the user name or the password contains "${first}": write ${ESCAPES[first]}`;
  if (after.includes('#')) return 'it contains "#", which ends a URL: write %23';
  return undefined;
}

function isPortOf(host: string): boolean {
  const [, port] = /:([^:\]]*)$/.exec(host) ?? [];
  return port === undefined || port === '' || isPort(port);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= PORT_MAX;
}

function findUserProblem(authority: string): string | undefined {
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  const isEscaped = !/%(?![0-9a-f]{2})/i.test(user);
  const hasEscapes = /%[0-9a-f]{2}/i.test(user);
  if (hasEscapes && (!isEscaped || !isDecodable(user)))
    return 'the user name or the password contains "%" that is not an escape: write %25';
  return undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function findHostProblem(host: string, { server }: UrlRules): string | undefined {
  if (host.includes(',')) return severalHosts(server);
  if (!isPortOf(host)) return `the port must be a whole number from 1 to ${PORT_MAX}`;
  const name = host.replace(/:\d*$/, '');
  const isSound = /^\[[0-9a-f:.]+\]$/i.test(name) || !/[\s[\]:<>^|\\]/.test(name);
  return isSound ? undefined : 'the host is neither a name nor an address';
}

export function severalHosts(server: string): string {
  return `it names several hosts: put a proxy that follows the primary in front of ${server}, and use the proxy's address`;
}

function findPathProblem(after: string): string | undefined {
  const path = after.split('?', 1)[0] ?? '';
  return isDecodable(path)
    ? undefined
    : 'the part after the host contains "%" that is not an escape: write %25';
}

function findQueryProblem(after: string, rules: UrlRules): string | undefined {
  const at = after.indexOf('?');
  if (at < 0) return undefined;
  for (const [name, value] of new URLSearchParams(after.slice(at + 1))) {
    const problem = rules.findParameterProblem(name, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
