import { isIP } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import type { Config } from '../../../shared/platform/config/config.ts';

export interface StaffCookies {
  /** What the caller presents. Undefined without that cookie. */
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
 * The cookies of the staff realm: HttpOnly, SameSite=Strict, for the whole host, gone with the browser. They are Secure under a
 * `__Host-` name; only for a page that the browser loaded over plain HTTP from this very machine they have a plain one, because
 * browsers would refuse the other. Plain ones are neither given nor read where the service is meant for the world: in production,
 * or with an allowed origin of https. A Secure cookie that is presented goes before a plain one.
 */
export function readStaffCookies(
  request: Request,
  { nodeEnv, adminAllowedOrigins }: Pick<Config, 'nodeEnv' | 'adminAllowedOrigins'>,
): StaffCookies {
  const isForTheWorld =
    nodeEnv === 'production' || adminAllowedOrigins.some((origin) => origin.startsWith('https:'));
  const isLocal = !isForTheWorld && !request.secure && isLoopback(request);
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
 * Both ends. The browser's end is told by the Origin, which it sends with whatever sets a cookie and no proxy rewrites: a proxy on
 * this machine may serve the world and put its own name into Host.
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
