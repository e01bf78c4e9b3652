import { setTimeout as sleep } from 'node:timers/promises';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { makePlainVehicle } from '../../env/api/bodies.ts';
import type { Random } from '../random.ts';
import { makeRandom } from '../random.ts';
import type { ClientName, World } from '../world.ts';
import type { Call } from './coverage-rules.ts';
import { drawCall, drawTransmit, type Known } from './draw-call.ts';
import type { Operation } from './linearizable.ts';
import { type CallResult, type Family, sendCall } from './send-call.ts';

/** Concurrent calls of several clients about a few vehicles, with their results. */
export interface History {
  /** One list per family; no call concerns two families. */
  readonly families: readonly (readonly Operation<Call, string>[])[];
  readonly unknown: number;
}

export interface HistorySizes {
  readonly callsEach: number;
  /** How long a client waits for an outcome. */
  readonly timeoutMs: number;
}

const CLIENTS_AT_ONCE = 8;
const FAMILIES = 4;
/** The share of calls whose client does not wait for the answer. */
const ABANDONED_PERCENT = 3;
const PAUSE_MS_MAX = 12;

const INSURERS: readonly { readonly clientName: ClientName; readonly name: string }[] = [
  { clientName: 'alpha', name: 'Alpha Insurance' },
  { clientName: 'bravo', name: 'Bravo Insurance' },
  { clientName: 'charlie', name: 'Charlie Insurance' },
  { clientName: 'insurer-01', name: 'insurer-01' },
];

export async function recordHistory(
  world: World,
  random: Random,
  { callsEach, timeoutMs }: HistorySizes,
): Promise<History> {
  const families = Array.from({ length: FAMILIES }, makeFamily);
  const clients = Array.from({ length: CLIENTS_AT_ONCE }, async (_, index) => {
    // A separate generator per client, so that the answers to one client do not change the draws of another.
    const draws = makeRandom(random.below(2 ** 31));
    const insurer = INSURERS[index % INSURERS.length];
    if (insurer === undefined) return;
    for (let calls = 0; calls < callsEach; calls += 1) {
      // All clients start with the same few vehicles, which are not yet registered.
      const family = calls === 0 ? families[index % 2] : draws.pick(families);
      if (family === undefined) return;
      const call =
        calls === 0
          ? drawTransmit(draws, insurer.name)
          : drawCall(draws, insurer.name, family.known);
      await record(world, draws, insurer.clientName, family, call, timeoutMs);
      await sleep(draws.below(PAUSE_MS_MAX));
    }
  });
  await Promise.all(clients);
  const recorded = families.map(({ operations }) => operations);
  const unknown = recorded.flat().filter(({ to }) => to === Infinity).length;
  return { families: recorded, unknown };
}

interface RecordedFamily extends Family {
  readonly known: Known;
  readonly operations: Operation<Call, string>[];
}

function makeFamily(): RecordedFamily {
  const values: [VehicleBody, VehicleBody] = [makePlainVehicle(), makePlainVehicle()];
  return {
    values,
    plates: new Map(),
    references: new Map(),
    known: { sent: [], registered: [] },
    operations: [],
  };
}

async function record(
  world: World,
  random: Random,
  clientName: ClientName,
  family: RecordedFamily,
  call: Call,
  timeoutMs: number,
): Promise<void> {
  const { known, operations } = family;
  const insurer = call.op === 'transmit' ? call.insurer : undefined;
  const isAbandoned = 'key' in call && call.op !== 'look up' && random.percent(ABANDONED_PERCENT);
  const options = {
    timeoutMs,
    waitSeconds: random.percent(50) ? 0 : Math.min(10, timeoutMs / 1_000),
    ...(isAbandoned ? { signal: AbortSignal.timeout(random.below(40)) } : {}),
  };
  const from = performance.now();
  if (insurer !== undefined && call.op === 'transmit') known.sent.push({ key: call.key, insurer });
  const answer: CallResult | undefined = await sendCall(
    world.client(clientName),
    family,
    call,
    options,
  );
  const to = answer === undefined ? Infinity : performance.now();
  operations.push({ call, from, to, result: answer?.result });
  if (answer?.reference === undefined || call.op !== 'transmit') return;
  family.references.set(call.key, answer.reference);
  known.registered.push({ key: call.key, insurer: call.insurer });
}
