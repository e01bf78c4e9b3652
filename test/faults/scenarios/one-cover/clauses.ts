import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../../../../shared/db/with-client.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { watchIdleTransactions } from '../../checks/idle-watch.ts';
import { untilSettled } from '../../checks/stored-problems.ts';
import { findUnexpected, judge } from '../../oracle.ts';
import { deliver, type Entry, follow, type RoundReport, submit } from '../../round-report.ts';
import type { Round, Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';

// Violates each clause of the oracle on purpose, one at a time. A clause that cannot fail would prove nothing.

/** Two registered certificates of different vehicles, whose acknowledgments are known. */
interface Pair {
  readonly report: RoundReport;
  readonly one: Entry;
  readonly other: Entry;
}

interface Clause {
  readonly name: string;
  readonly mustFind: RegExp;
  /** Violates the clause and returns the repair. */
  readonly break: (world: World, pair: Pair) => Promise<() => unknown>;
}

const NOBODY = 'PPAI-TX-2026-999999999';

const CLAUSES: readonly Clause[] = [
  {
    name: 'an acknowledged transmission exists',
    mustFind: /^lost: /,
    break: async (_world, { report }) => {
      const submission = { kind: 'CREATE', body: makeBody() } as const;
      report.entries.push({ clientName: 'alpha', submission, reference: NOBODY });
      return () => void report.entries.pop();
    },
  },
  {
    name: 'a transmission becomes terminal in time',
    mustFind: /^1 are not terminal and 0 are parked/,
    break: async (world) => {
      const entry = await leaveOne(world);
      return () => settleOne(world, entry);
    },
  },
  {
    name: 'nothing is parked without a fault',
    mustFind: /^0 are not terminal and 1 are parked/,
    break: async (world) => {
      const entry = await leaveOne(world);
      const where = { transmissionReference: entry.reference ?? '' };
      await world.db.transmission.update({ where, data: { parkedAt: new Date() } });
      return async () => {
        await world.db.transmission.update({ where, data: { parkedAt: null } });
        await settleOne(world, entry);
      };
    },
  },
  {
    name: 'one row per key',
    mustFind: /^recorded twice: /,
    break: async ({ db }, { one }) => {
      await db.$executeRaw`ALTER TABLE transmissions DROP CONSTRAINT transmissions_idempotency`;
      await db.$executeRaw`
        INSERT INTO transmissions
        SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
          'transmission_reference', ${NOBODY}::text))).*
        FROM transmissions t WHERE transmission_reference = ${one.reference}`;
      return async () => {
        await db.$executeRaw`DELETE FROM transmissions WHERE transmission_reference = ${NOBODY}`;
        await db.$executeRaw`
          ALTER TABLE transmissions ADD CONSTRAINT transmissions_idempotency
          UNIQUE (organization_id, external_transaction_id)`;
      };
    },
  },
  {
    name: 'one cover per day in the tables',
    mustFind: /^two in force share a day/,
    break: async ({ db }, pair) => {
      const [one, other] = [recordOf(pair.one), recordOf(pair.other)];
      const [before] = await db.$queryRaw<{ registered: unknown }[]>`
        SELECT registered FROM certificate_vehicles v JOIN certificates c ON c.id = v.certificate_id
        WHERE c.registry_reference = ${other}`;
      await db.$executeRaw`
        UPDATE certificate_vehicles v SET registered = (
          SELECT w.registered FROM certificate_vehicles w JOIN certificates d ON d.id = w.certificate_id
          WHERE d.registry_reference = ${one})
        FROM certificates c WHERE c.id = v.certificate_id AND c.registry_reference = ${other}`;
      return () => db.$executeRaw`
        UPDATE certificate_vehicles v SET registered = ${JSON.stringify(before?.registered)}::jsonb
        FROM certificates c WHERE c.id = v.certificate_id AND c.registry_reference = ${other}`;
    },
  },
  {
    name: 'a certificate in force has its reservations',
    mustFind: /^in force without a reservation of chassisNumber /,
    break: async ({ db }, { one }) => {
      const shift = (days: number) => db.$executeRaw`
        UPDATE vehicle_identifiers i SET covers = ARRAY(
          SELECT CASE WHEN certificate_id = c.id THEN daterange(lower(during) + ${days}::int, upper(during) + ${days}::int)
            ELSE during END
          FROM unnest(i.covered_by, i.covers) WITH ORDINALITY AS k (certificate_id, during, place) ORDER BY place)
        FROM certificates c JOIN certificate_vehicles v ON v.certificate_id = c.id
        WHERE i.vehicle_id = v.vehicle_id AND i.kind = 'chassisNumber' AND c.registry_reference = ${recordOf(one)}`;
      await shift(1_000);
      return () => shift(-1_000);
    },
  },
  {
    name: 'one cover per day in the API',
    mustFind: /^the API shows two in force/,
    break: async ({ db }, pair) => {
      const [one, other] = [recordOf(pair.one), recordOf(pair.other)];
      const vehicleOf = async (reference: string) => {
        const [row] = await db.$queryRaw<{ id: string }[]>`
          SELECT v.vehicle_id::text AS id FROM certificate_vehicles v
          JOIN certificates c ON c.id = v.certificate_id WHERE c.registry_reference = ${reference}`;
        return row?.id ?? '';
      };
      const [shared, own] = [await vehicleOf(one), await vehicleOf(other)];
      const give = (vehicleId: string) => db.$executeRaw`
        UPDATE certificate_vehicles v SET vehicle_id = ${vehicleId}::uuid
        FROM certificates c WHERE c.id = v.certificate_id AND c.registry_reference = ${other}`;
      await give(shared);
      return () => give(own);
    },
  },
  {
    name: 'versions have no gaps',
    mustFind: /^versions with gaps: /,
    break: async ({ db }, { one }) => {
      const set = (version: number) => db.$executeRaw`
        UPDATE certificates SET current_version = ${version} WHERE registry_reference = ${recordOf(one)}`;
      await set(3);
      return () => set(1);
    },
  },
  {
    name: 'a replay gets the first answer',
    mustFind: /not the first answer: plateNumbers /,
    break: async (_world, { one }) => {
      const { settled } = one;
      if (settled === undefined) throw new Error('its acknowledgment is not known');
      one.settled = { ...settled, plateNumbers: ['ANOTHER'] };
      return () => {
        one.settled = settled;
      };
    },
  },
];

export const CLAUSES_CONTROL: Scenario = {
  name: 'control-clauses',
  shapes: ['embedded'],
  rounds: { short: ['embedded'], full: 1 },
  certificates: 4,
  allows: { serverErrors: true, idleTransactions: true },
  strike: async (round) => {
    const { world, load, random, note } = round;
    await load.done;
    await untilSettled(world);
    for (const clause of CLAUSES) {
      const pair = await makePair(world);
      const repair = await clause.break(world, pair);
      const { problems } = await judge(world, pair.report, random, { deadlineMs: 1_000 });
      await repair();
      requireFound(clause.name, clause.mustFind, problems);
      note(clause.name);
      const { problems: left } = await judge(world, pair.report, random);
      if (left.length > 0) throw new Error(`after "${clause.name}" remains: ${left[0]}`);
    }
    await causeUnexpected(round);
  },
};

/** Causes the problems that the runner finds in addition to the oracle: service errors and idle transactions. */
async function causeUnexpected({ world, note }: Round): Promise<void> {
  const watch = watchIdleTransactions(world.databaseUrl);
  await withClient(world.databaseUrl, 'faults', async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT 1');
    await sleep(5_000);
    await client.query('ROLLBACK');
  });
  const idle = await watch.stop();
  await world.api.database.down();
  const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
  await submit(world.client('alpha'), entry, 0);
  await world.api.database.up();
  const problems = findUnexpected({ serverErrors: world.http.serverErrors, idle }, {});
  for (const [name, mustFind] of [
    ['no service error without a fault', /errors of the service/],
    ['no idle transaction', /stood idle/],
  ] as const) {
    requireFound(name, mustFind, problems);
    note(name);
  }
}

