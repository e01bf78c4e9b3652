import { startTestApi, type TestApi } from './api-env.ts';
import type { Probe } from './probe-handlers.ts';
import { makeProbe } from './probe-handlers.ts';
import type { SignedRequest, TestAnswer } from './signed-request.ts';

/** Requests that pass when nothing about them is changed. */
export const READ = { path: '/ppai/transmissions/PPAI-TX-2026-000000001' } satisfies SignedRequest;
export const TRANSMIT = {
  path: '/ppai/policies',
  body: {
    externalTransactionId: 'GATE-0001',
    policy: {},
    certificate: {},
    operator: {},
    vehicles: [],
  },
} satisfies SignedRequest;
/** A transmission of the schema with what must never come back. */
export const VALID_BODY = {
  externalTransactionId: 'MALFORMED-0001',
  issuingInsurerCode: 'INS-ALPHA',
  policy: { policyNumber: 'P-1' },
  certificate: { cocNumber: 'C-1' },
  operator: { name: 'Juan', tin: '123-456-789', contactEmail: 'juan@example.org' },
  vehicles: [{ plateNumber: 'ABC 123' }, { plateNumber: 'ABC 124' }],
};
export const JSON_TYPE = 'application/json';
export const OTHER_SIGNATURE = 'ab'.repeat(32);

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

export interface GateUnderTest {
  readonly probe: Probe;
  /** Runs with the tests of the file. */
  api(): TestApi;
  /** The request is answered so, in the envelope, and reaches no handler. */
  expectRefusal(
    client: string,
    request: SignedRequest,
    status: number,
    code: string,
  ): Promise<TestAnswer>;
  /** Transmits as alpha, signed, whatever the body is. */
  transmit(
    body: SignedRequest['body'],
    contentType?: string,
    headers?: SignedRequest['headers'],
  ): Promise<TestAnswer>;
  /** VALIDATION_FAILED with one INVALID_FORMAT for each field, and nothing of what was sent. */
  expectFindings(answer: TestAnswer, fields: readonly (string | null)[]): void;
}

/** An API whose handlers only tell what reached them, for the tests of one file. */
export function useGate(): GateUnderTest {
  const probe = makeProbe();
  let started: TestApi | undefined;
  const api = (): TestApi => {
    if (started === undefined) throw new Error('the API runs only while tests do');
    return started;
  };
  beforeAll(async () => {
    started = await startTestApi({ handlers: probe.handlers });
  });
  afterAll(() => api().stop());
  beforeEach(() => {
    probe.seen();
  });
  return {
    probe,
    api,
    expectRefusal: async (client, request, status, code) => {
      const answer = await api().send(client, request);
      const { envelope, headers } = answer;
      expect({ status: answer.status, code: envelope.error?.code }).toEqual({ status, code });
      expect(envelope).toMatchObject({ success: false, data: null });
      expect(envelope.error?.requestId).toBe(headers['x-request-id']);
      expect(probe.seen().map((call) => call.name)).toEqual([]);
      return answer;
    },
    transmit: (body, contentType = JSON_TYPE, headers = {}) =>
      api().send('alpha', {
        method: 'POST',
        path: '/ppai/policies',
        headers: { 'content-type': contentType, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    expectFindings: ({ status, envelope, headers, text }, fields) => {
      expect({ status, code: envelope.error?.code, data: envelope.data }).toEqual({
        status: 422,
        code: 'VALIDATION_FAILED',
        data: null,
      });
      expect(envelope.error?.requestId).toBe(headers['x-request-id']);
      expect(envelope.error?.details?.map(({ field }) => field)).toEqual(fields);
      for (const finding of envelope.error?.details ?? []) {
        expect(finding).toMatchObject({ level: 2, severity: 'ERROR', code: 'INVALID_FORMAT' });
      }
      expect(text).not.toContain('juan@');
      expect(probe.seen().map(({ name }) => name)).toEqual([]);
    },
  };
}
