import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { readConfig, requireServiceConfig } from '../../../shared/platform/config/config.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { openQueueAccess } from '../../../shared/queue/open.ts';
import type { Enqueued, Producer } from '../../../shared/queue/producer.ts';
import { wakeUpsFor } from '../../../shared/queue/wake-ups.ts';
import { receive } from '../../../shared/store/intake/receive.ts';
import { connectPrepared, runPrepared, statementsTo } from '../cells/prepared-client.ts';
import { environmentOf, type Shape } from '../processes.ts';
import type { BenchDatabase, Servers } from '../servers.ts';
import { makeCertificates } from './certificates.ts';
import { drained, readTaken } from './progress.ts';
import { makeReceived } from './received.ts';

/** Who transmits, and for which insurer; the transmissions of a backlog go round. */
export interface Sender {
  readonly organizationId: string;
  readonly insurerCode: string;
}

/** Transmissions that wait, recorded by the statement of the API with bodies sealed as the API seals them. */
export interface Backlog {
  /** RECEIVED rows of the database. */
  depth(): Promise<number>;
  /** Records as many as are missing. */
  fillTo(depth: number): Promise<void>;
  /** Removes what waits. */
  clear(): Promise<void>;
  /** Sends wake-ups for so many of those that wait, or a thousand; after the last one is settled workers look once for each that is left. */
  wake(count?: number): Promise<void>;
  /** Resolves when none is in progress. */
  drained(): Promise<void>;
  /** From now on records as many as are taken, and wakes workers for them as the API does. */
  keep(): Kept;
  close(): Promise<void>;
}

export interface Kept {
  /** So far: as many as were taken. */
  recorded(): number;
  /** Resolves with how many were recorded. */
  stop(): Promise<number>;
}

const RECORDED_TOGETHER = 500;
/** Few, over several connections, so that what is recorded again comes soon: two hundred over two lag behind workers that take 1,700 a second by most of a thousand. */
const KEPT_TOGETHER = 64;
const CONNECTIONS = 4;
/** Of what was taken so many are being recorded again at once: they don't wait yet. */
export const KEPT_AT_ONCE_MAX = CONNECTIONS * KEPT_TOGETHER;
const WOKEN_MAX = 1_000;
const LOOK_MS = 50;

export interface BacklogOptions {
  readonly servers: Servers;
  readonly database: BenchDatabase;
  readonly shape: Shape;
  readonly queueName: string;
  readonly senders: readonly Sender[];
}

export async function openBacklog({
  servers,
  database,
  shape,
  queueName,
  senders,
}: BacklogOptions): Promise<Backlog> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const writers = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => connectPrepared(database.url)),
  );
  const environment = environmentOf(shape, servers, database);
  const config = requireServiceConfig(readConfig({ ...environment, QUEUE_NAME: queueName }));
  const access = openQueueAccess(config, makeLogger({ level: 'silent', name: 'bench' }), 'bench');
  const producer = await access.producer();
  const record = makeRecord(database, senders);
  const depth = async (): Promise<number> => {
    const { rows } = await client.query<{ depth: number }>(
      `SELECT count(*)::int AS depth FROM transmissions WHERE status = 'RECEIVED'`,
    );
    return rows[0]?.depth ?? 0;
  };
  return {
    depth,
    fillTo: async (wanted) => {
      let missing = wanted - (await depth());
      await Promise.all(
        writers.map(async (writer) => {
          while (missing > 0) {
            const count = Math.min(missing, RECORDED_TOGETHER);
            missing -= count;
            await record(writer, count);
          }
        }),
      );
    },
    clear: async () => {
      // Nothing refers to what is only received, and to look for it row by row, in tables that need no index for that since the registry deletes nothing, takes half a minute.
      await client.query('SET session_replication_role = replica');
      await client.query(`DELETE FROM transmissions WHERE status = 'RECEIVED'`);
      await client.query('RESET session_replication_role');
    },
    wake: async (count = WOKEN_MAX) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM transmissions WHERE status = 'RECEIVED' ORDER BY organization_id, sequence LIMIT $1`,
        [count],
      );
      await producer.enqueue(rows);
    },
    drained: () => drained(client),
    keep: () => keepBacklog(client, writers, producer, record),
    close: async () => {
      await producer.close();
      await access.close();
      await Promise.all([client, ...writers].map((one) => one.end()));
    },
  };
}

/** Resolves with the wake-ups that the API sends for as many. */
type Record = (writer: Client, count: number) => Promise<Enqueued[]>;

function makeRecord(database: BenchDatabase, senders: readonly Sender[]): Record {
  const keyring = makeKeyring(database.config.encryptionKeys);
  const bodies = makeCertificates(senders.map(({ insurerCode }) => insurerCode));
  let recorded = 0;
  return async (writer, count) => {
    const received = Array.from({ length: count }, () => {
      const { organizationId } = senders[recorded % senders.length] ?? { organizationId: '' };
      recorded += 1;
      return makeReceived(newId(), organizationId, bodies.next().value);
    });
    await receive(
      statementsTo((statement) => runPrepared(writer, statement)),
      keyring,
      received,
    );
    return wakeUpsFor(received);
  };
}

function keepBacklog(
  client: Client,
  writers: readonly Client[],
  producer: Producer,
  record: Record,
): Kept {
  let isStopping = false;
  let begun = 0;
  let recorded = 0;
  let waking: Promise<unknown> = Promise.resolve();
  const keepUp = async (writer: Client, before: number): Promise<void> => {
    while (!isStopping) {
      const missing = (await readTaken(writer)) - before - begun;
      if (missing > 0) {
        const count = Math.min(missing, KEPT_TOGETHER);
        begun += count;
        const wakeUps = await record(writer, count);
        recorded += count;
        // Not waited for: beside workers PostgreSQL's queue takes up to four tenths of a second for a few, in which hundreds are taken.
        waking = Promise.all([waking, producer.enqueue(wakeUps)]);
        waking.catch(() => undefined);
      }
      if (missing < KEPT_TOGETHER / 2) await sleep(LOOK_MS);
    }
  };
  const run = async (): Promise<number> => {
    const before = await readTaken(client);
    await Promise.all(writers.map((writer) => keepUp(writer, before)));
    await waking;
    return recorded;
  };
  const running = run();
  running.catch(() => undefined);
  return {
    recorded: () => recorded,
    stop: () => {
      isStopping = true;
      return running;
    },
  };
}
