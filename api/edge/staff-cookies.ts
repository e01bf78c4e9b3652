import { isIP } from 'node:net';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';

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

/**
 * The cookies of the staff realm: HttpOnly, SameSite=Strict, for the whole host, gone with the browser. They are Secure under a
 * `__Host-` name, but over plain HTTP on this very machine, where browsers would refuse that, under a plain one.
 */
export function readStaffCookies(request: Request): StaffCookies {
  const isLocal = !request.secure && isLoopback(request);
  const prefix = isLocal ? '' : '__Host-';
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
    session: presented[session],
    challenge: presented[challenge],
    giveSession: (token) => set(session, token),
    giveChallenge: (token) => set(challenge, token),
    takeSession: () => set(session, '', 0),
    takeChallenge: () => set(challenge, '', 0),
  };
}

/** Both ends: a proxy on this machine may serve the world under another name. */
function isLoopback(request: Request): boolean {
  return (
    isLoopbackAddress(request.socket.remoteAddress ?? '') && isLoopbackName(request.hostname ?? '')
  );
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
