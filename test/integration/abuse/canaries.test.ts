import type { StaffEndpoint } from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';
import { mayRole } from '../../../shared/contract/staff.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { type Metrics, makeMetrics } from '../../../shared/platform/metrics.ts';
import { startWorker } from '../../../worker/worker.ts';
import { makeBody } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { captureLog } from '../../env/capture-log.ts';
import { type CanaryHit, findCanaries } from '../../env/records/canary-forms.ts';
import {
  type Contents,
  type RedisWatch,
  readRedis,
  readServer,
  readTables,
  watchRedis,
} from '../../env/records/store-contents.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';
import { type RedisServer, startRedisServer } from '../../env/servers/redis.ts';
import { currentShape } from '../../env/shape.ts';
import { STAFF_PASSWORD } from '../../env/staff/staff.ts';
import {
  ALL,
  MASKED,
  OPERATOR,
  type Seen,
  STRAY,
  type Visit,
  visit,
  WRITTEN,
} from './canary-visit.ts';

/** Every key of the server, so it has to be its own. */
const ALL_KEYS = '';

let stack: Stack;
let redis: RedisServer | undefined;
const folder = currentShape() === 'redis' ? makeRunFolder() : undefined;
let workerMetrics: Metrics;
let watch: RedisWatch | undefined;
let visited: Visit;
const { logger, lines } = captureLog();

beforeAll(async () => {
  if (folder !== undefined) redis = await startRedisServer(folder);
  const environment = redis === undefined ? {} : { REDIS_URL: redis.url };
  stack = await startStack({ logger, environment, workers: 0 });
  const { config } = stack;
  if (config.redisUrl !== undefined) watch = await watchRedis(config.redisUrl);
  workerMetrics = makeMetrics();
  const worker = await startWorker({
    config,
    clock: systemClock,
    logger,
    metrics: workerMetrics,
  });
  try {
    visited = await visit(stack);
    await failForOurFault(visited);
  } finally {
    await worker.close();
  }
  // Jobs that wait: nobody takes them.
  for (let waiting = 0; waiting < 3; waiting += 1) {
    const body = makeBody({ operator: { ...OPERATOR, ...MASKED }, policy: { ...WRITTEN } });
    await visited.machine('owner', {
      path: '/ppai/policies',
      body,
      headers: { prefer: 'respond-async' },
    });
  }
  await readEverything(visited);
});
afterAll(async () => {
  watch?.stop();
  await stack.stop();
  await redis?.stop();
  if (folder !== undefined) removeRunFolder(folder);
});

/** The database refuses the rows, values and all; the reason is kept for the staff until it is done. */
async function failForOurFault({ machine, accepted }: Visit): Promise<void> {
  const { db } = stack.api.context;
  await stack.ownerDb
    .$executeRaw`ALTER TABLE amendments ADD CONSTRAINT refused CHECK (reason = '') NOT VALID`;
  await stack.ownerDb
    .$executeRaw`ALTER TABLE policies ADD CONSTRAINT refused CHECK (remarks = '') NOT VALID`;
  const headers = { prefer: 'respond-async' };
  const amendment = {
    externalTransactionId: `FAULTY-AMENDMENT-${Date.now()}`,
    reason: WRITTEN.amendmentReason,
    changes: { operator: { businessName: null, contactPhone: MASKED.contactPhone } },
  };
  const body = makeBody({ operator: { ...OPERATOR, ...MASKED }, policy: { ...WRITTEN } });
  await machine('owner', {
    path: `/ppai/policies/${accepted}/amendments`,
    body: amendment,
    headers,
  });
  await machine('owner', { path: '/ppai/policies', body, headers });
  await stack.untilFailed(2);
  const failed = await db.transmission.findMany({ where: { failures: { gt: 0 } } });
  expect(failed).toHaveLength(2);
  const errors = failed.map(({ lastError }) => lastError).join('\n');
  expect(findCanaries(ALL, errors)).toEqual([]);
  await stack.ownerDb.$executeRaw`ALTER TABLE amendments DROP CONSTRAINT refused`;
  await stack.ownerDb.$executeRaw`ALTER TABLE policies DROP CONSTRAINT refused`;
  await stack.untilTerminal(amendment.externalTransactionId);
  await stack.untilTerminal(body.externalTransactionId);
}

