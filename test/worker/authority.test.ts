import { type BodyChanges, makeBody } from '../env/bodies.ts';
import { type Stack, startStack } from '../env/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

async function errors(client: string, changes: BodyChanges): Promise<string[]> {
  const { findings } = await stack.transmit(client, makeBody(changes));
  return findings
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ level, code, field }) => `${level} ${code} ${field}`);
}

const issuedOn = (issuanceDate: string) => ({ policy: { issuanceDate } });
const forBravo = { issuingInsurerCode: 'INS-BRAVO' };
const forCharlie = { issuingInsurerCode: 'INS-CHARLIE' };
const notAuthorized = '3 NOT_AUTHORIZED_TO_TRANSMIT issuingInsurerCode';

describe('authority to transmit (level 3)', () => {
  it('has the insurer itself', async () => {
    expect(await errors('bravo', forBravo)).toEqual([]);
  });

  it.each([
    ['the lead insurer', 'alpha'],
    ['the management company', 'mgt-one'],
  ])('has %s of a pool for its members', async (_role, client) => {
    expect(await errors(client, forBravo)).toEqual([]);
  });

  it('has no other member of the pool', async () => {
    expect(await errors('bravo', { issuingInsurerCode: 'INS-ALPHA' })).toEqual([notAuthorized]);
  });

  it.each([
    ['2025-12-31', true],
    ['2026-01-01', false],
  ])('depends on the pool membership on the issuance date: %s, %s', async (date, may) => {
    for (const client of ['alpha', 'mgt-one']) {
      const found = await errors(client, { ...forCharlie, ...issuedOn(date) });
      expect(found).toEqual(may ? [] : [notAuthorized]);
    }
  });

  it.each([
    ['2024-12-31', ['3 POOL_MEMBERSHIP_NOT_FOUND poolCode']],
    ['2025-01-01', []],
  ])('a pool code needs the membership on the issuance date: %s', async (date, expected) => {
    const changes = { ...issuedOn(date), poolCode: 'POOL-NORTH' };
    expect(await errors('alpha', changes)).toEqual(expected);
  });

  it.each(['POOL-NOWHERE', 'INS-BRAVO'])('%s is no pool of the insurer', async (poolCode) => {
    expect(await errors('alpha', { poolCode })).toEqual(['3 POOL_MEMBERSHIP_NOT_FOUND poolCode']);
  });

  it.each(['INS-NOBODY', 'POOL-NORTH', 'MGT-ONE', 'REG'])(
    '%s is no insurer',
    async (issuingInsurerCode) => {
      expect(await errors('alpha', { issuingInsurerCode })).toEqual([
        '3 UNKNOWN_INSURER issuingInsurerCode',
      ]);
    },
  );

  it('does not go to an organization that is suspended', async () => {
    expect(await errors('dormant', { issuingInsurerCode: 'INS-DORMANT' })).toEqual([
      '3 ORGANIZATION_NOT_ACTIVE null',
      '3 INSURER_NOT_ACTIVE issuingInsurerCode',
    ]);
  });

  it('does not go to who may but whose insurer is suspended', async () => {
    expect(await errors('alpha', { issuingInsurerCode: 'INS-DORMANT' })).toEqual([
      '3 INSURER_NOT_ACTIVE issuingInsurerCode',
      notAuthorized,
    ]);
  });
});

describe('a client that changes between receipt and judging', () => {
  it.each([
    ['loses its scope', 'scopes', `'{ppai:read}'`, 'MISSING_SCOPE'],
    ['is suspended', 'status', `'SUSPENDED'`, 'MISSING_SCOPE'],
  ])('and %s is refused: MISSING_SCOPE', async (_what, column, value, code) => {
    await stack.stopWorkers();
    const { clientId } = stack.client('charlie');
    const body = makeBody(forCharlie);
    const received = await stack.post('charlie', '/ppai/policies', body, 'respond-async');
    expect(received.status).toBe(202);
    const { db } = stack.api.context;
    const [was] = await db.$queryRaw<{ scopes: string[]; status: string }[]>`
      SELECT scopes, status FROM api_clients WHERE client_id = ${clientId}`;
    await db.$executeRawUnsafe(
      `UPDATE api_clients SET ${column} = ${value} WHERE client_id = $1`,
      clientId,
    );
    await stack.addWorker();
    const read = await stack.untilTerminal(body.externalTransactionId);
    await db.$executeRaw`
      UPDATE api_clients SET scopes = ${was?.scopes}, status = ${was?.status} WHERE client_id = ${clientId}`;
    expect(read).toMatchObject({ status: 'REJECTED', errors: [{ code, level: 3, field: null }] });
  });
});
