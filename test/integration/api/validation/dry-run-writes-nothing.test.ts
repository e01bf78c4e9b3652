import type { Db } from '../../../../shared/db/prisma.ts';
import { makeBody, makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { type Contents, readTables } from '../../../env/records/store-contents.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** Every signed request writes these. `dry_run_counts` is written once a minute. */
const OF_AUTHENTICATION = /^public\.(nonces|nonces_ahead|nonce_epoch|rate_limits|dry_run_counts)$/;

async function tablesOf(db: Db): Promise<Record<string, string>> {
  const contents: Contents = await readTables(db);
  const compared = [...contents].filter(
    ([name]) => name.startsWith('public.') && !OF_AUTHENTICATION.test(name),
  );
  return Object.fromEntries(compared.map(([name, value]) => [name, value.toString('base64')]));
}

function sequencesOf(db: Db): Promise<{ name: string; value: bigint | null }[]> {
  return db.$queryRaw`
    SELECT schemaname || '.' || sequencename AS name, last_value AS value FROM pg_sequences
    WHERE schemaname = 'public' ORDER BY 1`;
}

it('a dry run with any outcome leaves every table and every sequence unchanged (D38)', async () => {
  const [covered, repeated] = [makePlainVehicle(), makeBody()];
  await stack.transmit('alpha', makeBody({ vehicles: [covered] }));
  await stack.transmit('alpha', repeated);
  await stack.stopWorkers();
  const db = stack.ownerDb;
  const [tables, sequences] = [await tablesOf(db), await sequencesOf(db)];
  expect(Object.keys(tables)).toEqual(
    expect.arrayContaining(['public.transmissions', 'public.vehicles', 'public.flags']),
  );
  expect(sequences.length).toBeGreaterThan(0);
  const bodies = [
    makeBody(),
    makeBody({ vehicles: [makeVehicle()] }),
    makeBody({ vehicles: [covered] }),
    repeated,
    makeBody({ operator: { name: ' ' } }),
  ];
  const outcomes: unknown[] = [];
  for (const body of bodies) {
    const { envelope } = await stack.post('alpha', '/ppai/policies/validation', body);
    outcomes.push(envelope.data?.['errorCode'] ?? envelope.data?.['outcome']);
  }
  expect(outcomes).toEqual([
    'ACCEPTED',
    'FLAGGED',
    'VEHICLE_ALREADY_INSURED',
    'DUPLICATE_TRANSMISSION',
    'VALIDATION_FAILED',
  ]);
  expect(await tablesOf(db)).toEqual(tables);
  expect(await sequencesOf(db)).toEqual(sequences);
});
