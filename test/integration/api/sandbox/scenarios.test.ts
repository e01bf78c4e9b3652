import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import { SCENARIO_HEADER } from '../../../../shared/contract/machine/sandbox/scenario.ts';
import {
  makeBody,
  makeCancellation,
  makeReferenceVehicle,
  uniqueNumber,
} from '../../../env/api/bodies.ts';
import { type Sandbox, startSandbox } from '../../../env/api/sandbox.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const POLICIES = '/ppai/policies';
const shown = ({ status, envelope }: TestAnswer) => [status, envelope.error?.code ?? null];
const dataOf = (answer: TestAnswer) => answer.envelope.data as unknown as Acknowledgment;

async function registerOne() {
  const body = makeBody();
  const { acknowledgment } = await sandbox.transmit('alpha', body);
  const record = `${POLICIES}/${acknowledgment.registryReference}`;
  const cancellation = makeCancellation(body);
  const amendment = {
    externalTransactionId: uniqueNumber('AMD'),
    reason: 'A remark',
    changes: { policy: { remarks: uniqueNumber('R') } },
  };
  return { record, cancellation, amendment };
}

describe('a scenario with an outcome (D40)', () => {
  it('ACCEPTED: registers without a flag, even if the reference data does not have the vehicle', async () => {
    const body = makeBody({ vehicles: [makeReferenceVehicle(900)] });
    const answer = await sandbox.play('alpha', POLICIES, 'ACCEPTED', body);
    expect(shown(answer)).toEqual([201, null]);
    expect(dataOf(answer)).toMatchObject({ status: 'ACCEPTED', flags: [], version: 1 });
    const plain = await sandbox.transmit(
      'alpha',
      makeBody({ vehicles: [makeReferenceVehicle(901)] }),
    );
    expect(plain.acknowledgment.status).toBe('FLAGGED');
  });

  it('FLAGGED: registers with a flag that staff can review', async () => {
    const answer = await sandbox.play('alpha', POLICIES, 'FLAGGED', makeBody());
    expect(dataOf(answer)).toMatchObject({
      status: 'FLAGGED',
      flags: [{ type: 'VEHICLE_MISMATCH' }],
      referenceMatches: [{ result: 'NO_MATCH' }],
    });
    const { registryReference } = dataOf(answer);
    const { db } = sandbox.api.context;
    expect(
      await db.flag.count({
        where: { certificate: { registryReference: registryReference ?? '' } },
      }),
    ).toBe(1);
  });

  it('does not register a transmission that has errors', async () => {
    const body = makeBody({ certificate: { expirationDate: '2020-01-01' } });
    const answer = await sandbox.play('alpha', POLICIES, 'ACCEPTED', body);
    expect(shown(answer)).toEqual([422, 'VALIDATION_FAILED']);
  });

  it('makes a rejection that is recorded, looked up and replayed like a real one, also without the header', async () => {
    const body = makeBody();
    const answer = await sandbox.play('alpha', POLICIES, 'VEHICLE_ALREADY_INSURED', body);
    expect(shown(answer)).toEqual([422, 'VEHICLE_ALREADY_INSURED']);
    const acknowledgment = dataOf(answer);
    expect(acknowledgment).toMatchObject({ status: 'REJECTED', registryReference: null });
    const { transmissionReference } = acknowledgment;
    const path = `/ppai/transmissions/${transmissionReference}`;
    expect((await sandbox.get('alpha', path)).envelope.data).toEqual(acknowledgment);
    const replay = await sandbox.post('alpha', POLICIES, body);
    expect(shown(replay)).toEqual([200, null]);
    expect(replay.envelope.data).toEqual({ ...acknowledgment, replayed: true });
    const other = await sandbox.play('alpha', POLICIES, 'ACCEPTED', body);
    expect(other.envelope.data).toEqual({ ...acknowledgment, replayed: true });
    const again = { ...body, externalTransactionId: uniqueNumber('EXT') };
    expect(shown(await sandbox.post('alpha', POLICIES, again))).toEqual([201, null]);
  });

  it('is recorded once, with the transmission: neither a replay nor another request with its id adds one', async () => {
    const { db } = sandbox.api.context;
    const before = await db.sandboxScenario.count();
    const body = makeBody();
    const play = (scenario: string, sent: object) =>
      sandbox.play('alpha', POLICIES, scenario, sent);
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => play('FLAGGED', body)));
    const answers = atOnce.filter(({ status }) => status === 201).map(dataOf);
    expect(answers).toMatchObject([{ status: 'FLAGGED' }]);
    expect((await play('ACCEPTED', body)).envelope.data).toMatchObject({ replayed: true });
    expect((await play('IN_PROGRESS=3', body)).envelope.data).toMatchObject({ replayed: true });
    const reused = await play('ACCEPTED', { ...body, remarks: 'Another request' });
    expect(shown(reused)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await db.sandboxScenario.count()) - before).toBe(1);
  });

  it('applies to amendments and cancellations; rejected ones leave the record unchanged', async () => {
    const { record, amendment, cancellation } = await registerOne();
    const amending = `${record}/amendments`;
    const conflict = await sandbox.play('alpha', amending, 'CONFLICT', amendment);
    expect(shown(conflict)).toEqual([409, 'CONFLICT']);
    const mismatch = await sandbox.play(
      'alpha',
      `${record}/cancellation`,
      'RECORD_MISMATCH',
      cancellation,
    );
    expect(shown(mismatch)).toEqual([422, 'RECORD_MISMATCH']);
    const kept = (await sandbox.get('alpha', record)).envelope.data;
    expect(kept).toMatchObject({ currentVersion: 1, lifecycle: 'CURRENT' });
    const flagged = await sandbox.play('alpha', amending, 'FLAGGED', {
      ...amendment,
      externalTransactionId: uniqueNumber('AMD'),
    });
    expect(dataOf(flagged)).toMatchObject({ status: 'FLAGGED', version: 2 });
    const cancelled = await sandbox.play('alpha', `${record}/cancellation`, 'ACCEPTED', {
      ...cancellation,
      externalTransactionId: uniqueNumber('CAN'),
    });
    expect(dataOf(cancelled)).toMatchObject({ status: 'ACCEPTED', coverageStatus: 'CANCELLED' });
  });
});

