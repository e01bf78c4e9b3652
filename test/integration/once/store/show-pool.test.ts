import { randomBytes, randomUUID } from 'node:crypto';
import { type Db, openDb, type Tx } from '../../../../shared/db/prisma.ts';
import { newId } from '../../../../shared/platform/new-id.ts';
import { makeKeyring } from '../../../../shared/platform/secrets/sealing.ts';
import { insertChangeRows } from '../../../../shared/store/registry/feed/insert-change-rows.ts';
import { showNextPortion, showPortion } from '../../../../shared/store/registry/feed/show-pool.ts';
import { changePool } from '../../../../shared/store/staff/pools.ts';
import { showPoolsOnce } from '../../../../worker/passes/show-pools.ts';
import { captureLog } from '../../../env/capture-log.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';
import { untilWaiting } from '../../../races/until-waiting.ts';

// Workers add the records of a pool to the feeds of the organizations that see them since the pool has changed (D87).

const VISIBLE = 5;
const COMPLETED = 1;

const keyring = makeKeyring([{ id: 'test', key: randomBytes(32) }]);

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await makeTestDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 8, applicationName: 'test', plansOnce: true });
  await makeOrganizations();
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

type Name = 'member' | 'alpha' | 'bravo' | 'charlie' | 'manager' | 'north' | 'south';
let ids: Readonly<Record<Name, string>>;

/** Two pools that alpha leads. */
async function makeOrganizations(): Promise<void> {
  const make = async (code: string, type = 'INSURANCE_COMPANY') =>
    (await db.organization.create({ data: { code, name: code, type } })).id;
  ids = {
    member: await make('MEMBER'),
    alpha: await make('ALPHA'),
    bravo: await make('BRAVO'),
    charlie: await make('CHARLIE'),
    manager: await make('MANAGER', 'MANAGEMENT_COMPANY'),
    north: await make('NORTH', 'INSURANCE_POOL'),
    south: await make('SOUTH', 'INSURANCE_POOL'),
  };
  for (const organizationId of [ids.north, ids.south])
    await db.insurancePool.create({ data: { organizationId, leadInsurerId: ids.alpha } });
}

interface NewRecord {
  readonly policyId?: string;
  readonly pool?: Name;
  readonly insurer?: Name;
  readonly sender?: Name;
}

/** Inserts a record without its change. Returns its id. */
async function insertRecord(
  tx: Tx,
  { policyId = newId(), pool = 'north', insurer = 'member', sender = 'member' }: NewRecord = {},
): Promise<string> {
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type, pool_id, created_at)
    VALUES (${policyId}::uuid, ${ids[insurer]}::uuid, ${policyId}, '2026-01-01', 'PPAI_STANDARD', ${ids[pool]}::uuid, now())
    ON CONFLICT (id) DO NOTHING`;
  await tx.$executeRaw`
    INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
      transmitting_organization_id, effective_date, expiration_date, operator_id, operator_sealed, operator_region,
      registered_at)
    VALUES (${id}::uuid, ${id}, nextval('registry_sequence'), ${policyId}::uuid, ${id}, ${ids[insurer]}::uuid,
      ${ids[sender]}::uuid, '2026-01-01', '2026-12-31', gen_random_uuid(), '', 'NCR', now())`;
  return id;
}

/** The last step of a registration. */
const insertChange = (tx: Tx, certificateId: string) =>
  insertChangeRows(tx, [
    { type: 'TRANSMISSION_COMPLETED', transmissionId: null, certificateId, flagId: null },
  ]);

const register = (record?: NewRecord): Promise<string> =>
  db.$transaction(async (tx) => {
    const id = await insertRecord(tx, record);
    await insertChange(tx, id);
    return id;
  });

async function registerMany(records: number, record?: NewRecord): Promise<string[]> {
  const made: string[] = [];
  while (made.length < records) made.push(await register(record));
  return made;
}

interface Roles {
  readonly leadInsurerId?: string;
  readonly managementCompanyId?: string;
}

async function change(organizationId: string, roles: Roles): Promise<void> {
  const { version } = await db.insurancePool.findUniqueOrThrow({ where: { organizationId } });
  const by = {
    actor: { kind: 'COMMAND', id: null, email: 'test@staff.example', role: null },
    address: null,
    requestId: `test-${randomUUID()}`,
    at: new Date(),
    keys: keyring,
  } as const;
  const body = { ...roles, expectedVersion: version };
  await db.$transaction((tx) => changePool(tx, organizationId, body, by));
}

const changeLead = (lead: Name, pool: Name = 'north') =>
  change(ids[pool], { leadInsurerId: ids[lead] });

/** Runs portions until nothing is left. Returns their number. */
async function showAll(recordsMax: number): Promise<number> {
  for (let portions = 0; ; portions += 1)
    if ((await showNextPortion(db, recordsMax)) === undefined) return portions;
}

/** The records in an organization's feed that have changes of a type, in the order of the feed. */
async function feedOf(name: Name, type = VISIBLE): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT certificate_id::text AS id FROM changes
    WHERE organization_id = ${ids[name]}::uuid AND type = ${type} ORDER BY changes.xid, changes.seq`;
  return rows.map(({ id }) => id);
}