/** Every page of the staff for who may not read personal data, and the machine's answers about the records. */
async function readEverything(seen: Visit): Promise<void> {
  const { accepted, cancelled, transmissionReference, machine, staff } = seen;
  for (const reference of [accepted, cancelled]) {
    await machine('owner', { path: `/ppai/policies/${reference}` });
    await machine('stranger', { path: `/ppai/policies/${reference}` });
    await staff('auditor', `/admin/v1/records/${reference}`);
  }
  const policyNumber = new URLSearchParams({
    policyNumber: String(seen.seen[0]?.answer.envelope.data?.['policyNumber']),
  }).toString();
  const plate = String(seen.seen[0]?.answer.envelope.data?.['plateNumber']);
  for (const reader of ['owner', 'stranger'] as const) {
    await machine(reader, { path: `/ppai/policies/search?${policyNumber}` });
    await machine(reader, { path: `/ppai/transmissions/${transmissionReference}` });
    await machine(reader, { path: `/ppai/vehicles/${plate}/coverage` });
  }
  const { db } = stack.api.context;
  const idOf = async (row: Promise<{ id: string } | null>) => (await row)?.id ?? '';
  const values: Readonly<Record<string, string>> = {
    registryReference: accepted,
    transmissionReference,
    flagId: seen.flagId,
    userId: seen.auditor.userId,
    apiClientId: await idOf(db.apiClient.findFirst()),
    organizationId: await idOf(db.organization.findFirst()),
    poolId: await idOf(db.organization.findFirst({ where: { type: 'INSURANCE_POOL' } })),
    ruleSetId: await idOf(db.ruleSet.findFirst()),
    vehicleId: await idOf(db.vehicle.findFirst()),
    importId: transmissionReference,
    version: '1',
    toVersion: '2',
  };
  for (const { method, path, permission } of Object.values<StaffEndpoint>(STAFF_ENDPOINTS)) {
    if (method !== 'GET' || (permission !== null && !mayRole('AUDITOR', permission))) continue;
    await staff(
      'auditor',
      path.replace(/\{(\w+)\}/g, (_all, name: string) => {
        const value = values[name];
        if (value === undefined) throw new Error(`${path}: nothing to read as ${name}`);
        return value;
      }),
    );
  }
  const body = `/admin/v1/transmissions/${transmissionReference}/body?personalData=plain`;
  await staff('auditor', body);
  await staff('reviewer', body);
  await staff('auditor', '/admin/v1/audit?limit=200');
}

const namesOf = (hits: readonly CanaryHit[]) =>
  [...new Set(hits.map(({ canary }) => canary))].sort();

function hitsByPlace(contents: Contents): Record<string, string[]> {
  const found = [...contents].map(([place, bytes]) => [place, namesOf(findCanaries(ALL, bytes))]);
  return Object.fromEntries(found.filter(([, names]) => names !== undefined && names.length > 0));
}

/** The canaries in the answers of a reader, by what was asked. */
function hitsInAnswers(reader: Seen['reader']): Record<string, string[]> {
  const answers = visited.seen.filter((one) => one.reader === reader);
  expect(answers.length).toBeGreaterThan(0);
  return hitsByPlace(
    new Map(
      answers.map(({ what, answer: { text, headers } }, at) => [
        `${at} ${what}`,
        Buffer.from(`${text}\n${JSON.stringify(headers)}`),
      ]),
    ),
  );
}

