import { randomUUID } from 'node:crypto';
import { Prisma } from '../../../../shared/db/generated/client.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { addUnregistered, readStaffList, staffLists } from '../../../env/records/staff-lists.ts';
import { fillRegistry } from '../../../env/records/synthetic-registry.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

const SIZE = {
  vehicles: 8_000,
  vehiclesPerCertificate: 1,
  periods: 1,
  fleetCertificates: 500,
  today: '2026-10-15',
} as const;
const UNREGISTERED = 8_000;
const UNTIL = new Date('2026-10-15T02:00:00Z');
/** The indexes that hold every transmission; read without a condition on their columns, they are the table once more. */
const WHOLE =
  /(Seq Scan on transmissions|using transmissions_(by_time|idempotency|pkey|transmission_reference_key)\b)/;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await makeTestDatabase();
  await fillRegistry(database.ownerUrl, SIZE, { id: randomUUID(), sealed: Buffer.alloc(1) });
  await addUnregistered(database.ownerUrl, UNREGISTERED, UNTIL);
  db = openDb({ databaseUrl: database.url, poolMax: 1, applicationName: 'test' });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

describe('a list of transmissions', () => {
  it.each(staffLists(UNTIL))('%s reads no table from end to end', async (_name, asked) => {
    const scans: string[] = [];
    const explaining = {
      $queryRaw: async (strings: TemplateStringsArray, ...values: unknown[]) => {
        const statement = Prisma.sql(strings, ...values);
        const lines = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN ${statement}`;
        scans.push(...wholeScans(lines.map((line) => line['QUERY PLAN'])));
        return db.$queryRaw(statement);
      },
    };
    await readStaffList(explaining as Pick<Db, '$queryRaw'>, asked);
    expect(scans).toEqual([]);
  });

  it('by number has those that were rejected and those in progress', async () => {
    const numbers = [1_001, 1_100];
    for (const number of numbers) {
      for (const asked of [{ policyNumber: `POL${number}` }, { cocNumber: `COC${number}` }]) {
        const { items, total } = await readStaffList(db, asked);
        expect(items.map(({ status }) => status)).toEqual([
          number % 100 === 0 ? 'RECEIVED' : 'REJECTED',
        ]);
        expect(total).toBe(1);
      }
    }
  });

  it('by number has those that are parked', async () => {
    const reference = await referenceOf('POL1200');
    await db.$executeRaw`UPDATE transmissions SET parked_at = now() WHERE transmission_reference = ${reference}`;
    for (const asked of [{ policyNumber: 'POL1200' }, { cocNumber: 'COC1200' }]) {
      const { items, total } = await readStaffList(db, asked);
      expect(items).toMatchObject([{ transmissionReference: reference, status: 'RECEIVED' }]);
      expect(total).toBe(1);
    }
  });

  it('between two times comes page by page, each once, the latest first', async () => {
    const asked = { receivedFrom: '2026-10-13T02:00:00Z', receivedTo: '2026-10-13T05:00:00Z' };
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await readStaffList(db, {
        ...asked,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(page.total).toBe(180);
      seen.push(...page.items.map(({ receivedAt }) => receivedAt));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(180);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });
});

async function referenceOf(policyNumber: string): Promise<string> {
  const { items } = await readStaffList(db, { policyNumber });
  return items[0]?.transmissionReference ?? '';
}

/** The lines of a plan that read all transmissions. A page may walk back from the newest until it is full; its count may not. */
function wholeScans(lines: readonly string[]): string[] {
  if (lines[0]?.startsWith('Limit')) return [];
  return lines.filter((line, at) => WHOLE.test(line) && !lines[at + 1]?.includes('Index Cond'));
}
