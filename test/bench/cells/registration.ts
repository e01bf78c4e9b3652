import { Client } from 'pg';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { makeCertificate, type Size } from '../load/certificates.ts';
import { makePace } from '../load/pace.ts';
import { drained, readTaken } from '../load/progress.ts';
import { makeSigner } from '../load/requests.ts';
import { sendAll } from '../load/send-all.ts';
import { expectAll } from '../measure/correctness.ts';
import { type Measured, measure, type Sample } from '../measure/sample.ts';
import { mean } from '../measure/statistics.ts';
import type { Registry } from '../processes.ts';
import type { BenchDatabase } from '../servers.ts';
import { connectPrepared } from './prepared-client.ts';
import { prepareRegistrations, runRegistrations } from './registration-limit.ts';

export interface RegistrationLoad {
  /** Of each certificate. */
  readonly vehicles: Size;
  readonly items: number;
  readonly connections: number;
  /** Carried out just before, not measured: who rested while other cells ran is slower at first than under load. */
  readonly warmUpItems: number;
}

export interface RegistryLoad extends RegistrationLoad {
  /** What is sent; new vehicles only without. */
  readonly makeBody?: () => TransmissionBody;
}

/**
 * With 500 vehicles the first fifty certificates cost half as much again, and some hundred later V8 still compiles what they run
 * (`node --trace-opt dist/api/main.js`); with one vehicle a certificate still gets cheaper after ten
 * thousand (the run `one`, docs/scaling.md).
 */
export const WARM_UP_TIMES = 16;

/** The group of a block's cells: what is compared with the registry is the limit, and a peer that waits for each registration. */
export const REGISTRATIONS = 'registrations';

/** Kept waiting: four times what a worker has in hand, so that every batch is a full one. */
const WAITING_MAX: Readonly<Record<Size, number>> = { 1: 400, 500: 32 };
/** Certificates that contend for vehicles after the measured ones, so that the check of double covers has work. */
const CONTENDERS = 8;

/** What is measured, and what says when. */
type Within = Pick<Measured, 'servers' | 'bounds'>;

/**
 * Signed POSTs with `Prefer: respond-async` under a load that lasts: as many are sent as workers take, and the clock runs from one
 * batch that was taken to another. What the first request and the last batch leave to one core alone is none of the rate.
 */
export async function measureRegistry(
  within: Within,
  { url, database, watched }: Registry,
  load: RegistryLoad,
): Promise<Sample> {
  const { vehicles, items, connections, warmUpItems } = load;
  const { makeBody = () => makeCertificate(vehicles) } = load;
  const waitingMax = WAITING_MAX[vehicles];
  const signer = await makeSigner(url, database.client);
  const post = (body: object) =>
    signer.sign({
      method: 'POST',
      path: '/ppai/policies',
      body: Buffer.from(JSON.stringify(body)),
      prefer: 'respond-async',
    });
  const contended = makeCertificate(1);
  const contenders = Array.from({ length: CONTENDERS }, () =>
    post({ ...makeCertificate(1), vehicles: contended.vehicles }),
  );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const sample = await measure({ ...within, database, watched }, async () => {
      // Up to the last moment of the window as many wait, it can begin as many later as wait, and each of its ends a batch later.
      const requests = Array.from({ length: warmUpItems + items + 3 * waitingMax }, () =>
        post(makeBody()),
      );
      return async (window) => {
        const takenBefore = await readTaken(client);
        const countTaken = async () => (await readTaken(client)) - takenBefore;
        const pace = makePace({ countTaken, waitingMax });
        const { hold, signal } = pace;
        const watch = async () => {
          const begun = await pace.reachFull(warmUpItems);
          await window.begin();
          const ended = await pace.reach(begun.taken + items);
          await window.end();
          return { items: ended.taken - begun.taken, elapsedMs: ended.atMs - begun.atMs };
        };
        const [{ latenciesMs }, counted] = await Promise.all([
          sendAll({ url, connections, requests, check: requireAccepted, hold, signal }),
          watch().finally(() => pace.stop()),
        ]);
        await drained(client);
        const sent = latenciesMs.length;
        return {
          ...counted,
          expected: expectAll(sent, vehicles),
          figures: { acceptMsMean: mean(latenciesMs) },
        };
      };
    });
    return { ...sample, faults: [...sample.faults, ...(await contend(client, url, contenders))] };
  } finally {
    await client.end();
  }
}

export function requireAccepted({ status, body }: { status: number; body: Buffer }): void {
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

/** The registration's SQL alone, prepared statements straight from here: what the database can do. */
export async function measureLimit(
  within: Within,
  database: BenchDatabase,
  { vehicles, items, connections, warmUpItems }: RegistrationLoad,
): Promise<Sample> {
  const everything = warmUpItems + items;
  // For all turns: connections of a server that is up have their statements prepared and its pages at hand.
  const clients = await Promise.all(
    Array.from({ length: connections }, () => connectPrepared(database.url)),
  );
  try {
    return await measure({ ...within, database, watched: [] }, async () => async (window) => {
      // In its turn: they are in progress from then on, and the registry beside it waits until nothing is.
      const registrations = await prepareRegistrations(database, everything, vehicles);
      await runRegistrations(clients, registrations.slice(0, warmUpItems));
      await window.begin();
      const started = performance.now();
      await runRegistrations(clients, registrations.slice(warmUpItems));
      const elapsedMs = performance.now() - started;
      return { items, elapsedMs, expected: expectAll(everything, vehicles) };
    });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
