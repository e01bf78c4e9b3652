import { Redis } from 'ioredis';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { makeBody, makePlainVehicle, makeVehicle, uniqueNumber } from '../../env/api/bodies.ts';
import type { TestAnswer } from '../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { captureLog } from '../../env/capture-log.ts';

/** Parts of personal data that no answer, log line, job, error or table may contain (D22). */
const CANARIES = ['canary.maria', '771-333-905', '771333905', '918 444 7261', '9184447261'];
const OPERATOR = {
  name: 'Operator Of Canaries',
  tin: '771-333-905-000',
  contactEmail: 'canary.maria@example.org',
  contactPhone: '+63 918 444 7261',
};

let stack: Stack;
const { logger, lines } = captureLog();
const answers: TestAnswer[] = [];

beforeAll(async () => {
  stack = await startStack({ logger });
});
afterAll(() => stack.stop());

function canaryBody(changes: Parameters<typeof makeBody>[0] = {}): TransmissionBody {
  return makeBody({ ...changes, operator: { ...OPERATOR, ...changes.operator } });
}

async function post(path: string, body: object, prefer?: string): Promise<TestAnswer> {
  const answer = await stack.post('alpha', path, body, prefer);
  answers.push(answer);
  return answer;
}

async function get(path: string): Promise<TestAnswer> {
  const answer = await stack.get('alpha', path);
  answers.push(answer);
  return answer;
}

function canariesIn(text: string): string[] {
  return CANARIES.filter((canary) => text.includes(canary));
}