function requireFound(name: string, mustFind: RegExp, problems: readonly string[]): void {
  if (problems.some((problem) => mustFind.test(problem))) return;
  throw new Error(
    `"${name}" was violated and not found; found: ${problems.join('; ') || 'nothing'}`,
  );
}

async function makePair(world: World): Promise<Pair> {
  const report: RoundReport = { entries: [], problems: [] };
  const entryOf = async (): Promise<Entry> => {
    const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
    report.entries.push(entry);
    await deliver(world, report, entry, 10);
    await follow(world, report, entry);
    return entry;
  };
  return { report, one: await entryOf(), other: await entryOf() };
}

/** A transmission that is received while the workers are stopped. */
async function leaveOne(world: World): Promise<Entry> {
  for (const worker of world.workers) worker.signal('SIGSTOP');
  const entry: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body: makeBody() } };
  await deliver(world, { entries: [], problems: [] }, entry, 0);
  return entry;
}

async function settleOne(world: World, entry: Entry): Promise<void> {
  for (const worker of world.workers) worker.signal('SIGCONT');
  await follow(world, { entries: [], problems: [] }, entry);
}

function recordOf({ settled }: Entry): string {
  const reference = settled?.registryReference;
  if (typeof reference !== 'string') throw new Error('the certificate was not registered');
  return reference;
}
