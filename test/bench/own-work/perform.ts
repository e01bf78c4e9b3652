import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Client } from 'pg';
import { isSignatureOf, sign } from '../../../shared/contract/machine/signing.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { makeMetrics } from '../../../shared/platform/metrics.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import type { TakenTransmission } from '../../../shared/store/intake/processing.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { makeTally } from '../../../worker/tally.ts';
import { ALPHA, makeFacts } from '../../pure/domain/facts-and-submissions.ts';
import { makeCertificate, type Size } from '../load/certificates.ts';
import { makeReceived } from '../load/received.ts';
import { buildIn } from '../processes.ts';
import type { OwnWorkAsked, OwnWorkDone, OwnWorkRole } from './own-work.ts';

/** As many as come together under load. */
const TOGETHER: Readonly<Record<Size, number>> = { 1: 50, 500: 4 };
/** Made once and worked on again and again: to make them is none of the work. */
const BATCHES = 6;
const ORGANIZATION = randomUUID();
const KEYRING = makeKeyring([{ id: 'bench', key: randomBytes(32) }]);

/** Imports a module of the build. */
type Load = <Module>(path: string) => Promise<Module>;

/** Does the work of one batch. */
type RunBatch = () => Promise<void>;

/** Does what it is asked for in messages, until nobody is left to ask. */
export async function performOwnWork(
  folder: string,
  role: OwnWorkRole,
  vehicles: Size,
): Promise<void> {
  const build = buildIn(folder);
  if (build === undefined) throw new Error(`nothing is built in ${folder}`);
  const load: Load = (path) => import(pathToFileURL(build.path(path)).href);
  const batches = Array.from({ length: BATCHES }, () =>
    Array.from({ length: TOGETHER[vehicles] }, () => makeCertificate(vehicles)),
  );
  const runBatch = await (role === 'api' ? reading : deciding)(load, batches);
  process.once('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    const asked = message as OwnWorkAsked;
    void timed(runBatch, asked.batches).then((microseconds) => {
      const done: OwnWorkDone = { microseconds: microseconds / TOGETHER[vehicles] };
      process.send?.(done);
    });
  });
}

type Bodies = readonly ReturnType<typeof makeCertificate>[];

/** Microseconds of CPU for a batch. */
async function timed(runBatch: RunBatch, batches: number): Promise<number> {
  const before = process.cpuUsage();
  for (let batch = 0; batch < batches; batch += 1) await runBatch();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / batches;
}

/** What an API process does with certificates between the socket and the database. */
async function reading(load: Load, batches: Bodies[]): Promise<RunBatch> {
  const { readJson } =
    await load<typeof import('../../../api/http/body/read-json.ts')>('api/http/body/read-json');
  const { checkMembers } = await load<typeof import('../../../api/http/schema/check-schema.ts')>(
    'api/http/schema/check-schema',
  );
  const { canonicalJson, requestHash } = await load<
    typeof import('../../../api/http/body/request-hash.ts')
  >('api/http/body/request-hash');
  const { TransmissionBody } = await load<
    typeof import('../../../shared/contract/machine/transmission.ts')
  >('shared/contract/machine/transmission');
  const { receive } = await load<typeof import('../../../shared/store/intake/receive.ts')>(
    'shared/store/intake/receive',
  );
  let recorded: readonly { readonly id: string }[] = [];
  const db = await silentDb(load, () =>
    recorded.map(({ id }) => ({ id, transmission_reference: id })),
  );
  const next = inTurn(
    batches.map((bodies) => bodies.map((body) => signed(Buffer.from(JSON.stringify(body))))),
  );
  return async () => {
    const received = next().map(({ body, ...parts }) => {
      if (!isSignatureOf(parts.signature, SECRET, { ...REQUEST, body })) throw wrong('signature');
      const { value } = readJson(body);
      if (value === undefined) throw wrong('JSON');
      const members = checkMembers(TransmissionBody, value);
      if (members.findings !== undefined) throw wrong('schema');
      const { body: known, unknownFields, isCanonical } = members.value;
      const read = known as ReturnType<typeof makeCertificate>;
      const bodyJson = JSON.stringify(read);
      return {
        ...makeReceived(randomUUID(), ORGANIZATION, { ...read, vehicles: [] }),
        bodyJson,
        requestHash: requestHash('CREATE', null, isCanonical ? bodyJson : canonicalJson(value)),
        unknownFields,
        vehicleCount: read.vehicles.length,
      };
    });
    recorded = received;
    const receipts = await receive(db, KEYRING, received);
    if (receipts.some(({ outcome }) => outcome !== 'recorded')) throw wrong('receipt');
  };
}

