import { startTestApi, type TestApi } from './api-env.ts';
import type { Probe } from './probe-handlers.ts';
import { makeProbe } from './probe-handlers.ts';
import type { SignedRequest, TestAnswer } from './signed-request.ts';

/** Valid requests, which tests then change. */
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
/** A valid transmission with personal data that no answer may contain. */
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

export interface ProbeApi {
  readonly probe: Probe;
  /** Runs while the tests of the file run. */
  api(): TestApi;
  /** Expects the request to be answered with this status and code, in the envelope, and to reach no handler. */
  expectRefusal(
    client: string,
    request: SignedRequest,
    status: number,
    code: string,
  ): Promise<TestAnswer>;
  /** Sends a signed transmission as alpha; the body may be invalid. */
  transmit(
    body: SignedRequest['body'],
    contentType?: string,
    headers?: SignedRequest['headers'],
  ): Promise<TestAnswer>;
  /** Expects VALIDATION_FAILED with one INVALID_FORMAT for each field, and no personal data that was sent. */
  expectFindings(answer: TestAnswer, fields: readonly (string | null)[]): void;
}

/** An API for the tests of one file. Its handlers only record their calls. */
export function useProbeApi(): ProbeApi {
  const probe = makeProbe();
  let started: TestApi | undefined;
  const api = (): TestApi => {
    if (started === undefined) throw new Error('the API runs only during tests');
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
