import { Prisma } from '../../../../shared/db/generated/client.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { readSharedBacklog, readStanding } from '../../../../shared/store/intake/backlog.ts';
import { claim, findFirstWaiting } from '../../../../shared/store/intake/claim.ts';
import {
  findUnrankedRecords,
  rankBefore,
  rankNextChanges,
} from '../../../../shared/store/intake/fair-rank.ts';
import { sweep } from '../../../../shared/store/intake/sweep.ts';
import { BATCH_TRANSMISSIONS_MAX, BATCH_VEHICLES_MAX } from '../../../../worker/drain.ts';
import { fillBacklog } from '../../../env/api/backlog.ts';
import { countIndexReads } from '../../../env/records/count-index-reads.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

// A dump comes after a quiet night. When the database last looked at its tables nothing waited, so for its planner nothing ever
// does: to sort what waits costs nothing then, and each index of it seems to be as good as the others.

const ORGANIZATIONS = 30;
const SETTLED = 3_000;
/** Of each organization: with so many the indexes are of several heights, by which the planner tells them apart then. */
const DEPTHS = [40, 1_500] as const;
/** What waits is twice as much at least, and it was read once an organization. */
const ENTRIES_MAX = 600;

const BATCH = {
  leaseSeconds: 60,
  transmissionsMax: BATCH_TRANSMISSIONS_MAX,
  vehiclesMax: BATCH_VEHICLES_MAX,
};
const LOOKS: readonly (readonly [string, (db: Db) => Promise<unknown>])[] = [
  ['claiming', (db) => claim(db, undefined, BATCH)],
  ['the first waiting', findFirstWaiting],
  [
    'the rank of the next',
    (db) => db.$queryRaw`
      SELECT ${rankBefore(Prisma.sql`o.id`)} AS rank FROM organizations o WHERE code = 'INS-5'`,
  ],
  ['ranking', async (db) => rankNextChanges(db, await findUnrankedRecords(db, 5))],
  ['sweeping', (db) => sweep(db, { claimedMax: 5, waitingMax: 5 })],
  ['readiness', readStanding],
  [
    'the backlog of each organization',
    (db) => readSharedBacklog(db, { secondsMax: 1, workerRatePerSecond: 1 }),
  ],
];

let database: TestDatabase;
beforeEach(async () => {
  database = await makeTestDatabase();
  await withDb({ plansOnce: false }, async (db) => {
    await db.$executeRaw`ALTER TABLE transmissions SET (autovacuum_enabled = off)`;
    await db.organization.createMany({
      data: Array.from({ length: ORGANIZATIONS + 1 }, (_, n) => ({
        code: `INS-${n}`,
        name: `Insurer ${n}`,
        type: 'INSURANCE_COMPANY' as const,
      })),
    });
    await fillBacklog(db, 'INS-0', SETTLED, { kind: 'CREATE' });
    await db.$executeRaw`
      UPDATE transmissions SET status = 'REJECTED', completed_at = now(), acknowledgment = '{}'`;
    await db.$executeRaw`VACUUM (ANALYZE) transmissions`;
  });
});
afterEach(() => database.drop());

async function withDb(
  { plansOnce }: { readonly plansOnce: boolean },
  use: (db: Db) => Promise<void>,
): Promise<void> {
  const db = openDb({
    databaseUrl: database.ownerUrl,
    poolMax: 1,
    applicationName: 'test',
    plansOnce,
  });
  try {
    await use(db);
  } finally {
    await db.$disconnect();
  }
}

describe.each(DEPTHS)(
  'while %i wait of each of many organizations, after a night without any',
  (depth) => {
    it.each([
      { kind: 'CREATE', plansOnce: true },
      { kind: 'CREATE', plansOnce: false },
      { kind: 'AMEND', records: 7, plansOnce: true },
    ] as const)('each look finds them by keys (%o)', async ({ plansOnce, ...filling }) => {
      const read: { look: string; entries: number }[] = [];
      await withDb({ plansOnce }, async (db) => {
        for (let n = 1; n <= ORGANIZATIONS; n += 1)
          await fillBacklog(db, `INS-${n}`, depth, { ...filling, isAnalyzed: false });
        for (const [look, run] of LOOKS) {
          const before = await countIndexReads(db);
          await run(db);
          read.push({ look, entries: (await countIndexReads(db)) - before });
        }
      });
      // Certificates have their ranks, so there is nothing to rank.
      const isIdle = (look: string) => look === 'ranking' && filling.kind === 'CREATE';
      const isCheap = ({ look, entries }: (typeof read)[number]) =>
        entries < ENTRIES_MAX && (entries > 0 || isIdle(look));
      expect(read.filter((one) => !isCheap(one))).toEqual([]);
    });
  },
);
