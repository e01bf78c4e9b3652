import { makeRegistryClient, type RegistryClient } from '../../../client/registry-client.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import {
  acknowledge,
  acknowledgment,
  CREDENTIALS,
  type FakeOptions,
  type FakeRegistry,
  type Reply,
  refuse,
  startFakeRegistry,
} from './fake-registry.ts';

const body = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;

let registry: FakeRegistry;

async function start(options: FakeOptions, retries = 2): Promise<RegistryClient> {
  registry = await startFakeRegistry(options);
  return makeRegistryClient({ ...CREDENTIALS, baseUrl: registry.url, retries });
}

/** Gives these answers in order, then repeats the last one. */
function inOrder(...replies: Reply[]): FakeOptions {
  return { answer: (_, index) => replies[Math.min(index, replies.length - 1)] ?? { status: 500 } };
}

afterEach(() => registry.close());

describe('transmitAndWait', () => {
  const inProgress = { status: 'VALIDATING', registryReference: null } as const;

  it('follows a 202 with waiting lookups until the outcome', async () => {
    const client = await start(
      inOrder(
        acknowledge(202, { status: 'RECEIVED' }),
        acknowledge(200, inProgress),
        acknowledge(200, { status: 'FLAGGED' }),
      ),
    );
    const outcome = await client.transmitAndWait(body, { deadlineSeconds: 20 });
    expect(outcome).toMatchObject({ ok: true, data: { status: 'FLAGGED' } });
    expect(registry.received.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /api/v1/ppai/policies',
      'GET /api/v1/ppai/transmissions/PPAI-TX-2026-000000123',
      'GET /api/v1/ppai/transmissions/PPAI-TX-2026-000000123',
    ]);
    expect(registry.received[0]?.headers['prefer']).toBe('wait=20');
    expect(registry.received[1]?.headers['prefer']).toMatch(/^wait=(19|20)$/);
  });

  it('follows the transmission that a repeated request conflicts with', async () => {
    const data = { transmissionReference: 'PPAI-TX-2026-000000007', status: 'VALIDATING' };
    const client = await start(
      inOrder(
        refuse('TRANSMISSION_IN_PROGRESS', { data, headers: { 'retry-after': '30' } }),
        acknowledge(200),
      ),
    );
    expect(await client.transmitAndWait(body)).toMatchObject({
      ok: true,
      data: { status: 'ACCEPTED' },
    });
    expect(registry.received[1]?.target).toBe('/api/v1/ppai/transmissions/PPAI-TX-2026-000000007');
  });

  it.each([
    [['VEHICLE_ALREADY_INSURED'], 'VEHICLE_ALREADY_INSURED'],
    [['VEHICLE_ALREADY_INSURED', 'DUPLICATE_TRANSMISSION'], 'DUPLICATE_TRANSMISSION'],
    [['COC_ALREADY_REGISTERED', 'REQUIRED'], 'VALIDATION_FAILED'],
    [['INVALID_DATE_RANGE', 'RECORD_MISMATCH'], 'RECORD_MISMATCH'],
    [['VERSION_MISMATCH'], 'CONFLICT'],
  ] as const)(
    'returns a rejection found by lookup like an immediate one: %j is %s',
    async (codes, expected) => {
      const errors = codes.map((code) => ({
        level: 3,
        severity: 'ERROR' as const,
        code,
        field: null,
        message: 'No.',
      }));
      const rejected = acknowledge(200, { status: 'REJECTED', registryReference: null, errors });
      const client = await start(inOrder(acknowledge(202, { status: 'RECEIVED' }), rejected));
      const outcome = await client.transmitAndWait(body);
      expect(outcome).toMatchObject({
        ok: false,
        status: ERRORS[expected].http,
        error: { code: expected },
        data: { status: 'REJECTED' },
      });
      expect(outcome.error?.details?.map(({ code }) => code).slice(0, codes.length)).toEqual(codes);
    },
  );

  it('returns the replay of a rejection like the rejection', async () => {
    const client = await start(inOrder(acknowledge(200, { status: 'REJECTED', replayed: true })));
    expect(await client.transmitAndWait(body)).toMatchObject({
      ok: false,
      status: 422,
      error: { code: 'VALIDATION_FAILED' },
    });
  });

  it('reports at the deadline that the transmission is in progress', async () => {
    const client = await start(
      inOrder(acknowledge(202, { status: 'RECEIVED' }), acknowledge(200, inProgress)),
    );
    const outcome = await client.transmitAndWait(body, { deadlineSeconds: 1 });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'TRANSMISSION_IN_PROGRESS' },
      data: { status: 'VALIDATING' },
    });
    expect(registry.received.length).toBeLessThan(10);
  });

  it('does not follow a reused idempotency key', async () => {
    const data = { transmissionReference: 'PPAI-TX-2026-000000007', status: 'ACCEPTED' };
    const client = await start(inOrder(refuse('IDEMPOTENCY_KEY_REUSED', { data })));
    expect(await client.transmitAndWait(body)).toMatchObject({ ok: false, status: 409, data });
    expect(registry.received).toHaveLength(1);
  });
});

describe('amend, cancel and follow', () => {
  it('put the record into the path and do not wait by default', async () => {
    const client = await start(
      inOrder(
        acknowledge(202, { status: 'RECEIVED', kind: 'AMEND' }),
        acknowledge(200, { kind: 'AMEND', version: 2 }),
      ),
    );
    const amendment = { externalTransactionId: 'amendment-1', reason: 'Typing error', changes: {} };
    const first = await client.amend('PPAI-2026-000000001', amendment, { waitSeconds: 0 });
    expect(await client.follow(first)).toMatchObject({
      ok: true,
      data: acknowledgment({ kind: 'AMEND', version: 2 }),
    });
    expect(registry.received[0]).toMatchObject({
      target: '/api/v1/ppai/policies/PPAI-2026-000000001/amendments',
      headers: { prefer: 'respond-async' },
    });
  });
});