describe('personal data and secrets, wherever a caller put them', () => {
  it('went through every kind of answer', () => {
    expect([...visited.statuses()].sort((one, other) => one - other)).toEqual([
      200, 201, 202, 401, 403, 404, 409, 422,
    ]);
  });

  it('are in no log line of API or worker, whatever the level', () => {
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.some((line) => line.includes('will be retried'))).toBe(true);
    expect(lines.filter((line) => findCanaries(ALL, line).length > 0)).toEqual([]);
  });

  it('are nowhere in Redis: no key, no job, no notice, no command', async () => {
    const { redisUrl } = stack.config;
    if (redisUrl === undefined || watch === undefined) return;
    const contents = await readRedis(redisUrl, ALL_KEYS);
    expect(contents.size).toBeGreaterThan(5);
    expect(hitsByPlace(contents)).toEqual({});
    expect(watch.seen().length).toBeGreaterThan(10_000);
    expect(findCanaries(ALL, watch.seen())).toEqual([]);
  });

  it('are in no metric', async () => {
    const { text } = await stack.getHealth('/metrics');
    expect(text).toContain('registry_http_request_duration_seconds');
    expect(findCanaries(ALL, text)).toEqual([]);
    expect(findCanaries(ALL, await workerMetrics.registry.metrics())).toEqual([]);
  });

  it('are in the database only where somebody wrote them into the record itself', async () => {
    const tables = await readTables(stack.ownerDb);
    expect(tables.size).toBeGreaterThan(25);
    expect(hitsByPlace(tables)).toEqual({
      'public.amendments': ['amendmentReason'],
      'public.audit_entries': ['reviewNotes'],
      'public.cancellations': ['cancellationReason', 'supportingReference'],
      'public.flags': ['reviewNotes'],
      'public.policies': ['remarks'],
    });
  });

  it('are neither in the log of the database server nor in the statements it shows', async () => {
    const contents = await readServer(stack.ownerDb);
    expect(contents.get('server.log')?.length).toBeGreaterThan(0);
    expect(hitsByPlace(contents)).toEqual({});
  });
});

it('the secrets with which callers and staff come are nowhere either', async () => {
  const { clientSecret, signingSecret } = stack.client('alpha');
  const { reviewer } = visited;
  const secrets = {
    clientSecret,
    signingSecret,
    token: await stack.tokenOf('alpha'),
    password: STAFF_PASSWORD,
    secondFactor: reviewer.secret,
    cookie: [...reviewer.cookies.values()].at(-1) ?? '',
    recoveryCode: reviewer.recoveryCodes[0] ?? 'none',
  };
  const { redisUrl } = stack.config;
  const places = [
    ...(await readTables(stack.ownerDb)),
    ...(await readServer(stack.ownerDb)),
    ...(redisUrl === undefined ? [] : await readRedis(redisUrl, ALL_KEYS)),
    ['commands', watch?.seen() ?? Buffer.alloc(0)] as const,
    ['log', Buffer.from(lines.join('\n'))] as const,
  ];
  for (const [place, bytes] of places) {
    expect({ place, hits: findCanaries(secrets, bytes) }).toEqual({ place, hits: [] });
  }
});

describe('an answer shows of them', () => {
  const OF_RECORDS = new Set([...Object.keys(OPERATOR), ...Object.keys(WRITTEN)]);
  const RECORD = /GET \S*\/(?:policies|records)(?:\/PPAI-|\/search|$)/;

  it('nothing to who has no entry', () => {
    expect(hitsInAnswers('nobody')).toEqual({});
  });

  it('nothing to another organization', () => {
    expect(hitsInAnswers('stranger')).toEqual({});
  });

  it('to the owner what the record holds, masked', () => {
    const hits = Object.entries(hitsInAnswers('owner'));
    expect(hits.length).toBeGreaterThan(1);
    for (const [what, names] of hits) {
      expect(what).toMatch(RECORD);
      expect(names.filter((name) => !OF_RECORDS.has(name))).toEqual([]);
    }
    expect(new Set(hits.flatMap(([, names]) => names))).toEqual(OF_RECORDS);
  });

  it('to a role without personal-data:read the same, and no more', () => {
    const hits = Object.entries(hitsInAnswers('auditor'));
    expect(hits.length).toBeGreaterThan(1);
    for (const [what, names] of hits) {
      expect(what).toMatch(/\/(?:records|flags|audit|body$)/);
      expect(names.filter((name) => !OF_RECORDS.has(name))).toEqual([]);
    }
  });

  it('unmasked only to the role that may and asked for it', () => {
    const hits = Object.entries(hitsInAnswers('reviewer'));
    const unmasked = hits.filter(([, names]) => names.some((name) => name in MASKED));
    expect(unmasked.map(([what]) => what.replace(/^\d+ /, ''))).toEqual([
      `GET /admin/v1/transmissions/${visited.transmissionReference}/body?personalData=plain`,
    ]);
    expect(unmasked[0]?.[1]).toEqual(expect.arrayContaining(Object.keys(MASKED)));
    expect(hits.flatMap(([, names]) => names).filter((name) => name in STRAY)).toEqual([]);
  });
});
