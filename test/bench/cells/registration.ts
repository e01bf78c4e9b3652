import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { TransmissionBody } from '../../../shared/contract/transmission.ts';
import { makeCertificate, type Size } from '../load/certificates.ts';
import { makeSigner } from '../load/requests.ts';
import { sendAll } from '../load/send-all.ts';
import type { Expected } from '../measure/correctness.ts';
import { measure, type Sample } from '../measure/sample.ts';
import { sumOf } from '../measure/statistics.ts';
import type { Registry } from '../processes.ts';
import type { BenchDatabase, Servers } from '../servers.ts';
import { prepareRegistrations, runRegistrations } from './registration-limit.ts';

export interface RegistrationLoad {
  readonly vehicles: number;
  readonly items: number;
  readonly connections: number;
  /** Carried out just before, not measured: who rested while other cells ran is slower at first than under load. */
  readonly warmUpItems: number;
  /** What is sent; new vehicles only without. */
  readonly makeBody?: () => TransmissionBody;
}

/** With 500 vehicles a process has compiled what it runs after some fifty certificates: before, they cost half as much again. */
export const WARM_UP_TIMES: Readonly<Record<Size, number>> = { 1: 1, 500: 4 };

const DRAINED_LOOK_MS = 20;
const DRAINED_MS_MAX = 120_000;
/** Certificates that contend for vehicles after the measured ones, so that the check of double covers has work. */
const CONTENDERS = 8;

/**
 * Signed POSTs with `Prefer: respond-async`; the clock runs from the first one until the last transmission is
 * terminal, so that a backlog forms and is worked off.
 */
export async function measureRegistry(
  servers: Servers,
  { url, database, watched }: Registry,
  load: RegistrationLoad,
): Promise<Sample> {
  const { vehicles, items, connections, warmUpItems } = load;
  const { makeBody = () => makeCertificate(vehicles) } = load;
  const signer = await makeSigner(url, database.client);
  const post = (body: object) =>
    signer.sign({
      method: 'POST',
      path: '/ppai/policies',
      body: Buffer.from(JSON.stringify(body)),
      prefer: 'respond-async',
    });
  const warming = Array.from({ length: warmUpItems }, () => post(makeBody()));
  const requests = Array.from({ length: items }, () => post(makeBody()));
  const contended = makeCertificate(1);
  const contenders = Array.from({ length: CONTENDERS }, () =>
    post({ ...makeCertificate(1), vehicles: contended.vehicles }),
  );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const sample = await measure({ servers, database, watched }, async (window) => {
      await sendAll({ url, connections, requests: warming, check: demandAccepted });
      await drained(client);
      await window.begin();
      const started = performance.now();
      const { latenciesMs, elapsedMs: sendingMs } = await sendAll({
        url,
        connections,
        requests,
        check: demandAccepted,
      });
      await drained(client);
      return {
        items,
        elapsedMs: performance.now() - started,
        expected: expectAll(items + warmUpItems, vehicles),
        figures: {
          acceptedPerSecond: (items * 1_000) / sendingMs,
          acceptMsMean: sumOf(latenciesMs) / items,
        },
      };
    });
    return { ...sample, faults: [...sample.faults, ...(await contend(client, url, contenders))] };
  } finally {
    await client.end();
  }
}

function expectAll(items: number, vehicles: number): Expected {
  return { accepted: items, registered: items, vehicles: items * vehicles };
}

export function demandAccepted({ status, body }: { status: number; body: Buffer }): void {
  if (status !== 202 && status !== 201) {
    throw new Error(`a POST was answered ${status}: ${body.toString()}`);
  }
}

/** Simultaneous certificates for one vehicle: one is registered, the others are refused. */
async function contend(
  client: Client,
  url: string,
  requests: readonly Buffer[],
): Promise<string[]> {
  const before = await readOutcomes(client);
  await sendAll({ url, connections: requests.length, requests, check: () => undefined });
  await drained(client);
  const after = await readOutcomes(client);
  const registered = after.registered - before.registered;
  const rejected = after.rejected - before.rejected;
  return registered === 1 && rejected === requests.length - 1
    ? []
    : [`${requests.length} contended: ${registered} registered, ${rejected} rejected`];
}

async function readOutcomes(client: Client): Promise<{ registered: number; rejected: number }> {
  const { rows } = await client.query<{ registered: number; rejected: number }>(`
    SELECT count(*) FILTER (WHERE status = 'REJECTED')::int AS rejected,
      count(*) FILTER (WHERE status IN ('ACCEPTED', 'FLAGGED'))::int AS registered
    FROM transmissions`);
  return rows[0] ?? { registered: 0, rejected: 0 };
}

/** Resolves when no transmission is in progress. */
export async function drained(client: Client): Promise<void> {
  const endsAt = performance.now() + DRAINED_MS_MAX;
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>(
      `SELECT EXISTS (
         SELECT FROM transmissions WHERE status IN ('RECEIVED', 'VALIDATING') AND parked_at IS NULL) AS waits`,
    );
    if (rows[0]?.waits !== true) return;
    if (performance.now() > endsAt) throw new Error('the backlog was not worked off in time');
    await sleep(DRAINED_LOOK_MS);
  }
}

/** The registration's SQL alone, prepared statements straight from here: what the database can do. */
export async function measureLimit(
  servers: Servers,
  database: BenchDatabase,
  { vehicles, items, connections, warmUpItems }: Omit<RegistrationLoad, 'makeBody'>,
): Promise<Sample> {
  const everything = warmUpItems + items;
  const registrations = await prepareRegistrations(database, everything, vehicles);
  return measure({ servers, database, watched: [] }, async (window) => ({
    items,
    elapsedMs: await runRegistrations(database, {
      connections,
      warmUp: registrations.slice(0, warmUpItems),
      measured: registrations.slice(warmUpItems),
      begin: () => window.begin(),
    }),
    expected: expectAll(everything, vehicles),
  }));
}