it('adds each record once, in portions, also of a policy that is larger than a portion', async () => {
  const single = await registerMany(3);
  const fleet = await registerMany(5, { policyId: newId() });
  const later = await registerMany(1);
  await registerMany(1, { pool: 'south' });
  await changeLead('bravo');
  expect(await feedOf('bravo')).toEqual([]);
  const counts: number[] = [];
  while ((await showNextPortion(db, 2)) !== undefined) counts.push((await feedOf('bravo')).length);
  expect(counts).toEqual([2, 4, 6, 8, 9, 9]);
  expect(await feedOf('bravo')).toEqual([...single, ...fleet, ...later]);
  expect(await feedOf('alpha')).toEqual([]);
  expect(await db.poolToShow.count()).toBe(0);
});

it('adds no record that the organization issued or transmitted', async () => {
  await registerMany(2, { insurer: 'bravo' });
  await registerMany(2, { sender: 'bravo' });
  const [other] = await registerMany(1);
  await changeLead('bravo');
  await showAll(2);
  expect(await feedOf('bravo')).toEqual([other]);
});

it('a worker that dies in a portion adds nothing of it, and the next one continues', async () => {
  const records = await registerMany(5);
  await changeLead('bravo');
  await showNextPortion(db, 2);
  const dying = db.$transaction(async (tx) => {
    await showPortion(tx, 2);
    throw new Error('died');
  });
  await expect(dying).rejects.toThrow('died');
  expect(await feedOf('bravo')).toEqual(records.slice(0, 2));
  await showAll(2);
  expect(await feedOf('bravo')).toEqual(records);
});

it('a pool that a worker holds is left out by the others, who take another pool', async () => {
  const [north, south] = [await registerMany(3), await registerMany(3, { pool: 'south' })];
  await changeLead('bravo', 'north');
  await db.$transaction(async (tx) => {
    await showPortion(tx, 2);
    expect(await showNextPortion(db, 2)).toBeUndefined();
    await changeLead('charlie', 'south');
    expect(await showAll(2)).toBe(3);
    expect(await feedOf('charlie')).toEqual(south);
  });
  expect(await feedOf('bravo')).toEqual(north.slice(0, 2));
  await showAll(2);
  expect(await feedOf('bravo')).toEqual(north);
});

it('four workers at once add each record once', async () => {
  const north = await registerMany(40);
  const south = await registerMany(20, { pool: 'south' });
  await changeLead('bravo', 'north');
  await changeLead('bravo', 'south');
  const work = async (): Promise<void> => {
    while ((await db.poolToShow.count()) > 0) await showNextPortion(db, 3);
  };
  await Promise.all([work(), work(), work(), work()]);
  expect((await feedOf('bravo')).toSorted()).toEqual([...north, ...south].toSorted());
});

