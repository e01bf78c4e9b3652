import { type BodyChanges, makeBody, today, uniqueNumber } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

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

describe('the authority to transmit (level 3)', () => {
  it('belongs to the insurer itself', async () => {
    expect(await errors('bravo', forBravo)).toEqual([]);
  });

  it.each([
    ['the lead insurer', 'alpha'],
    ['the management company', 'mgt-one'],
  ])('belongs to %s of a pool for its members', async (_role, client) => {
    expect(await errors(client, forBravo)).toEqual([]);
  });

  it('does not belong to another member of the pool', async () => {
    expect(await errors('bravo', { issuingInsurerCode: 'INS-ALPHA' })).toEqual([notAuthorized]);
  });

  it.each([
    ['2025-12-31', true],
    ['2026-01-01', false],
  ])('depends on the pool membership on the issuance date (%s: %s)', async (date, may) => {
    for (const client of ['alpha', 'mgt-one']) {
      const found = await errors(client, { ...forCharlie, ...issuedOn(date) });
      expect(found).toEqual(may ? [] : [notAuthorized]);
    }
  });

  it.each([
    ['2024-12-31', ['3 POOL_MEMBERSHIP_NOT_FOUND poolCode']],
    ['2025-01-01', []],
  ])(
    'requires a membership on the issuance date if a pool code is sent (%s)',
    async (date, expected) => {
      const changes = { ...issuedOn(date), poolCode: 'POOL-NORTH' };
      expect(await errors('alpha', changes)).toEqual(expected);
    },
  );

  it.each(['POOL-NOWHERE', 'INS-BRAVO'])(
    'is refused with the pool code %s, which is not a pool of the insurer',
    async (poolCode) => {
      expect(await errors('alpha', { poolCode })).toEqual(['3 POOL_MEMBERSHIP_NOT_FOUND poolCode']);
    },
  );

  it.each(['INS-NOBODY', 'POOL-NORTH', 'MGT-ONE', 'REG'])(
    'is refused for %s, which is not an insurer',
    async (issuingInsurerCode) => {
      expect(await errors('alpha', { issuingInsurerCode })).toEqual([
        '3 UNKNOWN_INSURER issuingInsurerCode',
      ]);
    },
  );

  it('is refused to a suspended organization', async () => {
    expect(await errors('dormant', { issuingInsurerCode: 'INS-DORMANT' })).toEqual([
      '3 ORGANIZATION_NOT_ACTIVE null',
      '3 INSURER_NOT_ACTIVE issuingInsurerCode',
    ]);
  });

  it('is refused to an active organization if the insurer is suspended', async () => {
    expect(await errors('alpha', { issuingInsurerCode: 'INS-DORMANT' })).toEqual([
      '3 INSURER_NOT_ACTIVE issuingInsurerCode',
      notAuthorized,
    ]);
  });
});

describe('a registered policy (D28)', () => {
  it('rejects a sender who gives another issuance date to gain authority, and reveals nothing', async () => {
    const secret = {
      remarks: 'Not for others',
      premiumAmount: 4321.5,
      officialReceiptNumber: 'RECEIPT-OF-BRAVO',
    };
    const own = makeBody({ ...forCharlie, policy: { issuanceDate: '2026-02-01', ...secret } });
    const registered = await stack.transmit('charlie', own);
    expect(registered.status).toBe(201);
    const { policyNumber } = own.policy;
    const claimed = { policyNumber, issuanceDate: '2025-06-01' };
    for (const certificate of [{}, { cocNumber: own.certificate.cocNumber }])
      for (const client of ['mgt-one', 'alpha']) {
        const body = makeBody({
          ...forCharlie,
          poolCode: 'POOL-NORTH',
          policy: claimed,
          certificate,
        });
        const { status, findings, acknowledgment } = await stack.transmit(client, body);
        expect([status, acknowledgment.registryReference]).toEqual([422, null]);
        expect(findings.map(({ code }) => code)).toEqual([
          'NOT_AUTHORIZED_TO_TRANSMIT',
          'REFERENCE_DATA_UNAVAILABLE',
        ]);
        const answer = JSON.stringify([findings, acknowledgment]);
        for (const hidden of [
          '2026-02-01',
          registered.acknowledgment.registryReference ?? '',
          ...Object.values(secret),
        ])
          expect(answer).not.toContain(String(hidden));
      }
  });

  it('accepts a sender with authority on the registered issuance date, whatever date is sent', async () => {
    const past = makeBody({ ...forCharlie, policy: { issuanceDate: '2025-06-01' } });
    expect((await stack.transmit('charlie', past)).status).toBe(201);
    const { policyNumber } = past.policy;
    const later = makeBody({ ...forCharlie, policy: { policyNumber, issuanceDate: '2026-06-01' } });
    const { status, findings } = await stack.transmit('mgt-one', later);
    expect(status).toBe(201);
    expect(findings.map(({ code, field }) => `${code} ${field}`)).toContain(
      'POLICY_DETAILS_DIFFER policy.issuanceDate',
    );
  });

  it('rejects a waiting amendment if an earlier one ended the authority of its sender', async () => {
    const past = { issuanceDate: '2025-06-01' };
    const { acknowledgment } = await stack.transmit(
      'mgt-one',
      makeBody({ ...forCharlie, poolCode: 'POOL-NORTH', policy: past }),
    );
    const path = `/ppai/policies/${acknowledgment.registryReference}`;
    const amendment = (changes: object) => ({
      externalTransactionId: uniqueNumber('AMD'),
      reason: 'Corrected',
      changes,
    });
    await stack.stopWorkers();
    const away = amendment({ policy: { issuanceDate: '2026-02-01' }, poolCode: null });
    const back = amendment({ policy: past, poolCode: 'POOL-NORTH' });
    for (const [client, body] of [
      ['charlie', away],
      ['mgt-one', back],
    ] as const)
      expect((await stack.post(client, `${path}/amendments`, body, 'respond-async')).status).toBe(
        202,
      );
    await stack.addWorker();
    expect((await stack.untilTerminal(away.externalTransactionId)).status).toBe('ACCEPTED');
    expect(await stack.untilTerminal(back.externalTransactionId)).toMatchObject({
      status: 'REJECTED',
      errors: [{ code: 'NOT_AUTHORIZED_TO_TRANSMIT' }],
      warnings: [],
      plateNumbers: [],
    });
  });
});

