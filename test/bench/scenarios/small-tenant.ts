import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Scenario, type Subject, withRegistry } from '../bench.ts';
import { makeCertificate, toBytes } from '../load/certificates.ts';
import { makeTransmit, requireRegistered, type Transmit, WAIT } from '../load/client.ts';
import { percentile, sendAtRate, startLoad } from '../load/load.ts';
import { ALONE, BESIDE_BULK } from '../report/measurement.ts';
import { type Registry, tenantOf } from '../system/build.ts';
import { observe } from '../system/usage.ts';

const PER_SECOND = 20;
const CERTIFICATES = 300;
const WARM_UP_MS = 6_000;
const WARM_UP_LANES = 16;
/** The bulk load gets ahead of the workers for this long before the small tenant is measured beside it. */
const BULK_MS = 6_000;
const BULK_LANES = 8;

/**
 * How long a small tenant waits for the terminal status, from the moment at which each certificate is due: alone, and while
 * another tenant sends certificates as fast as they are accepted and has thousands waiting.
 */
export const smallTenant: Scenario = async (bench) => {
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const subject of bench.subjects)
      await withRegistry(bench, subject, (registry) =>
        measureSmallTenant(bench, subject, round, registry),
      );
  }
};

async function measureSmallTenant(
  { scale, record }: Bench,
  subject: Subject,
  round: number,
  { url, watched, database }: Registry,
): Promise<void> {
  const [small, bulk] = [tenantOf(database, 0), tenantOf(database, 1)];
  const transmit = await makeTransmit(url, small);
  const sendSmall = async () => {
    const body = toBytes(makeCertificate(small.organizationCode, 1));
    requireRegistered(await transmit(body, WAIT));
  };
  const measure = async (scenario: string): Promise<void> => {
    const sending = sendAtRate(Math.ceil(CERTIFICATES * scale), PER_SECOND, sendSmall);
    const { workerMb, othersShare } = await observe(watched, sending);
    const latencies = await sending;
    const [p50Ms, p99Ms] = [percentile(latencies, 50), percentile(latencies, 99)];
    const figures = { p50Ms, p99Ms, workerMb, othersShare };
    record({ scenario, subject: subject.name, round, figures, faults: [] });
  };

  const warmUp = startLoad(WARM_UP_LANES, sendSmall);
  await warmUp.during(WARM_UP_MS * scale);
  await warmUp.stop();
  await measure(ALONE);

  const transmitBulk = await makeTransmit(url, bulk);
  const load = startLoad(BULK_LANES, () => sendBulk(transmitBulk, bulk.organizationCode));
  await load.during(BULK_MS * scale);
  await measure(BESIDE_BULK);
  await load.stop();
}

/** Does not wait for the terminal status. When the backlog is too old it waits as the answer says (D20). */
async function sendBulk(transmit: Transmit, insurerCode: string): Promise<void> {
  const { status, retryAfterSeconds, text } = await transmit(
    toBytes(makeCertificate(insurerCode, 1)),
    'respond-async',
  );
  if (status === 429) await sleep(retryAfterSeconds * 1_000);
  else if (status !== 202 && status !== 201)
    throw new Error(`a bulk certificate was answered with ${status}: ${text}`);
}