it('a small pool does not wait for a large one', async () => {
  await registerMany(20);
  const small = await registerMany(2, { pool: 'south' });
  await changeLead('bravo', 'north');
  await showNextPortion(db, 2);
  await changeLead('charlie', 'south');
  await showNextPortion(db, 2);
  expect(await feedOf('charlie')).toEqual(small);
});

describe('if the pool changes again before all records are added', () => {
  it('the earlier organization gets no more, and the later one gets all', async () => {
    const records = await registerMany(5);
    await changeLead('bravo');
    await showNextPortion(db, 2);
    await changeLead('charlie');
    const later = await register();
    await showAll(2);
    expect(await feedOf('bravo')).toEqual(records.slice(0, 2));
    expect(await feedOf('charlie')).toEqual(records);
    expect(await feedOf('charlie', COMPLETED)).toEqual([later]);
  });

  it('a change waits for the portion that runs, and no other follows', async () => {
    const records = await registerMany(5);
    await changeLead('bravo');
    let changing: Promise<void> = Promise.resolve();
    await db.$transaction(async (tx) => {
      await showPortion(tx, 2);
      changing = changeLead('charlie');
      await untilWaiting(db, 1, changing);
    });
    await changing;
    await showAll(2);
    expect(await feedOf('bravo')).toEqual(records.slice(0, 2));
    expect(await feedOf('charlie')).toEqual(records);
  });

  it('back to the organization before, that one gets all again', async () => {
    const records = await registerMany(4);
    await changeLead('bravo');
    const meanwhile = await register();
    await showNextPortion(db, 2);
    await changeLead('alpha');
    await showAll(2);
    expect(await feedOf('alpha', COMPLETED)).toEqual(records);
    expect(await feedOf('alpha')).toEqual([...records, meanwhile]);
    expect(await feedOf('bravo')).toEqual(records.slice(0, 2));
  });

  it('in its other role, the organization that keeps its role gets all once', async () => {
    const records = await registerMany(4);
    await changeLead('bravo');
    await showNextPortion(db, 2);
    await change(ids.north, { managementCompanyId: ids.manager });
    await showAll(2);
    expect(await feedOf('bravo')).toEqual(records);
    expect(await feedOf('manager')).toEqual(records);
  });
});

describe('a record that is registered in the meantime', () => {
  it('has its own change and no other', async () => {
    const policyId = newId();
    const records = [await register({ policyId }), ...(await registerMany(3))];
    await changeLead('bravo');
    await showNextPortion(db, 2);
    const later = [await register({ policyId }), await register()];
    await showAll(2);
    expect(await feedOf('bravo')).toEqual(records);
    expect(await feedOf('bravo', COMPLETED)).toEqual(later);
  });

  it('is not missed if its number was drawn before the pool changed, and its place has been passed', async () => {
    const policyId = newId();
    const records = await registerMany(3);
    const late = await db.$transaction(async (tx) => {
      const id = await insertRecord(tx, { policyId });
      await changeLead('bravo');
      await showAll(2);
      await insertChange(tx, id);
      return id;
    });
    expect(await feedOf('bravo')).toEqual(records);
    expect(await feedOf('bravo', COMPLETED)).toEqual([late]);
  });
});

it('a pass of a worker ends with a line in the log for each pool that is done', async () => {
  const records = await registerMany(3);
  await changeLead('bravo');
  const { logger, lines } = captureLog('info');
  await showPoolsOnce({ db, logger, isStopping: () => true });
  expect(await feedOf('bravo')).toEqual([]);
  await showPoolsOnce({ db, logger, isStopping: () => false });
  expect(await feedOf('bravo')).toEqual(records);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { poolId: ids.north, organizationId: ids.bravo },
  ]);
});
