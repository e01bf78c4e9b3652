import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { makeCertificate } from '../load/certificates.ts';
import { drained } from '../load/progress.ts';
import { makeSigner } from '../load/requests.ts';
import { sendAll, sendAtRate } from '../load/send-all.ts';
import { expectAll } from '../measure/correctness.ts';
import { untilQuiet } from '../measure/processes.ts';
import { type Bounds, measure, type Sample } from '../measure/sample.ts';
import { percentile } from '../measure/statistics.ts';
import { SHAPES, type Shape } from '../processes.ts';
import type { World } from '../world.ts';
import { type Cell, type Scale, scaled } from './cell.ts';
import { countCompleted } from './drain.ts';
import { requireAccepted } from './registration.ts';

const WARM_UP_ITEMS = 2_400;
const PEAK_ITEMS = 1_600;
/** Whatever the scale: an overload is one only of what is the peak of warm processes. */
const ITEMS_MIN = 1_000;
/** One try each, and another one after the overload, when the processes are warmer still; the best counts. */
const PEAK_CONNECTIONS = [16, 64] as const;
const PEAK_CONNECTIONS_AFTER = 64;
const OVERLOAD = 2;
const OVERLOAD_CONNECTIONS = 256;
/** The overload is on for so long before it is measured, and while it is. */
const BEFORE_SECONDS = 3;
const WINDOW_SECONDS = 5;
const SECONDS_MIN = 2;
/** New work is refused from this age of the backlog on, so that the refusals are part of what is measured. */
const BACKLOG_AGE_MAX_SECONDS = '2';

export const OVERLOAD_CELLS: readonly Cell[] = SHAPES.map(
  (shape): Cell => ({
    name: `overload-${shape}`,
    unit: 'certificate of 1 vehicle',
    about: `Registered per second while signed POSTs come at twice the peak, whatever becomes of those before. The peak is what is registered per second, just before or just after, when ${PEAK_CONNECTIONS.join(' or ')} connections send without a pause, until the last one is terminal. New work is refused with 429 while the oldest that waits is older than ${BACKLOG_AGE_MAX_SECONDS} s.`,
    seconds: 26,
    warmsUpItself: true,
    measure: (world, scale, bounds) => measureOverload(world, shape, scale, bounds),
  }),
);

async function measureOverload(
  world: World,
  shape: Shape,
  scale: Scale,
  bounds: Bounds,
): Promise<Sample> {
  const database = await world.database(`bench_overload_${shape}`);
  const registry = await world.start({ shape, database, environment: { BACKLOG_AGE_MAX_SECONDS } });
  const { url, watched } = registry;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await untilQuiet(watched);
    const signer = await makeSigner(url, database.client);
    const makeRequests = (count: number) =>
      Array.from({ length: count }, () =>
        signer.sign({
          method: 'POST',
          path: '/ppai/policies',
          body: Buffer.from(JSON.stringify(makeCertificate(1))),
          prefer: 'respond-async',
        }),
      );
    const measured = { servers: world.servers, database, watched, bounds };
    return await measure(measured, async () => async (window) => {
      const peakItems = scaled(PEAK_ITEMS, scale, ITEMS_MIN);
      const warmUpItems = scaled(WARM_UP_ITEMS, scale, ITEMS_MIN);
      const sendClosed = async (items: number, connections: number): Promise<number> => {
        const requests = makeRequests(items);
        const started = performance.now();
        await sendAll({ url, connections, requests, check: requireAccepted });
        await drained(client);
        return (items * 1_000) / (performance.now() - started);
      };
      await sendClosed(warmUpItems, PEAK_CONNECTIONS_AFTER);
      let peakPerSecond = 0;
      for (const connections of PEAK_CONNECTIONS) {
        peakPerSecond = Math.max(peakPerSecond, await sendClosed(peakItems, connections));
      }

      const windowSeconds = Math.max(SECONDS_MIN, WINDOW_SECONDS * scale.factor);
      const perSecond = OVERLOAD * peakPerSecond;
      const offered = makeRequests(Math.ceil(perSecond * (BEFORE_SECONDS + windowSeconds)));
      let accepted = 0;
      let refused = 0;
      const started = performance.now();
      const sending = sendAtRate({
        url,
        connections: OVERLOAD_CONNECTIONS,
        requests: offered,
        perSecond,
        check: (answer) => {
          if (answer.status === 429) refused += 1;
          else {
            requireAccepted(answer);
            accepted += 1;
          }
        },
      });
      sending.catch(() => undefined);
      await sleep(BEFORE_SECONDS * 1_000);
      await window.begin();
      const from = new Date();
      await sleep(windowSeconds * 1_000);
      const to = new Date();
      await window.end();
      const { latenciesMs } = await sending;
      await drained(client);
      const allMs = performance.now() - started;
      const items = await countCompleted(database, { from, to });
      const elapsedMs = to.getTime() - from.getTime();
      peakPerSecond = Math.max(peakPerSecond, await sendClosed(peakItems, PEAK_CONNECTIONS_AFTER));
      const tries = PEAK_CONNECTIONS.length + 1;
      const registered = warmUpItems + tries * peakItems + accepted;
      return {
        items,
        elapsedMs,
        expected: expectAll(registered, 1),
        figures: {
          peakPerSecond,
          offeredPerSecond: perSecond,
          refusedShare: refused / offered.length,
          answerP99Ms: percentile(latenciesMs, 99),
          toPeak: (items * 1_000) / elapsedMs / peakPerSecond,
          toPeakUntilDrained: (accepted * 1_000) / allMs / peakPerSecond,
        },
      };
    });
  } finally {
    await client.end();
    await registry.stop();
  }
}
