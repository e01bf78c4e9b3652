import { isIP } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { Config } from '../../../shared/platform/config/config.ts';

export interface StaffCookies {
  /** The cookies that the caller presents; undefined without that cookie. */
  readonly session: string | undefined;
  readonly challenge: string | undefined;
  /** Values of Set-Cookie. */
  giveSession(token: string): string;
  giveChallenge(token: string): string;
  takeSession(): string;
  takeChallenge(): string;
}

const SECURE_PREFIX = '__Host-';

/**
 * The cookies of the staff realm: HttpOnly, SameSite=Strict, for the whole host, until the browser closes. They are Secure and
 * have a `__Host-` name. A page that the browser loaded over plain HTTP from this machine gets plain cookies, because browsers
 * refuse Secure ones there. A public service, which runs in production or has an allowed origin of https, neither sets nor reads
 * plain cookies. If both are presented, the Secure cookie counts.
 */
export function readStaffCookies(
  request: Request,
  { nodeEnv, adminAllowedOrigins }: Pick<Config, 'nodeEnv' | 'adminAllowedOrigins'>,
): StaffCookies {
  const isPublic =
    nodeEnv === 'production' || adminAllowedOrigins.some((origin) => origin.startsWith('https:'));
  const isLocal = !isPublic && !request.secure && isLoopback(request);
  const prefix = isLocal ? '' : SECURE_PREFIX;
  const [session, challenge] = [`${prefix}ppai-session`, `${prefix}ppai-challenge`];
  const presented = parseCookie(request.headers.cookie ?? '');
  const set = (name: string, value: string, maxAge?: number): string =>
    stringifySetCookie({
      name,
      value,
      path: '/',
      httpOnly: true,
      secure: !isLocal,
      sameSite: 'strict',
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  return {
    session: presented[`${SECURE_PREFIX}ppai-session`] ?? presented[session],
    challenge: presented[`${SECURE_PREFIX}ppai-challenge`] ?? presented[challenge],
    giveSession: (token) => set(session, token),
    giveChallenge: (token) => set(challenge, token),
    takeSession: () => set(session, '', 0),
    takeChallenge: () => set(challenge, '', 0),
  };
}

/**
 * Whether browser and service are on this machine. The browser's side is read from Origin, which it sends with every request that
 * sets a cookie and which no proxy rewrites; Host may be the name of a public proxy on this machine.
 */
function isLoopback(request: Request): boolean {
  return (
    isLoopbackAddress(request.socket.remoteAddress ?? '') &&
    isLoopbackName(originName(request) ?? request.hostname ?? '')
  );
}

function originName({ headers: { origin } }: Request): string | undefined {
  if (origin === undefined) return undefined;
  if (!URL.canParse(origin)) return '';
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' ? hostname : '';
}

function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    (isIP(name.replace(/^\[|\]$/g, '')) !== 0 && isLoopbackAddress(name.replace(/^\[|\]$/g, '')))
  );
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address);
}
