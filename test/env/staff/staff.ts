import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Role } from '../../../shared/contract/staff.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { hashPassword } from '../../../shared/platform/secrets/passwords.ts';
import { createStaffUser } from '../../../shared/store/staff/sign-in/credentials.ts';
import type { TestApi } from '../api/api-env.ts';
import { anyAddress, type RawRequest, type TestAnswer } from '../api/signed-request.ts';
import { checkStaffAnswer } from './answers.ts';

export const STAFF_PASSWORD = 'correct horse battery staple';

export interface StaffRequest {
  readonly method?: string;
  /** The complete target with the query. */
  readonly path: string;
  /** An object is sent as JSON. */
  readonly body?: object | string | Buffer;
  /** Override the headers; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A browser of the staff API. It keeps cookies, sends Origin and CSRF headers, and throws when an answer violates the document. */
export interface StaffBrowser {
  readonly email: string;
  readonly userId: string;
  /** In base32; empty before the enrollment. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  cookies: Map<string, string>;
  send(request: StaffRequest): Promise<TestAnswer>;
  get(path: string): Promise<TestAnswer>;
  post(path: string, body?: object): Promise<TestAnswer>;
}

/** Shared by all users, because hashing is slow by design. */
let hashOfPassword: Promise<string> | undefined;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Adds a user with a password who has not yet signed in. */
export async function addStaffUser(
  api: TestApi,
  role: Role,
  email = `${role.toLowerCase()}-${randomUUID().slice(0, 8)}@staff.example`,
): Promise<StaffBrowser> {
  hashOfPassword ??= hashPassword(STAFF_PASSWORD);
  const password = { hash: await hashOfPassword, isInitial: false };
  const { db, clock } = api.api.context;
  const userId = await db.$transaction((tx) =>
    createStaffUser(tx, { email, role, password, now: clock.now() }),
  );
  if (userId === undefined) throw new Error(`${email} already exists`);
  return makeBrowser(api, email, userId);
}

/** A new user of that role, enrolled and signed in. */
export async function signInAs(api: TestApi, role: Role, email?: string): Promise<StaffBrowser> {
  const browser = await addStaffUser(api, role, email);
  await enroll(api, browser);
  return browser;
}

/** The first sign-in of a user: password, enrollment, code. */
export async function enroll(api: TestApi, browser: StaffBrowser): Promise<void> {
  const { email } = browser;
  expectOk(await browser.post('/auth/v1/login', { email, password: STAFF_PASSWORD }));
  const { envelope } = expectOk(await browser.post('/auth/v1/mfa/enroll'));
  const secret = String(envelope.data?.['secret']);
  const code = codeOf(secret, api.api.context.clock);
  const signedIn = expectOk(await browser.post('/auth/v1/mfa/verify', { code }));
  const recoveryCodes = signedIn.envelope.data?.['recoveryCodes'] as string[];
  Object.assign(browser as Mutable<StaffBrowser>, { secret, recoveryCodes });
}

/** The code at the clock's time, or `steps` time steps later. */
export function codeOf(secret: string, clock: Clock, steps = 0): string {
  const timestamp = clock.now().getTime() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({
    timestamp,
  });
}

export function makeBrowser(api: TestApi, email = '', userId = ''): StaffBrowser {
  // A different address per browser, so that browsers do not share a rate limit.
  const address = anyAddress();
  const browser: StaffBrowser = {
    email,
    userId,
    secret: '',
    recoveryCodes: [],
    cookies: new Map(),
    send: async ({ path, body, headers = {}, method = body === undefined ? 'GET' : 'POST' }) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await api.sendRaw({
        method,
        target: path,
        headers: {
          'x-forwarded-for': address,
          host: new URL(api.baseUrl).host,
          ...(cookie === '' ? {} : { cookie }),
          ...(method === 'GET' ? {} : { origin: api.baseUrl, 'x-ppai-csrf': '1' }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...bodyOf(body),
      });
      keepCookies(browser.cookies, answer);
      const problems = checkStaffAnswer(method, path, answer);
      if (problems.length > 0) throw new Error(problems.join('\n'));
      return answer;
    },
    get: (path) => browser.send({ path }),
    post: (path, body) =>
      browser.send({ method: 'POST', path, ...(body === undefined ? {} : { body }) }),
  };
  return browser;
}

function bodyOf(body: StaffRequest['body']): Pick<RawRequest, 'body'> {
  if (body === undefined) return {};
  return { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) };
}

/** The Set-Cookie lines of an answer. */
export function setCookies({ headers }: TestAnswer): string[] {
  const lines: unknown = headers['set-cookie'];
  return Array.isArray(lines) ? lines : [];
}

function keepCookies(cookies: Map<string, string>, answer: TestAnswer): void {
  for (const line of setCookies(answer)) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (/;\s*Max-Age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** Status and error code; the code is undefined for a success. */
export function outcomeOf({ status, envelope }: TestAnswer): {
  status: number;
  code: string | undefined;
} {
  return { status, code: envelope.error?.code };
}

/** The outcome of a request that was refused. */
export function refused(status: number, code: string): ReturnType<typeof outcomeOf> {
  return { status, code };
}

/** Starts the sign-in of the browser's user. */
export function login(browser: StaffBrowser, password = STAFF_PASSWORD): Promise<TestAnswer> {
  return browser.post('/auth/v1/login', { email: browser.email, password });
}

export function verify(browser: StaffBrowser, code: string): Promise<TestAnswer> {
  return browser.post('/auth/v1/mfa/verify', { code });
}

/** Another browser of the same user, with another address. */
export function sameUser(api: TestApi, { email, userId }: StaffBrowser): StaffBrowser {
  return makeBrowser(api, email, userId);
}

function expectOk(answer: TestAnswer): TestAnswer {
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
  return answer;
}