/** Every value of every table as text; bytes as their characters. */
async function dumpTables(): Promise<string> {
  const { db } = stack.api.context;
  const tables = await db.$queryRaw<{ name: string; columns: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS name,
      string_agg(format(CASE data_type WHEN 'bytea' THEN 'encode(%I, ''escape'')' ELSE '%I::text' END, column_name), ', ') AS columns
    FROM information_schema.columns
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
    GROUP BY table_schema, table_name`;
  expect(tables.length).toBeGreaterThan(25);
  const dumps = await Promise.all(
    tables.map(({ name, columns }) =>
      db.$queryRawUnsafe<{ row: string }[]>(
        `SELECT concat_ws(E'\\n', ${columns}) AS row FROM ${name}`,
      ),
    ),
  );
  return dumps.flatMap((rows) => rows.map(({ row }) => row)).join('\n');
}

/** Every key and value of this registry in Redis; empty without Redis. */
async function dumpRedis(): Promise<string> {
  const { redisUrl, redisPrefix } = stack.config;
  if (redisUrl === undefined) return '';
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`*${redisPrefix}*`);
  const values = await Promise.all(
    keys.map(async (key) => `${key} ${(await redis.dumpBuffer(key))?.toString('latin1') ?? ''}`),
  );
  redis.disconnect();
  expect(keys.length).toBeGreaterThan(0);
  return values.join('\n');
}

const POLICIES = '/ppai/policies';

describe('the e-mail address, TIN and phone number of an operator (D22)', () => {
  beforeAll(async () => {
    const accepted = canaryBody();
    const { envelope } = await post(POLICIES, accepted);
    const reference = String(envelope.data?.['registryReference']);
    await post(POLICIES, accepted);
    await post(POLICIES, { ...accepted, poolCode: 'POOL-NORTH' });
    await post(POLICIES, {
      ...canaryBody({ vehicles: [makeVehicle()] }),
      // Unknown members are not stored (D6).
      contact: { mail: OPERATOR.contactEmail, numbers: [OPERATOR.contactPhone, OPERATOR.tin] },
    });
    await get(`${POLICIES}/${reference}`);
    await get(`${POLICIES}/search?cocNumber=${accepted.certificate.cocNumber}`);
    await get(`/ppai/transmissions/${accepted.externalTransactionId}`);
    await get(`/ppai/vehicles/${accepted.vehicles[0]?.plateNumber}/coverage`);

    // Rejections by each level and by the schema.
    await post(POLICIES, canaryBody({ operator: { name: null, region: 'NOWHERE' } }));
    await post(POLICIES, canaryBody({ operator: { contactEmail: 'canary.maria at example.org' } }));
    await post(POLICIES, canaryBody({ issuingInsurerCode: 'INS-NOBODY' }));
    await post(POLICIES, canaryBody({ vehicles: accepted.vehicles }));
    await post(POLICIES, { ...accepted, externalTransactionId: uniqueNumber('EXT') });
    await post(POLICIES, canaryBody({ operator: { tin: `771-333-905-${'0'.repeat(20)}` } }));
    await post(POLICIES, {
      ...canaryBody(),
      operator: { ...OPERATOR, contactEmail: { is: 'canary.maria' }, contactPhone: 9184447261 },
    });

    // An accepted amendment, refused ones, and a cancellation.
    const amendments = `${POLICIES}/${reference}/amendments`;
    const amend = (operator: object) =>
      post(amendments, {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'The operator moved',
        changes: { operator },
      });
    await amend({ tin: '771-333-905-111', contactEmail: 'canary.maria@mail.example.org' });
    await amend({ contactEmail: 'canary.maria' });
    await amend({ contactPhone: '0918 444 7261' });
    await get(`${POLICIES}/${reference}`);
    await post(`${POLICIES}/${reference}/cancellation`, {
      externalTransactionId: uniqueNumber('CANCEL'),
      policyNumber: accepted.policy.policyNumber,
      cocNumber: accepted.certificate.cocNumber,
      cancellationEffectiveDate: accepted.policy.issuanceDate,
      reasonCode: 'OTHER',
      reasonText: 'Asked',
    });
    await get(`${POLICIES}/${reference}`);

    // A fault of the service during a registration: its reason is kept for the staff.
    await stack.ownerDb.$executeRaw`
      ALTER TABLE certificates ADD CONSTRAINT refuse_all CHECK (coc_number = '') NOT VALID`;
    const faulty = canaryBody();
    await post(POLICIES, faulty, 'respond-async');
    await stack.untilFailed(1);
    await stack.ownerDb.$executeRaw`ALTER TABLE certificates DROP CONSTRAINT refuse_all`;
    await stack.untilTerminal(faulty.externalTransactionId);

    // Jobs that stay in the queue, because no worker runs.
    await stack.stopWorkers();
    for (let waiting = 0; waiting < 5; waiting += 1) {
      await post(POLICIES, canaryBody({ vehicles: [makePlainVehicle()] }), 'respond-async');
    }
  });

  it('do not appear in any answer or error', () => {
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    // The answers cover every kind.
    expect(Object.fromEntries(counts)).toEqual({ 200: 10, 201: 2, 202: 6, 409: 1, 422: 8 });
    for (const { text, headers } of answers) {
      expect(canariesIn(text + JSON.stringify(headers))).toEqual([]);
    }
  });

  it('are masked where the record shows them', () => {
    const details = answers.filter(({ text }) => text.includes('"tinMasked"'));
    expect(details.length).toBeGreaterThan(0);
    for (const { text } of details) expect(text).toContain('c***@');
  });

  it('do not appear in the log, at any level', () => {
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.some((line) => line.includes('service fault'))).toBe(true);
    expect(lines.filter((line) => canariesIn(line).length > 0)).toEqual([]);
  });

  it('do not appear in a job or anything else in Redis', async () => {
    expect(canariesIn(await dumpRedis())).toEqual([]);
  });

  it('do not appear in clear in any table, including those of the queue', async () => {
    const dump = await dumpTables();
    expect(dump).toContain(String(answers[0]?.envelope.data?.['registryReference']));
    expect(canariesIn(dump)).toEqual([]);
    const base64 = CANARIES.map((canary) => Buffer.from(canary).toString('base64').slice(0, 12));
    expect(base64.filter((encoded) => dump.includes(encoded))).toEqual([]);
  });
});
