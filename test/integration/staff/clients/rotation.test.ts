import type { SecretKind } from '../../../../shared/contract/enums.ts';
import type { ClientWithSecrets } from '../../../../shared/contract/staff/clients.ts';
import { type MovableClock, makeMovableClock } from '../../../../shared/platform/clock.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { requestToken, sendSigned, tokenFor } from '../../../env/api/machine-client.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import {
  CLIENTS,
  credentialsOf,
  type IssuedClient,
  issueClient,
} from '../../../env/staff/clients.ts';
import { auditedActions, fieldsOf } from '../../../env/staff/lists.ts';
import { outcomeOf, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const DAY_SECONDS = 24 * 3_600;
const BOTH: SecretKind[] = ['CLIENT_SECRET', 'SIGNING_SECRET'];
const WRONG_SECRET = { status: 401, code: 'INVALID_CREDENTIALS' };
const WRONG_SIGNATURE = { status: 401, code: 'INVALID_SIGNATURE' };
const NO_TOKEN = { status: 401, code: 'INVALID_TOKEN' };
const SUCCESS = { status: 200, code: undefined };

let clock: MovableClock;
let api: TestApi;
let admin: StaffBrowser;
beforeEach(async () => {
  clock = makeMovableClock(new Date('2027-03-01T02:00:00Z'));
  api = await startTestApi({ handlers: makeProbe().handlers, clock });
  admin = await signInAs(api, 'ADMINISTRATOR');
});
afterEach(() => api.stop());

const issue = () => issueClient(admin, { name: 'rotated', scopes: ['ppai:read'] });
const rotate = (id: string, body: object) => admin.post(`${CLIENTS}/${id}/rotate-secrets`, body);

async function rotated(
  before: IssuedClient,
  secrets: readonly SecretKind[],
  overlapSeconds: number,
  expectedVersion = 1,
): Promise<IssuedClient> {
  const answer = await rotate(before.id, { secrets, overlapSeconds, expectedVersion });
  if (answer.status !== 200) throw new Error(answer.text);
  return credentialsOf(answer.envelope.data, before);
}

const authenticate = async (credentials: IssuedClient) =>
  outcomeOf(await requestToken(api, credentials));

/** Sends a request with the token, signed with the signing secret of these credentials. */
async function sendWith(credentials: IssuedClient, token: string) {
  const path = '/ppai/policies/search?cocNumber=COC-NONE';
  return outcomeOf(await sendSigned(api, credentials, token, { path }));
}

describe('rotating both secrets with an overlap', () => {
  it('keeps the old ones valid until the overlap ends, to the second', async () => {
    const old = await issue();
    const fresh = await rotated(old, BOTH, DAY_SECONDS);
    expect(fresh.clientSecret).not.toBe(old.clientSecret);
    expect(fresh.signingSecret).not.toBe(old.signingSecret);
    for (const one of [old, fresh]) {
      expect(await authenticate(one)).toEqual(SUCCESS);
      expect(await sendWith(one, await tokenFor(api, one))).toEqual(SUCCESS);
    }

    clock.advance((DAY_SECONDS - 1) * 1_000);
    expect(await authenticate(old)).toEqual(SUCCESS);
    const token = await tokenFor(api, fresh);
    expect(await sendWith(old, token)).toEqual(SUCCESS);

    clock.advance(1_000);
    expect(await authenticate(old)).toEqual(WRONG_SECRET);
    expect(await sendWith(old, token)).toEqual(WRONG_SIGNATURE);
    expect(await authenticate(fresh)).toEqual(SUCCESS);
    expect(await sendWith(fresh, token)).toEqual(SUCCESS);
  });

  it('shows which versions are valid and until when, and is audited without the secrets', async () => {
    const old = await issue();
    const answer = await rotate(old.id, {
      secrets: BOTH,
      overlapSeconds: 3_600,
      expectedVersion: 1,
    });
    const { client, clientSecret, signingSecret } = answer.envelope
      .data as unknown as ClientWithSecrets;
    expect(client.version).toBe(2);
    const overlapUntil = '2027-03-01T03:00:00.000Z';
    expect(
      client.secrets.map(({ kind, version, expiresAt }) => ({ kind, version, expiresAt })),
    ).toEqual(
      BOTH.flatMap((kind) => [
        { kind, version: 1, expiresAt: overlapUntil },
        { kind, version: 2, expiresAt: null },
      ]),
    );
    const acts = await auditedActions(admin, 'CLIENT', old.id);
    expect(acts.slice(1)).toEqual([
      {
        action: 'CLIENT_SECRETS_ROTATED',
        before: { secrets: BOTH.map((kind) => ({ kind, version: 1 })) },
        after: { secrets: BOTH.map((kind) => ({ kind, version: 2 })), overlapUntil },
      },
    ]);
    expect(JSON.stringify(acts)).not.toContain(clientSecret);
    expect(JSON.stringify(acts)).not.toContain(signingSecret);
  });
});

describe('rotating one secret', () => {
  it('keeps the signing secret when the client secret is rotated', async () => {
    const old = await issue();
    const fresh = await rotated(old, ['CLIENT_SECRET'], 0);
    expect(fresh.signingSecret).toBe(old.signingSecret);
    expect(await authenticate(old)).toEqual(WRONG_SECRET);
    expect(await sendWith(old, await tokenFor(api, fresh))).toEqual(SUCCESS);
  });

  it('keeps the client secret when the signing secret is rotated', async () => {
    const old = await issue();
    const fresh = await rotated(old, ['SIGNING_SECRET'], 0);
    expect(fresh.clientSecret).toBe(old.clientSecret);
    const token = await tokenFor(api, old);
    expect(await sendWith(old, token)).toEqual(WRONG_SIGNATURE);
    expect(await sendWith(fresh, token)).toEqual(SUCCESS);
  });

  it('shows the new secret and null for the other', async () => {
    const { id } = await issue();
    const answer = await rotate(id, {
      secrets: ['SIGNING_SECRET'],
      overlapSeconds: 60,
      expectedVersion: 1,
    });
    expect(answer.envelope.data).toMatchObject({
      clientSecret: null,
      signingSecret: expect.stringMatching(/^[\w-]{43}$/),
    });
  });
});

describe('the tokens of a client', () => {
  it.each<[SecretKind[]]>([[['CLIENT_SECRET']], [['SIGNING_SECRET']], [BOTH]])(
    'end when %p is replaced without an overlap; those of others do not',
    async (secrets) => {
      const [old, other] = [await issue(), await issue()];
      const [token, ofOther] = [await tokenFor(api, old), await tokenFor(api, other)];
      expect(await sendWith(old, token)).toEqual(SUCCESS);
      const fresh = await rotated(old, secrets, 0);
      for (const one of [old, fresh]) expect(await sendWith(one, token)).toEqual(NO_TOKEN);
      expect(await sendWith(fresh, await tokenFor(api, fresh))).toEqual(SUCCESS);
      expect(await sendWith(other, ofOther)).toEqual(SUCCESS);
      const [, act] = await auditedActions(admin, 'CLIENT', old.id);
      expect(act).toMatchObject({ action: 'CLIENT_SECRETS_ROTATED', after: { revoked: 1 } });
    },
  );

  it('stay valid during an overlap', async () => {
    const old = await issue();
    const token = await tokenFor(api, old);
    const fresh = await rotated(old, BOTH, 1);
    expect(await sendWith(fresh, token)).toEqual(SUCCESS);
  });
});

describe('rotating again during an overlap', () => {
  it('ends the earlier secrets at once if it has no overlap', async () => {
    const first = await issue();
    const second = await rotated(first, BOTH, DAY_SECONDS);
    const third = await rotated(second, BOTH, 0, 2);
    expect(await authenticate(first)).toEqual(WRONG_SECRET);
    expect(await authenticate(second)).toEqual(WRONG_SECRET);
    expect(await authenticate(third)).toEqual(SUCCESS);
  });

  it('does not prolong the overlap', async () => {
    const first = await issue();
    const second = await rotated(first, BOTH, 60);
    await rotated(second, BOTH, DAY_SECONDS, 2);
    clock.advance(60_000);
    expect(await authenticate(first)).toEqual(WRONG_SECRET);
    expect(await authenticate(second)).toEqual(SUCCESS);
  });
});

describe('a rotation', () => {
  it('is CONFLICT for the second of two requests with the same version', async () => {
    const { id } = await issue();
    const body = { secrets: BOTH, overlapSeconds: 0, expectedVersion: 1 };
    const both = await Promise.all([rotate(id, body), rotate(id, body)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await auditedActions(admin, 'CLIENT', id)).toHaveLength(2);
  });

  it.each([
    [{ overlapSeconds: DAY_SECONDS + 1 }, ['overlapSeconds']],
    [{ overlapSeconds: -1 }, ['overlapSeconds']],
    [{ secrets: [] }, ['secrets']],
    [{ secrets: ['CLIENT_SECRET', 'CLIENT_SECRET'] }, ['secrets']],
    [{ secrets: ['PASSWORD'] }, ['secrets[0]']],
    [{ clientSecret: 'chosen' }, ['clientSecret']],
  ])('is VALIDATION_FAILED with %j', async (changes, fields) => {
    const { id } = await issue();
    const body = { secrets: BOTH, overlapSeconds: 0, expectedVersion: 1, ...changes };
    const answer = await rotate(id, body);
    expect({ ...outcomeOf(answer), fields: fieldsOf(answer) }).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      fields,
    });
  });
});