describe('IN_PROGRESS', () => {
  it('keeps a transmission in progress for the requested time, and then decides it', async () => {
    const body = makeBody();
    const startedAt = performance.now();
    const answer = await sandbox.post('alpha', POLICIES, body, {
      prefer: 'wait=1',
      'x-ppai-sandbox-scenario': 'IN_PROGRESS=3',
    });
    expect(answer.status).toBe(202);
    const repeated = await sandbox.post('alpha', POLICIES, body);
    expect(shown(repeated)).toEqual([409, 'TRANSMISSION_IN_PROGRESS']);
    const { status } = await sandbox.untilTerminal(body.externalTransactionId);
    expect(status).toBe('ACCEPTED');
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    const row = await sandbox.api.context.db.transmission.findFirstOrThrow({
      where: { externalTransactionId: body.externalTransactionId },
    });
    expect(row).toMatchObject({ failures: 0, lastError: null });
  });
});

describe('a scenario for a single answer', () => {
  it.each([
    ['THROTTLED', 429, 'RATE_LIMITED', '2'],
    ['FAULT', 500, 'INTERNAL_ERROR', '5'],
    ['TRANSMISSION_IN_PROGRESS', 409, 'TRANSMISSION_IN_PROGRESS', '30'],
    ['IDEMPOTENCY_KEY_REUSED', 409, 'IDEMPOTENCY_KEY_REUSED', undefined],
    ['INVALID_TOKEN', 401, 'INVALID_TOKEN', undefined],
    ['PAYLOAD_TOO_LARGE', 413, 'PAYLOAD_TOO_LARGE', undefined],
  ])(
    '%s: records nothing, and the same request without the scenario registers',
    async (scenario, status, code, retryAfter) => {
      const body = makeBody();
      const answer = await sandbox.play('alpha', POLICIES, scenario, body);
      expect(shown(answer)).toEqual([status, code]);
      expect(answer.headers['retry-after']).toBe(retryAfter);
      const real = await sandbox.post('alpha', POLICIES, body);
      expect(shown(real)).toEqual([201, null]);
    },
  );

  it('comes after authentication and the schema', async () => {
    const body = makeBody();
    const headers = { [SCENARIO_HEADER]: 'THROTTLED' };
    const signed = { secret: 'another secret' };
    const forged = await sandbox.send('alpha', { path: POLICIES, body, headers, signed });
    expect(shown(forged)).toEqual([401, 'INVALID_SIGNATURE']);
    const malformed = { ...body, vehicles: 'none' };
    const refused = await sandbox.play('alpha', POLICIES, 'THROTTLED', malformed);
    expect(shown(refused)).toEqual([422, 'VALIDATION_FAILED']);
    expect(refused.envelope.error?.details).toMatchObject([{ field: 'vehicles' }]);
  });

  it('SLOW: delays the answer to a request that is processed normally', async () => {
    const body = makeBody();
    const startedAt = performance.now();
    const pending = sandbox.play('alpha', POLICIES, 'SLOW=1500', body);
    await sandbox.untilTerminal(body.externalTransactionId);
    const answer = await pending;
    expect(shown(answer)).toEqual([201, null]);
    expect(performance.now() - startedAt).toBeGreaterThan(1_450);
  });
});

describe('an invalid scenario', () => {
  it.each([
    '',
    'accepted',
    'IN_PROGRESS',
    'IN_PROGRESS=0',
    'IN_PROGRESS=301',
    'SLOW=30001',
    'NOT_FOUND',
  ])('is refused with the list of scenarios: %j', async (scenario) => {
    const body = makeBody();
    const { status, envelope } = await sandbox.play('alpha', POLICIES, scenario, body);
    expect(status).toBe(422);
    expect(envelope.error?.details).toEqual([
      expect.objectContaining({
        code: 'INVALID_FORMAT',
        field: 'X-PPAI-Sandbox-Scenario',
        message: expect.stringMatching(
          /ACCEPTED, FLAGGED, IN_PROGRESS=.*THROTTLED, FAULT, SLOW=.*VALIDATION_FAILED/,
        ),
      }),
    ]);
    expect(shown(await sandbox.post('alpha', POLICIES, body))).toEqual([201, null]);
  });

  it('is refused if it is FLAGGED for a cancellation, which is never flagged', async () => {
    const { record, cancellation } = await registerOne();
    const answer = await sandbox.play('alpha', `${record}/cancellation`, 'FLAGGED', cancellation);
    expect(shown(answer)).toEqual([422, 'VALIDATION_FAILED']);
  });
});