const SECRET = randomUUID();
const REQUEST = { method: 'POST', target: '/', timestamp: '0', nonce: randomUUID() };

function signed(body: Buffer) {
  return { body, signature: sign(SECRET, { ...REQUEST, body }) };
}

/** What a worker does with certificates that it has taken, of vehicles that nobody knows. */
async function deciding(load: Load, batches: Bodies[]): Promise<RunBatch> {
  const { registerBatch } =
    await load<typeof import('../../../worker/register-batch.ts')>('worker/register-batch');
  let settled = 0;
  const db = await silentDb(load, (sql) => {
    if (sql.includes('AS facts')) return [{ facts: JSON.parse(FACTS) as object }];
    settled += 1;
    return [{ transmissions: batches[0]?.length, refused: null, written: true }];
  });
  const context: Omit<WorkerContext, 'producer' | 'batches'> = {
    config: {
      leaseSeconds: 60,
      registryTimeZone: 'Asia/Manila',
      backlogDrainSeconds: 60,
      workerRatePerSecond: 100,
    },
    clock: systemClock,
    logger: makeLogger({ level: 'silent', name: 'bench' }),
    metrics: makeMetrics(),
    db,
    keyring: KEYRING,
    completions: { announce: async () => undefined, close: async () => undefined },
    tally: makeTally(),
    isStopping: () => false,
  };
  const next = inTurn(batches.map((bodies) => bodies.map(taken)));
  return async () => {
    const before = settled;
    await registerBatch(context as WorkerContext, next(), async (_transmission, error) => {
      throw error;
    });
    if (settled !== before + 1) throw wrong('settlement');
  };
}

function taken(body: ReturnType<typeof makeCertificate>): TakenTransmission {
  const received = makeReceived(randomUUID(), ORGANIZATION, body);
  const { id, vehicleCount, bodyJson } = received;
  return {
    ...received,
    fence: 1,
    failures: 0,
    transmissionReference: id,
    work: vehicleCount,
    cost: vehicleCount,
    bodySealed: KEYRING.seal(bodyJson, id),
    registrySequence: 1,
  };
}

/** What `readFacts` gets of a registry in which the insurer is and nothing is registered. */
const FACTS = JSON.stringify({
  ruleSet: makeFacts().ruleSet,
  organizations: [{ ...ALPHA, id: ORGANIZATION }],
  referenceRegions: ['NCR'],
});

/** Writes the messages of statements as the build does, sends them nowhere, and has the answers. */
async function silentDb(load: Load, answer: (sql: string) => object[]): Promise<Db> {
  const { Prisma } = await load<typeof import('../../../shared/db/generated/client.ts')>(
    'shared/store/generated/client',
  );
  const { sendLargeAtOnce } =
    await load<typeof import('../../../shared/db/bind-message.ts')>('shared/db/bind-message');
  const { inPlace } = await load<typeof import('../../../shared/db/large-parameters.ts')>(
    'shared/db/large-parameters',
  );
  const { TextInPieces } = await load<typeof import('../../../shared/db/text-in-pieces.ts')>(
    'shared/db/text-in-pieces',
  );
  /** As Prisma leaves what is handed over and makes texts of the rest. */
  const asWritten = (value: unknown): unknown => {
    const isHandedOver = value instanceof TextInPieces || value instanceof Buffer;
    return isHandedOver || typeof value === 'string' ? value : JSON.stringify(value);
  };
  const connection = {
    bind: (_statement: { readonly values: unknown[] }) => undefined,
    stream: {
      writable: true,
      write: (_bytes: Buffer, written: () => void) => void setImmediate(written),
    },
  };
  sendLargeAtOnce({ connection } as unknown as Client);
  const db = {
    $queryRaw: async (strings: TemplateStringsArray, ...values: unknown[]) => {
      const { sql, values: parameters } = Prisma.sql(strings, ...(values as never[]));
      connection.bind({ values: inPlace(parameters).map(asWritten) });
      await nextTurn();
      return answer(sql);
    },
  };
  return db as unknown as Db;
}

/** One after the other, and again from the first on. */
function inTurn<Item>(items: readonly Item[]): () => Item {
  let at = 0;
  return () => {
    const item = items[at % items.length];
    if (item === undefined) throw wrong('list');
    at += 1;
    return item;
  };
}

function wrong(what: string): Error {
  return new Error(`the work went wrong: ${what}`);
}
