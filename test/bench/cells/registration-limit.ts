import type { Client } from 'pg';
import { decideRegistration } from '../../../shared/domain/registration/plan-registration.ts';
import { readSubmission } from '../../../shared/domain/registration/submission.ts';
import { calendarDate, systemClock } from '../../../shared/platform/clock.ts';
import { newId } from '../../../shared/platform/new-id.ts';
import { type Keyring, makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { type TakenTransmission, take } from '../../../shared/store/intake/processing.ts';
import { receive } from '../../../shared/store/intake/receive.ts';
import { settle } from '../../../shared/store/registry/commit/settle.ts';
import type { FactsQuestion } from '../../../shared/store/registry/facts.ts';
import { readFacts } from '../../../shared/store/registry/facts.ts';
import { registryReference } from '../../../worker/register-batch.ts';
import { prepareEndings } from '../../../worker/settle-together.ts';
import { makeCertificate } from '../load/certificates.ts';
import { makeReceived } from '../load/received.ts';
import type { BenchDatabase } from '../servers.ts';
import { connectPrepared, runPrepared, type Statement, statementsTo } from './prepared-client.ts';

/** The statements of one registration, ready to run: what is left is the database's work alone. */
export interface PreparedRegistration {
  readonly facts: Statement;
  readonly settlement: Statement;
}

const LEASE_SECONDS = 3_600;
const TAKEN_TOGETHER_MAX = 50;

/**
 * Records and takes certificates of so many vehicles with the store's own functions, decides them, and keeps the
 * statements that settle them.
 */
export async function prepareRegistrations(
  database: BenchDatabase,
  count: number,
  vehicles: number,
): Promise<PreparedRegistration[]> {
  const client = await connectPrepared(database.url);
  const keyring = makeKeyring(database.config.encryptionKeys);
  const today = calendarDate(new Date(), database.config.registryTimeZone);
  try {
    const organizationId = await organizationOf(client, database.client.organizationCode);
    const prepared: PreparedRegistration[] = [];
    while (prepared.length < count) {
      const together = Math.min(TAKEN_TOGETHER_MAX, count - prepared.length);
      await client.query('BEGIN');
      const bodies = await receiveSome(client, keyring, organizationId, together, vehicles);
      const taken = await takeThem(client, [...bodies.keys()]);
      await client.query('COMMIT');
      for (const transmission of taken) {
        prepared.push(
          await prepareOne(client, keyring, today, transmission, bodies.get(transmission.id)),
        );
      }
    }
    return prepared;
  } finally {
    await client.end();
  }
}

/** Runs them, each statement by its name. */
export async function runRegistrations(
  clients: readonly Client[],
  registrations: readonly PreparedRegistration[],
): Promise<void> {
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (await runOne(client, registrations[next++]));
    }),
  );
}

/** False when there is none left. */
async function runOne(
  client: Client,
  registration: PreparedRegistration | undefined,
): Promise<boolean> {
  if (registration === undefined) return false;
  await runPrepared(client, registration.facts);
  await runPrepared(client, registration.settlement);
  return true;
}

type Bodies = Map<string, ReturnType<typeof makeCertificate>>;

async function receiveSome(
  client: Client,
  keyring: Keyring,
  organizationId: string,
  count: number,
  vehicles: number,
): Promise<Bodies> {
  const db = statementsTo((statement) => runPrepared(client, statement));
  const bodies: Bodies = new Map(
    Array.from({ length: count }, () => [newId(), makeCertificate(vehicles)]),
  );
  await receive(
    db,
    keyring,
    [...bodies].map(([id, body]) => makeReceived(id, organizationId, body)),
  );
  return bodies;
}

async function takeThem(client: Client, ids: readonly string[]): Promise<TakenTransmission[]> {
  const db = statementsTo((statement) => runPrepared(client, statement));
  const taken: TakenTransmission[] = [];
  for (const id of ids) {
    taken.push(
      ...(await take(db, id, { leaseSeconds: LEASE_SECONDS, transmissionsMax: 1, vehiclesMax: 1 }))
        .taken,
    );
  }
  return taken;
}

async function prepareOne(
  client: Client,
  keyring: Keyring,
  today: string,
  transmission: TakenTransmission,
  body: ReturnType<typeof makeCertificate> | undefined,
): Promise<PreparedRegistration> {
  if (body === undefined) throw new Error('a transmission that nobody made');
  const now = new Date();
  const submission = readSubmission(body);
  const question: FactsQuestion = {
    submission,
    organizationId: transmission.organizationId,
    apiClientId: null,
    neededScope: 'ppai:transmit',
  };
  const asked: Statement[] = [];
  const [facts] = await readFacts(
    statementsTo((statement) => {
      asked.push(statement);
      return runPrepared(client, statement);
    }),
    [question],
    { now, today },
  );
  const [factsStatement] = asked;
  const { registrySequence: sequence } = transmission;
  if (factsStatement === undefined || facts === undefined || sequence === null)
    throw new Error('facts are missing');
  const outcome = decideRegistration(transmission, submission, facts, {
    transmissionId: transmission.id,
    sequence,
    registryReference: registryReference(today, sequence),
    now,
    newId,
  });
  if (outcome.verdict.status !== 'ACCEPTED')
    throw new Error(`a certificate of the bench was ${outcome.verdict.status}`);
  const settling: Statement[] = [];
  // Shown only: the answer is that of a registration that nobody contests.
  const shown = statementsTo(async (statement) => {
    settling.push(statement);
    return [{ transmissions: 1, refused: null, written: true }];
  });
  await settle(
    shown,
    prepareEndings({ clock: systemClock, keyring }, [{ transmission, outcome }]).settlement,
  );
  const [settlement, ...others] = settling;
  if (settlement === undefined || others.length > 0)
    throw new Error('a certificate of the bench was not settled by one statement');
  return { facts: factsStatement, settlement };
}

async function organizationOf(client: Client, code: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM organizations WHERE code = $1',
    [code],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`organization ${code} is missing`);
  return row.id;
}
