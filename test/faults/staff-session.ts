import { CSRF_HEADER } from '../../shared/contract/staff.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { hashPassword } from '../../shared/platform/secrets/passwords.ts';
import { createStaffUser } from '../../shared/store/staff/sign-in/credentials.ts';
import { uniqueNumber } from '../env/api/bodies.ts';
import { anyAddress } from '../env/api/signed-request.ts';
import { codeOf, STAFF_PASSWORD } from '../env/staff/staff.ts';
import type { AbuseTarget, Reply, Sender } from './abuse/target.ts';

/** The Cookie header of a new ADMINISTRATOR who is signed in. */
export async function signInNewAdministrator(
  { db, baseUrl }: Pick<AbuseTarget, 'db' | 'baseUrl'>,
  sender: Sender,
): Promise<string> {
  const email = `${uniqueNumber('abuse').toLowerCase()}@staff.example`;
  const password = { hash: await hashPassword(STAFF_PASSWORD), isInitial: false };
  await db.$transaction((tx) =>
    createStaffUser(tx, { email, role: 'ADMINISTRATOR', password, now: new Date() }),
  );
  const address = anyAddress();
  let cookie = '';
  const post = async (path: string, body: object): Promise<Reply> => {
    const reply = await sender.send({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': address,
        origin: baseUrl,
        [CSRF_HEADER]: '1',
        ...(cookie === '' ? {} : { cookie }),
      },
      body: Buffer.from(JSON.stringify(body), 'utf8'),
    });
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.text}`);
    cookie = cookiesOf(reply) ?? cookie;
    return reply;
  };
  await post('/auth/v1/login', { email, password: STAFF_PASSWORD });
  const enrolled = await post('/auth/v1/mfa/enroll', {});
  const secret = String(enrolled.envelope?.data?.['secret']);
  await post('/auth/v1/mfa/verify', { code: codeOf(secret, systemClock) });
  return cookie;
}

/** The cookies that the answer sets, without those that it deletes. */
function cookiesOf({ headers }: Reply): string | undefined {
  const lines: unknown = headers['set-cookie'];
  if (!Array.isArray(lines)) return undefined;
  return lines
    .map(String)
    .filter((line) => !/;\s*Max-Age=0/i.test(line))
    .map((line) => line.split(';')[0])
    .join('; ');
}