describe('an organization or pool that is not active (D34)', () => {
  const withStatus = async (code: string, status: string, act: () => Promise<void>) => {
    const { db } = stack.api.context;
    await db.$executeRaw`UPDATE organizations SET status = ${status} WHERE code = ${code}`;
    try {
      await act();
    } finally {
      await db.$executeRaw`UPDATE organizations SET status = 'ACTIVE' WHERE code = ${code}`;
    }
  };
  const pooled = { ...forBravo, poolCode: 'POOL-NORTH' };
  const cancellationOf = ({ policy, certificate }: ReturnType<typeof makeBody>) => ({
    externalTransactionId: uniqueNumber('CAN'),
    policyNumber: policy.policyNumber,
    cocNumber: certificate.cocNumber,
    cancellationEffectiveDate: today(),
    reasonCode: 'OTHER',
    reasonText: 'Sold',
  });
  const amendment = (changes: object = { operator: { name: 'Jose Cruz' } }) => ({
    externalTransactionId: uniqueNumber('AMD'),
    reason: 'Corrected',
    changes,
  });

  it('can read its own records, but not transmit, amend or cancel', async () => {
    const body = makeBody(forBravo);
    const { acknowledgment } = await stack.transmit('bravo', body);
    const path = `/ppai/policies/${acknowledgment.registryReference}`;
    await withStatus('INS-BRAVO', 'SUSPENDED', async () => {
      const found = await errors('bravo', forBravo);
      expect(found).toContain('3 ORGANIZATION_NOT_ACTIVE null');
      for (const [ending, change] of [
        ['amendments', amendment()],
        ['cancellation', cancellationOf(body)],
      ] as const) {
        const answer = await stack.post('bravo', `${path}/${ending}`, change);
        expect([answer.status, answer.envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
        expect(answer.envelope.error?.details).toContainEqual(
          expect.objectContaining({ code: 'ORGANIZATION_NOT_ACTIVE', level: 3, field: null }),
        );
      }
      for (const read of [
        path,
        `/ppai/policies/search?policyNumber=${body.policy.policyNumber}`,
        `/ppai/transmissions/${body.externalTransactionId}`,
        `/ppai/transmissions/${acknowledgment.transmissionReference}`,
      ])
        expect((await stack.get('bravo', read)).status).toBe(200);
    });
  });

  it('gives no authority as a pool, and is reported if its code is sent', async () => {
    const body = makeBody(pooled);
    const { acknowledgment } = await stack.transmit('mgt-one', body);
    const path = `/ppai/policies/${acknowledgment.registryReference}`;
    await withStatus('POOL-NORTH', 'SUSPENDED', async () => {
      const notActive = '3 ORGANIZATION_NOT_ACTIVE poolCode';
      expect(await errors('bravo', pooled)).toEqual([notActive]);
      for (const client of ['mgt-one', 'alpha']) {
        expect(await errors(client, forBravo)).toEqual([notAuthorized]);
        expect(await errors(client, pooled)).toEqual([notAuthorized, notActive]);
        const changed = await stack.post(client, `${path}/amendments`, amendment());
        expect(changed.envelope.error?.code).toBe('FORBIDDEN');
        const ended = await stack.post(client, `${path}/cancellation`, cancellationOf(body));
        expect(ended.envelope.error?.code).toBe('FORBIDDEN');
        expect((await stack.get(client, path)).status).toBe(200);
      }
      const kept = await stack.post('bravo', `${path}/amendments`, amendment());
      expect(kept.status).toBe(200);
      const ended = await stack.post('bravo', `${path}/cancellation`, cancellationOf(body));
      expect(ended.status).toBe(200);
    });
  });
});

describe('between receipt and processing', () => {
  it.each([
    ['loses its scope', 'scopes', `'{ppai:read}'`, 'MISSING_SCOPE'],
    ['is suspended', 'status', `'SUSPENDED'`, 'MISSING_SCOPE'],
  ])('a client that %s is refused with MISSING_SCOPE', async (_what, column, value, code) => {
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
